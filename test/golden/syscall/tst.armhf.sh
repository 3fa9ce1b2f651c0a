#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @@sort
# ASSERTION: calls of a 32-bit program of arm64, whose numbers are those of other calls of 64-bit programs, fire no probe;
# that it ran, and with which status it ended, is seen.
dtrace=$1
cd "$tmpdir" || exit 1
python3 - <<'P'
import os, struct
code = b''.join(struct.pack('<I', word) for word in [
    0xe3a07014, 0xef000000,              # mov r7, #20; svc 0: getpid, epoll_create1 of 64-bit programs
    0xe3a07004, 0xe3a00001, 0xe28f1010, 0xe3a02006, 0xef000000,  # write(1, "armhf\n", 6); pwritev2 has no number 4
    0xe3a07001, 0xe3a00007, 0xef000000]) + b'armhf\n'  # exit(7), io_destroy
header, address = 52 + 32, 0x10000
size = header + len(code)
with open('armhf', 'wb') as file:
    file.write(b'\x7fELF\1\1\1' + bytes(9))
    file.write(struct.pack('<HHIIIIIHHHHHH', 2, 40, 1, address + header, 52, 0, 0x5000400, 52, 32, 1, 0, 0, 0))
    file.write(struct.pack('<8I', 1, 0, address, address, size, size, 5, 0x1000) + code)
os.chmod('armhf', 0o755)
P
$dtrace $dt_flags -q -c 'sh -c ./armhf' -n 'syscall:::entry, syscall:::return /execname == "armhf"/ { @[probefunc, probename] = count(); }
  proc:::exec-success /execname == "armhf"/ { printf("began\n"); }
  proc:::exit /execname == "armhf"/ { printf("ended: %d, %d\n", args[0], curthread->exit_code >> 8); }
  END { printa("%s:%s %@d\n", @); }' | sed '/^$/d'
exit 0
