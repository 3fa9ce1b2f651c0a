#!/bin/bash
# ASSERTION: without BTF, the BPF file system, the kernel's symbols, /sys as a whole, or /proc, what needs none of them works, on
#   every CPU, and what does says what is not there. tracefs need not be mounted.
# SECTION: Command line, 22
# @@timeout: 180
# @@parts
. "$(dirname "$0")/../../runner/sections.sh"
. "$(dirname "$0")/../../runner/show.sh"
unshare --mount true 2>/dev/null || { echo "cannot hide files" >&2; exit 1; }
for hidden in /sys/kernel/btf '/sys/kernel/tracing /sys/kernel/debug' /sys/fs/bpf /proc/kallsyms /sys; do
	section "without $hidden" || continue
	unshare --mount bash -c '
	for place in $1; do
		if [ -d "$place" ]; then mount -t tmpfs none "$place"; elif [ -e "$place" ]; then mount --bind /dev/null "$place"; fi
	done
	"$2" -qn "BEGIN{printf(\"%s\n\", execname == \"dtrace\" ? \"BEGIN\" : execname);exit(0)}"
	for cpu in $(awk "/^cpu[0-9]/ { print substr(\$1, 4) }" /proc/stat); do
		"$2" -qn "syscall::write:entry/pid == \$target/{n += arg2}END{printf(\"%d bytes\n\", n)}" -c "taskset -c $cpu dd if=/dev/zero of=/dev/null bs=1000 count=3 status=none"
	done 2>&1 | sort -u
	"$2" -qn "profile-97{@[stack(2), ustack(2)] = count();} tick-100ms{exit(0)}" | grep -c "^ *[0-9]*\$" | sed "s/^[1-9][0-9]*\$/stacks/"
	"$2" -qn "sdt:sched::sched_switch{printf(\"%d\n\", args[2]->pid >= 0); exit(0)}" 2>&1 | sed -n "1p; 4p"
	"$2" -qn "io:::start, tick-1ms{exit(0)}" 2>&1 >/dev/null | sed -n 1p
	DTRACE_KERNEL_LACKS=kprobe_multi,kprobe,trampoline "$2" -qn "fbt::vfs_read:entry" 2>&1 | sed -n "1s/.*or forbids them;* */functions: /p"
	"$2" -lvn syscall::openat:entry | grep "args\[1\]"
	"$2" -qn "BEGIN{printf(\"%d\n\", curpsinfo->pr_pid == pid); exit(0)}" 2>&1 | sed "s/\"[^\"]*procfs.d\", line [0-9]*/procfs.d/; s/^ [0-9]* |/ NN |/"
	' bash "$hidden" "$dtrace" 2>&1 | grep .
done
if section "without /proc"; then
	unshare --mount bash -c 'mount -t tmpfs none /proc; "$1" -qn "BEGIN { exit(0); }" 2>&1 | grep -v "no D libraries"' bash "$dtrace"
fi
