#!/bin/bash
# ASSERTION: arguments have the names of their source: of a system call, of a tracepoint, of what a call returns; a name that
#   is none is answered with those that there are; where probes disagree there is no name; option strict knows no names.
# SECTION: Providers, 4 and 7
cd "$tmpdir" || exit 1
exec 2>&1
"$dtrace" -qn 'syscall::openat:entry /pid == $target/ { self->name = args.filename; self->flags = args->flags; }
	syscall::openat:return /self->name && copyinstr((uintptr_t)self->name) == "/no/such/file"/ {
		printf("%s %x %d\n", copyinstr((uintptr_t)self->name), self->flags, args.retval); }' -c 'cat /no/such/file' 2>/dev/null
"$dtrace" -qn 'sdt:sched::sched_switch /args.prev->pid != tid/ { bad++; } sdt:sched::sched_switch /n++ == 50/ { printf("bad %d\n", bad); exit(0); }'
"$dtrace" -qn 'syscall::openat:entry { trace(args.filenam); }'
"$dtrace" -qn 'syscall::read:entry,syscall::write:entry { trace(args.count); exit(0); }' >/dev/null && echo "same name"
"$dtrace" -qn 'syscall::dup:entry,syscall::close:entry { trace(args.fildes); }'
"$dtrace" -qn 'BEGIN { trace(args.x); }'
"$dtrace" -xstrict -qn 'syscall::openat:entry { trace(args.filename); }'
"$dtrace" -xstrict -qn 'BEGIN { trace(execname + "x"); }'
"$dtrace" -xstrict -qn 'BEGIN { x = "a"; x += "b"; }'
exit 0
