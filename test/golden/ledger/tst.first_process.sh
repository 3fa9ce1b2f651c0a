#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: what the first process of a file fires before its probes are set is in the ledger, as a number that is not known;
# without such an entry each firing was got or lost.
# @@tags: userland
. ../usdt/common.sh
cd "$tmpdir" || exit 1
echo 'provider firsts { probe fired(int number); };' >firsts.d
cat >firsts.c <<'C'
#include <stdio.h>
#include <unistd.h>
#include "firsts.h"
int main(void) {
  int number = 0, more;
  while (number < 300) FIRSTS_FIRED(++number);
  puts("begun");
  fflush(stdout);
  getchar();
  while (!FIRSTS_FIRED_ENABLED()) usleep(1000);
  for (more = 0; more < 200; more++) FIRSTS_FIRED(++number);
  printf("%d\n", number);
  return 0;
}
C
"$dtrace" -h -s firsts.d && "$dtrace" -G -s firsts.d && cc -O2 -o firsts firsts.c firsts.o || exit 1
cat >account.py <<'P'
import json, sys
fired, got = int(sys.argv[1]), 0
for line in open("out"):
    if line.startswith("got "): got = int(line.split()[1])
    if line.startswith("{"): losses = json.loads(line)["losses"]
unknown = [loss for loss in losses if loss["count"] is None]
lost = sum(loss["count"] or 0 for loss in losses)
for loss in unknown: print("of", loss["file"], loss["cause"], "late" if loss["longest_ns"] > 0 else "?")
print("fired", fired, "got", got, "lost", lost, "and an unknown number" if unknown else "EXACT" if fired == got + lost else "WRONG")
P
trace -qZ -x ledger=json -x bufsize=16m -n 'BEGIN { printf("ready\n"); } firsts*:::fired { got++; } END { printf("got %d\n", got); }'
kill -STOP "$tracer"
start ./firsts
read -r -t 35 answer <&6
kill -CONT "$tracer"
echo >&5
read -r -t 35 fired <&6
finish
end_trace
echo "== the first process: the tracer hears of it after it has fired"
python3 account.py "$fired"
echo "== a process of a file that is known"
start ./firsts
read -r -t 35 answer <&6
trace -qZ -x ledger=json -x bufsize=16m -n 'BEGIN { printf("ready\n"); } firsts*:::fired { got++; } END { printf("got %d\n", got); }'
exec 7>&5 8<&6
keep=$program
start ./firsts
read -r -t 35 answer <&6
echo >&5
read -r -t 35 fired <&6
finish
end_trace
kill "$keep"
wait "$keep" 2>/dev/null
python3 account.py "$fired"
