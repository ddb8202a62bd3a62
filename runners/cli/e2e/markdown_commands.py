"""The commands of a Markdown page: what stands in its blocks, and what its sentences quote."""

import dataclasses
import re
import shlex

FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})\s*(\S*)")
LIST_ITEM = re.compile(r"^\s*([-*+]|\d+\.)\s")
SHELLS = {"", "sh", "bash", "console", "text"}  # other blocks are programs or data
# What a command begins with; a block without a prompt has commands if its first line is one.
PROGRAM = re.compile(
    r"^(?:(?:\S*/)?(?:conform|check|fresh|make|test|generate\.py|pytest|python3)|cmake|npx|for|sudo|spin|echo)(?:\s|$)"
)
REPLAY = re.compile(r"^\s+(conform [a-z]+ .*)$")  # what conform itself says to be typed
PLACEHOLDER = re.compile(r"^[^\s'\"]*(?<![\w-])[A-Z]+\b(?!=)[^\s'\"]*$|[…<>|]")


@dataclasses.dataclass(frozen=True)
class Command:
    line: int
    text: str  # without a comment
    shown: tuple = ()  # the lines of output below it
    quoted: bool = False  # in a sentence

    @property
    def words(self):
        return shlex.split(self.text, comments=True)

    @property
    def is_template(self):
        """Whether something in it stands for something else: `conform show CASE --as=js|c|python`."""
        return any(" " not in word and PLACEHOLDER.search(word) for word in self.words[1:])


def without_comment(text):
    """A `#` after a blank and outside of quotes begins a comment."""
    quote = ""
    for at, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        elif sign == "#" and text[at - 1 : at] in ("", " "):
            return text[:at].rstrip()
    return text.rstrip()


def blocks_and_rest(text):
    """[(number of the first line, language, lines)] and the lines of everything else, by number."""
    blocks, rest = [], {}
    fence = block = None
    in_list = is_after_blank = False
    for number, line in enumerate(text.splitlines(), 1):
        found = FENCE.match(line)
        if fence:
            if found and line.strip() == found[1] and found[1].startswith(fence):
                fence = block = None
            else:
                block[2].append(line)
            continue
        if found:
            fence, block = found[1], (number + 1, found[2], [])
            blocks.append(block)
            continue
        if line.startswith("    ") and not in_list and (block or is_after_blank):
            if block is None:
                block = (number, "", [])
                blocks.append(block)
            block[2].append(line[4:])
            continue
        if not line.strip():
            is_after_blank = True
            if block:
                block[2].append("")
            continue
        is_after_blank, block = False, None
        in_list = bool(LIST_ITEM.match(line)) or (in_list and line.startswith(" "))
        rest[number] = line
    return blocks, rest


def of_block(number, language, lines):
    if language not in SHELLS:
        return
    if any(line.startswith("$ ") for line in lines):
        starts = [at for at, line in enumerate(lines) if line.startswith("$ ")]
        for at, end in zip(starts, [*starts[1:], len(lines)]):
            yield Command(number + at, without_comment(lines[at][2:]), tuple(lines[at + 1 : end]))
    elif language in ("sh", "bash") or (lines and PROGRAM.match(lines[0])):
        begun = ""
        for at, line in enumerate(lines):
            begun += without_comment(line)
            if begun.endswith("\\"):  # it goes on in the next line
                begun = begun[:-1]
                continue
            if begun:
                yield Command(number + at, begun)
            begun = ""
    for at, line in enumerate(lines):
        if REPLAY.match(line):
            yield Command(number + at, REPLAY.match(line)[1])


def commands_of(text):
    """The commands of a page, in its order: those in blocks, and those of conform that a sentence quotes."""
    blocks, rest = blocks_and_rest(text)
    found = [command for block in blocks for command in of_block(*block)]
    # A quotation may go on in the next line. Those of a paragraph are looked for together.
    paragraphs, last = [], None
    for number, line in rest.items():
        if last is not None and number == last + 1 and not line.lstrip().startswith("|"):
            paragraphs[-1][1].append(line)
        else:
            paragraphs.append((number, [line]))
        last = number
    for number, lines in paragraphs:
        whole = "\n".join(lines)
        for quoted in re.finditer(r"`([^`]+)`", whole):
            command = " ".join(quoted[1].split())
            if re.match(r"(\./)?conform [a-z]", command):
                found.append(Command(number + whole.count("\n", 0, quoted.start()), command, quoted=True))
    return sorted(found, key=lambda command: command.line)
