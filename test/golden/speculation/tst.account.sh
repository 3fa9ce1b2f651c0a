#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: under loss each firing that should have made a row is got or lost, once. A commit is never lost: the rows of its
# speculation are shown though the commit's record had no room. A row for no active speculation is no loss.
# SECTION: Speculation
# @@timeout: 90
# @@tags: userland
. ../usdt/common.sh
cd "$tmpdir" || exit 1
# Calls called() as often as each line of its input says, and answers with a line.
cat >calls.c <<'C'
#include <stdio.h>
__attribute__((noipa)) void called(int number) { __asm__ volatile("" : : "r"(number) : "memory"); }
int main(void) {
  int number = 0, calls;
  while (scanf("%d", &calls) == 1) {
    while (calls-- > 0) called(number++);
    puts("done");
    fflush(stdout);
  }
  return 0;
}
C
gcc -O1 -o calls calls.c || exit 1
cat >account.py <<'P'
import collections, json, sys
name, fired, rows_of_speculation = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
lines = open(sys.argv[4]).read().splitlines()
got = collections.Counter(line.split()[0] for line in lines if line.startswith("row-"))
lost, failed = collections.Counter(), 0
for loss in json.loads(next(line for line in lines if line.startswith("{")))["losses"]:
    if loss["cause"] == "SpecUnavailable": failed += loss["count"]
    else: lost[loss["cause"]] += loss["count"]
total = got.total() + lost.total() + failed * rows_of_speculation
print(name, "fired = got + lost" if total == fired else f"fired {fired}, got {got}, lost {lost}, failed {failed}")
if not got or not lost: print("nothing was got, or lost")
if set(lost) != {"RingFull"}: print("lost also", lost)
P
# account NAME ROWS-OF-A-CALL ROWS-OF-A-SPECULATION CLAUSE...: three rounds; in the first and the third nobody
# empties the buffer.
account() {
  local name=$1 rows=$2 speculated=$3 program
  shift 3
  start taskset -c 0 ./calls
  trace -x cpu=0 -x bufsize=8k -x specsize=256k -x ledger=json $options -qn "BEGIN { printf(\"ready\\n\"); } ${*//called/pid$program:a.out:called:entry}"
  for round in stop go stop; do
    [ $round = stop ] && kill -STOP "$tracer"
    ask 2000
    kill -CONT "$tracer"
  done
  end_trace
  finish
  python3 account.py "$name" $((6000 * rows)) "$speculated" "$out"
}
s='called { self->s = speculation(); }'
options='-x nspec=1000'
account 'one row:' 1 1 "$s" 'called { speculate(self->s); printf("row-s\n"); }' 'called { commit(self->s); }'
account 'rows of other sizes between:' 3 1 "$s" 'called { speculate(self->s); printf("row-s\n"); }' \
  'called /arg0 % 2/ { printf("row-long %s %s %s\n", probefunc, execname, execname); }' 'called /arg0 % 2 == 0/ { printf("row-short\n"); }' \
  'called { commit(self->s); }' 'called { printf("row-plain\n"); }'
options='-x nspec=1'
account 'two rows, one speculation:' 2 2 "$s" 'called { speculate(self->s); printf("row-first\n"); }' \
  'called { speculate(self->s); printf("row-second %s\n", execname); }' 'called { commit(self->s); }'
account 'commit in a branch:' 2 2 "$s" 'called { speculate(self->s); printf("row-first\n"); }' \
  'called { speculate(self->s); printf("row-second %d\n", arg0); }' 'called { if (arg0 >= 0) { this->id = self->s; commit(this->id); } }'
