# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests of this folder: programs of the distribution, started for the test and ended by it.
. "$(dirname "${BASH_SOURCE[0]}")/../../runner/machine.sh"

# start_postgres: a server of its own, by an unprivileged user, in a folder with a name short enough for its socket.
# Sets $postgres to the pid of the postmaster.
start_postgres() {
  pgdir=$(mktemp -d /tmp/dt-pg.XXXXXX)
  chown nobody "$pgdir"
  pg initdb -D "$pgdir/data" -A trust -U test --no-sync >/dev/null || { echo "initdb failed"; exit 1; }
  pg pg_ctl -D "$pgdir/data" -w -s -l "$pgdir/log" \
    -o "-k $pgdir -c listen_addresses= -c fsync=off -c autovacuum=off -c max_connections=20 -c shared_buffers=16MB" start ||
    { cat "$pgdir/log"; exit 1; }
  postgres=$(head -1 "$pgdir/data/postmaster.pid")
  trap stop_postgres EXIT
}

stop_postgres() {
  pg pg_ctl -D "$pgdir/data" -s -m immediate stop
  rm -rf "$pgdir"
}

# pg PROGRAM ARGUMENTS...: a program of PostgreSQL as the user who owns the server.
pg() {
  local program=$1
  shift
  (cd / && exec setpriv --reuid nobody --clear-groups env HOME="$pgdir" "$postgres_bin/$program" "$@")
}

# trace ARGUMENTS...: starts dtrace in the background with its output in $out; returns when it has printed "ready". It does not
# hold the input of a program that start started.
out=$tmpdir/out
trace() {
  : >"$out"
  "$dtrace" $dt_flags "$@" >"$out" 2>&1 5>&- 6<&- &
  tracer=$!
  until grep -q '^ready' "$out"; do
    kill -0 "$tracer" 2>/dev/null || { cat "$out"; exit 1; }
    sleep 0.05
  done
}

# trace_ended: waits for it.
trace_ended() { wait "$tracer"; }

# end_trace: ends it, and waits until it has printed its aggregations.
end_trace() {
  kill -TERM "$tracer"
  wait "$tracer"
}

# noted_and_listed GLOB FILE: are the probes of a file's notes those that dtrace lists of a process?
noted_and_listed() {
  readelf -n "$2" | awk '/^ *Provider:/ { provider = $2 } /^ *Name:/ { gsub(/__/, "-", $2); print provider, $2 }' |
    sort -u >"$tmpdir/noted"
  "$dtrace" -l -n "$1:$(basename "$2")::" | awk 'NR > 1 { sub(/[0-9]+$/, "", $2); print $2, $NF }' | sort -u >"$tmpdir/listed"
  diff "$tmpdir/noted" "$tmpdir/listed" && echo "$(wc -l <"$tmpdir/listed") probes listed"
}

# build_operands OPTION...: makes a program or a library of operands.c.
build_operands() { cc -O1 "$here/operands.c" "$@" || exit 1; }
here=$PWD

# start COMMAND...: a program built from operands.c, whose pid becomes $program. ask LETTER: has it do something, and
# returns its answer in $answer; if that is that a probe is enabled, when the tracer has set them all. finish: ends its input,
# and waits for its end.
start() {
  rm -f "$tmpdir/to" "$tmpdir/from"
  mkfifo "$tmpdir/to" "$tmpdir/from"
  "$@" <"$tmpdir/to" >"$tmpdir/from" &
  program=$!
  exec 5>"$tmpdir/to" 6<"$tmpdir/from"
}
ask() {
  echo "$1" >&5
  read -r -t 35 answer <&6 && { [ "$1" != 1 ] || await_poll; return; }
  echo "no answer to $1 from $(tr '\0' ' ' <"/proc/$program/cmdline")"
  cat "$out"
  # A tracer that goes on would raise the counters of the next tests' programs.
  [ -z "$tracer" ] || kill "$tracer" 2>/dev/null
  exit 1
}
# Without uprobe_multi probes are set one after another, and the counter of each is raised before it has a program. The tracer
# waits for what comes next when it has done with them.
await_poll() {
  local call
  while kill -0 "$tracer" 2>/dev/null && read -r call _ <"/proc/$tracer/syscall" && [ "$call" != $poll_call ]; do sleep 0.02; done
}
finish() {
  exec 5>&- 6<&-
  wait $program
}

# counter_of PID FILE PROBE: the counter that says whether the probe (as its note names it) is enabled, read from the memory of
# a process: where the file says it is, plus where the process has it.
counter_of() {
  python3 - "$@" <<'P'
import struct, sys
pid, path, wanted = sys.argv[1:]
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
    if probe == wanted.encode():
        value = semaphore
    at = desc + (descsz + 3) // 4 * 4
position_independent = struct.unpack_from("<H", data, 16)[0] == 3
first = next(line for line in open("/proc/%s/maps" % pid) if line.split()[-1] == path)
mem = open("/proc/%s/mem" % pid, "rb")
mem.seek(value + (int(first.split("-")[0], 16) if position_independent else 0))
print(struct.unpack("<H", mem.read(2))[0])
P
}
