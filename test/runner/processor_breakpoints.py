#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Exit status 0: this machine's processors stop at their breakpoints; 2: they do not, and says so. A virtual machine may not
pass debug registers on: then the kernel sets breakpoints, which never fire. As src/base/processor_breakpoints.cpp."""

import ctypes
import os
import struct
import sys

PERF_TYPE_BREAKPOINT, HW_BREAKPOINT_W, EXCLUDE_KERNEL_AND_HV = 5, 2, 1 << 5 | 1 << 6


def fire():
    number = {"x86_64": 298, "aarch64": 241}.get(os.uname().machine)
    if number is None:
        return True
    watched = ctypes.c_uint64(0)
    address = ctypes.addressof(watched)
    # type, size, config, period, sample_type, read_format, flags, wakeup, bp_type, bp_addr, bp_len
    attributes = struct.pack("<IIQQQQQIIQQ", PERF_TYPE_BREAKPOINT, 112, 0, 0, 0, 0, EXCLUDE_KERNEL_AND_HV, 0,
                             HW_BREAKPOINT_W, address, 8).ljust(112, b"\0")
    event = ctypes.CDLL(None, use_errno=True).syscall(number, attributes, 0, -1, -1, 0)
    if event < 0:
        return True
    watched.value = 1
    count = struct.unpack("<Q", os.read(event, 8))[0]
    os.close(event)
    return count != 0


if not fire():
    print("this machine's processors do not stop at their breakpoints")
    sys.exit(2)
