#!/bin/bash
# ASSERTION: A watchpoint on a variable of the kernel fires in the thread that writes to it, in the kernel. Where the
#   kernel may repeat an access, dtrace says so.
# SECTION: Providers, 24
# @@lock: breakpoints
[ -w /proc/sys/kernel/panic ] || exit 1
cat >"$tmpdir/write.sh" <<'END'
value=$(cat /proc/sys/kernel/panic)
for i in 1 2 3; do echo "$value" >/proc/sys/kernel/panic; done
END
"$dtrace" -q -n 'watchpoint::panic_timeout:write /pid == $target/ { @[execname, arg0 != 0, arg1, arg0 == regs[R_PC]] = count(); }
END { printa("%s %d %d %d: %@d\n", @); }' -c "bash $tmpdir/write.sh" 2>&1 | grep . |
	if [ "$(uname -m)" = aarch64 ]; then sed 's/: [3-9]$/: 3 or more/'; else cat; fi
