#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# link_parts.py PID: the links of kernel functions that a process holds, in the order in which they were made. A line for
# each: at entry or return, how many functions, how many of them are patching's own. Then what is in two links.
import ctypes
import os
import re
import struct
import sys
from pathlib import Path

SYS_BPF = {"x86_64": 321, "aarch64": 280}[os.uname().machine]
LINK_GET_FD_BY_ID, OBJ_GET_INFO_BY_FD = 30, 15  # enum bpf_cmd
RETURN = 1  # BPF_F_KPROBE_MULTI_RETURN
PATCHING = ("do_sync_core", "text_poke", "tick_")  # what names of its functions, and the tick's, begin with

libc = ctypes.CDLL(None, use_errno=True)


def bpf(command, attributes):
    buffer = ctypes.create_string_buffer(attributes, 128)
    result = libc.syscall(SYS_BPF, command, buffer, 128)
    if result < 0:
        raise OSError(ctypes.get_errno(), f"bpf({command})")
    return result


def describe(link_id):
    """(flags, addresses) of struct bpf_link_info, which is asked first how many there are."""
    fd = bpf(LINK_GET_FD_BY_ID, struct.pack("I", link_id))
    count, addresses = 0, (ctypes.c_uint64 * 1)()
    while True:
        room = ctypes.addressof(addresses) if count else 0
        info = ctypes.create_string_buffer(struct.pack("IIIIQII", 0, 0, 0, 0, room, count, 0), 128)
        bpf(OBJ_GET_INFO_BY_FD, struct.pack("IIQ", fd, 128, ctypes.addressof(info)))
        _, found, flags = struct.unpack_from("QII", info.raw, 16)
        if found == count:
            return flags, set(addresses)
        count, addresses = found, (ctypes.c_uint64 * found)()


patching = set()
with open("/proc/kallsyms", encoding="utf-8") as symbols:
    for line in symbols:
        address, kind, name = line.split()[:3]
        if kind in "tT" and name.startswith(PATCHING):
            patching.add(int(address, 16))

links = []
for file in Path(f"/proc/{sys.argv[1]}/fdinfo").iterdir():
    text = file.read_text(encoding="utf-8")
    if re.search(r"^link_type:\tk(ret)?probe_multi$", text, re.M):
        links.append(int(re.search(r"^link_id:\t(\d+)$", text, re.M).group(1)))
seen = set()
twice = 0
for link in sorted(set(links)):
    flags, addresses = describe(link)
    kind = "return" if flags & RETURN else "entry"
    # The kernel reports where the function begins, or where the function tracer's call in it is.
    own = sum(1 for at in patching if any(at + gap in addresses for gap in (0, 4)))
    twice += sum(1 for at in addresses if (kind, at) in seen)
    seen |= {(kind, at) for at in addresses}
    print(kind, len(addresses), own)
print("twice", twice)
