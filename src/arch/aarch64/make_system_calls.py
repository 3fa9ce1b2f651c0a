#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes system_calls.def from the kernel's headers and, for the widths of arguments, the table of x86-64.

    src/arch/aarch64/make_system_calls.py FOLDER >src/arch/aarch64/system_calls.def

FOLDER holds <asm/unistd.h> of arm64 and <asm-generic/unistd.h>: usr/include of what scripts/sysroot-aarch64 makes.
"""
import pathlib
import re
import subprocess
import sys

# Calls with a function of arm64's own, so another name in tracefs: arch/arm64/kernel/sys.c.
OWN_NAMES = {"personality": "arm64_personality"}
# No supported kernel implements them.
NOT_IMPLEMENTED = {"lookup_dcookie"}
# Numbers above those of Debian 12's headers; they are the same on all architectures.
LAST_OF_HEADERS = 450

HEADER = """\
// SPDX-License-Identifier: Apache-2.0
// System calls of arm64 by number, under their manual-page names:  SYSCALL(number, name, kernel_name, widths)
// Made by make_system_calls.py. See arch::SystemCall.
// Source: asm-generic/unistd.h as arm64 includes it; numbers above 450 and widths as in the table of x86-64.
"""


def rows_of_x86():
    table = pathlib.Path(__file__).parent.parent / "x86_64" / "system_calls.def"
    return re.findall(r"^SYSCALL\((\d+), (\w+), (\w+), (\w+)\)", table.read_text(), re.M)


def rows_of_headers(folder):
    """Pairs of number and the kernel's function: the header is a row of each call to a file that defines __SYSCALL."""
    generic = pathlib.Path(folder, "asm-generic", "unistd.h").read_text()
    wants = pathlib.Path(folder, "aarch64-linux-gnu", "asm", "unistd.h").read_text()
    defines = re.findall(r"^#define (__ARCH_WANT_\w+)", wants, re.M)
    source = "".join(f"#define {name}\n" for name in defines)
    source += "#define __BITS_PER_LONG 64\n#define __SYSCALL(number, function) ROW number function\n"
    source += re.sub(r"^#include .*$", "", generic, flags=re.M)
    made = subprocess.run(["cpp", "-P", "-undef", "-"], input=source, capture_output=True, text=True, check=True).stdout
    names = {}
    for name, value in re.findall(r"^#define __NR(?:3264)?_(\w+)\s+(\d+)$", generic, re.M):
        names.setdefault(int(value), []).append(name)
    better = {}
    for new, old in re.findall(r"^#define __NR_(\w+) __NR3264_(\w+)$", generic, re.M):
        better.setdefault(old, new)  # those with 32 bits come after those with 64
    for number, function in re.findall(r"ROW (\d+) (\w+)", made):
        function = function.removeprefix("sys_")
        known = names[int(number)]
        name = function if function in known else known[0]
        yield int(number), better.get(name, name), function


def main():
    x86 = rows_of_x86()
    widths = {name: width for _, name, _, width in x86}
    print(HEADER, end="")
    for number, name, function in sorted(rows_of_headers(sys.argv[1])):
        if function == "ni_syscall" or name in NOT_IMPLEMENTED or number > LAST_OF_HEADERS:
            continue
        print(f"SYSCALL({number}, {name}, {OWN_NAMES.get(name, function)}, {widths.get(name, '_')})")
        if name not in widths:
            print(f"{name}: no widths", file=sys.stderr)
    for number, name, kernel_name, width in x86:
        if int(number) > LAST_OF_HEADERS:
            print(f"SYSCALL({number}, {name}, {kernel_name}, {width})")
    print("#undef SYSCALL")


main()
