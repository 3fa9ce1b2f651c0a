#!/bin/bash
# ASSERTION: gethostlatency.d shows each look-up of a host with its result and the time it took; bashreadline.d the lines that are
#   typed into shells. Both see programs that start later.
# @@timeout: 180      @@tags: long release
. ./common.sh
cat >"$tmpdir/lookups.py" <<PY
import socket, time
open("/proc/self/comm", "w").write("$name")
for _ in range(3): socket.getaddrinfo("localhost", 80)
for ask in (lambda: socket.getaddrinfo("no.such.invalid", 80), lambda: socket.gethostbyname_ex("localhost")):
    try: ask()
    except OSError: pass
socket.getaddrinfo("localhost", 7777)
PY
lookups() { "$python" "$tmpdir/lookups.py"; }
# Files are found at the start; one that is not is known some milliseconds after the first program that executes it.
tool_beside lookups gethostlatency.d -n "$name"
awk_claim "gethostlatency: found" '$2 == name && $3 > 0 && $3 < 5000000 && $4 == 0 && $5 == "localhost" { n++ } END { exit n < 4 }'
awk_claim "gethostlatency: not found" '$2 == name && $4 < 0 && $5 == "no.such.invalid" { n++ } END { exit n != 1 }'
tool_beside lookups gethostlatency.d -n "$name" -m 60000
awk_claim "gethostlatency -m: none took a minute" 'NR > 1 && NF { exit 1 }'

typed() {
  printf 'echo dt-one\necho dt-two\nexit\n' | script -qec 'bash --norc --noprofile -i' /dev/null >/dev/null
}
awaited=dt-two tool_beside typed bashreadline.d
awk_claim "bashreadline: two lines of one shell" '/echo dt-one$/ { n++; shell = $5 } /echo dt-two$/ { n++; same = $5 == shell } END { exit n != 2 || !same }'
