#!/bin/bash
# ASSERTION: the idiom of the guides, a speculation for each call that is committed if the call fails, shows each failing
#   call and nothing else, with the one buffer that there is by default.
# SECTION: Speculation
cd "$tmpdir" || exit 1
"$dtrace" -q -n '
syscall::openat:entry /pid == $target/ { self->spec = speculation(); }
syscall::openat:entry /self->spec/ { speculate(self->spec); printf("%s\n", copyinstr(arg1)); }
syscall::openat:return /self->spec && errno != 0/ { commit(self->spec); self->spec = 0; }
syscall::openat:return /self->spec/ { discard(self->spec); self->spec = 0; }' -c "$triggers/opens 200" >out 2>err
grep -c . out
grep . out | sed -n '1p;$p'
cat err
