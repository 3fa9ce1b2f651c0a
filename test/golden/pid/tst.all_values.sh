#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: under pid* arguments, return values, strings, stacks and the names of probe, program and process are those of
# the process that fires, in records, keys and comparisons.
. ./all_common.sh
. ../../runner/machine.sh
build_library "$tmpdir/lib"
serve user "$tmpdir/lib/dtuser"
ask user
trace -q -n 'BEGIN { printf("ready\n"); }
  pid*:'"$tmpdir"'/lib/libdtall.so.1:dt_work:entry {
    printf("entry %d %s %s %s %s %s\n", arg0, copyinstr(arg1), probemod, probefunc, probename, execname);
    printf("from %s, %s\n", ucaller == 0 ? "nowhere" : "a caller", probeprov == strjoin("pid", lltostr(pid)) ? "named" : probeprov);
    @caller[ufunc(ucaller)] = count();
    @stack[ustack(2)] = count(); @by[probeprov, pid] = count(); }
  pid*:'"$tmpdir"'/lib/libdtall.so.1:dt_work:return { printf("return %d\n", arg1); }
  pid*:'"$tmpdir"'/lib/libdtall.so.1:dt_work:entry /probeprov == "pid*" || probeprov == "pid1"/ { @wrong = count(); }
  pid*:'"$tmpdir"'/lib/libdtall.so.1:dt_work:0 { printf("offset %s, argument %d, %s\n", probename, arg0, uregs['$first_register'] == arg0 ? "in its register" : "?"); }
  END { printa("%s is %d\n", @by); printa(@stack); printa("caller %A\n", @caller); printa(@wrong); }'
# The unwind rules of a process are there soon after its first firing.
until grep -q "^from a caller" "$out"; do ask user; done
end_trace
shown | grep -v -e 'no unwind table yet' -e '^from nowhere' -e '^caller 0x0' -e '^ *[0-9]*$' | sort -u |
  sed "s/pid$user is $user/the process's/; s/+0x[0-9a-f]*//; s|$tmpdir|DIR|"
finish user
