"""Makes `pytest --impl=node@24 cases/` work here; the plugin itself is in runners/pytest."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "runners/pytest"))

pytest_plugins = ["conform_pytest"]
