#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: --diff compares the stacks of two saved runs: lines with both numbers, and a page with the data of both; what it
#   cannot compare is an error. Frames of two programs match by function; lines that the program printed are left out.
# SECTION: Output formats    @@timeout: 120    @@tags: userland
cd "$tmpdir" || exit 1
run() { "$dtrace" -qn 'syscall::chdir:entry /pid == $target/ { @[execname, copyinstr(arg0)] = count(); @u[copyinstr(arg0), ustack(1)] = count(); }' \
  -x format=json -o "$1.json" -c "$2"; }
run before "sh -c 'cd /usr; cd /usr; cd /bin'"
run after "sh -c 'cd /usr; cd /usr; cd /usr; cd /lib; true'"
"$dtrace" -qn 'BEGIN { @other = count(); exit(0); }' -x format=json -o other.json

echo "== folded"
"$dtrace" --diff before.json after.json -x format=folded 2>stderr | sed -E 's/;[^ ]*chdir[^ ]* / /'
grep -v 'left out' stderr
echo "== flame, and both at once"
"$dtrace" --diff before.json - -o diff.html:flame -o diff.folded:folded <after.json 2>/dev/null
wc -l <diff.folded
/usr/bin/python3 - <<'PYTHON'
import json, re
with open('diff.html', encoding='utf-8') as file:
    after = json.loads(re.search(r'<script type="application/json" id="run">(.*?)</script', file.read(), re.S).group(1))
before = after['compared']['run']
print(after['compared']['name'], before['dtrace_flame'])
for run in (before, after):
    view = next(view for view in run['views'] if view['name'] == '@u')
    print(sum(view['values']), sorted(run['frames'][view['frames'][i]][0] for i, depth in enumerate(view['depths']) if depth == 0))
PYTHON
echo "== errors"
fails() { "$dtrace" --diff "$@" 2>&1; echo "status $?"; }
fails before.json after.json
fails before.json after.json -o x.svg:svg
fails before.json -x format=folded
fails before.json other.json -x format=folded
fails before.json none.json -x format=folded
fails - - -x format=folded
fails -n BEGIN before.json after.json -x format=folded
ls x.svg 2>/dev/null
true
echo "== two builds of a program, which prints between the lines of JSON"
for build in before after; do
  cat >$build.c <<'C'
#include <stdio.h>
#include <unistd.h>
__attribute__((noinline)) void work(int n) { for (int i = 0; i < n; i++) chdir("/usr"); __asm__ volatile(""); }
__attribute__((noinline)) void rest(void) { chdir("/bin"); __asm__ volatile(""); }
int main(void) {
  puts("{");
  puts("{\"sum\": 1}");
  work(CALLS);
  rest();
  printf("no end of line");
  fflush(stdout);
  return 0;
}
C
  calls=5
  [ $build = before ] && calls=2
  cc -O1 -DCALLS=$calls -o $build $build.c 2>/dev/null || exit
  "$dtrace" -qn 'syscall::chdir:entry /pid == $target/ { @[ustack()] = count(); }' -x format=json -c ./$build >$build.json
done
"$dtrace" --diff before.json after.json -x format=folded 2>stderr | grep -o '[a-z.]*`main;.*' | sort
sed 's/first is line [0-9]*/first is line N/' stderr
echo "== merged first"
"$dtrace" --merge -x format=json before.json 2>/dev/null >merged.json
"$dtrace" --diff merged.json after.json -x format=folded 2>/dev/null | grep -o '[a-z.]*`main;.*' | sort
echo "== without the names of the programs"
for build in before after; do sed 's/,"program":"[^"]*"//' $build.json >$build-unnamed.json; done
"$dtrace" --diff before-unnamed.json after-unnamed.json -o unnamed.folded:folded 2>&1 | grep 'no stack'
