#!/bin/bash
# ASSERTION: descriptions that name a stable provider's probe by the module and function of illumos, FreeBSD or macOS match
#   it; those of any other module do not.
# SECTION: Command line, 4
# @@tags: userland
. "$(dirname "$0")/../../runner/show.sh"
for description in io:genunix::start io:kernel::done proc:genunix:cfork:create proc:mach_kernel::exec-success \
	sched:unix:swtch:on-cpu sched:TS:ts_tick:tick tcp:ip:tcp_output:send syscall:freebsd:read:entry \
	syscall:mach_kernel:read:return syscall:genunix:read:entry io:nosuch::start syscall:nosuch:read:entry; do
	echo "\$ dtrace -ln $description"
	"$dtrace" -ln "$description" 2>&1 | sed -n '1!s/^ *[0-9][0-9]*  */N /p; /^dtrace:/p'
done
run -qn 'syscall:freebsd:getppid:entry /pid == $pid/ { } proc:genunix::exit /pid == $target/ { printf("%s\n", probemod); exit(0); }' -c true
