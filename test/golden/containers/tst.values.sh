#!/bin/bash
# ASSERTION: names of the cgroup as values: recorded, in variables, in functions, as keys of arrays, compared with each other; and
# the numbers of the thread in its own pid namespace.
# SECTION: Containers
# @@timeout: 120  @@lock: containers
. ./common.sh
bundle web '' /usr/bin/sh -c 'read x </shared/go; exec /triggers/syscalls 1'
start crun web
begin -n '
	syscall::lseek:entry /arg0 == 12345 && cgroup == '$(stat -c %i "$hierarchy/web-$number")'/
	{
		self->name = container;
		seen[container] += 1;
		printf("%s %s %s [%s]\n", container, cgrouppath, zonename, pod);
		printf("%s %d %d\n", self->name, seen["web-'$number'"], strlen(container) == '$(expr length "web-$number")');
		printf("%s %d\n", strjoin("in ", container), container == self->name);
		printf("%d %d %d\n", nspid, nstid, pid != nspid);
		printf("%d\n", cgroup == '$(stat -c %i "$hierarchy/web-$number")');
		trace(container);
		self->name = 0;
	}'
go web
kill -INT $tracer
wait $tracer
grep -v '^ready$' "$tmpdir/out" | grep . | shown
shown <"$tmpdir/err"
echo "== on the host"
"$dtrace" -qn 'syscall::lseek:entry /arg0 == 12345 && pid == $target/ {
	printf("[%s] %s [%s] %d %d %d\n", container, zonename, pod, nspid == pid, nstid == tid, strlen(cgrouppath) > 0); }' \
	-c "$triggers/syscalls 1"
