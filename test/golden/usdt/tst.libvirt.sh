#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: the probes of libvirt's library are listed as its notes tell, and what a daemon of it receives has the eight
# arguments that were sent.
# @@shared    @@tags: software
. ./common.sh
home=$(mktemp -d /tmp/dt-virt.XXXXXX)
chown nobody "$home"
setpriv --reuid nobody --clear-groups env HOME="$home" XDG_RUNTIME_DIR="$home" /usr/sbin/virtlogd >"$tmpdir/log" 2>&1 &
virtlogd=$!
trap 'kill $virtlogd; wait $virtlogd; rm -rf "$home"' EXIT
socket=$home/libvirt/virtlogd-sock
until [ -S "$socket" ]; do
  kill -0 $virtlogd || { cat "$tmpdir/log"; exit 1; }
  sleep 0.05
done
noted_and_listed "libvirt$virtlogd" "$(readlink -f "$(awk '/libvirt.so/ { print $NF; exit }' /proc/$virtlogd/maps)")"
trace -q -p $virtlogd -n 'BEGIN { printf("ready\n"); }
  libvirt$target:::rpc_server_client_new { printf("new client\n"); self->client = arg0; }
  libvirt$target:::rpc_server_client_msg_rx {
    printf("%d bytes for program %x version %d procedure %d type %d serial %d status %d\n", (int)arg1, (int)arg2, (int)arg3,
      (int)arg4, (int)arg5, (int)arg7, (int)arg6);
    exit(0);
  }'
# A message for a program that nobody serves: length, program, version, procedure, type, serial, status. From the daemon's own user, or it
# would not listen.
setpriv --reuid nobody --clear-groups python3 - "$socket" <<'P'
import socket, struct, sys
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
s.sendall(struct.pack(">IIIIiIi", 28, 0x12345678, 3, 7, 0, 99, 0))
s.recv(4096)
P
trace_ended
grep -v -e ready -e '^$' "$out"
