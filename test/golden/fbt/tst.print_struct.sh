#!/bin/bash
# ASSERTION: print() of a large structure behind an argument shows what is in memory, member by member, as an independent
#   reader of the kernel's types and memory finds it.
# SECTION: print()
# @@timeout: 100
. ../fbt/common.sh
here=$OLDPWD
sleep 1000 &
stopped=$!
disown # no word about its end
kill -STOP $stopped
until grep -q '^State:.*stopped' /proc/$stopped/status; do :; done
"$dtrace" -qn 'fbt::task_dump_owner:entry /args[0]->pid == $1/ { printf("%p\n", args[0]); print(*args[0]); exit(0); }' \
	-c "ls -ld /proc/$stopped/status" "$stopped" 2>err >out
grep -v '^[-d]r.*/status$' out >shown
python3 "$here/struct_reader.py" task_struct shown
cat err
kill -KILL $stopped
