#!/bin/bash
# ASSERTION: What no watchpoint can be set on is refused with the reason.
# SECTION: Providers, 24
# @@lock: breakpoints
says() {
	"$dtrace" "$@" 2>&1 | grep -vE '^ +[|0-9]|^dtrace: (pid|description)| matched ' | sed -E 's/(watchpoint)[0-9]+/\1PID/g; s/0x[0-9a-f]{6,}/ADDRESS/g'
}
says -n 'watchpoint$target:a.out:counter:wrote' -c "$triggers/watched"
says -n 'watchpoint$target:a.out:count*:write' -c "$triggers/watched"
says -n 'watchpoint$target:a.out:nothing:write' -c "$triggers/watched"
says -xerrtags -n 'watchpoint0:a.out:counter:write'
says -n 'watchpoint$target::0x100001:write-4' -c "$triggers/watched"
says -n 'watchpoint$target::0x100000:write, watchpoint$target::0x100008:write, watchpoint$target::0x100010:write,
watchpoint$target::0x100018:write, watchpoint$target::0x100020:write' -c "$triggers/watched"
exit 0
