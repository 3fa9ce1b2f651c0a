# SPDX-License-Identifier: Apache-2.0
"""Whether this process may trace: root, or the capabilities that stand for it."""

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


def can_trace():
    with open("/proc/self/status", encoding="ascii", errors="replace") as status:
        return may_trace(effective(status.read()))
