#!/bin/bash
# ASSERTION: kernel data by the address of `name, curthread, and the symbol, function and module of an address.
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
