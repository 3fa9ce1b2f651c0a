#!/bin/bash
# ASSERTION: every tool has --help, refuses what it does not know with status 2, and needs nothing but the common file to run;
#   Ctrl-C, a duration and a reader that leaves end a tool as they end dtrace.
# @@timeout: 300      @@tags: userland
. ./common.sh
run="$tools/dtrace-tool"
status_of() {
  "$@" >"$out" 2>"$err" </dev/null
  echo $?
}

for script in "$tools"/*.d; do
  name=$(basename "$script")
  [ "$(status_of "$run" "$name" -h)" = 0 ] && grep -q "^usage: $name" "$out" && [ ! -s "$err" ] || echo "$name -h: $(cat "$err")"
  [ "$(status_of "$run" "$name" -Y)" = 2 ] && grep -q "^$name: unknown option -Y\$" "$err" || echo "$name -Y: $(cat "$err")"
  [ "$(grep -c '^ \* example: .* | ' "$script")" -ge 2 ] || echo "$name has less than two examples"
  awk -f "$tools/man.awk" "$script" >"$tmpdir/page" || echo "$name: no manual page"
  ! grep -nE ' +$|^$' "$tmpdir/page" || echo "$name: the manual page has lines that mdoc does not want"
  # As a link, from elsewhere.
  ln -sf "$run" "$tmpdir/$name"
  (cd / && [ "$(status_of "$tmpdir/$name" --help)" = 0 ]) || echo "$name --help by a link: $(cat "$err")"
done
echo "ok: all tools have help, a manual page and two examples"

"$dtrace" -qo "$tmpdir/created" -c "$run opensnoop.d -h" -n 'proc:::create /progenyof($target)/ { @ = count(); }
  END { printa("processes %@d\n", @); }' >"$out" 2>&1 </dev/null
claim "help starts one process" grep -q '^processes 1$' "$tmpdir/created"

said() { # STATUS ARGUMENTS...: what opensnoop.d says, and the status if it is another one
  local want=$1 got
  shift
  got=$(status_of "$run" "$@")
  [ "$got" = "$want" ] || echo "status $got"
  sed "s,$tmpdir,TMP,g" "$err"
}
said 2 nosuch.d 2>&1 | sed 's, in /.*, in FOLDER,'
said 2 ../dtrace-tool
said 2 opensnoop.d --hepl
said 2 opensnoop.d -p
said 2 opensnoop.d -p 07
said 2 opensnoop.d -t 1s
said 2 opensnoop.d -n ''
said 2 opensnoop.d -i 1
said 2 opensnoop.d -p 1 -c true
said 2 opensnoop.d ls
said 2 syscount.d -m '1; }'
said 2 vmstat.d 1 3
said 2 profile.d -F 0
said 2 killsnoop.d -s SIGFOO
said 2 iosnoop.d -d nosuchdisk
said 2 dtruss.d -s nosuchcall -c true
said 2 dtruss.d -s 'ge*' -c true
said 2 tcpconnect.d -P 65536
said 2 funccount.d a b
said 1 opensnoop.d -p 999999999
tool funccount.d syscall::getppid:entry -t 1
claim "an operand before an option" grep -q '^MODULE' "$out"
tool killsnoop.d -s SIGUSR1 -c "bash -c 'kill -WINCH \$\$; kill -0 \$\$; trap : USR1; kill -USR1 \$\$'"
claim "a signal by its name" awk '$3 ~ /^[S0]/ && $3 != "SIGNAL" && $3 != "SIGUSR1" { bad = 1 } $3 == "SIGUSR1" { n++ } END { exit bad || n != 1 }'
tool opensnoop --help
claim "a tool's name without .d" grep -q '^usage: opensnoop.d' "$out"
[ "$(status_of "$run" --help)" = 0 ] && [ "$(grep -c '\.d  *[a-z]' "$out")" = "$(ls "$tools"/*.d | wc -l)" ] && echo "ok: --help lists all"

opt_p=1 opt_x=1 failed=1 said 0 opensnoop.d -t 1
echo "ok: the environment gives no options"
tool opensnoop.d --version
claim "--version" grep -q '^dtrace: D 2'

# Ctrl-C.
: >"$out"
"$run" syscount.d -i 1 >"$out" 2>"$err" &
tracer=$!
until grep -q COUNT "$out"; do sleep 0.1; done
kill -INT $tracer
wait $tracer
echo "Ctrl-C: status $?"
without_preempted "$err"
# A reader that leaves.
{ "$run" syscount.d -i 1 2>"$err"; echo $? >"$tmpdir/status"; } | head -1
echo "a reader that leaves: status $(cat "$tmpdir/status")"
without_preempted "$err"

# JSON, all of it.
tool opensnoop.d -j -c "cat /dev/null"
claim "lines of JSON" "$python" -c '
import json, sys
rows = [json.loads(line) for line in sys.stdin]
opened = [r["data"][0]["values"] for r in rows if r["type"] == "row"]
assert rows[0]["type"] == "begin" and rows[-1] == {"type": "end", "status": 0, "losses": []}, rows[-1]
assert [v for v in opened if v[1:] == ["cat", 3, 0, "/dev/null"] or v[1:] == ["cat", 3, "0", "/dev/null"]], opened'
