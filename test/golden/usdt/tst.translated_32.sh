#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a library that asks for the data model translates the arguments of a 32-bit process as well, and of both
# kinds at once.
# @@shared
. ./translated.sh
build_orders orders -m32
"$dtrace" -q -x temporal -L "$tmpdir/lib" -n "$orders_script" -c "$tmpdir/orders"
echo "-- both"
build_orders orders64
"$dtrace" -q -L "$tmpdir/lib" -n 'orders*:::placed { @[args[0]->o_article, curpsinfo->pr_dmodel == PR_MODEL_ILP32 ? 32 : 64] =
    sum(args[0]->o_cents + args[1]->c_number); }
  END { printa("%s %d %@d\n", @); }' -c "$tmpdir/orders" -c "$tmpdir/orders64" | sort
