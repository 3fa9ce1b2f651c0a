# SPDX-License-Identifier: Apache-2.0
"""Files made to harm a tracer, each mapped by a process; what dtrace does with them is bounded in time and memory."""
import os
import random
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

from elf import CODE, ESCAPE, PAGE, Elf, Mapper, align, site

DTRACE = sys.argv[1]
SLOW = bool(os.environ.get("slow"))
MAX_SECONDS = 300 if SLOW else 25
# A sanitizer keeps a shadow of the memory, and what was freed.
MAX_KIB = (2000 if os.environ.get("sanitized") else 600) << 10
SPARSE = 1 << 42


def sound():
    elf = Elf()
    elf.section(b".text", 1, b"", flags=6, address=CODE)
    return elf


def files(folder):
    """Yields (name, bytes, size of the file if it is sparse)."""
    good = sound()
    good.symbols([(b"function", CODE, 64)])
    good.section(b".note.stapsdt", 7, site(b"hostile", b"probe", b"8@%rdi"))
    image = good.build()
    for length in (0, 3, 16, 63, 100, CODE, len(image) - 700, len(image) - 64, len(image) - 1):
        yield "truncated%d" % length, image[:length] or b"\0", 0
    # Every field of the headers at its edges.
    chosen = random.Random(14)
    header_at = struct.unpack_from("<Q", image, 40)[0]
    for number in range(60):
        bad = bytearray(image)
        for _ in range(chosen.randint(1, 6)):
            at = chosen.choice([chosen.randrange(16, 120), chosen.randrange(header_at, len(bad) - 8)])
            bad[at:at + 8] = struct.pack("<Q", chosen.choice(
                [0, 1, 0xffffffffffffffff, 0x7fffffffffffffff, 1 << 40, 0xffffffff, 0xfff]))[:chosen.choice([1, 2, 4, 8])]
        yield "damaged%d" % number, bytes(bad), 0
    # Tables in the hole of a sparse file.
    for what, change in (("symbols", (2, 192 << 20)), ("strings", (3, 500 << 20)), ("note", (4, 200 << 20))):
        elf = sound()
        elf.symbols([(b"function", CODE, 64)])
        elf.section(b".note.stapsdt", 7, site(b"hostile", b"probe", b""))
        elf.section_changes = [(change[0], 4, 1 << 20), (change[0], 5, change[1])]
        yield "sparse_" + what, elf.build(), SPARSE
    elf = sound()
    elf.header_changes = {"shnum": 0}
    elf.section_changes = [(0, 5, 8 << 20)]
    yield "sparse_sections", elf.build(), SPARSE
    elf = sound()
    elf.header_changes = {"phnum": 0xfffe, "phoff": 1 << 20}
    yield "sparse_segments", elf.build(), SPARSE
    # Symbols within each other, and one long name that all of them end.
    elf = sound()
    elf.symbols([(b"f%d" % i, CODE + i, 40000 - 2 * i) for i in range(20000)])
    yield "nested", elf.build(), 0
    elf = sound()
    elf.symbols([(b"x" * 60000, CODE + i, 1) for i in range(1)])
    table = bytes(24) + b"".join(struct.pack("<IBBHQQ", 1 + i, 0x12, 0, 1, CODE + i, 1) for i in range(60000))
    elf.sections[2] = (b".dynsym", 11, 0, table, 3, 0)
    yield "long_name", elf.build(), 0
    # A name that doubles with each of its parts when it is demangled.
    elf = sound()
    mangled = b"_Z1fISt4pairIiiES0_IS1_S1_E" + b"".join(b"S0_IS%X_S%X_E" % (i, i) for i in range(2, 60)) + b"Evv"
    elf.symbols([(mangled, CODE, 64), (b"_RNvC1a" + b"TB_" * 300 + b"E", CODE + 64, 1)])
    yield "doubling", elf.build(), 0
    # Notes: huge names, sizes beyond the end, loops of nothing, too many, a probe at no instruction.
    for number, note in enumerate([struct.pack("<III", 0xffffffff, 0xffffffff, 3), bytes(12) * 5000,
                                   struct.pack("<III", 8, 0xfffffff0, 3) + b"stapsdt\0",
                                   site(b"hostile" * 40, b"p", b""), site(b"hostile", b"p" * 4000, b"8@%rdi " * 5000),
                                   site(b"hostile", b"p" + ESCAPE, b"8@" + ESCAPE), site(b"hos\ntile", b"p", b""),
                                   site(b"hostile", b"p", b"8@(" * 5000), site(b"hostile", b"q", b"", pc=1 << 60),
                                   site(b"hostile", b"semaphore", b"", semaphore=CODE)]):
        elf = sound()
        elf.section(b".note.stapsdt", 7, note)
        yield "note%d" % number, elf.build(), 0
    elf = sound()
    elf.section(b".note.stapsdt", 7, b"".join(site(b"many", b"probe%d" % i, b"8@%rdi") for i in range(500000)))
    yield "many", elf.build(), 0
    # Control bytes.
    elf = sound()
    elf.symbols([(b"function" + ESCAPE + b"\xff\xc2\x9b", CODE, 64)])
    yield "library" + ESCAPE.decode() + ".so", elf.build(), 0
    # A separate debug file: endless, a device, a FIFO, out of the root.
    for number, name in enumerate(["endless.debug", "fifo.debug", "device.debug", "../../../../dev/zero"]):
        elf = sound()
        elf.section(b".note.stapsdt", 7, site(b"hostile", b"linked%d" % number, b"8@variable%d(%%rip)" % number))
        elf.section(b".gnu_debuglink", 1, align(os.fsencode(name) + b"\0", 4) + struct.pack("<I", 1))
        yield "linked%d" % number, elf.build(), 0


