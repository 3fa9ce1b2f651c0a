#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a command is held where evaltime says, in programs of every make: at exec and preinit nothing has run yet, at
# postinit the libraries have been initialised, at main the program as well. Its input, output and status are its own.
# @@parts
. "$(dirname "$0")/../../runner/sections.sh"
dtrace=$1
cat >"$tmpdir/library.c" <<'C'
void library_begins(void);
__attribute__((constructor, noinline)) void library_begins(void) { __asm__ volatile(""); }
C
cat >"$tmpdir/program.c" <<'C'
#include <stdio.h>
void library_begins(void);
void program_begins(void);
__attribute__((constructor, noinline)) void program_begins(void) { __asm__ volatile(""); }
int main(int argc, char **argv) {
  char word[20];
  if (argc > 100) library_begins();
  if (scanf("%19s", word) == 1) printf("read %s. ", word);
  return 3;
}
C
cd "$tmpdir" || exit 1
cc -O1 -shared -fPIC -o libbegins.so library.c || exit 1
cc -O1 -o pie program.c ./libbegins.so || exit 1
cc -O1 -no-pie -o fixed program.c ./libbegins.so || exit 1
cc -O1 -static -o static program.c library.c || exit 1
cc -O1 -static-pie -o static_pie program.c library.c || exit 1
for when in exec preinit postinit main; do
  # At exec the libraries are not there yet.
  libraries=
  [ $when != exec ] && libraries='pid$target::library_begins:entry,'
  for image in pie fixed static static_pie; do
    section "$when $image" || continue
    echo "$when $image: $(echo word | $dtrace $dt_flags -qZ -x evaltime=$when -c "./$image" -n "$libraries"'
      pid$target:a.out:program_begins:entry, pid$target:a.out:main:entry { @[probefunc] = count(); }
      END { printa("%s %@d, ", @); }' 2>&1)"
  done
done
