# SPDX-License-Identifier: Apache-2.0
"""Whether this process may trace: root, or the capabilities that stand for it. As a command: says why not, if so, with exit
status 1."""

import ctypes
import os
import struct
import sys

BPF_MAP_CREATE, BPF_MAP_TYPE_ARRAY = 0, 2
CAP_SYS_ADMIN = 21
CAP_PERFMON = 38
CAP_BPF = 39


def effective(status_text):
    for line in status_text.splitlines():
        if line.startswith("CapEff:"):
            return int(line.split()[1], 16)
    return 0


def may_trace(bits):
    def has(capability):
        return bits >> capability & 1 == 1

    return has(CAP_SYS_ADMIN) or (has(CAP_BPF) and has(CAP_PERFMON))


def bpf_refusal():
    """Why bpf(2) does not answer; "" if it does. A container may leave its root the capabilities and keep the system call from
    it: asks for a map of one number."""
    number = {"x86_64": 321, "aarch64": 280}.get(os.uname().machine)
    if number is None:
        return ""
    attributes = struct.pack("<IIIII", BPF_MAP_TYPE_ARRAY, 4, 4, 1, 0).ljust(72, b"\0")
    map_fd = ctypes.CDLL(None, use_errno=True).syscall(number, BPF_MAP_CREATE, attributes, len(attributes))
    if map_fd < 0:
        return f"bpf(2): {os.strerror(ctypes.get_errno())}"
    os.close(map_fd)
    return ""


def refusal():
    """Why this process may not trace; "" if it may."""
    with open("/proc/self/status", encoding="ascii", errors="replace") as status:
        if not may_trace(effective(status.read())):
            return "no CAP_BPF and CAP_PERFMON"
    return bpf_refusal()


def can_trace():
    return not refusal()


if __name__ == "__main__":
    why = refusal()
    if why:
        print(why)
    sys.exit(1 if why else 0)