class Run:
    """One command; fails if it takes too long or too much, is killed, or shows control bytes."""

    def __init__(self):
        self.bad = 0

    def __call__(self, claim, *arguments, wants=None, status=None, max_kib=MAX_KIB):
        start = time.monotonic()
        child = subprocess.Popen([DTRACE, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT)
        killer = subprocess.Popen(["timeout", "-s", "KILL", str(MAX_SECONDS), "tail", "--pid=%d" % child.pid, "-f",
                                   "/dev/null"], stdout=subprocess.DEVNULL)
        timer = threading.Timer(MAX_SECONDS, lambda: os.kill(child.pid, signal.SIGKILL))
        timer.start()
        output = child.stdout.read()
        waited = os.wait4(child.pid, 0)
        timer.cancel()
        code = os.waitstatus_to_exitcode(waited[1])
        child.returncode = code
        kib = waited[2].ru_maxrss
        problems = []
        if code == -signal.SIGKILL:
            problems.append("ran longer than %d s" % MAX_SECONDS)
        elif code < 0 or (status is not None and code != status):
            problems.append("status %d" % code)
        if kib > max_kib:
            problems.append("took %d MiB" % (kib >> 10))
        if any(byte < 32 and byte not in b"\n\t" or byte == 127 for byte in output):
            problems.append("control bytes in its output")
        if wants is not None and wants not in output:
            problems.append("%r is not in its output" % wants)
        if problems:
            self.bad += 1
            print("FAIL %s: %s (%.1f s)\n%s" % (claim, ", ".join(problems), time.monotonic() - start, output[:2000]))
        else:
            print("ok: %s" % claim)


def main():
    folder = tempfile.mkdtemp(dir=os.environ["tmpdir"])
    paths = []
    for name, image, sparse in files(folder):
        path = os.path.join(folder, name)
        with open(path, "wb") as out:
            out.write(image)
            if sparse:
                out.truncate(sparse)
        os.chmod(path, 0o755)
        paths.append(path)
    with open(os.path.join(folder, "endless.debug"), "wb") as out:
        out.truncate(SPARSE)
    os.mkfifo(os.path.join(folder, "fifo.debug"))
    os.symlink("/dev/zero", os.path.join(folder, "device.debug"))
    mapper = Mapper(paths)
    pid = str(mapper.pid)
    run = Run()
    try:
        run("the map of a JIT compiler is a FIFO", *symbols_of(mapper, pid, "fifo"), status=0)
        run("functions are listed", "-p", pid, "-ln", "pid$target:::entry", wants=b"function\\033]0;owned\\007\\377")
        run("returns are listed", "-p", pid, "-ln", "pid$target:::return")
        run("static probes are listed", "-p", pid, "-ln", "hostile$target:::", wants=b"linked0")
        run("notes that are not read are reported", "-p", pid, "-ln", "hostile$target:sparse_note::", status=1,
            wants=b"sparse_note: its static probes are not known: its section .note.stapsdt of 209715200 bytes")
        run("half a million static probes are listed", "-p", pid, "-ln", "many$target:::", status=0, wants=b" probe499999\n",
            max_kib=2 * MAX_KIB)  # so many probes have names and locations
        run("static probes of all processes are listed", "-ln", "hostile*:::", wants=b"linked0")
        for number in range(4):
            run("separate debug file %d is not read without end" % number, "-p", pid, "-n",
                "hostile$target:::linked%d { trace(arg0); } BEGIN { exit(0); }" % number)
        run("addresses become symbols", *symbols_of(mapper, pid, "none"), status=0,
            wants=b"library\\033]0;owned\\007.so`function\\033]0;owned\\007")
        run("demangled, too", "-xdemangle", *symbols_of(mapper, pid, "none"), status=0)
        for kind in ("sparse", "line", "escape", "nested", "growing"):
            run("the map of a JIT compiler: %s" % kind, *symbols_of(mapper, pid, kind), status=0)
    finally:
        mapper.end()
        os.path.lexists(map_path(pid)) and os.unlink(map_path(pid))
    return 1 if run.bad else 0


def map_path(pid):
    return "/tmp/perf-%s.map" % pid


def symbols_of(mapper, pid, kind):
    """Arguments that name an address of each file, and some behind the files' ends; and the map that is of KIND."""
    path = map_path(pid)
    if os.path.lexists(path):
        os.unlink(path)
    if kind == "fifo":
        os.mkfifo(path)
    elif kind != "none":
        with open(path, "wb") as out:
            if kind == "sparse":
                out.truncate(SPARSE)
            elif kind == "line":
                out.write(b"%x 10 " % mapper.anonymous + b"x" * (8 << 20))
            elif kind == "escape":
                out.write(b"%x 1000 jit%s\n" % (mapper.anonymous, ESCAPE))
            elif kind == "nested":
                out.write(b"".join(b"%x %x f%d\n" % (mapper.anonymous - i, 1 << 20, i) for i in range(200000)))
            elif kind == "growing":
                out.write(b"".join(b"%x 10 f%d\n" % (i * 16, i) for i in range(300000)))
    addresses = [a + CODE + 8 for a in mapper.addresses if a] + [mapper.anonymous + i for i in range(64)]
    rows = "".join("@[usym(0x%xUL)] = count(); " % a for a in addresses[:220])
    return ["-q", "-p", pid, "-n", "syscall::getppid:entry /pid == $target/ { %s n++; } "
            "syscall::getppid:entry /n == 3/ { exit(0); }" % rows]


sys.exit(main())
