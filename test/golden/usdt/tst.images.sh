#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: programs of every make that start after the tracer: position-independent or not, static, stripped, 32-bit,
# deleted, executed from a memfd, in mount and pid namespaces of their own with a root of their own, another file of the same
# name; what one turns into by exec. Their counter is raised, each site fires once, and arguments have their values (where the
# file has kept its symbols).
# @@timeout: 90
# @@tags: long
# @@shared
. ./common.sh
build_operands -o "$tmpdir/pie"
build_operands -no-pie -o "$tmpdir/fixed"
build_operands -static -o "$tmpdir/static"
build_operands -static-pie -o "$tmpdir/static_pie"
build_operands -m32 -o "$tmpdir/narrow"
build_operands -m32 -no-pie -o "$tmpdir/narrow_fixed"
build_operands -s -o "$tmpdir/stripped"
mkdir "$tmpdir/again" "$tmpdir/root"
build_operands -static -o "$tmpdir/again/pie" # another file of that name

trace -qZ -n 'BEGIN { printf("ready\n"); }
  opnd*:::registers { @fired[pid, probemod] = count(); printf("%d: %d %d %d", pid, arg1 & 0xff, arg3, arg7); }
  opnd*:::memory { @fired[pid, probemod] = count(); printf(", %d %d", arg1, arg6); }
  opnd*:::threads { @fired[pid, probemod] = count(); }
  opnd*:::threads /probemod != "stripped"/ { printf(", %d %s", arg0, arg1 == arg2 ? "and its own address" : "elsewhere"); }
  opnd*:::symbols { @fired[pid, probemod] = count(); }
  opnd*:::one-lost { @fired[pid, probemod] = count(); printf(", %d %d\n", arg0, arg2); }
  END { printa("%d: %s fired %@d\n", @fired); }'

names=()
run() { # NAME COMMAND...
  start "${@:2}"
  ask 1
  [ "$answer" = well ] || echo "$1: not enabled"
  [ -n "${pid:=}" ] || pid=$program
  names+=("$pid:$1")
  pid=
  ask f
  finish
}
for image in pie fixed static static_pie narrow narrow_fixed stripped; do run $image "$tmpdir/$image"; done
run same_name "$tmpdir/again/pie"

cp "$tmpdir/pie" "$tmpdir/deleted"
start "$tmpdir/deleted"
ask s
rm "$tmpdir/deleted"
ask 1
ask f
names+=("$program:deleted")
finish

run memfd python3 -c 'import os, sys
memory = os.memfd_create("in_memory")
os.write(memory, open(sys.argv[1], "rb").read())
os.execve("/proc/self/fd/%d" % memory, ["in_memory"], os.environ)' "$tmpdir/fixed"

# What the tracer sees is the process that unshare leaves behind it.
start unshare -m -p -f sh -c "mount -t tmpfs none '$tmpdir/root' && cp '$tmpdir/static' '$tmpdir/root/inside' &&
  rm '$tmpdir/static' && exec chroot '$tmpdir/root' /inside"
ask 1
names+=("$(pgrep -P $program):namespaces")
ask f
finish

export PROGRAM=$tmpdir/pie
start "$tmpdir/fixed"
names+=("$program:turns_into")
ask 1
ask f
echo e >&5
ask 1
ask f
finish
end_trace
for name in "${names[@]}"; do sed -n "s/^ *${name%%:*}: /${name#*:}: /p" "$out"; done
grep -v '^ *[0-9]*: \|^ready\|^$' "$out"
exit 0
