#!/bin/bash
# ASSERTION: A watchpoint on a variable fires for each write or access, of threads made later, too; one on a function when it is
#   executed; one of a byte for that byte only. arg1 is where in the program, arg0 is 0.
# SECTION: Providers, 24
# @@lock: breakpoints
echo "== write"
"$dtrace" -q -n 'BEGIN { main = $target }
watchpoint$target:a.out:counter:write { @[tid == main ? "main" : "thread", arg0 == 0 && arg1 != 0 ? "in the program" : "?"] = count(); }
END { printa("%s, %s: %@d\n", @); }' -c "$triggers/watched" 2>&1 | sort | grep .
echo "== functions"
"$dtrace" -q -n 'watchpoint$target::counter:write { @[usym(arg1)] = count(); } END { printa("%A %@d\n", @); }' -c "$triggers/watched" 2>&1 | sort | grep .
echo "== access"
"$dtrace" -q -n 'watchpoint$target:watched:counter:access { @ = count(); } END { printa("%@d\n", @); }' -c "$triggers/watched" 2>&1 | grep .
echo "== execute"
"$dtrace" -q -n 'watchpoint$target:a.out:called:execute { @[arg1 == regs[R_PC]] = count(); } END { printa("%d %@d\n", @); }' -c "$triggers/watched" 2>&1 | grep .
echo "== bytes"
for name in write-1 write; do # apart: an emulated processor may report only one of two at one address
	"$dtrace" -q -n "watchpoint\$target:a.out:wide:$name { @ = count(); } END { printa(\"$name %@d\n\", @); }" -c "$triggers/watched" 2>&1 | grep .
done
echo "== part"
"$dtrace" -q -n 'watchpoint$target:a.out:large:write { @ = count(); } END { printa("%@d\n", @); }' -c "$triggers/watched" 2>&1 |
	sed -E 's/watchpoint[0-9]+/watchpointPID/; s/0x[0-9a-f]+/ADDRESS/' | grep .
exit 0
