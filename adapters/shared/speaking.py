"""For tests: speaking the protocol to an adapter that runs many programs, in the words of the case language."""

import json
import os
import subprocess

import yaml

TIMEOUT_S = 120
FIRST_IS_ARGUMENT = {"run", "busy", "exit", "throw"}
FIRST_IS_TARGET = {"clear", "unref", "send", "raise", "start", "refresh", "resolve"}


def step(text, *body):
    """One step, as far as the tests need the language."""
    words = text.split()
    made = {"op": words.pop(0)}
    if made["op"] in FIRST_IS_ARGUMENT and words:
        made["argument"] = words.pop(0)
    if made["op"] in FIRST_IS_TARGET and words:
        made["target"] = words.pop(0)
    if made["op"] == "on":
        made["event"] = words.pop(0)
    if made["op"] == "only":
        made["only_from"] = made["only_to"] = words.pop(0)
    while words:
        word = words.pop(0)
        if word in ("of", "to"):
            made["target"] = words.pop(0)
        elif word == "as":
            made["kind"] = words.pop(0)
        elif word == "unsent":
            made["unsent"] = True
        elif word.startswith("x") and word[1:].isdigit():
            made["times"] = word[1:]
        elif word[0].isdigit() or word == "NaN":
            made["argument"] = word
        else:
            made["label"] = word
    if body:
        made["body"] = list(body)
    return made


def program_of(text):
    """A program, as a case writes it."""

    def one(item):
        words, body = (item, []) if isinstance(item, str) else next(iter(item.items()))
        return step(words, *map(one, body))

    return [one(item) for item in yaml.safe_load(text)]


def run(seq, steps, **more):
    return {"type": "run", "seq": seq, "entry": "script", "program": list(steps), **more}


def talk(command, messages, **variables):
    """All messages at once; what was answered, and how the process ended."""
    text = "".join(json.dumps(message) + "\n" for message in messages)
    done = subprocess.run(
        command, input=text, env={**os.environ, **variables}, capture_output=True, text=True, timeout=TIMEOUT_S
    )
    return [json.loads(line) for line in done.stdout.splitlines()], done


def labels(message):
    assert message["type"] == "trace", message
    return " ".join(event["label"] for event in message["events"])


def orders(command, *programs, **variables):
    """Runs programs in one session and gives their orders."""
    answers, done = talk(command, [run(i, program_of(program)) for i, program in enumerate(programs, 1)], **variables)
    assert done.returncode == 0, done.stderr
    assert [answer["type"] for answer in answers] == ["trace"] * len(programs), answers
    return [labels(answer) for answer in answers]
