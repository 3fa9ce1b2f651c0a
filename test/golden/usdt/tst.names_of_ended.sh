#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: addresses of a program that came after the tracer have their names, though it has ended when they are printed and
# its file is gone.
. ./common.sh
build_operands -o "$tmpdir/program"
build_operands -DLIBRARY -fPIC -shared -o "$tmpdir/library.so"
build_operands -DHOST -o "$tmpdir/host"
export LIBRARY=$tmpdir/library.so
trace -qZ -n 'BEGIN { printf("ready\n"); } opnd*::: /probename == "memory"/ { @[ufunc(uregs[R_PC])] = count(); @stack[ustack(1)] = count(); }
  END { printa("%A %@d\n", @); printa(@stack); }'
start "$tmpdir/program"
ask 1
ask f
finish
start "$tmpdir/host"
ask d
ask 1
ask f
finish
rm "$tmpdir/program" "$tmpdir/library.so"
end_trace
sed -n 's/^ *//; s/+0x[0-9a-f]*//; /`/p' "$out" | sort
