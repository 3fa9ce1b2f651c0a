#!/bin/bash
# ASSERTION: dtrace in a container that has the host's PID namespace knows all containers by their names, from the host's files. In one
# that has a PID namespace of its own it knows the paths of the cgroups that it sees.
# SECTION: Containers
# @@timeout: 120  @@lock: containers
. ./common.sh
bundle web '' /usr/bin/sh -c 'read x </shared/go; /triggers/syscalls 1000'
name=web-$number
tools=$(dirname "$(dirname "$dtrace")")
capabilities=$(sed -E 's/[A-Z_]+/"CAP_&"/g; s/ /,/g' <<<"SYS_ADMIN BPF PERFMON SYS_PTRACE DAC_OVERRIDE DAC_READ_SEARCH SYSLOG IPC_LOCK")
mounts='{"destination":"/sys","type":"bind","source":"/sys","options":["rbind"]},'
mounts+='{"destination":"/dtrace","type":"bind","source":"'$tools'","options":["rbind","ro"]},'
for namespaces in ipc 'ipc pid'; do
	echo "== namespaces: $namespaces"
	bundle tracer '' /usr/bin/sh -c 'exec /dtrace/bin/dtrace -q -x nolibs -s /shared/program.d >/shared/out 2>/shared/err'
	cat >"$tmpdir/tracer/program.d" <<-D
		BEGIN { printf("ready\n"); }
		syscall::lseek:entry /arg0 == 12345 && cgrouppath == "/$name"/ { @path[cgrouppath] = count(); @number[pid == 0, nspid > 0] = count(); }
		syscall::lseek:entry /arg0 == 12345 && container == "$name"/ { @name[container] = count(); }
		syscall::lseek:entry /arg0 == 12345 && arg1 == 999 && cgrouppath == "/$name"/ { exit(0); }
		END { printa("path %s %@d\n", @path); printa("no pid here %d, own %d: %@d\n", @number); printa("name %s %@d\n", @name); }
	D
	start crun web
	start crun tracer
	until grep -qs ready "$tmpdir/tracer/out"; do
		kill -0 "$(cat "$tmpdir/tracer/pid")" || { cat "$tmpdir/tracer/err"; exit 1; }
		sleep 0.05
	done
	go web
	tail --pid="$(cat "$tmpdir/tracer/pid")" -s 0.05 -f /dev/null
	grep -v '^ready$' "$tmpdir/tracer/out" | grep . | shown
	shown <"$tmpdir/tracer/err"
	remove web
	remove tracer
	rm "$tmpdir/tracer/out"
done
