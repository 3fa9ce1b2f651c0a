# SPDX-License-Identifier: Apache-2.0
"""without_bpf.py ERROR COMMAND...: runs it under a seccomp filter, under which bpf(2) fails with that error; 0: it passes."""
import ctypes
import errno
import os
import struct
import sys

LIBC = ctypes.CDLL(None, use_errno=True)
SYS_BPF = {'x86_64': 321, 'aarch64': 280}[os.uname().machine]
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
LOAD_NUMBER, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06  # of classic BPF
ALLOW, FAIL = 0x7fff0000, 0x00050000


def main():
    name, command = sys.argv[1], sys.argv[2:]
    answer = ALLOW if name == '0' else FAIL | getattr(errno, name)
    steps = [(LOAD_NUMBER, 0, 0, 0), (JUMP_IF_EQUAL, 0, 1, SYS_BPF), (RETURN, 0, 0, answer), (RETURN, 0, 0, ALLOW)]
    code = ctypes.create_string_buffer(b''.join(struct.pack('<HBBI', *step) for step in steps))
    program = ctypes.create_string_buffer(struct.pack('<HxxxxxxQ', len(steps), ctypes.addressof(code)))
    for arguments in ((PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0)):
        if LIBC.prctl(*arguments) != 0:
            sys.exit(f'prctl: {os.strerror(ctypes.get_errno())}')
    os.execv(command[0], command)


main()
