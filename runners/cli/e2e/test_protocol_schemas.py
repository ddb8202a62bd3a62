"""The schemas of the adapter protocol say what its document says, and what is really said."""

import json
import re

import jsonschema
import pytest

MESSAGES = ("hello", "ready", "run", "trace", "unsupported", "error", "stop")


@pytest.fixture(scope="module")
def document(root):
    return (root / "spec/adapter-protocol.md").read_text(encoding="utf-8")


def conversation(document):
    """The messages of the example, with the lines that are folded there joined."""
    block = re.search(r"## A conversation\n.*?```text\n(.*?)```", document, re.DOTALL).group(1)
    lines = re.split(r"^(?:->|<-) ", block, flags=re.MULTILINE)[1:]
    return [json.loads(line.replace("\n    ", "")) for line in lines]


def test_every_message_has_a_schema(root):
    files = (root / "spec/schemas/protocol").iterdir()
    assert sorted(file.name for file in files) == sorted(f"{name}.schema.json" for name in MESSAGES)


def test_the_conversation_of_the_document_is_valid(document, validate):
    messages = conversation(document)
    assert [message["type"] for message in messages] == ["hello", "ready", "run", "trace", "stop"]
    for message in messages:
        validate(message, f"protocol/{message['type']}")


def test_the_fields_of_the_document_are_those_of_the_schemas(root, document):
    sections = re.findall(r"^### (.+?): .+?\n(.*?)(?=^#)", document, re.DOTALL | re.MULTILINE)
    described = {}
    for title, text in sections:
        for field, meaning in re.findall(r"^\| `(\w+)` \| (.*) \|$", text, re.MULTILINE):
            only = re.match(r"\((\w+)\)", meaning)
            for name in title.split(" and "):
                if only is None or only.group(1) == name:
                    described.setdefault(name, {"type"}).add(field)
    described.setdefault("stop", {"type"})
    for name in MESSAGES:
        schema = json.loads((root / f"spec/schemas/protocol/{name}.schema.json").read_text())
        assert set(schema["properties"]) == described[name], name


def test_every_field_has_a_description(root):
    def undescribed(schema, path):
        for name, field in schema.get("properties", {}).items():
            if "description" not in field:
                yield f"{path}.{name}"
            yield from undescribed(field, f"{path}.{name}")
        for name, part in schema.get("$defs", {}).items():
            yield from undescribed(part, f"{path}.{name}")

    for name in MESSAGES:
        schema = json.loads((root / f"spec/schemas/protocol/{name}.schema.json").read_text())
        assert list(undescribed(schema, name)) == []


READY = {"type": "ready", "protocol": 1, "implementation": {"name": "x", "version": "1"}, "isolation": "session"}
RUN = {"type": "run", "seq": 1, "entry": "script", "program": [{"op": "log", "label": "A"}]}
TRACE = {"type": "trace", "seq": 1, "events": [{"label": "A"}]}


def test_unknown_fields_are_ignored(validate):
    for message in (READY, RUN, TRACE, {"type": "stop"}):
        validate({**message, "later": [1]}, f"protocol/{message['type']}")


@pytest.mark.parametrize(
    "message",
    [
        {"type": "hello", "protocol": 1},
        {**READY, "isolation": "thread"},
        {**READY, "protocol": "1"},
        {**READY, "implementation": {"name": "x"}},
        {**READY, "implementation": {"name": "x", "version": 1}},
        {**READY, "claims": {"profile": "node"}},
        {**READY, "ops": "tick"},
        {**RUN, "seq": 0},
        {**RUN, "entry": "module"},
        {**RUN, "native": "x.cjs"},
        {**RUN, "program": [{"op": "tok"}]},
        {**RUN, "program": [{"op": "only", "body": [{"op": "log", "label": "A"}]}]},
        {**RUN, "descriptors": [0]},
        {**RUN, "flush": "never"},
        {**TRACE, "seq": "1"},
        {**TRACE, "events": ["A"]},
        {**TRACE, "events": [{"label": ""}]},
        {**TRACE, "events": [{"label": "A", "t_ns": 0.5}]},
        {**TRACE, "events": [{"label": "A" * 201}]},
        {"type": "unsupported", "seq": 1},
        {"type": "error", "seq": 1},
    ],
    ids=lambda message: json.dumps(message)[:60],
)
def test_what_is_not_as_described_is_invalid(message, validate):
    with pytest.raises(jsonschema.ValidationError):
        validate(message, f"protocol/{message['type']}")


def test_a_native_run_needs_no_program(validate):
    validate({"type": "run", "seq": 7, "entry": "esm", "native": "x.mjs", "descriptors": [3, 4]}, "protocol/run")
