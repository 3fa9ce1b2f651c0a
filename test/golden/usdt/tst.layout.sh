#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: where the program says how it was built, by debug information or by a definition in the provider file, and a D
# library has another idea of a translated argument's structure, a message names the member that differs; the tracing goes on.
# @@tags: long
# @@shared
. ./translated.sh
first() { "$dtrace" -xerrtags -L "$tmpdir/$1" -q -n 'orders$target:::placed { printf("%d\n", args[2]); exit(0); }
  orders$target:::placed { this->c = args[0]->o_serial; }' -c "$tmpdir/$2" 2>&1 | sed "s,$tmpdir/,," | grep .; }
echo "-- as built: same"
build_orders same -g
first lib same
echo "-- a member between"
sed -i 's/const char \*article;/int weight, color; const char *article;/' "$tmpdir/src/orders.c"
build_orders moved -g
first lib moved
echo "-- a member of another size, in a structure within"
sed -i 's/int weight, color; const char/const char/; s/unsigned short number/unsigned number/' "$tmpdir/src/orders.c"
build_orders inner -g
first lib inner
echo "-- a member that has gone; filling is not compared"
sed -i 's/unsigned number/unsigned short number/; s/unsigned long long serial/unsigned long long no/; s/o\.serial/o.no/' "$tmpdir/src/orders.c"
build_orders gone -g
first lib gone
mkdir "$tmpdir/padded"
sed 's/long long serial;/long long padding;/; s/O->serial/O->padding/g' "$tmpdir/lib/orders.d" >"$tmpdir/padded/orders.d"
first padded gone
echo "-- debug information in files that are not looked into"
build_orders split -g -gsplit-dwarf
first lib split
echo "-- stripped: nobody can tell"
strip "$tmpdir/gone"
first lib gone
echo "-- described in the provider file, without debug information"
cat >>"$tmpdir/src/orders.d" <<'D'
typedef struct order {
  long cents;
  const char *article;
  struct { char zone; unsigned short number; } customer;
  unsigned short flags : 3, rest : 13;
  unsigned long long no;
} order_t;
D
"$dtrace" -h -s "$tmpdir/src/orders.d" -o "$tmpdir/src/orders.h" || exit 1
build_orders described -s
first lib described
mkdir "$tmpdir/bits"
sed 's/unsigned long long serial;/unsigned short flags : 4, rest : 12; unsigned long long serial;/' "$tmpdir/lib/orders.d" >"$tmpdir/bits/orders.d"
first bits described
