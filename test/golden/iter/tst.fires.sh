#!/bin/bash
# ASSERTION: Walks are made at the begin, at the end and each period; -done fires once behind each, and a walk that begins sees
#   every object again. exit() ends a walk at once, but not one of the end. Records of many objects are not lost in a small buffer.
# SECTION: Providers, iter
# @@timeout: 120
. ./common.sh
begin_walked 40 0 0
echo "== order"
"$dtrace" -q -n '
BEGIN { printf("BEGIN\n"); }
iter::task:at-begin /args[0]->tgid == $1/ { n++; }
iter:::at-begin-done { printf("at-begin %d\n", n); n = 0; }
iter::task:every-100ms /args[0]->tgid == $1/ { n++; }
iter:::every-100ms-done { printf("every %d\n", n); n = 0; }
iter:::every-100ms-done /++rounds == 3/ { exit(0); }
iter::task:at-end /args[0]->tgid == $1/ { last++; }
iter:::at-end-done { printf("at-end %d\n", last); }
END { printf("END\n"); }' "$pid"
echo "== exit in a walk"
"$dtrace" -q -n 'iter::task:at-begin { seen++; exit(3); } END { printf("%d\n", seen); }'
echo "status $?"
echo "== exit in BEGIN"
"$dtrace" -q -n 'BEGIN { exit(0); } iter::task:at-begin { early++; }
iter::task:at-end /args[0]->tgid == $1/ { @ = count(); } END { printf("%d\n", early); }' "$pid"
echo "== a small buffer"
"$dtrace" -q -x bufsize=4k -x ledger=text -n '
iter::task:at-begin /args[0]->tgid == $1/ { printf("%s %d %s\n", "task", args[0]->pid, stringof(args[0]->comm)); }
iter::task:at-begin /args[0]->tgid == $1/ { printf("again %d\n", args[0]->pid); }
iter:::at-begin-done { exit(0); }' "$pid" 2>&1 | awk '{ print $1 }' | sort | uniq -c | awk '{ $1 = $1; print }'
echo "== a command"
"$dtrace" -q -n 'iter::task:at-begin /args[0]->tgid == $target/ { @ = count(); }' -c true
echo "== a fault"
"$dtrace" -n 'iter::task:at-begin /args[0]->tgid == $1/ { n++; trace(*(int *)NULL); } ERROR { errors++; }
iter:::at-begin-done { exit(0); } END { printf("%d %d\n", n, errors); }' -q "$pid" 2>&1 |
	sed 's/probe ID [0-9]*/probe ID N/; s/at BPF pc [0-9]*/at BPF pc N/' | uniq
echo "== more walks than there is time for"
"$dtrace" -q -x ledger=text -n 'iter::vma:every-1ms { @[args[1]->vm_start] = count(); } tick-1s { trunc(@); exit(0); }' 2>&1 |
	awk '/another one took too long/ { n += $2 == "-" } END { print (n > 0 ? "some are counted as not made" : "none is lost") }'
end_walked
