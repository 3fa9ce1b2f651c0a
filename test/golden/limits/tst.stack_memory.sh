#!/bin/bash
# ASSERTION: in a small control group, a profile of user stacks prints what it has kept, beside many programs whose symbols
# need more memory than there is. With what is reported lost it makes up all samples. Files without symbols are in the ledger.
# SECTION: Drops
# @@timeout: 240
# @@tags: release
# @@shared
. ./common.sh
cd "$tmpdir" || exit 1
symbols=250000 # 50 MB while they are read
programs=100 large=5
[ -z "$slow" ] || programs=10 large=2 # else they leave nothing to dtrace
cat >load.c <<'END'
/* load DEPTH: random paths of calls, for ever, while its parent lives. With a second argument it sleeps most of the time. */
#include <stdlib.h>
#include <unistd.h>

typedef unsigned fn(unsigned);
fn f0, f1, f2, f3;
static fn *const all[] = {f0, f1, f2, f3};
static unsigned long state;
static volatile unsigned sink;
static unsigned pick(void) { return (unsigned)((state = state * 6364136223846793005ul + 1442695040888963407ul) >> 33); }
#define F(n) __attribute__((noinline)) unsigned f##n(unsigned depth) { \
  if (depth == 0) for (unsigned i = 0; i < 20000; i++) sink += i; else sink += all[pick() & 3](depth - 1); return n + sink; }
F(0) F(1) F(2) F(3)

int main(int argc, char **argv) {
  pid_t parent = getppid();
  state = (unsigned long)getpid();
  while (getppid() == parent) {
    sink += f0(atoi(argv[1]));
    if (argc > 2) usleep(20000);
  }
  return 0;
}
END
awk -v n=$symbols 'BEGIN { print ".text"; for (i = 0; i < n; i++)
	printf(".type a_function_with_a_name_of_some_length_%07d,@function\na_function_with_a_name_of_some_length_%07d: nop\n", i, i)
	print ".section .note.GNU-stack,\"\",@progbits" }' >symbols.s
cc -O1 -fno-optimize-sibling-calls -o small load.c && cc -O1 -fno-optimize-sibling-calls -o large load.c symbols.s || exit 1
pids=()
for i in $(seq $large); do cp large "large$i" && { "./large$i" 30 & pids+=($!); }; done
for i in $(seq $programs); do cp small "small$i" && { "./small$i" 20 slow & pids+=($!); }; done
trap 'kill "${pids[@]}"; wait' EXIT

profile() { # BYTES
	in_group "$1" "$dtrace" -xledger=json -xquietresize -qn 'profile-97 { @[ustack()] = count(); @all = count(); }
		tick-4s { exit(0); }
		END { printa("row %@d%k\n", @); printa("all %@d\n", @all); }' >out 2>err
	echo "status $?"
}
check() {
	python3 - <<'END'
import json
kept = rows = named = total = 0
for line in open("out", errors="replace"):
    words = line.split()
    if line.startswith("row "):
        rows, kept = rows + 1, kept + int(words[1])
    elif line.startswith("all "):
        total = int(words[1])
    named += "`f0" in line
ledger = [json.loads(line) for line in open("err") if line.startswith("{")]
losses = ledger[-1]["losses"] if ledger else []
lost = sum(loss["count"] for loss in losses if loss["cause"] in ("NoMemory", "AggregationFull", "AggregationRefused", "AggregationBusy"))
print("rows are shown" if rows and named else "%d rows, %d names" % (rows, named))
print("all accounted for" if total and kept + lost == total else "kept %d, lost %d of %d: %s" % (kept, lost, total, losses))
if not ledger:
    print(open("err").read())
END
}
echo "== 150 MB"
profile 150M
check
echo "== 100 MB"
profile 100M
check
echo "== 60 MB"
profile 60M
check
grep -q '"cause":"SymbolsNoMemory"' err && echo "files without symbols are counted"
