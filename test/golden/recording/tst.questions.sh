#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: questions that nobody asked while it ran have the answers of a live run of the same load: --record without
#   programs keeps what the provider knows of each probe.
# SECTION: Recordings    @@timeout: 120
cd "$tmpdir" || exit 1
# By names that nobody else's programs have.
cp "$(command -v dd)" dt_writes
cp "$(command -v cat)" dt_reads
cat >load <<'LOAD'
#!/bin/sh
./dt_writes if=/dev/zero of=out bs=700 count=300 status=none 2>/dev/null
./dt_reads /nonexistent/file 2>/dev/null
./dt_reads /etc/passwd >/dev/null
LOAD
chmod +x load
"$dtrace" -q --record run.rec -n 'syscall:::' -n 'proc:::' -c ./load >/dev/null || exit 1

# The load is deterministic; what else runs is left out.
cat >questions <<'D'
syscall::read:entry /execname == "dt_writes"/ { @[arg0, arg2] = count(); }
syscall::write:return /execname == "dt_writes"/ { @bytes["bytes"] = sum(arg0); @calls["calls"] = count(); }
syscall::write:entry /execname == "dt_writes"/ { @ = quantize(arg2); }
syscall::openat:entry /execname == "dt_reads"/ { @[copyinstr(arg1)] = count(); }
syscall:::return /execname == "dt_reads" && errno != 0/ { @[probefunc, errno] = count(); }
syscall::openat:entry /execname == "dt_reads"/ { self->path = copyinstr(arg1); } syscall::openat:return /self->path != NULL/ { @[self->path, (int)arg0 < 0 ? "failed" : "opened"] = count(); self->path = 0; }
proc:::exec-success /execname == "dt_writes" || execname == "dt_reads"/ { @[execname] = count(); }
proc:::exit /execname == "dt_writes" || execname == "dt_reads"/ { @[execname, args[0]] = count(); }
syscall::close:entry, syscall::read:entry /execname == "dt_writes" || execname == "dt_reads"/ { @[execname, probefunc] = count(); }
syscall::write:entry /execname == "dt_writes"/ { @least = min(arg2); @most = max(arg2); @avg = avg(arg2); } END { printa("%@d %@d %@d\n", @least, @most, @avg); }
D
while read -r question; do
  "$dtrace" -q -n "$question" -c ./load >live 2>live.err || cat live.err
  "$dtrace" -q --replay run.rec -n "$question" >replayed 2>replayed.err || cat replayed.err
  if [ -s live ] && [ -n "$(tr -d '[:space:]' <live)" ] && cmp -s live replayed; then echo "equal"; else echo "differ: $question"; diff live replayed; fi
done <questions
