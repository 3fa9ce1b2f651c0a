#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: the stack of a process that ran before tracing and has ended when stacks are printed has names.
# @@tags: userland
cat >"$tmpdir/program.c" <<'END'
static volatile unsigned long n;
__attribute__((noinline)) static void spin(void) { while (n != 1) n += 2; }
int main(void) { spin(); return 0; }
END
gcc -O1 -fno-optimize-sibling-calls -o "$tmpdir/program" "$tmpdir/program.c" || exit 1
"$tmpdir/program" &
program=$!
trap 'kill $program 2>/dev/null' EXIT
$dtrace $dt_flags -q -w -o "$tmpdir/out" -n '
  profile-97 /pid == '$program'/ { @[ustack()] = count(); seen++; }
  tick-100ms /seen > 20 && !ended/ { ended = 1; system("kill '$program'"); }
  tick-100ms /ended/ { ended++; } tick-100ms /ended > 10/ { exit(0); }' || exit 1
wait $program 2>/dev/null
# Where it has been interrupted most often.
awk '{ sub(/\+0x.*/, "") } /`/ && !seen[$1]++ { print $1 }' "$tmpdir/out" | grep '^program'
exit 0
