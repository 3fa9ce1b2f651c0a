#!/bin/bash
# ASSERTION: print() of a struct behind a typed argument shows its members by name, with right values.
# SECTION: print()
$dtrace -qn 'sdt:sched::sched_switch /args[1]->pid == $target/ { printf("tgid %d\n", args[1]->tgid); print(*args[1]); exit(0); }' -c 'sh -c :' -xprintsize=16k \
	>"$tmpdir/out" 2>/dev/null
# sh may never be switched out before it ends; then wait for one that sleeps.
grep -q '^tgid' "$tmpdir/out" || $dtrace -qn 'sdt:sched::sched_switch /args[1]->pid == $target/ { printf("tgid %d\n", args[1]->tgid); print(*args[1]); exit(0); }' -c 'sleep 1' -xprintsize=16k >"$tmpdir/out" 2>/dev/null
tgid=$(awk '/^tgid/ { print $2; exit }' "$tmpdir/out")
grep -q '^struct task_struct {' "$tmpdir/out" && echo "a struct task_struct"
grep -qE "pid_t tgid = (0x$(printf %x "$tgid")|$tgid)" "$tmpdir/out" && echo "its tgid"
grep -qE 'struct sched_entity se = \{' "$tmpdir/out" && echo "its scheduling entity"
