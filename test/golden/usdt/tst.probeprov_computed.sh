#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: where a provider's name is computed with it is that of the process, under globs and numbers alike; of providers
# whose names differ in digits (stem and stem1, in process 23 and 123) the one that is meant is found.
. ./common.sh
for provider in stem stem1 stem12; do build_operands -DPROVIDER="\"$provider\"" -o "$tmpdir/$provider"; done
trace -qZ -n 'BEGIN { printf("ready\n"); }
  stem*:::one-lost {
    @[strjoin(probeprov, "!"), strlen(probeprov), substr(probeprov, 4), strstr(probeprov, "em")] = count();
    name[pid] = probeprov;
  }
  stem*:::one-lost /name[pid] == strjoin("stem", lltostr(pid)) || name[pid] == strjoin("stem1", lltostr(pid)) ||
    name[pid] == strjoin("stem12", lltostr(pid))/ { @right = count(); }
  stem*::: { all++; }
  END { printa("%s %d %s %s %@d\n", @); printa("right %@d\n", @right); }'
for provider in stem stem1 stem12; do
  start "$tmpdir/$provider"
  ask 1
  ask f
  ask f
  echo "$program" >>"$tmpdir/$provider.pid"
  finish
done
end_trace
for provider in stem stem1 stem12; do
  pid=$(cat "$tmpdir/$provider.pid")
  name=$provider$pid
  grep -qx "$name! ${#name} ${name#stem} ${name#st} 2" "$out" && echo "$provider is right" || cat "$out"
done
grep right "$out"

# A comparison takes the digits of the literal for all the providers they may belong to, and the process decides.
start "$tmpdir/stem1"
trace -q -n 'BEGIN { printf("ready\n"); }
  stem*:::one-lost /probeprov == $$1/ { printf("that one\n"); exit(0); }
  stem*:::one-lost /probeprov == $$2/ { printf("not that one\n"); }
  stem*::: { all++; }' "stem1$program" "stem$program" 5>&- 6<&-
ask 1
ask f
trace_ended
grep that "$out"
finish
