# SPDX-License-Identifier: Apache-2.0
# Sourced by golden scripts that trace system calls of the whole machine and show what is said. A kernel that preempts tasks
# within its map operations does not run programs on that CPU meanwhile. That dtrace says so is right; how much it is
# depends on what else runs.

# without_preempted FILE: what the file says without that, on such a kernel.
without_preempted() {
	if grep -q 'not run by the kernel' "$1" && "$dtrace" -Vv | grep -q '^preempted_syscalls *yes'; then
		grep -vE '^dtrace: [0-9]+ program not run by the kernel \([a-z_0-9]+\)$' "$1"
	else
		cat "$1"
	fi
}
