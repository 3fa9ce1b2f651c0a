#!/bin/bash
# ASSERTION: BEGIN and END run in dtrace itself, also on a CPU that was asked for.
# SECTION: Providers, 3
cd "$tmpdir" || exit 1
for cpu in '' $(seq -f -xcpu=%g 0 $(($(getconf _NPROCESSORS_ONLN) - 1))); do
	# shellcheck disable=SC2086
	"$dtrace" $cpu -qn 'BEGIN,END{ok += pid == $pid && ppid == $ppid && uid == $uid; n++} BEGIN{exit(0)} END{printf("%d of %d\n", ok, n)}'
done | grep . >out
runs=$(($(getconf _NPROCESSORS_ONLN) + 1))
[ "$(grep -cx '2 of 2' out)" = $runs ] || { echo "$runs runs said:"; cat out; }
echo done
