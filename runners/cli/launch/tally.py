"""Adds up the results that one part of ./test left in a folder, and prints "PASSED FAILED SKIPPED"; on stderr, a line
for each test that was skipped, with the reason.

    FOLDER/ctest.xml        a test case for each binary that ctest ran
    FOLDER/gtest/NAME.xml   what the tests inside of the binary NAME did
    FOLDER/pytest.xml       a test case for each test of pytest

A part without any result has failed: something kept it from running.
"""

import pathlib
import sys
import xml.etree.ElementTree as ElementTree


def outcome(case):
    """passed, failed or skipped, for a test case of any of the three kinds of files."""
    if case.find("failure") is not None or case.find("error") is not None or case.get("status") == "fail":
        return "failed"
    if case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
        return "skipped"
    return "passed"


def outcomes(file):
    found = []
    for case in ElementTree.parse(file).iter("testcase"):
        found.append(outcome(case))
        if found[-1] == "skipped":
            reason = case.find("skipped")
            reason = reason.get("message", "") if reason is not None else "disabled"
            print(f"{case.get('classname')}.{case.get('name')}: {' '.join(reason.split())}", file=sys.stderr)
    return found


def of_binary(case, gtest_folder):
    """The tests inside of a binary; the binary itself where it wrote nothing, or failed although its tests did not."""
    file = gtest_folder / (case.get("name") + ".xml")
    # That ctest could not start a binary was not intended, as skipping a test is.
    own = "failed" if case.get("status") == "notrun" else outcome(case)
    if not file.exists():
        return [own]
    try:
        inside = outcomes(file)
    except ElementTree.ParseError:
        return ["failed"]  # it died while it wrote
    if own == "failed" and "failed" not in inside:
        inside.append("failed")
    return inside


def main(folder):
    found = []
    if (folder / "ctest.xml").exists():
        for case in ElementTree.parse(folder / "ctest.xml").iter("testcase"):
            found += of_binary(case, folder / "gtest")
    if (folder / "pytest.xml").exists():
        found += outcomes(folder / "pytest.xml")
    if not found:
        found = ["failed"]
    print(found.count("passed"), found.count("failed"), found.count("skipped"))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
