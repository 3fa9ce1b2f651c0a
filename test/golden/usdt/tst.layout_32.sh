#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: in a 32-bit program it is the library's 32-bit form of a structure, conn32_t for conn_t, that is compared, with
# what debug information says, or the definition in the provider file as it is laid out there.
# @@shared
. ./translated.sh
first() { "$dtrace" -L "$tmpdir/$1" -q -n 'orders$target:::placed { this->c = args[0]->o_cents; printf("%d\n", this->c); exit(0); }' \
  -c "$tmpdir/$2" 2>&1 | sed "s,$tmpdir/,," | grep .; }
build_orders same -m32 -g
first lib same
echo "-- moved"
mkdir "$tmpdir/moved"
sed 's/uint32_t serial\[2\];/uint32_t more; uint32_t serial[2];/' "$tmpdir/lib/orders.d" >"$tmpdir/moved/orders.d"
first moved same
echo "-- described"
cat >>"$tmpdir/src/orders.d" <<'D'
typedef struct order {
  long cents;
  const char *article;
  struct { char zone; unsigned short number; } customer;
  unsigned long long serial;
} order_t;
D
"$dtrace" -h -s "$tmpdir/src/orders.d" -o "$tmpdir/src/orders.h" || exit 1
build_orders described -m32 -s
first lib described
first moved described
