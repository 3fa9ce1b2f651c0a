#!/bin/bash
# ASSERTION: profile-n fires on every CPU, tick-n on one; exactly one of arg0, the kernel's instruction, and arg1, the
#   program's, is not 0; BEGIN comes before and END after all.
# SECTION: Providers, 5
# @@timeout: 60
cd "$tmpdir" || exit 1
# An idle CPU of a virtual machine may take no timer interrupts.
spinning=()
for cpu in $(seq 0 $(($(getconf _NPROCESSORS_ONLN) - 1))); do
  taskset -c "$cpu" timeout 30 sh -c 'while :; do :; done' &
  spinning+=($!)
done
"$dtrace" -qn '
BEGIN { begun = 1; ended = 0; }
profile-499 /!seen[cpu]++/ { cpus++; }
profile-499 { @cpus[cpu] = count(); both += (arg0 != 0) == (arg1 != 0); early += !begun; late += ended; n++; }
tick-100 { @ticks[cpu] = count(); ticks++; }
tick-100 /ticks >= 100 && cpus == $1/ { exit(0); }
END { ended = 1; printf("both %d early %d late %d\n", both, early, late); printa("cpu %d\n", @cpus); printa("tick\n", @ticks); }' "$(getconf _NPROCESSORS_ONLN)" 2>err >out
status=$?
kill "${spinning[@]}"
wait 2>>err
echo "status $status"
grep -c cpu out | grep -qx "$(getconf _NPROCESSORS_ONLN)" && echo "every CPU" || cat out
grep -c tick out
grep both out
sed -n 1,3p err
