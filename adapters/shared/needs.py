"""For tests: the implementations of the adapters as their adapter.yaml describes them, and what they need."""

import pathlib

import pytest
import yaml

ADAPTERS = pathlib.Path(__file__).resolve().parents[1]


def implementations(folder):
    """By name, as a map of the keys of adapter.yaml."""
    adapter = yaml.safe_load((ADAPTERS / folder / "adapter.yaml").read_text(encoding="utf-8"))
    return adapter.get("implementations", {adapter["name"]: adapter})


def parameters(found):
    """The names as parameters of tests. Those whose packages are large are for ./test --long."""
    return [pytest.param(name, marks=[pytest.mark.long] if one.get("large") else []) for name, one in found.items()]


def hint(implementation):
    """For the message of a test that fails where it cannot be built or started."""
    return f"it needs: apt install {implementation['install']}; ./test does that"
