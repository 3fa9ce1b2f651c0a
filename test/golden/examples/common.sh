# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests of this folder. Each runs one script of doc/examples beside a workload of its own, and says what is
# true of the output: `.r` files hold the claims. The workload's programs have a name of their own, so that what
# else runs on the machine does not count.
. "$(dirname "${BASH_SOURCE[0]}")/../../runner/preempted.sh"
examples=$PWD/../../../doc/examples
out=$tmpdir/out err=$tmpdir/err
name=ex$$   # an execname: at most 15 characters

# program PATH [NAME]: a copy of a program under our name; prints where it is.
program() {
  cp "$(type -P "$1")" "$tmpdir/${2-$name}" && echo "$tmpdir/${2-$name}"
}

# workload: standard input becomes a shell script; prints the command that runs it. Says `named` to be called by our name.
workload() {
  { echo "named() { printf %s $name >/proc/\$\$/comm; }"; cat; } >"$tmpdir/workload"
  echo "bash $tmpdir/workload"
}

# example SCRIPT ARGUMENTS...: what it prints goes to $out. A status that is not 0 is said, and all of stderr but notices.
example() {
  local script=$1 status=0
  shift
  "$dtrace" $dt_flags -s "$examples/$script" "$@" >"$out" 2>"$err" || status=$?
  [ "$status" = 0 ] || echo "$script: exit status $status"
  without_preempted "$err" | grep -vE "^dtrace: (script '.*' matched [0-9]+ probes?|pid [0-9]+ has exited)$"
  return 0
}

# claim TEXT COMMAND...: says whether the command succeeds on $out as its standard input; shows $out if it does not.
claim() {
  local text=$1
  shift
  if "$@" <"$out" >/dev/null; then
    echo "ok: $text"
  else
    echo "not so: $text ($*)"
    head -c 4000 "$out"
  fi
}

# total TEXT: sum of the counts of the distribution that follows the first line that has TEXT in it.
total() {
  awk -v text="$1" '!found { found = index($0, text); next } /^$/ { if (rows) exit; next }
    /Distribution/ { next } { rows++; sum += $NF } END { print sum + 0 }' "$out"
}

# between LOW HIGH NUMBER
between() {
  [ "$3" -ge "$1" ] && [ "$3" -le "$2" ]
}
