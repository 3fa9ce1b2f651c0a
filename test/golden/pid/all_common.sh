# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests of pid*: a tracer in the background, and programs that nobody else on the machine runs.

out=$tmpdir/out

# trace ARGUMENTS...: starts dtrace with its output in $out; returns when it has printed "ready".
trace() {
  : >"$out"
  "$dtrace" $dt_flags "$@" >"$out" 2>&1 &
  tracer=$!
  until grep -q '^ready' "$out"; do
    kill -0 "$tracer" 2>/dev/null || { cat "$out"; exit 1; }
    sleep 0.05
  done
}

# end_trace: ends it. shown: what it has printed, sorted.
end_trace() {
  kill -TERM "$tracer"
  wait "$tracer"
}
shown() {
  grep -v '^ready' "$out" | sed '/^$/d' | sort
}

# build_library FOLDER: FOLDER/libdtall.so.1.2, called libdtall.so.1 by programs, with a link of that name, and FOLDER/dtuser,
# which uses it: without arguments it calls dt_work(7, "text") for each line that it reads, else as often as the argument says.
build_library() {
  mkdir -p "$1"
  cat >"$tmpdir/work.c" <<'C'
__attribute__((noinline)) long dt_work(long n, const char *text) { asm volatile("" ::: "memory"); return n * 6 + text[0]; }
C
  cat >"$tmpdir/user.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
long dt_work(long n, const char *text);
__attribute__((noinline)) long caller(long n) { return dt_work(n, "text") + 1; }
int main(int argc, char **argv) {
  char line[64];
  for (int i = 0; argc > 1 && i < atoi(argv[1]); i++) caller(7);
  while (argc < 2 && fgets(line, sizeof line, stdin) && line[0] != 'e') {
    caller(7);
    puts("done");
    fflush(stdout);
  }
  return 0;
}
C
  cc -O1 -shared -fPIC -Wl,-soname,libdtall.so.1 -o "$1/libdtall.so.1.2" "$tmpdir/work.c" || exit 1
  ln -sf libdtall.so.1.2 "$1/libdtall.so.1"
  cc -O1 -rdynamic -o "$1/dtuser" "$tmpdir/user.c" "$1/libdtall.so.1" "-Wl,-rpath,$1" || exit 1
}

# serve NAME COMMAND...: a program that answers lines, in the background; `ask NAME` has it do so once, and sets $answer.
serve() {
  local name=$1
  shift
  rm -f "$tmpdir/$name.in" "$tmpdir/$name.out"
  mkfifo "$tmpdir/$name.in" "$tmpdir/$name.out"
  "$@" <"$tmpdir/$name.in" >"$tmpdir/$name.out" &
  eval "$name=$!"
  eval "exec {${name}_in}>'$tmpdir/$name.in' {${name}_out}<'$tmpdir/$name.out'"
}
ask() {
  local in=${1}_in from=${1}_out
  echo go >&"${!in}"
  read -r -t 30 answer <&"${!from}" || echo "no answer of $1"
}
# until_shown TEXT NAME: has the program call until the tracer shows the text.
until_shown() {
  for ((i = 0; i < 300; i++)); do
    grep -q "$1" "$out" && return
    ask "$2"
    sleep 0.05
  done
  echo "no $1"
}
finish() {
  local in=${1}_in from=${1}_out
  echo end >&"${!in}" # others have inherited what would have to be closed
  eval "exec ${!in}>&- ${!from}<&-"
  wait "${!1}"
}
