# SPDX-License-Identifier: Apache-2.0
"""A process executes damaged files: each is reported and left out, whatever looks at the files of many processes."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "hostile"))
from elf import CODE, Elf, Mapper, site

DTRACE, FLAGS, TMP = sys.argv[1], os.environ.get("dt_flags", "").split(), os.environ["tmpdir"]
HUGE, MOST = 1 << 40, (1 << 64) - 8
NOTES = 4  # number of the section


def image(header=None, section=None, note=None):
    elf = Elf(int(os.environ["elf_machine"]))
    elf.section(b".text", 1, b"", flags=6, address=CODE)
    elf.symbols([(b"function", CODE, 64)])
    elf.section(b".note.stapsdt", 7, site(b"dmg", b"probe", b"") if note is None else note)
    elf.header_changes = header or {}
    elf.section_changes = section or []
    return elf.build()


GOOD = image()
NOTE_BYTES = len(site(b"dmg", b"probe", b""))
NO_NAMES, NO_TABLE = "the names of its sections cannot be read", "section headers outside of the file"
# Name: the file, and what is reported of its static probes.
FILES = {
    "offset": (image(section=[(NOTES, 4, 0x7fffffff)]), "its section .note.stapsdt of %d bytes cannot be read" % NOTE_BYTES),
    "offset_overflows": (image(section=[(NOTES, 4, MOST)]), "its section .note.stapsdt of %d bytes cannot be read" % NOTE_BYTES),
    "size": (image(section=[(NOTES, 5, 1 << 20)]), "its section .note.stapsdt of 1048576 bytes cannot be read"),
    "size_is_large": (image(section=[(NOTES, 5, MOST)]),
                      "its section .note.stapsdt of %d bytes is larger than is read" % MOST),
    "no_names": (image(section=[(5, 4, HUGE)]), NO_NAMES),
    "headers": (image(header={"shoff": HUGE}), NO_TABLE),
    "headers_overflow": (image(header={"shoff": MOST}), NO_TABLE),
    "headers_of_another_size": (image(header={"shentsize": 7}), NO_TABLE),
    "segments": (image(header={"phoff": HUGE}), "program headers outside of the file"),
    "too_many_segments": (image(header={"phnum": 0xfffe}), "program headers outside of the file"),
    "note_overflows": (image(note=b"\xff" * 8 + b"\3\0\0\0" + bytes(36)), "its section .note.stapsdt ends within a note"),
    "note_is_cut": (image(note=site(b"dmg", b"probe", b"")[:30]), "its section .note.stapsdt ends within a note"),
    "second_note_is_cut": (image(note=site(b"dmg", b"probe", b"") + b"\xff" * 16),
                           "it may have more static probes than are known: its section .note.stapsdt ends within a note"),
    "truncated": (GOOD[:-70], NO_TABLE),
    "cut_in_header": (GOOD[:20], "an ELF file that ends within its header"),
    "emptied": (GOOD, "it is empty"),
}


def write(name, data):
    path = os.path.join(TMP, name)
    with open(path, "wb") as out:
        out.write(data)
    os.chmod(path, 0o755)
    return path


def run(*arguments, **more):
    return subprocess.run([DTRACE, *FLAGS, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=60, **more)


def check(claim, is_so, result):
    print("ok: " + claim if is_so else "FAIL: %s: status %d\n%s%s" % (claim, result.returncode, result.stdout, result.stderr))


def reported(result, names):
    """Is each of these files in one message, with its damage?"""
    return all(sum(os.path.join(TMP, name) + ":" in line and FILES[name][1] in line
                   for line in result.stderr.splitlines()) == 1 for name in names)


def main():
    good = write("good", GOOD)
    paths = {name: write(name, data) for name, (data, _) in FILES.items()}

    with_good = Mapper([good])
    damaged = Mapper(list(paths.values()))
    os.truncate(paths["emptied"], 0)
    try:
        beginning = "BEGIN { exit(0); }"
        result = run("-n", beginning, "-n", "dmg*::: { }")
        check("all processes: reported, and sound probes are set", result.returncode == 0 and
              reported(result, FILES) and "matched 2 probes\n" in result.stderr.split("dmg*:::", 1)[1], result)
        result = run("-q", "-Z", "-n", beginning, "-n", "nobody*::: { }")
        check("no probe of that name, -Z: reported", result.returncode == 0 and reported(result, FILES), result)
        result = run("-n", "nobody*::: { }")
        check("no probe of that name: no probe matches, and that may be why",
              result.returncode == 1 and "does not match any probes" in result.stderr and reported(result, FILES), result)
        result = run("-l", "-n", "dmg*:::")
        check("listed", result.returncode == 0 and " good" in result.stdout and reported(result, FILES), result)
        result = run("-q", "-n", beginning, "-n", "dmg*:good:: { }")
        check("another file is named: not reported", result.returncode == 0 and result.stderr == "", result)
        result = run("-q", "-n", beginning, "-n", "dmg%d::: { }" % with_good.pid)
        check("another process is named: not reported", result.returncode == 0 and result.stderr == "", result)
        for name in sorted(FILES):
            module = run("-n", beginning, "-n", "other%d:%s:: { }" % (damaged.pid, name))
            check("the file %s is named, of one process" % name, module.returncode == 1 and
                  paths[name] + ":" in module.stderr and FILES[name][1] in module.stderr, module)

        result = run("-q", "-n", beginning, "-n", "pid*::function:entry { }")
        names = ["headers", "segments", "truncated"]
        check("functions of all processes: reported", result.returncode == 0 and
              all("no function is known of %s: " % paths[name] in result.stderr for name in names), result)
        result = run("-q", "-p", str(damaged.pid), "-n", beginning, "-n", "pid$target::function:entry { }")
        check("functions of one process: reported", result.returncode == 0 and
              all("no function is known of %s: " % paths[name] in result.stderr for name in names), result)
        result = run("-p", str(damaged.pid), "-n", "pid$target:headers:function:entry { }")
        check("the function of a damaged file is named", result.returncode == 1 and paths["headers"] in result.stderr and
              NO_TABLE in result.stderr, result)
        result = run("-q", "-n", beginning, "-n", "plockstat*::: { }")
        check("locks of all processes", result.returncode == 0, result)
        rows = " ".join("@[usym(%dUL)] = count();" % (a + CODE + 8) for a in damaged.addresses if a)
        result = run("-q", "-n", "syscall::getppid:entry /pid == %d/ { @s[ustack()] = count(); %s exit(0); }" %
                     (damaged.pid, rows))
        check("stacks and symbols", result.returncode == 0, result)
    finally:
        damaged.end()

    # Those that come later.
    tracer = subprocess.Popen([DTRACE, *FLAGS, "-qZ", "-n", 'BEGIN { printf("ready\\n"); }', "-n", "dmg*::: { }"],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1)
    tracer.stdout.readline()
    paths["emptied"] = write("emptied", GOOD)
    del FILES["emptied"], paths["emptied"]
    late = Mapper(list(paths.values()))
    try:
        lines = []
        while not all(any(path + ":" in line for line in lines) for path in paths.values()):
            lines.append(tracer.stderr.readline())
            if not lines[-1]:
                break
        tracer.terminate()
        out, err = tracer.communicate(timeout=60)
        result = subprocess.CompletedProcess([], tracer.returncode, out, "".join(lines) + err)
        check("mapped while tracing runs: reported", tracer.returncode == 0 and reported(result, FILES), result)
    finally:
        late.end()
        with_good.end()
    return 0


sys.exit(main())
