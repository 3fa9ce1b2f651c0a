#!/bin/bash
# ASSERTION: kernel data by `name: typed by the D library, by a declaration, by a cast of its address; types by module;
#   curthread; and the symbol, function and module of an address.
# SECTION: Variables
# @@timeout: 60
. ../fbt/common.sh
"$dtrace" -qn '
fbt::vfs_read:entry /pid == $target/
{
	printf("%s %d\n", stringof(((struct task_struct *)&vmlinux`init_task)->comm),
		((struct task_struct *)&`init_task)->pid);
	printf("%d\n", curthread->tgid == pid && curthread->pid == tid);
	printf("%a %a\n", (uintptr_t)&`vfs_read, (uintptr_t)&`init_task);
	sym((uintptr_t)&`vfs_read); printf("\n");
	func((uintptr_t)&`vfs_read + 1); printf("\n");
	mod((uintptr_t)&`vfs_read); printf("\n");
	stack(2);
	exit(0);
}' -c 'dd if=/dev/zero of=/dev/null count=1 status=none' 2>err >out
sed -e 's/^ *//' -e 's/ *$//' -e 's/+0x[0-9a-f]*$/+N/' out | grep -v '^$' | head -n 7
cat err
# What the kernel says of itself elsewhere.
forks() { awk '$1 == "processes" { print $2 }' /proc/stat; }
before=$(forks)
"$dtrace" -qn 'extern int panic_on_warn;
BEGIN
{
	printf("%s %d\n", `init_task.comm, `init_task.pid);
	printf("release %s\n", stringof(`init_uts_ns.name.release));
	printf("command %s\n", stringof(`saved_command_line));
	printf("cpus %d\n", `nr_cpu_ids);
	printf("forks %d\n", `total_forks);
	printf("warn %d\n", `panic_on_warn);
	printf("same %d\n", sizeof (struct vmlinux`task_struct) == sizeof (struct task_struct));
	exit(0);
}' 2>err >out
cat err
value() { sed -n "s/^$1 //p" out; }
head -n 1 out
claim "release" test "$(value release)" = "$(uname -r)"
claim "command line" test "$(value command)" = "$(cat /proc/cmdline)"
claim "possible CPUs" test "$(value cpus)" = "$(($(sed 's/.*-//' /sys/devices/system/cpu/possible) + 1))"
claim "forks" test "$before" -le "$(value forks)" -a "$(value forks)" -le "$(forks)"
claim "declared" test "$(value warn)" = "$(cat /proc/sys/kernel/panic_on_warn)"
claim "a type by its module" test "$(value same)" = 1
