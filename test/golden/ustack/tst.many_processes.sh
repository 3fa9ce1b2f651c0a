#!/bin/bash
# ASSERTION: hundreds of short processes of one program have one row for each of its stacks, named although all of them have ended;
# processes that still run have rows of their own. The table stays small, and one signal ends all at once.
# SECTION: Structs/User stacks
# @@timeout: 120
cd "$tmpdir" || exit 1
runs=600 # more than stay keys of their own
[ -z "$slow" ] || runs=200
cat >short.c <<'END'
#include <unistd.h>
__attribute__((noinline)) static int work(int i) { return lseek(12345, i, SEEK_SET) == 0; }
__attribute__((noinline)) static int serve(int i) { return work(i) + 1; }
int main(int argc, char **argv) {
  int sum = serve(argc);
  if (argc > 1) { /* stays until its input ends */
    char byte;
    (void)!write(1, "x", 1);
    while (read(0, &byte, 1) > 0) sum++;
  }
  return sum == 77;
}
END
cc -O1 -fno-optimize-sibling-calls -fno-omit-frame-pointer -o short short.c || exit 1
mkfifo ready stay hold
"$dtrace" -xledger=json -xunwindsize=0 -qn 'BEGIN { printf("ready\n"); } syscall::lseek:entry /arg0 == 12345/ { @[ustack(3)] = count(); }
	END { printa("row %@d%k\n", @); }' >ready 2>err &
tracer=$!
exec 5<ready
read -r _ <&5
./short stay <stay >hold &
exec 6>stay
read -r -n1 _ <hold # it has fired
for ((i = 0; i < runs; i++)); do ./short; done
kill -TERM $tracer
cat <&5 >out
wait $tracer
echo "status $?"
exec 6>&-
wait
python3 - "$runs" <<'END'
import json, re, sys
runs = int(sys.argv[1])
rows = re.findall(r"^row (\d+)\n((?:.+\n)+)", open("out").read(), re.M)
counts = sorted(int(count) for count, _ in rows)
losses = [json.loads(line) for line in open("err") if '"losses"' in line][-1]["losses"]
# A process that ends before its files are looked at may keep a row, if the file system does not tell which they were.
kept = sum(loss["count"] for loss in losses if loss["cause"] == "StackKeys")
is_shared = sum(counts) == runs + 1 and len(counts) == 2 + kept and counts[-1] > runs * 0.9
print("one row, and one of the process that runs" if is_shared else "counts %s of %d runs, %d kept" % (counts[:10], runs, kept))
texts = {tuple(re.sub(r"\+0x[0-9a-f]+", "", frame).strip() for frame in stack.splitlines()[1:]) for _, stack in rows}
print("all named alike" if texts == {("short`serve", "short`main")} else texts)
print("losses", [loss for loss in losses if loss["cause"] != "StackKeys"])
END
