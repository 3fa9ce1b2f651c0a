# SPDX-License-Identifier: Apache-2.0
"""Which scripts passed only at their second try, over the last runs of a topic.

A second try keeps a busy machine from failing a good test. It must not hide a test that fails by chance: that one needs it
again and again. So the runs are kept in a file of the build folder, one line of JSON each, which no run removes."""

import json
import os
import pathlib

# So many second tries in so many runs, the present one included, are a failure.
MAX_TRIES = 2
RUNS = 10


def parsed(line):
    """When a run began, and the reason for each second try; None if the line is not of a run."""
    try:
        run = json.loads(line)
        return str(run["began"]), dict(run["second_tries"])
    except (ValueError, KeyError, TypeError):
        return None


class History:
    def __init__(self, path: pathlib.Path, began):
        self.path = path
        self.began = began  # in words: what a message calls this run
        self.tries = {}
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else []
        self.runs = [run for run in map(parsed, lines) if run][-(RUNS - 1):]

    def add(self, name, reason):
        """Notes a second try of this run. The result says why that is one too many, or is empty."""
        self.tries[name] = reason
        known = [(began, tries[name]) for began, tries in [*self.runs, (self.began, self.tries)] if name in tries]
        if len(known) < MAX_TRIES:
            return ""
        return (f"passed only when it ran again, in {len(known)} of the last {RUNS} runs: " +
                "; ".join(f"{began} ({reason})" for began, reason in known))

    def finish(self):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        part = self.path.with_name(self.path.name + ".part")
        part.write_text("".join(json.dumps({"began": began, "second_tries": tries}) + "\n"
                                for began, tries in [*self.runs, (self.began, self.tries)]), encoding="utf-8")
        os.replace(part, self.path)
