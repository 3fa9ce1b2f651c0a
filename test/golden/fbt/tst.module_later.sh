#!/bin/bash
# ASSERTION: functions of a module that is loaded while tracing runs are probes from then on. A module that is unloaded
#   takes its probes with it, unless the kernel keeps it for the tracer; loaded again it has them again.
# SECTION: fbt
# @@timeout: 60      @@lock: dummy
. ../fbt/common.sh
cat >load.sh <<'S'
busybox ip link set lo up
# Packets through the module until its probe is seen to fire `$1` times or more.
until_seen() {
  echo >>wanted
  busybox ip addr add 10.99.0.1/24 dev dummy0
  busybox ip link set dummy0 up
  for try in $(seq 60); do
    busybox ping -c 1 -W 1 10.99.0.2 >/dev/null
    busybox ping -c 1 -W 1 -I dummy0 10.99.0.3 >/dev/null
    [ "$(grep -c '^dummy dummy_xmit entry' out)" -ge "$1" ] && echo >>seen && return
  done
}
busybox insmod /run/vm-modules/dummy.ko
until_seen 1
if busybox rmmod dummy 2>/dev/null; then
  busybox insmod /run/vm-modules/dummy.ko
  until_seen $(($(grep -c '^dummy dummy_xmit entry' out) + 1))
fi
true
S
busybox rmmod dummy 2>/dev/null
"$dtrace" -Zqn 'fbt:dummy:dummy_xmit:entry, fbt:dummy:dummy_xmit:return
{ printf("%s %s %s %d\n", probemod, probefunc, probename, probename == "return" ? (int)arg0 : arg0 != 0); }' -xswitchrate=50ms -c 'sh load.sh' 2>err >out
claim "entries are seen" grep -q '^dummy dummy_xmit entry 1$' out
claim "returns are seen" grep -q '^dummy dummy_xmit return -1$' out
claim "each time that it is loaded" cmp seen wanted
grep -v 'has exited' err
unload() { # links are removed when all processors have passed them
  for try in $(seq 50); do
    busybox rmmod dummy 2>/dev/null && return
    sleep 0.1
  done
  busybox rmmod dummy
}
claim "the module can be unloaded after it" unload
