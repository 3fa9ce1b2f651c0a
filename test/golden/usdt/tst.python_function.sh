#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: function-entry of the distribution's Python has file, name and line; the probe's counter in the program is 0
# before, raised while the tracer is there, and 0 again after it was killed.
. ./common.sh
cat >"$tmpdir/prog.py" <<'P'
import sys
def work(n):
    return n + 1
print("up", flush=True)
for line in sys.stdin:
    for i in range(10):
        work(i)
    print("done", flush=True)
P
mkfifo "$tmpdir/in"
/usr/bin/python3.11 "$tmpdir/prog.py" <"$tmpdir/in" >"$tmpdir/answers" &
python=$!
exec 5>"$tmpdir/in"
until grep -q up "$tmpdir/answers"; do sleep 0.05; done

# The counter, read from the program's memory: where the file says it is, plus where the file was loaded.
counter() {
  /usr/bin/python3.11 - "$python" <<'P'
import struct, sys
pid = sys.argv[1]
path = "/proc/%s/exe" % pid
data = open(path, "rb").read()
shoff, = struct.unpack_from("<Q", data, 0x28)
shentsize, shnum, shstrndx = struct.unpack_from("<HHH", data, 0x3a)
heads = [struct.unpack_from("<IIQQQQIIQQ", data, shoff + i * shentsize) for i in range(shnum)]
names = heads[shstrndx]
def name(h):
    at = names[4] + h[0]
    return data[at:data.index(b"\0", at)]
notes = next(h for h in heads if name(h) == b".note.stapsdt")
at, end, value = notes[4], notes[4] + notes[5], None
while at < end:
    namesz, descsz, kind = struct.unpack_from("<III", data, at)
    desc = at + 12 + (namesz + 3) // 4 * 4
    pc, base, semaphore = struct.unpack_from("<QQQ", data, desc)
    provider, probe = data[desc + 24:desc + descsz].split(b"\0")[:2]
    if probe == b"function__entry":
        value = semaphore
    at = desc + (descsz + 3) // 4 * 4
position_independent = struct.unpack_from("<H", data, 16)[0] == 3
first = int(open("/proc/%s/maps" % pid).readline().split("-")[0], 16)
mem = open("/proc/%s/mem" % pid, "rb")
mem.seek(value + (first if position_independent else 0))
print(struct.unpack("<H", mem.read(2))[0])
P
}

echo "before: $(counter)"
trace -q -n 'BEGIN { printf("ready\n"); }
  python'$python':::line { lines++; }
  python'$python':::function-entry /copyinstr(arg1) == "work"/ { @[basename(copyinstr(arg0)), copyinstr(arg1), (int)arg2] = count(); n++; }
  python'$python':::function-entry /n == 10/ { exit(0); }
  END { printa("%s %s line %d: %@d\n", @); }'
[ "$(counter)" -gt 0 ] && echo "raised"
echo go >&5
trace_ended
grep prog.py "$out"
echo "after: $(counter)"
trace -q -n 'BEGIN { printf("ready\n"); } python*:::function-entry { @ = count(); }'
[ "$(counter)" -gt 0 ] && echo "raised"
{ kill -KILL "$tracer"; wait "$tracer"; } 2>/dev/null
for i in $(seq 100); do [ "$(counter)" = 0 ] && break; sleep 0.1; done
echo "after the tracer was killed: $(counter)"
echo go >&5
until [ "$(grep -c done "$tmpdir/answers")" = 2 ]; do sleep 0.05; done
echo "the program goes on"
exec 5>&-
wait "$python"
