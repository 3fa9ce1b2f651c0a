#!/bin/bash
# ASSERTION: Stable providers take modules and functions of other systems: a function that is known stands for its probes, with a
#   module of theirs any does; others match nothing.
# SECTION: Providers, 26.4
list() {
	echo "$1: $("$dtrace" -ln "$1" 2>&1 | awk '$1 ~ /^[0-9]+$/ { printf("%s%s", sep, $NF); sep = " " } /match/ { printf("nothing") }')"
}
for probe in sched::resume: sched:unix:resume: sched::preempt: sched:::preempt sched:TS:ts_tick:tick io:genunix::start \
	io::bdev_strategy:start io::bdev_strategy:done io:nfs:nfs4_bio:done io::biodone: proc::cfork:create sched::unknown:on-cpu \
	syscall::resume: io:vmlinux:bdev_strategy:start; do
	list "$probe"
done
