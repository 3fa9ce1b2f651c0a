# SPDX-License-Identifier: Apache-2.0
"""What the tests of the build tools share: a folder of their own, `dtrace`, compilers, and readers of the results."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

DTRACE = os.environ.get("DTRACE") or shutil.which("dtrace")
SOURCE = Path(__file__).resolve().parents[2]

GCC = [shutil.which("gcc"), shutil.which("g++")]
CLANG = [shutil.which("clang-19") or shutil.which("clang"), shutil.which("clang++-19") or shutil.which("clang++")]
FAMILIES = [f for f in (GCC, CLANG) if f[0] and f[1]]


class Site:
    """One .note.stapsdt note as readelf shows it."""

    def __init__(self, provider, name, location, base, semaphore, arguments):
        self.provider, self.name, self.arguments = provider, name, arguments
        self.location, self.base, self.semaphore = (int(x, 16) for x in (location, base, semaphore))

    def __repr__(self):
        return f"{self.provider}:{self.name}({self.arguments})"


NOTE = re.compile(r"Provider: (\S+)\s+Name: (\S+)\s+Location: (\S+), Base: (\S+), Semaphore: (\S+)\s+Arguments:(.*)")


def sites(path):
    text = subprocess.run(["readelf", "-nW", path], capture_output=True, text=True, check=True).stdout
    return [Site(*m.groups()[:5], m.group(6).strip()) for m in NOTE.finditer(text)]


def provider_notes(path):
    """How many type-1 notes `.note.dtrace` holds."""
    text = subprocess.run(["readelf", "-nW", path], capture_output=True, text=True, check=True).stdout
    return len(re.findall(r"^\s+dtrace\s+0x\S+\s+(?:NT_VERSION|Unknown note type: \(0x00000001\))", text, re.M))


def symbols(path):
    """Name -> (bind, visibility, section index) of the symbol table."""
    text = subprocess.run(["readelf", "-sW", path], capture_output=True, text=True, check=True).stdout
    rows = re.findall(r"^\s*\d+: \S+\s+\S+ (\S+)\s+(\S+)\s+(\S+)\s+(\S+) (\S+)$", text, re.M)
    return {name: (bind, visibility, index) for _, bind, visibility, index, name in rows}


def instructions(path, function):
    """The instructions of one function, without operand comments."""
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", f"--disassemble={function}", path],
                          capture_output=True, text=True, check=True).stdout
    return [m.group(1).split("#")[0].split("<")[0].strip() for m in re.finditer(r"^\s+[0-9a-f]+:\t(.*)$", text, re.M)]


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="dtrace-usdt-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def read(self, name):
        return (self.folder / name).read_text()

    def run_in(self, *command, env=None, stdin=None):
        return subprocess.run([str(c) for c in command], cwd=self.folder, capture_output=True, text=True,
                              input=stdin, env={**os.environ, **(env or {})})

    def dtrace(self, *arguments, status=0, env=None, stdin=None):
        """Runs dtrace; nothing may go to stdout unless `-o -` asks for it."""
        done = self.run_in(DTRACE, *arguments, env=env, stdin=stdin)
        self.assertEqual(done.returncode, status, done.stderr)
        if "-" not in arguments and "-V" not in arguments and "--help" not in arguments:
            self.assertEqual(done.stdout, "")
        return done

    def compile(self, compiler, *arguments):
        done = self.run_in(compiler, *arguments)
        self.assertEqual(done.returncode, 0, f"{compiler} {' '.join(map(str, arguments))}\n{done.stderr}")
        return done

    def exit_status(self, program, *arguments):
        return self.run_in(self.folder / program, *arguments).returncode

    def need_32bit(self):
        """Skips the test where 32-bit programs do not compile or do not run."""
        program = "int main(void) { return 0; }"
        if self.run_in(GCC[0], "-m32", "-xc", "-", "-o", "narrow", stdin=program).returncode != 0:
            self.skipTest("no 32-bit C library")
        try:
            self.exit_status("narrow")
        except OSError:  # no CONFIG_IA32_EMULATION
            self.skipTest("this kernel does not run 32-bit programs")
        finally:
            (self.folder / "narrow").unlink()

    def files(self):
        return sorted(p.name for p in self.folder.iterdir())
