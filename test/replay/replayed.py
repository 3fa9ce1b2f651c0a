#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A dtrace(8) for the runner of the golden scripts that shows what a replay shows.

In:     the command line of a script. It is called where the build folder has it, whose dtrace is tested.
Out:    what the replay of a recording of the script prints, after the script has run with that recording. Status: the
        replay's; 77: the script cannot be recorded, or ends before it traces; 1: it printed something else live.
"""
import difflib
import pathlib
import subprocess
import sys
import tempfile

DECLINED = 77
NO_TRACING = ("-l", "-e", "-h", "-G", "-V", "-S", "--merge", "--diff", "--live", "--record", "--replay")
# A replay has no limit on the memory of variables.
ONLY_LIVE = ("drp.DTRACEDROP_DYNAMIC.",)
NOT_OF_REPLAYS = ("cannot be recorded", "a replay changes nothing")


def replays(words):
    """The command line without its processes, which are in the recording."""
    kept, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word in ("-c", "-p"):
            skip = True
        elif not word.startswith(("-c", "-p")):
            kept.append(word)
    return kept


def run(command, folder, name):
    out, err = folder / f"{name}.out", folder / f"{name}.err"
    with out.open("wb") as to, err.open("wb") as errors:
        status = subprocess.run(command, stdout=to, stderr=errors, check=False).returncode
    return status, out.read_bytes(), err.read_bytes()


def text(data):
    return data.decode("utf-8", "backslashreplace").splitlines(keepends=True)


def main():
    dtrace, words = pathlib.Path(sys.argv[0]).parent / "../../bin/dtrace", sys.argv[1:]
    if any(pathlib.Path(word).name.startswith(ONLY_LIVE) for word in words):
        return DECLINED
    if any(word in NO_TRACING or word.startswith("--stop-after") for word in words):
        return DECLINED
    with tempfile.TemporaryDirectory(prefix="dtrace-replay.") as scratch:
        folder = pathlib.Path(scratch)
        recording = folder / "case.rec"
        status, live, errors = run([dtrace, "--record", recording, "-x", "recordrun", *words], folder, "live")
        if not recording.exists():
            if b"cannot be recorded" in errors or run([dtrace, *words], folder, "plain")[2] == errors:
                return DECLINED
            sys.stderr.buffer.write(errors)
            return status or 1
        again, replayed, complaints = run([dtrace, "--replay", recording, *replays(words)], folder, "replay")
        if any(word.encode() in complaints for word in NOT_OF_REPLAYS):
            return DECLINED
        sys.stdout.buffer.write(replayed)
        sys.stderr.buffer.write(complaints)
        if replayed != live or again != status:
            print(f"live and replay differ; statuses {status} and {again}", file=sys.stderr)
            sys.stderr.writelines(difflib.unified_diff(text(live), text(replayed), "live", "replay"))
            return 1
        return again


if __name__ == "__main__":
    sys.exit(main())
