# SPDX-License-Identifier: Apache-2.0
"""Compares the provider definitions of the D library with the notes of programs that carry no types. Each site of a probe
passes as many arguments as are declared, and pointers whole; numbers are converted, however wide the compiler has them.
Prints what differs, then how many probes of which providers were compared.

usage: library_types.py LIBRARY_FOLDER PROGRAM..."""
import collections
import re
import subprocess
import sys
from pathlib import Path

NOTE = re.compile(r"Provider: (\S+)\s+Name: (\S+)\s+Location: .*\s+Arguments:(.*)")
OPERAND = re.compile(r"(?:^|\s)-?(\d+)f?@")


def definitions(folder):
    """(provider, probe) -> for each argument whether it is a pointer."""
    found = {}
    for path in folder.glob("*.d"):
        text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
        for provider, body in re.findall(r"^provider (\w+)\s*\{(.*?)^\};", text, re.S | re.M):
            for probe, arguments in re.findall(r"probe (\w+)\s*\(([^;]*?)\)\s*(?::[^;]*)?;", body):
                found[provider, probe] = ["*" in a for a in arguments.split(",") if a.strip() not in ("", "void")]
    return found


def sites(program):
    """(provider, probe, sizes of its operands in bytes) for each site."""
    text = subprocess.run(["readelf", "-nW", program], capture_output=True, text=True, check=True).stdout
    for provider, probe, arguments in NOTE.findall(text):
        yield provider, probe, [int(size) for size in OPERAND.findall(arguments)]


declared = definitions(Path(sys.argv[1]))
compared = collections.defaultdict(set)
for program in sys.argv[2:]:
    for provider, probe, sizes in sites(program):
        pointers = declared.get((provider, probe))
        compared[provider].add(probe)
        if pointers is None:
            if sizes:
                print(f"{provider}:{probe} is not in the library, and passes {len(sizes)} arguments")
        elif len(sizes) != len(pointers):
            print(f"{provider}:{probe}: {len(pointers)} arguments are declared, {len(sizes)} passed")
        elif any(is_pointer and size < 8 for is_pointer, size in zip(pointers, sizes)):
            print(f"{provider}:{probe}: {sizes} bytes are passed where {pointers} are pointers")
print(", ".join(f"{provider} {len(probes)}" for provider, probes in sorted(compared.items())))
