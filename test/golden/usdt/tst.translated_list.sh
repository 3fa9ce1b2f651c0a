#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: -lv shows the stability that the provider file declares, and the translated types, also of a provider that
# declares neither.
. ./translated.sh
build_orders orders
"$dtrace" -L "$tmpdir/lib" -lv -n 'orders$target:::' -c "$tmpdir/orders" | sed 1d | sed 's/^ *[0-9]*  *orders[0-9]* *\([a-z]*\) *\([a-z_]*\) \([a-z]*\)$/\1 \2 \3/'
echo "-- no pragmas"
sed -i '/^#pragma/d' "$tmpdir/src/orders.d"
"$dtrace" -h -s "$tmpdir/src/orders.d" -o "$tmpdir/src/orders.h" || exit 1
build_orders orders
"$dtrace" -L "$tmpdir/lib" -lv -n 'orders$target:::dropped' -c "$tmpdir/orders" | sed 1,2d
