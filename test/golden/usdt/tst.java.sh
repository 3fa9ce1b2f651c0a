#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: the probes of OpenJDK's virtual machine are listed as its notes tell, 500 of them, and tell methods and classes
# by texts with a length, without a NUL; seven arguments in as many registers.
# @@timeout: 120
# @@shared    @@tags: software
. ./common.sh
mkfifo "$tmpdir/in"
keytool=$(dirname "$(readlink -f /usr/bin/java)")/keytool
"$keytool" -J-XX:+ExtendedDTraceProbes -J-Xint -J-XX:+UseSerialGC -J-Xshare:auto -printcert <"$tmpdir/in" >"$tmpdir/answers" 2>&1 &
java=$!
exec 5>"$tmpdir/in"
library=
# It waits for its input: the virtual machine is there.
until [ -n "$library" ] && grep -qx "$read_call 0x0" <(cut -d' ' -f1,2 /proc/$java/task/*/syscall 2>/dev/null); do
  library=$(awk '/libjvm.so/ { print $NF; exit }' /proc/$java/maps)
  kill -0 $java || exit 1
  sleep 0.05
done
noted_and_listed "h*$java" "$library"
trace -q -p $java -n 'BEGIN { printf("ready\n"); }
  hotspot$target:::method-entry /copyinstr(arg1, arg2) == "java/lang/Shutdown"/ {
    printf("%d: %s.%s%s\n", arg0 != 0, copyinstr(arg1, arg2), copyinstr(arg3, arg4), copyinstr(arg5, arg6)); }
  hotspot$target:::class-loaded /copyinstr(arg0, arg1) == "java/lang/Shutdown"/ { printf("loaded, %d letters\n", (int)arg1); }
  hotspot$target:::vm-shutdown { printf("shut down\n"); }' 5>&-
exec 5>&-
trace_ended
grep -v -e ready -e '^$' "$out"
wait $java
exit 0
