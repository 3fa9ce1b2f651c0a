#!/bin/bash
# ASSERTION: a function that calls itself has an entry and a return for each call, nested as the calls are.
# SECTION: fbt
# @@timeout: 60
. ../fbt/common.sh
cat >nested.py <<'P'
import select
# Adding an epoll descriptor that watches another: the kernel walks the chain to find a loop, one call a link.
chain = [select.epoll() for _ in range(4)]
for outer, inner in zip(reversed(chain[:-1]), reversed(chain[1:])):
    outer.register(inner.fileno(), select.EPOLLIN)
P
"$dtrace" -qn 'int entries, returns, deepest;
rawfbt::ep_loop_check_proc*:entry /pid == $target/ { self->depth++; entries++; deepest = self->depth > deepest ? self->depth : deepest; }
rawfbt::ep_loop_check_proc*:return /pid == $target/ { self->depth--; returns++; }
END { printf("%d %d %d\n", entries, returns, deepest); }' -c 'python3 nested.py' 2>err >out
read -r entries returns deepest <out
claim "there were calls" test "$entries" -gt 0
claim "each returned" test "$entries" = "$returns"
claim "within one another" test "$deepest" = 3
