#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: an argument that a provider says is of a type that no D library defines is what the program passes; a use of a
# member of it is an error that names the type and the argument, and says what to do; with the library there, it is translated.
# @@shared
. ./translated.sh
build_orders orders
run() { "$dtrace" -xerrtags -q "${@:2}" -n "orders\$target:::placed { printf(\"%d\n\", $1); exit(0); }" -c "$tmpdir/orders" 2>&1 |
  sed 's/invalid probe specifier .*: \(\[D_[A-Z_]*\]\) in action list:/\1/; s/orders[0-9]*:/ordersPID:/' | grep .; }
run 'args[2]'
run '(uintptr_t)args[0] == arg0'
run 'args[0]->o_cents'
run 'args[1]->c_number'
run 'args[0]->o_cents' -L "$tmpdir/lib"
echo "-- without a second list"
echo 'provider plain { probe made(order_t *o, zone_t zone); };' >"$tmpdir/src/plain.d"
"$dtrace" -h -s "$tmpdir/src/plain.d" -o "$tmpdir/src/orders.h" || exit 1
printf '#include "orders.h"\nint main(void) { static long order[4] = {7}; PLAIN_MADE(order, 3); return 0; }\n' >"$tmpdir/src/orders.c"
build_orders plain
plain() { "$dtrace" -xerrtags -q "${@:2}" -n "plain\$target:::made { printf(\"%d\n\", $1); exit(0); }" -c "$tmpdir/plain" 2>&1 |
  sed 's/invalid probe specifier .*: \(\[D_[A-Z_]*\]\) in action list:/\1/; s/plain[0-9]*:/plainPID:/' | grep .; }
plain 'args[1]'
plain 'args[0]->cents'
plain '*(long *)copyin((uintptr_t)&args[0]->cents, 8)' -L "$tmpdir/lib"
