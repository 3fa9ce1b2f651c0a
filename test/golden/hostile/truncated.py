# SPDX-License-Identifier: Apache-2.0
"""A library that is truncated, and made whole again, while dtrace reads it: an error perhaps, never SIGBUS."""
import os
import subprocess
import sys
import threading
import time

from elf import CODE, Elf, Mapper, site

DTRACE = sys.argv[1]
ROUNDS = 4 if os.environ.get("slow") else 8

elf = Elf()
elf.section(b".text", 1, b"", flags=6, address=CODE)
elf.symbols([(b"function%d" % i, CODE + i % 60, 1) for i in range(60000)])
elf.section(b".note.stapsdt", 7, b"".join(site(b"hostile", b"probe%d" % i, b"8@%rdi") for i in range(5000)))
elf.section(b".gnu_debuglink", 1, b"itself\0\0\1\1\1\1")
image = elf.build()
path = os.path.join(os.environ["tmpdir"], "library.so")
with open(path, "wb") as out:
    out.write(image)
mapper = Mapper([path])
stop = threading.Event()


def truncate():
    with open(path, "r+b", buffering=0) as out:
        while not stop.is_set():
            # Headers stay, so that the file is one that is read.
            out.truncate(len(image) // 4)
            time.sleep(0.002)
            out.truncate(len(image))
            out.seek(0)
            out.write(image)
            time.sleep(0.004)


thread = threading.Thread(target=truncate)
thread.start()
pid = str(mapper.pid)
commands = {
    "functions": ["-p", pid, "-ln", "pid$target:library:function1:return"],
    "static probes": ["-p", pid, "-ln", "hostile$target:::probe1"],
    "symbols": ["-qp", pid, "-n", "syscall::getppid:entry /pid == $target/ { @[usym(%dUL)] = count(); exit(0); }" %
                (mapper.addresses[0] + CODE)],
}
bad = 0
try:
    for claim, arguments in commands.items():
        statuses = {subprocess.run([DTRACE, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, timeout=300).returncode for _ in range(ROUNDS)}
        if statuses <= {0, 1}:
            print("ok: %s of a library that is truncated" % claim)
        else:
            bad = 1
            print("FAIL %s: status %s" % (claim, sorted(statuses)))
finally:
    stop.set()
    thread.join()
    mapper.end()
sys.exit(bad)
