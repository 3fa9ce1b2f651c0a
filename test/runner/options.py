# SPDX-License-Identifier: Apache-2.0
"""The `@@` options in the comments at the top of a script.

A script of the public suites may carry options we do not know; they are ignored, as those suites ignore ours.
"""

import dataclasses
import re
import shlex

DEFAULT_TIMEOUT_S = 40.0

# An option runs to the end of its line; one comment line may hold several, and a D comment may end on it.
OPTION = re.compile(r"@@([a-z][a-z-]*)(?::[ \t]*((?:(?!@@|\*/).)*))?")

LOCK_NAME = re.compile(r"\w[\w.-]*", re.ASCII)  # a part of a file's name


class BadOption(Exception):
    """An option whose value cannot be understood: a mistake in the test."""


@dataclasses.dataclass
class Options:
    timeout_s: float = DEFAULT_TIMEOUT_S
    trigger: list = dataclasses.field(default_factory=list)  # program and arguments; empty: none
    trigger_timing: str = ""  # "" as the -c target, "before", "after"
    runtest_opts: list = dataclasses.field(default_factory=list)
    skip: str = ""  # the reason; empty: run it
    xfail: str = ""
    tags: set = dataclasses.field(default_factory=set)
    locks: set = dataclasses.field(default_factory=set)  # names of locks.py: scripts that share one do not run at the same time
    sort: bool = False
    parts: bool = False  # the output has sections, and each kernel may run its share of them
    shared: bool = False  # one of the kernels that run all scripts may stand for the others
    status: int = -1  # the exit status expected; -1: what the name of the file says


def top_comment(text):
    """The leading lines up to the first that is neither blank, `#` nor part of a comment."""
    lines, inside = [], False
    for line in text.splitlines():
        stripped = line.strip()
        if inside or stripped.startswith("/*"):
            lines.append(line)
            inside = "*/" not in stripped
        elif not stripped or stripped.startswith(("#", "//")):
            lines.append(line)
        else:
            break
    return "\n".join(lines)


def number(name, value, convert):
    try:
        return convert(value)
    except ValueError:
        raise BadOption(f"@@{name}: `{value}` is no number") from None


def lock_names(value):
    names = set(value.replace(",", " ").split())
    wrong = sorted(name for name in names if not LOCK_NAME.fullmatch(name))
    if wrong:
        raise BadOption(f"@@lock: `{wrong[0]}` is not a name of letters, digits, `.`, `_` and `-`")
    return names


def parse(text):
    options = Options()
    for name, value in OPTION.findall(top_comment(text)):
        value = value.strip()
        if name == "timeout":
            options.timeout_s = number(name, value, float)
        elif name == "status":
            options.status = number(name, value, int)
        elif name == "trigger":
            options.trigger = shlex.split(value)
        elif name == "trigger-timing":
            if value not in ("before", "after"):
                raise BadOption(f"@@trigger-timing: `{value}` is neither before nor after")
            options.trigger_timing = value
        elif name == "runtest-opts":
            options.runtest_opts += shlex.split(value)
        elif name == "skip":
            options.skip = value or "no reason given"
        elif name == "xfail":
            options.xfail = value or "no reason given"
        elif name == "tags":
            options.tags |= set(value.replace(",", " ").split())
        elif name == "lock":
            options.locks |= lock_names(value)
        elif name == "sort":
            options.sort = True
        elif name == "parts":
            options.parts = True
        elif name == "shared":
            options.shared = True
    return options
