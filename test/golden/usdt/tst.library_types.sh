#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: the D library's definitions of the providers that programs of the distribution carry without types declare what
# the notes of these programs pass: each probe that has arguments, as many of them, and pointers where pointers are. Those
# that are installed are looked at.
# @@tags: unprivileged userland
library=$(cd ../../../libdtrace-d && pwd)
programs=()
for program in /usr/lib/jvm/*/lib/server/libjvm.so $postgres_bin/postgres $system_php $system_python \
  /usr/lib/*/libruby-3.1.so.3.1 /usr/lib/*/libstdc++.so.6 /usr/sbin/libvirtd /usr/lib/*/libvirt.so.0 \
  /usr/lib/*/libvirt/connection-driver/libvirt_driver_qemu.so /usr/libexec/sssd/sssd_be /usr/lib/*/sssd/libsss_*.so; do
  [ -e "$program" ] && readelf -SW "$program" | grep -q stapsdt && programs+=("$program")
done
python3 library_types.py "$library" "${programs[@]}" >"$tmpdir/out" || exit 1
sed '$d' "$tmpdir/out"
tail -1 "$tmpdir/out" | grep -q ' [1-9]' && echo "compared"
