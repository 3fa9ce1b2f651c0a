#!/bin/bash
# ASSERTION: what stack() and ustack() give is a value: variables of every class keep it, keys compare it, and it prints
#   as it would have where it was taken, until the variable is given another.
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

# Each class of variable, against what stack() itself prints; taken in one firing and printed in another.
cat >classes.d <<'D'
dt_stack_t declared;
syscall::getppid:entry /pid == $target/ {
	printf("@%k", stack()); printf("@%k", ustack());
	g = stack(); self->t = ustack(); this->c = stack(); a["x", 1] = ustack(); self->b[2] = stack(); declared = ustack();
	printf("@this%k", this->c);
}
syscall::getppid:return /pid == $target/ {
	printf("@global%k", g); printf("@self%k", self->t); printf("@array%k", a["x", 1]);
	printf("@self array%k", self->b[2]); printf("@declared%k", declared);
	printf("@chosen%k", pid == $target ? g : declared); printf("@not chosen%k", pid != $target ? g : self->t);
	h = g; printf("@copied%k", h); trace("@traced"); trace(g);
	g = stack(1); printf("@short%k", g); g = self->t; printf("@user's%k", g);
}
D
"$dtrace" -q -c ./deep -s classes.d >out 2>err
status=$?
python3 - <<'P'
blocks = [[line.strip() for line in block.split('\n')] for block in open('out').read().split('@')[1:]]
blocks = [(block[0], [line for line in block[1:] if line]) for block in blocks]
kernel, user = blocks[0][1], blocks[1][1]
print('kernel frames:', 'several' if len(kernel) > 1 else kernel)
print('user frames:', [frame.split('+')[0] for frame in user if frame.startswith('deep`')][:3])
for name, frames in blocks[2:]:
    print(name, 'kernel' if frames == kernel else 'user' if frames == user else '%d frame' % len(frames))
P
cat err
echo "status $status"

# As keys, beside the function itself; kernel and user stacks of one aggregation are distinct.
run -q -xcpu=0 -n 'BEGIN { x = stack(); @n[x] = count(); @n[stack()] = count(); u = ustack(); @n[u] = count(); @n[ustack()] = count();
  @s[stack(2)] = count(); @s[stack(1)] = count(); seen[x] = 5; trace(seen[stack()]); trace(seen[u]); exit(0); }
END { printa(" %@d", @n); printa(" %@d", @s); }'
# Never set, it is empty; 0 empties it again.
echo 'dt_stack_t s; BEGIN { printf("[%k]\n", s); s = stack(); s = 0; printf("[%k]\n", s); exit(0); }' >empty.d
run -q -xcpu=0 -s empty.d
run -q -xerrtags -n 'BEGIN { s = stack(); trace(s + 1); }'
run -q -xerrtags -n 'BEGIN { s = stack(); s = 3; }'
run -q -xerrtags -n 'BEGIN { s = "text"; s = stack(); }'
run -q -xmaxframes=3 -n 'BEGIN { s = stack(); trace(sizeof(s)); exit(0); }'
