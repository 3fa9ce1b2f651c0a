#!/bin/bash
# ASSERTION: a call that a clause's list names twice, by its own name and by one of Solaris or by two of those, fires the clause once;
#   a call that is named twice by one name, or by another clause, fires as often as it is named.
# SECTION: Providers, 2
for list in "exec exece" "exece execve" "execve exec" "exec exece execve" "execve execve" "exec"; do
	probes=$(printf 'syscall::%s:entry, ' $list)
	"$dtrace" -qn "${probes%, }"' /pid == $target/ { n++; } END { printf("%d", n); }' -c 'sh -c "exec /bin/true"' | grep . | sed "s/^/$list: /"
done
# All of them are one of these calls each.
"$dtrace" -qn 'syscall::vfork:entry, syscall::fork1:entry, syscall::clone:entry, syscall::forksys:entry /pid == $target/ { n++; }
	syscall::clone:entry, syscall::clone3:entry, syscall::fork:entry, syscall::vfork:entry /pid == $target/ { m++; }
	END { printf("%d", n > 0 && n == m); }' -c 'sh -c "/bin/true; (/bin/true); :"' | grep .
"$dtrace" -ln 'syscall::open64:entry, syscall::open:entry' | grep -c entry
