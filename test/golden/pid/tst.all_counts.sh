#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: pid*:libc:getaddrinfo:entry counts the calls of all programs, by the library's name: of those that run when
# tracing begins and of a thousand that start and end while it runs, each one. @@timeout: 180
. ./all_common.sh
cat >"$tmpdir/resolves.c" <<'C'
#include <netdb.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  struct addrinfo hints = {.ai_flags = AI_NUMERICHOST}, *found;
  for (int i = 0; i < atoi(argv[1]); i++)
    if (getaddrinfo("127.0.0.1", 0, &hints, &found) == 0) freeaddrinfo(found);
  return 0;
}
C
cc -O1 -o "$tmpdir/dtshort" "$tmpdir/resolves.c" || exit 1
cp "$tmpdir/dtshort" "$tmpdir/dtlong"
ln -s "$(command -v getent)" "$tmpdir/dtgetent"
ln -s /usr/bin/python3 "$tmpdir/dtpython"
short=1000
[ -z "$slow" ] || short=100
trace -q -n 'BEGIN { printf("ready\n"); }
  pid*:libc:getaddrinfo:entry /strstr(execname, "dt") == execname && execname != "dtrace"/ {
    @[execname] = count(); @names[probemod, probefunc, probename] = count(); }
  pid*:libc:getaddrinfo:entry /execname == "dtshort"/ { @processes[pid] = count(); }
  END { printa("%s %@d\n", @); printa("of one process: %d %@d\n", @processes); printa("named %s %s %s\n", @names); }'
for ((i = 0; i < short; i++)); do "$tmpdir/dtshort" 1; done
"$tmpdir/dtlong" 5000
"$tmpdir/dtgetent" ahosts 127.0.0.1 >/dev/null
"$tmpdir/dtpython" -S -c '
import socket
for _ in range(3): socket.getaddrinfo("127.0.0.1", 80)'
end_trace
shown >"$tmpdir/shown"
echo "processes that are missing: $((short - $(grep -c '^of one process: [0-9]* 1$' "$tmpdir/shown")))"
grep -v '^of one process' "$tmpdir/shown" | sed "s/^dtshort $short\$/dtshort: each one/"
