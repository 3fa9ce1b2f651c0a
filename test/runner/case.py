# SPDX-License-Identifier: Apache-2.0
"""What the name and the neighbours of a script say about it: one TestCase per script."""

import dataclasses
import os
import pathlib
import re

import options as options_module

# A tag of an err. or drp. name is upper case; anything else is the first word of the name itself.
NAME = re.compile(r"(?P<kind>tst|err|drp)\.(?:(?P<tag>[A-Z][A-Z0-9_]*)\.)?(?P<rest>.+)\.(?P<language>d|sh)$")


class BadTest(Exception):
    """A test that cannot be understood; the text says why."""


@dataclasses.dataclass(frozen=True)
class TestCase:
    path: pathlib.Path
    name: str  # "aggs/tst.sum_signed.d"
    kind: str  # "tst", "err", "drp"
    tag: str  # "D_PROTO_LEN", "" if the name has none
    language: str  # "d", "sh"
    phase: str  # the phase whose dump is compared; "" for a script that runs
    options: options_module.Options

    def beside(self, suffix):
        """The neighbour of this script with another ending, if it exists: tst.x.d -> tst.x.r. One of this machine's
        processor goes before one of all: tst.x.r.aarch64."""
        paths = [self.path.with_suffix(ending) for ending in (f"{suffix}.{os.uname().machine}", suffix)]
        return next((path for path in paths if path.exists()), None)

    @property
    def expected_status(self):
        if self.options.status >= 0:
            return self.options.status
        return 1 if self.kind == "err" else 0


def load(path: pathlib.Path):
    match = NAME.match(path.name)
    if not match:
        raise BadTest(f"{path}: neither tst.NAME.d, err.TAG.NAME.d, drp.TAG.NAME.d nor the same with .sh")
    path = path.resolve()
    topic = path.parent
    try:
        options = options_module.parse(path.read_text(encoding="utf-8", errors="replace"))
    except options_module.BadOption as error:
        raise BadTest(f"{path}: {error}") from None
    except OSError as error:
        raise BadTest(str(error)) from None
    return TestCase(path=path, name=f"{topic.name}/{path.name}", kind=match["kind"], tag=match["tag"] or "",
                    language=match["language"], phase=topic.name if topic.parent.name == "phase" else "",
                    options=options)


def discover(paths):
    """Every script named, and every script directly or deeper in a folder named, in order of name."""
    found = []
    for path in paths:
        if path.is_dir():
            found += sorted(each for each in path.rglob("*") if each.is_file() and NAME.match(each.name))
        else:
            found.append(path)
    return [load(path) for path in found]
