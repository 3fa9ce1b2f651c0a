#!/bin/bash
# ASSERTION: a stack value has members: depth, addrs[], is_user and pid, of stack() itself and of every class of variable;
#   they are what the printed stack shows.
# SECTION: Types, Operators, and Expressions/dt_stack_t
# @@timeout: 60
. "$(dirname "$0")/../../runner/show.sh"

cat >deep.c <<'C'
#include <sys/syscall.h>
#include <unistd.h>
__attribute__((noinline)) int inner(void) { return (int)syscall(SYS_getppid) + 1; }
__attribute__((noinline)) int outer(void) { return inner() + 1; }
int main(void) { return outer() == 0; }
C
cc -g -O0 -fno-omit-frame-pointer -o deep deep.c || exit 1

cat >members.d <<'D'
syscall::getppid:entry /pid == $target/ {
	g = stack(); self->t = ustack(); a[1] = ustack(); this->c = ustack(3); i = 1;
	printf("@kernel%k", g); printf("@user%k", self->t);
	printf("@depths\n%d %d %d %d %d %d\n", g.depth, self->t.depth, a[1].depth, this->c.depth, stack(2).depth, ustack(2).depth);
	printf("@is_user\n%d %d %d %d %d\n", g.is_user, self->t.is_user, a[1].is_user, stack().is_user, ustack().is_user);
	printf("@pids\n%d %d %d %d\n", g.pid, self->t.pid == pid, a[1].pid == $target, ustack(1).pid == pid);
	printf("@second\n"); uaddr(self->t.addrs[1]); printf("\n"); uaddr(a[i].addrs[i]); printf("\n"); uaddr(ustack().addrs[i]);
	printf("@third\n"); uaddr(this->c.addrs[i + 1]); printf("\n%d %d", this->c.addrs[3], self->t.addrs[self->t.depth]);
	printf("@last\n"); sym(g.addrs[g.depth - 1]); printf("\n"); sym(stack().addrs[g.depth - 1]);
	printf("@caller\n%d", ucaller == self->t.addrs[1]);
	exit(0);
}
D
"$dtrace" -q -c ./deep -s members.d >out 2>err
status=$?
python3 - <<'P'
import re
blocks = [block.split('\n') for block in open('out').read().split('@')[1:]]
block = {name: [line.strip() for line in lines if line.strip()] for name, *lines in blocks}
kernel, user = block['kernel'], block['user']
depths = [int(word) for word in block['depths'][0].split()]
# Printing leaves out the frames of the tracepoint itself.
print('kernel depth:', 'as printed' if len(kernel) <= depths[0] <= len(kernel) + 3 else (depths, kernel))
print('user depth:', 'as printed' if depths[1] == depths[2] == len(user) else (depths, user))
print('short depths:', depths[3:])
print('is_user:', block['is_user'][0])
print('pids:', block['pids'][0])
print('second:', ['as printed' if line == user[1] else line for line in block['second']])
print('third:', 'as printed' if block['third'][0] == user[2] else block['third'][0], block['third'][1])
name = kernel[-1].split('+')[0]
print('last:', ['as printed' if line.split('+')[0] == name else line for line in block['last']])
print('ucaller:', block['caller'][0])
P
cat err
echo "status $status"

echo 'dt_stack_t s; BEGIN { printf("%d %d %d %d", s.depth, s.is_user, s.pid, s.addrs[0]); exit(0); }' >unset.d
run -q -xcpu=0 -s unset.d
# An index behind the last element is an error, at compile time where it is constant.
run -q -xcpu=0 -xmaxframes=4 -n 'BEGIN { s = stack(); i = 4; trace(s.addrs[i]); } ERROR { exit(0); }'
run -q -xerrtags -xmaxframes=4 -n 'BEGIN { s = stack(); trace(s.addrs[4]); }'
run -q -xerrtags -n 'BEGIN { s = stack(); trace(s.deph); }'
run -q -xerrtags -n 'BEGIN { s = stack(); s.depth = 1; }'
run -q -xerrtags -n 'BEGIN { s = stack(); s.addrs[0] = 1; }'
run -q -xerrtags -n 'BEGIN { s = stack(); trace(&s.addrs[0]); }'
run -q -xerrtags -n 'BEGIN { s = stack(); trace(s->depth); }'
run -q -xcpu=0 -n 'BEGIN { s = stack(); trace(sizeof (s.addrs)); trace(s.depth == sizeof (s.addrs) / 8); trace(s.is_user ? "user" : "kernel"); exit(0); }'
