#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: args[] of a probe that is declared with a second list are what translators of a D library make of the
# program's own structures, wherever the library lies, and also for a stripped program. Two arguments may come of one.
# @@tags: long
. ./translated.sh
build_orders orders
trace_orders() { "$dtrace" -q -x temporal "$@" -n "$orders_script" -c "$tmpdir/orders"; }
trace_orders -L "$tmpdir/lib"
echo "-- other ways to name the library, and stripped"
trace_orders -xlibdir="$tmpdir/lib" | md5sum >"$tmpdir/sums"
cp -r "$tmpdir/lib" "$tmpdir/system"
for file in "$(dirname "$dtrace")"/../../../libdtrace-d/* "$(dirname "$dtrace")"/../lib*/dtrace/*; do
  [ -e "$file" ] && cp -R "$file" "$tmpdir/system"
done
trace_orders -xsyslibdir="$tmpdir/system" | md5sum >>"$tmpdir/sums"
strip "$tmpdir/orders"
trace_orders -L "$tmpdir/lib" | md5sum >>"$tmpdir/sums"
sort -u "$tmpdir/sums" | wc -l
echo "-- without a library"
"$dtrace" -xerrtags -q -n "$orders_script" -c "$tmpdir/orders" 2>&1 | grep -o 'D_[A-Z_]*'
echo "-- fewer members than asked for"
"$dtrace" -xerrtags -L "$tmpdir/lib" -q -n 'orders$target:::placed { trace(args[0]->o_none); }' -c "$tmpdir/orders" 2>&1 | grep -o 'D_[A-Z_]*'
"$dtrace" -xerrtags -L "$tmpdir/lib" -q -n 'orders$target:::placed { trace(args[3]); }' -c "$tmpdir/orders" 2>&1 | grep -o 'D_[A-Z_]*'
echo "-- arg0.. are the native arguments of args[0].."
"$dtrace" -L "$tmpdir/lib" -q -n 'orders$target:::placed { @ = sum((int)arg2); @p[arg0 == 0, arg0 == arg1] = count(); }
  orders$target:::dropped { printf("%s\n", copyinstr(arg0)); }' -c "$tmpdir/orders"
