#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: typed arguments of pid* and of -x follow go on when some of the files are deleted, no longer executed, and forgotten: of the file
# that is still executed, and of files that come later. A file that comes later with other types is an error, not a wrong value.
# @@timeout: 120
. ./all_common.sh
exec 2>&1
chmod 755 "$tmpdir"
cat >"$tmpdir/typed.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) long take(int id, TYPE weight, const char *label) {
  __asm__ volatile("" : : "r"(id), "r"(label) : "memory");
  return id * weight;
}
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {  // commands
    take(ID, i, "one");
    if (system(argv[i]) != 0) return 1;
  }
  char line[64];
  while (fgets(line, sizeof line, stdin) && line[0] != 'e') {
    take(ID, -2, "one");
    puts("done");
    fflush(stdout);
  }
  return 0;
}
C
# build NAME ID TYPE
build() { gcc -g -O2 "-DTYPE=$3" "-DID=$2" -o "$tmpdir/$1" "$tmpdir/typed.c" || exit 1; }
links() { grep -lE 'link_type:\s+(uprobe_multi|perf)' "/proc/$tracer/fdinfo/"* 2>/dev/null | wc -l; }
all_forgotten() {
  for ((i = 0; i < 400; i++)); do
    [ "$(links)" = "$known" ] && return
    sleep 0.05
  done
  echo "$(links) links, not $known"
}

echo "== pid*"
build q0 3 short
serve stays "$tmpdir/q0"
ask stays
trace -qn "BEGIN { printf(\"ready\n\"); }
  pid*:$tmpdir/q*:take:entry { printf(\"%d %d %s of %s\n\", args.id, args.weight, stringof(args.label), execname); }"
ask stays
known=$(links)
for n in 1 2; do
  build q$n $((n * 100)) short
  serve later "$tmpdir/q$n"
  until_shown "of q$n" later
  finish later
  rm "$tmpdir/q$n"
  all_forgotten
  ask stays
done
# Another type: nothing is read of it.
build q4 5 long
serve other "$tmpdir/q4"
until_shown "error" other
finish other
ask stays
finish stays
until [ "$(grep -c "of q0" "$out")" = 4 ]; do sleep 0.05; done
end_trace
shown | sed 's/ in dt_clause.*: /: /' | grep -v "cannot be opened any more" | uniq -c | sed 's/^ *[0-9]* \(.*of q[1-9]\)/some \1/; s/^ *[0-9]* \(.*error\)/some \1/'

echo "== -x follow"
build q0 3 short
build q1 40 short
build q2.away 50 short
cd "$tmpdir"
"$dtrace" $dt_flags -qZ -x follow=fork -n '
  pid$target:q*:take:entry { @[args.id, args.weight, execname] = count(); }
  END { printa("%d %d %s %@d\n", @); }' \
  -c "./q0 'echo go | ./q1' 'rm q1' 'mv q2.away q2; echo go | ./q2; echo go | ./q2' 'rm q2' 'echo go | ./q0'" </dev/null 2>&1 |
  grep -v done | grep . | sort
exit 0
