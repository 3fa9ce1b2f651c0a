#!/bin/bash
# ASSERTION: sdt and rawtp see the same events of the kernel, also when one program asks for both.
# SECTION: sdt provider
$dtrace -qn 'sdt:::sched_process_fork, rawtp:::sched_process_fork /pid == $target/ { @[probeprov] = count(); }' \
	-c "$triggers/lives"
