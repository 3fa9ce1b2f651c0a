#!/bin/bash
# ASSERTION: functions of a module are probes of that module, with the types of the module.
# SECTION: fbt
# @@timeout: 60
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
fbt:dummy:dummy_xmit:return { @returns[probemod] = count(); }' -c 'sh ping.sh' 2>err >out
claim "they fire, with the module's types" grep -qE 'dummy +dummy_xmit +dummy0 +[0-9]+$' out
busybox rmmod dummy
