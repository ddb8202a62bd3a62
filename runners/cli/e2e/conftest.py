"""What the end-to-end tests share."""

import os
import pathlib

import pytest


@pytest.fixture(scope="session")
def root():
    """The top of the sources."""
    return pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def conform(root):
    """The program under test: CONFORM, or the release build."""
    program = pathlib.Path(os.environ.get("CONFORM", root / "build/release/runners/cli/conform"))
    assert program.exists(), f"{program} is not built"
    return program
