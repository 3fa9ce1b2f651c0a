#!/bin/bash
# ASSERTION: BEGIN and END run in dtrace itself, also on a CPU that was asked for.
# SECTION: Providers, 3
for cpu in '' $(seq -f -xcpu=%g 0 $(($(getconf _NPROCESSORS_ONLN) - 1))); do
	# shellcheck disable=SC2086
	"$dtrace" $cpu -qn 'BEGIN,END{ok += pid == $pid && ppid == $ppid && uid == $uid; n++} BEGIN{exit(0)} END{printf("%d of %d\n", ok, n)}' |
		grep -vx '2 of 2' | grep .
done
echo done
