#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the last run of `check` saw, kept in build/last-check: so that one can ask whether a commit was checked.

    last_check.py TREE [COMMIT]

Exit status: 0 all tests passed on COMMIT (default: what is checked out now) without changes, 1 that was not seen.
The file is JSON:

    commit    the commit that was checked out; "" where there is no git
    dirty     whether files differed from it, or another one was checked out meanwhile
    began     in seconds since 1970
    seconds   how long it took
    tiers     those that ran
    left_out  those that did not
    counts    by preset and tier: how many passed, failed, were skipped
    failed    preset and name of each failure
"""

import dataclasses
import json
import pathlib
import subprocess
import sys
import time

FILE = "build/last-check"


@dataclasses.dataclass
class Record:
    commit: str
    dirty: bool
    began: int
    seconds: int
    tiers: list
    left_out: list
    counts: dict  # "release golden": [passed, failed, skipped]
    failed: list

    def write(self, path: pathlib.Path):
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(path.name + ".part")
        part.write_text(json.dumps(dataclasses.asdict(self), indent=2) + "\n", encoding="utf-8")
        part.rename(path)

    @property
    def passed(self):
        return not self.failed and any(count[0] for count in self.counts.values())

    def text(self):
        when = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(self.began))
        changed = " with changes" if self.dirty else ""
        lines = [f"{self.commit[:12] or 'a tree without git'}{changed}, {when}, {self.seconds / 60:.0f} minutes:"]
        for name, (passed, failed, skipped) in self.counts.items():
            lines.append(f"  {name:24} {passed:5} passed {failed:5} failed {skipped:5} skipped")
        lines += [f"  FAIL {name}" for name in self.failed]
        if self.left_out:
            lines.append(f"  left out: {', '.join(self.left_out)}")
        return "\n".join(lines)


def state_of(tree):
    """The commit that is checked out, and whether anything differs from it; "" without git."""
    def git(*words):
        return subprocess.run(["git", "-C", tree, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, text=True).stdout

    try:
        return git("rev-parse", "HEAD").strip(), bool(git("status", "--porcelain").strip())
    except (OSError, subprocess.CalledProcessError):
        return "", False


def read(path: pathlib.Path):
    return Record(**json.loads(path.read_text(encoding="utf-8")))


def resolved(tree, commit):
    answer = subprocess.run(["git", "-C", tree, "rev-parse", "--verify", "--quiet", commit + "^{commit}"], stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, check=False, text=True)
    return answer.stdout.strip()


def main(arguments):
    if len(arguments) not in (1, 2):
        print(__doc__, file=sys.stderr)
        return 2
    tree = arguments[0]
    path = pathlib.Path(tree, FILE)
    if not path.exists():
        print(f"nothing has been checked: no file {FILE}")
        return 1
    record = read(path)
    print(record.text())
    if len(arguments) == 2:
        commit, dirty = resolved(tree, arguments[1]), False
        if not commit:
            print(f"{arguments[1]} is no commit here")
            return 1
    else:
        commit, dirty = state_of(tree)
    if record.commit != commit:
        print(f"{commit[:12] or 'this tree'} was not checked")
    elif record.dirty or dirty:
        print("files were changed, then or since: that commit was not checked")
    elif record.passed:
        return 0
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
