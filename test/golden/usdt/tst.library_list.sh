#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: -lv has types for the providers that the D library defines, in programs that carry none: as many arguments as
# the program passes; of probes that pass more than the library knows, only sizes and signs.
. ./common.sh
cat >"$tmpdir/p.c" <<'C'
#include <sys/sdt.h>
int main(int argc, char **argv) {
  char *s = argv[0];
  long l = argc;
  unsigned u = argc;
  unsigned char c = argc;
  DTRACE_PROBE4(ruby, method__entry, s, s, s, argc);
  DTRACE_PROBE3(ruby, array__create, l, s, argc);
  DTRACE_PROBE5(php, function__entry, s, s, argc, s, s);
  DTRACE_PROBE8(libvirt, rpc_client_msg_rx, s, argc, argc, argc, argc, argc, argc, argc);
  DTRACE_PROBE3(libvirt, qemu_monitor_send_msg, s, s, argc);
  DTRACE_PROBE2(libstdcxx, throw, s, s);
  DTRACE_PROBE5(sssd, dp_req_done, s, u, u, argc, s);
  DTRACE_PROBE5(hotspot, monitor__wait, l, l, s, argc, l);
  DTRACE_PROBE4(hotspot, class__loaded, s, argc, s, c);
  DTRACE_PROBE4(hotspot_jni, GetMethodID__entry, s, s, s, s);
  DTRACE_PROBE1(hotspot_jni, CallCharMethod__return, u);
  DTRACE_PROBE(hs_private, safepoint__begin);
  DTRACE_PROBE6(postgresql, buffer__read__start, argc, u, u, u, u, argc);
  DTRACE_PROBE2(python, gc__done, l, l);
  return 0;
}
C
cc -O1 -I ../../../usdt/include -o "$tmpdir/p" "$tmpdir/p.c" || exit 1
for provider in ruby php libvirt libstdcxx sssd hotspot hotspot_jni hs_private postgresql python; do
  "$dtrace" -lv -n "$provider\$target:p::" -c "$tmpdir/p" |
    awk -v p="$provider" '/ main / { name = $NF; part = "" } /Attributes/ { part = $1 } /Identifier/ { a = $NF } /Dependency/ && part == "Argument" { c = $NF }
      /Argument Types/ { printf "%s:%s %s/%s", p, name, a, c; on = 1; next } on && /args/ { sub(/^\t+/, ""); printf "; %s", $0 } on && /^$/ { print ""; on = 0 }'
done
