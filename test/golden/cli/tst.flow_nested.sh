#!/bin/bash
# ASSERTION: flowindent nests calls of providers in each other, with the arrows of each; what is neither entry nor return
#   stands inside; several clauses of a probe move the indentation once; setopt() switches it.
# SECTION: Command line, 7
. "$(dirname "$0")/../../runner/preempted.sh"
. "$(dirname "$0")/../../runner/machine.sh"
. "$(dirname "$0")/../../runner/show.sh"
cat >nest.c <<'C'
#include <sys/syscall.h>
#include <unistd.h>
__attribute__((noinline)) static int inner(int n) { return syscall(SYS_getppid) > n; }
__attribute__((noinline)) static int outer(int n) { int r = inner(n); r += inner(n + r); __asm__ volatile(""); return r; }
int main(void) { return outer(3) == 5; }
C
cc -O1 -fno-optimize-sibling-calls -fno-ipa-icf -o nest nest.c || exit 1
flow() {
	echo "\$ dtrace $*" | sed "s/ $getppid_call\//&getppid/;s/$getppid_call\/getppid/getppid\//"
	taskset -c 0 "$dtrace" "$@" -c ./nest >out 2>err
	local status=$?
	sed 's/ *$//' out
	without_preempted err | sed -E 's/^/! /;s/pid [0-9]+/pid N/'
	echo "status $status"
}
functions='pid$target:nest:main:entry, pid$target:nest:main:return, pid$target:nest:outer:entry, pid$target:nest:outer:return, pid$target:nest:inner:entry, pid$target:nest:inner:return'
flow -Fn "$functions {}"
flow -Fn "$functions {} syscall::getppid: /pid == \$target/ {}"
flow -Fn "pid\$target:nest:outer:entry, pid\$target:nest:outer:return {} syscall::getppid:entry /pid == \$target/ {} syscall::getppid:entry /pid == \$target/ { trace(\"again\"); } syscall::getppid:return /pid == \$target/ { trace(1); } syscall::getppid:return /pid == \$target/ { trace(2); }"
flow -Fn "pid\$target:nest:inner:entry, pid\$target:nest:inner:return {} rawtp:::sys_enter /pid == \$target && args[1] == $getppid_call/ { trace(\"inside\"); }"
# A return without its entry does not go below 0, and an entry without its return stays.
flow -Fn 'pid$target:nest:inner:return {} pid$target:nest:outer:return {}'
flow -Fn 'pid$target:nest:outer:entry {} pid$target:nest:inner:entry {}'
flow -n 'pid$target:nest:outer:entry { setopt("flowindent"); } pid$target:nest:inner:entry, pid$target:nest:inner:return {} pid$target:nest:outer:return { setopt("flowindent", "no"); }' | sed -E 's/^ +[0-9]+ +[0-9]+ +/0 ID /'
