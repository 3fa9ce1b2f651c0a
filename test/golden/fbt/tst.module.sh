#!/bin/bash
# ASSERTION: functions of a module are probes of that module, with the types of the module.
# SECTION: fbt
# @@timeout: 60      @@lock: dummy
. ../fbt/common.sh

cat >ping.sh <<'S'
busybox ip addr add 10.99.0.1/24 dev dummy0
busybox ip link set dummy0 up
busybox ping -c 3 -W 1 10.99.0.2 >/dev/null
true
S
busybox insmod /run/vm-modules/dummy.ko
"$dtrace" -ln fbt:dummy:: 2>err >out
claim "its functions are listed" grep -qE ' fbt +dummy +dummy_xmit +entry$' out
"$dtrace" -qn 'fbt:dummy:dummy_xmit:entry { @[probemod, probefunc, stringof(args[1]->name)] = count(); }
fbt:dummy:dummy_xmit:entry
{
	@stacks[stack(2)] = count(); @symbols[sym((uintptr_t)&dummy`dummy_xmit)] = count();
	@functions[func((uintptr_t)&dummy`dummy_xmit)] = count(); @modules[mod((uintptr_t)&dummy`dummy_xmit)] = count();
}
fbt:dummy:dummy_xmit:return { @returns[probemod] = count(); }' -c 'sh ping.sh' 2>err >out
claim "they fire, with the module's types" grep -qE 'dummy +dummy_xmit +dummy0 +[0-9]+$' out
claim "returns as well" grep -qE '^ *dummy +[0-9]+$' out
claim "stacks name the module" grep -qE '^ *dummy`dummy_xmit(\+0x[0-9a-f]+)?$' out
claim "and the kernel" grep -qE '^ *vmlinux`[a-z_]+\+0x[0-9a-f]+$' out
claim "symbol and function" test "$(grep -cE '^ *dummy`dummy_xmit +[0-9]+$' out)" = 2
# The file system of /tmp is a module; the kernel says elsewhere how large its structure is.
size=$("$dtrace" -qn 'BEGIN { trace(sizeof (struct ext4`ext4_inode_info)); exit(0); }' 2>err | tr -d ' \n')
claim "types of a module" test "$size" = "$(cat /sys/kernel/slab/ext4_inode_cache/object_size)"
busybox rmmod dummy
