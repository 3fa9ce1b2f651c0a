#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a translator may follow the program's pointers itself, without copyin(): what it is given points into the
# program, and so does what it finds there.
. ./translated.sh
build_orders orders
cat >"$tmpdir/lib/orders.d" <<'D'
typedef struct order {
  long cents;
  char *article;
  struct { char zone; unsigned short number; } customer;
  unsigned long long serial;
} order_t;
typedef struct orderinfo {
  int64_t o_cents;
  string o_article;
  uint64_t o_serial;
} orderinfo_t;
typedef struct customer_info {
  char c_zone;
  int c_number;
} customer_info_t;
translator orderinfo_t < order_t *O > {
  o_cents = O->cents;
  o_article = stringof(O->article);
  o_serial = O->serial;
};
translator customer_info_t < order_t *O > {
  c_zone = O->customer.zone;
  c_number = O->customer.number;
};
D
"$dtrace" -q -x temporal -L "$tmpdir/lib" -n "$orders_script" -c "$tmpdir/orders"
