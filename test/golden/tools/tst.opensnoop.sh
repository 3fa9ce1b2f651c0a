#!/bin/bash
# ASSERTION: opensnoop.d shows each open of a command with its descriptor or its error, its options choose among them.
# @@timeout: 180      @@tags: long release
. ./common.sh
cat=$(program cat)
echo text >"$tmpdir/there"
cat >"$tmpdir/script" <<SCRIPT
$cat $tmpdir/there $tmpdir/there $tmpdir/missing >/dev/null 2>&1
SCRIPT
tool opensnoop.d -c "bash $tmpdir/script"
awk_claim "the heading" 'NR == 1 { exit !($0 ~ /^PID +COMM +FD ERROR +PATH$/) }'
awk_claim "two opens of a file, by the child" '$2 == name && $3 == 3 && $4 == "0" && $5 ~ /\/there$/ { n++ } END { exit n != 2 }'
awk_claim "one that fails" '$2 == name && $3 == -1 && $4 == "ENOENT" && $5 ~ /\/missing$/ { n++ } END { exit n != 1 }'
awk_claim "the shell opens its script" '$2 == "bash" && $5 ~ /\/script$/ { n++ } END { exit n != 1 }'
tool opensnoop.d -x -f "$tmpdir" -c "bash $tmpdir/script"
awk_claim "-x and -f leave only the one that fails" 'NR > 1 && $5 !~ /\/missing$/ { bad = 1 } END { exit bad || NR != 2 }'
tool opensnoop.d -n "$name" -c "bash $tmpdir/script"
awk_claim "-n leaves only the child" 'NR > 1 && $2 != name { bad = 1 } END { exit bad || NR < 4 }'
tool opensnoop.d -n 'a"b\n' -c "bash $tmpdir/script"
awk_claim "a name with a quote and a backslash is taken as it is" 'END { exit NR != 1 }'
cp "$cat" "$tmpdir/q\"\\n"
echo "'$tmpdir/q\"\\n' $tmpdir/there >/dev/null" >"$tmpdir/script"
tool opensnoop.d -n 'q"\n' -f there -c "bash $tmpdir/script"
awk_claim "and found" '$5 ~ /\/there$/ { n++ } END { exit n != 1 || NR != 2 }'
# A process that runs already: it opens one file when the test says so.
mkfifo "$tmpdir/go"
: >"$out"
bash -c "read <'$tmpdir/go'; exec 3<'$tmpdir/there'" &
pid=$!
"$tools/dtrace-tool" opensnoop.d -p $pid >"$out" 2>"$err" &
tracer=$!
until [ -s "$out" ]; do sleep 0.05; done # the heading is printed when the probes are there
echo >"$tmpdir/go"
wait $tracer
echo "status $?"
cat "$err"
claim "-p shows one process, and ends with it" awk -v pid=$pid 'NR > 1 && NF && $1 != pid { bad = 1 } /\/there$/ { n++ }
  END { exit bad || n != 1 }'
