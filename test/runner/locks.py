# SPDX-License-Identifier: Apache-2.0
"""Locks by name, for what a machine has once: a kernel module, the page cache, the breakpoints of its processors.

A lock is a file that is locked by flock(2). So it also holds between topics, which ctest runs beside each other, and
between trees; the kernel releases it if its holder dies."""

import contextlib
import errno
import fcntl
import os
import pathlib
import tempfile

PREFIX = "dtrace-test-"
# The first that can be written is used. Without root that may be another one than root's.
FOLDERS = [pathlib.Path(folder) for folder in ("/run/lock", os.environ.get("XDG_RUNTIME_DIR"), tempfile.gettempdir()) if folder]


def opened(name):
    error = None
    for folder in FOLDERS:
        path = folder / (PREFIX + name)
        # The kernel refuses O_CREAT for another user's file in a folder like /tmp (fs.protected_regular), so without it first.
        for flags in (0, os.O_CREAT):
            try:
                return open(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | flags, 0o644), "rb")
            except OSError as failed:
                error = failed
    raise error


def take(names, how=fcntl.LOCK_EX):
    """All of them, in an order that is the same for everybody. They are released when the result is closed."""
    with contextlib.ExitStack() as stack:
        for name in sorted(names):
            fcntl.flock(stack.enter_context(opened(name)), how)
        return stack.pop_all()


def take_now(names):
    """None if somebody holds one of them."""
    try:
        return take(names, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno == errno.EWOULDBLOCK:
            return None
        raise
