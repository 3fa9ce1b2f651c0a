# SPDX-License-Identifier: Apache-2.0
"""One process in a group of its own, with its output in files: nothing it leaves behind can hold up the runner."""

import dataclasses
import os
import signal
import subprocess
import time


@dataclasses.dataclass(frozen=True)
class Outcome:
    status: int  # as subprocess: negative for a signal
    timed_out: bool
    timeout_s: float
    stdout: bytes
    stderr: bytes


def executable(path):
    """The command that runs a neighbour of a script (.x, .r.p), whether or not its mode survived the checkout."""
    return [str(path)] if os.access(path, os.X_OK) else ["sh", str(path)]


class Process:
    """A context: on leaving it, every process of the group that still runs is killed."""

    def __init__(self, command, env, cwd, folder, name):
        self.paths = [folder / f"{name}.{stream}" for stream in ("stdout", "stderr")]
        with open(self.paths[0], "wb") as out, open(self.paths[1], "wb") as err:
            self.popen = subprocess.Popen(command, env=env, cwd=cwd, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                          start_new_session=True)
        self.pid = self.popen.pid

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill_group()
        self.popen.wait()

    def kill_group(self):
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def is_running(self):
        return self.popen.poll() is None

    def has_output(self):
        return os.path.getsize(self.paths[0]) > 0

    def finish(self, deadline, timeout_s):
        timed_out = False
        try:
            self.popen.wait(timeout=max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            timed_out = True
            self.kill_group()
            self.popen.wait()
        stdout, stderr = (path.read_bytes() for path in self.paths)
        return Outcome(self.popen.returncode, timed_out, timeout_s, stdout, stderr)
