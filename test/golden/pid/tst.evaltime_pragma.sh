#!/bin/bash
# ASSERTION: a program says where the command is to be held: its constructor has not run at preinit, and has at main.
# SECTION: Command line, 24
. "$(dirname "$0")/../../runner/show.sh"
cat >program.c <<'C'
void begins(void);
__attribute__((constructor, noinline)) void begins(void) { __asm__ volatile(""); }
int main(void) { return 0; }
C
cc -O1 -o program program.c || exit 1
for when in preinit main nonsense; do
	echo "#pragma D option evaltime=$when
#pragma D option quiet
pid\$target:a.out:begins:entry, pid\$target:a.out:main:entry { printf(\"%s \", probefunc); }" >script.d
	run -c ./program -s script.d
done
run -q -c ./program -n '# pragma D option evaltime=main
pid$target:a.out:begins:entry { n++; } END { printf("%d", n); }'
