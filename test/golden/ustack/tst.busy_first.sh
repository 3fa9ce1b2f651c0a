#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: in a profile of the whole machine, stacks of a program that runs when tracing begins are whole from the first sample on.
#   No stack is cut because a table is missing, though many other processes were there before.
# @@tags: userland    @@timeout: 90
cd "$tmpdir" || exit 1
cat >busy.cc <<'C'
#include <map>
#include <string>
std::map<int, std::string> items;
__attribute__((noinline)) void change(int i) { items[i % 977] = std::to_string(i); }
__attribute__((noinline)) void around(int i) { change(i); change(i + 1); }
int main() { for (int i = 0;; i = (i + 1) % 1000000) around(i); }
C
"${CXX:-c++}" -O2 -fomit-frame-pointer -o busy busy.cc || exit 1
# Others, each with files of its own to read.
mkfifo wait
pids=()
nr=120
[ -z "$slow" ] || nr=20
for ((i = 0; i < nr; i++)); do
	cp "$(type -P bash)" other$i
	./other$i -c 'read line <wait' &
	pids+=($!)
done 2>/dev/null
./busy &
busy=$!
trap 'kill $busy ${pids[*]} 2>/dev/null' EXIT
"$dtrace" $dt_flags -q -x ledger=json -n 'profile-997 /execname == "busy" && arg1/ { @[ustack()] = count(); n++; } tick-10ms /n > 20/ { exit(0); }' >out 2>err
grep -c 'no unwind table yet' out
grep -q 'busy`main' out && echo "stacks are whole"
exit 0
