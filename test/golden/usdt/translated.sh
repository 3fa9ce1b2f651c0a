# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests of translated arguments: a provider that passes the program's own structures, the program, and a D
# library in $tmpdir/lib that makes of them what scripts see, for processes of both data models.
. ./common.sh

mkdir -p "$tmpdir/lib" "$tmpdir/src"
cat >"$tmpdir/src/orders.d" <<'D'
provider orders {
  probe placed(order_t *o, int tries) : (orderinfo_t *o, customer_info_t *o, int tries);
  probe dropped(char *why, order_t *o) : (string why, orderinfo_t *o);
};
#pragma D attributes Evolving/Evolving/Common provider orders provider
#pragma D attributes Evolving/Evolving/Common provider orders module
#pragma D attributes Evolving/Evolving/Common provider orders function
#pragma D attributes Evolving/Evolving/ISA provider orders name
#pragma D attributes Stable/Evolving/Common provider orders args
D
cat >"$tmpdir/src/orders.c" <<'C'
#include "orders.h"
typedef struct order {
  long cents;
  const char *article;
  struct { char zone; unsigned short number; } customer;
  unsigned long long serial;
} order_t;
__attribute__((noinline)) static void place(order_t *o, int tries) {
  ORDERS_PLACED(o, tries);
  if (ORDERS_DROPPED_ENABLED() && o->cents < 0) ORDERS_DROPPED("refund", o);
}
int main(void) {
  static const char *const kArticles[] = {"tea", "bread", "salt"};
  order_t o;
  int i;
  for (i = 0; i < 6; i++) {
    o.cents = i == 5 ? -7 : 100 * (i + 1);
    o.article = kArticles[i % 3];
    o.customer.zone = (char)('A' + i % 2);
    o.customer.number = (unsigned short)(65000 + i);
    o.serial = 0x100000000ULL + (unsigned)i;
    place(&o, i - 2);
  }
  return 0;
}
C
cat >"$tmpdir/lib/orders.d" <<'D'
#pragma D depends_on library procfs.d
typedef struct order {
  long cents;
  char *article;
  struct { char zone; unsigned short number; } customer;
  unsigned long long serial;
} order_t;
/* The same in a 32-bit process, where 8 bytes are aligned to 4. */
typedef struct order32 {
  int32_t cents;
  uint32_t article;
  struct { char zone; unsigned short number; } customer;
  uint32_t serial[2];
} order32_t;
typedef struct orderinfo {
  int64_t o_cents;
  string o_article;
  uint64_t o_serial;
} orderinfo_t;
typedef struct customer_info {
  char c_zone;
  int c_number;
} customer_info_t;
inline int __orders_ilp32 = curpsinfo->pr_dmodel == PR_MODEL_ILP32;
translator orderinfo_t < order_t *O > {
  o_cents = __orders_ilp32 ? *(int32_t *)copyin((uintptr_t)&((order32_t *)O)->cents, sizeof (int32_t)) :
      *(long *)copyin((uintptr_t)&O->cents, sizeof (O->cents));
  o_article = __orders_ilp32 ? copyinstr(*(uint32_t *)copyin((uintptr_t)&((order32_t *)O)->article, sizeof (uint32_t))) :
      copyinstr(*(uintptr_t *)copyin((uintptr_t)&O->article, sizeof (O->article)));
  o_serial = __orders_ilp32 ? *(uint64_t *)copyin((uintptr_t)&((order32_t *)O)->serial[0], sizeof (uint64_t)) :
      *(uint64_t *)copyin((uintptr_t)&O->serial, sizeof (O->serial));
};
translator customer_info_t < order_t *O > {
  c_zone = __orders_ilp32 ? *(char *)copyin((uintptr_t)&((order32_t *)O)->customer.zone, 1) :
      *(char *)copyin((uintptr_t)&O->customer.zone, 1);
  c_number = __orders_ilp32 ? *(uint16_t *)copyin((uintptr_t)&((order32_t *)O)->customer.number, 2) :
      *(uint16_t *)copyin((uintptr_t)&O->customer.number, 2);
};
D
"$dtrace" -h -s "$tmpdir/src/orders.d" -o "$tmpdir/src/orders.h" || exit 1

# build_orders NAME FLAGS...: the program as $tmpdir/NAME.
build_orders() {
  local name=$1
  shift
  cc -O2 "$@" -I"$tmpdir/src" -o "$tmpdir/$name" "$tmpdir/src/orders.c" || exit 1
}

orders_script='orders$target:::placed {
    printf("%s %d #%x of %c%d, tries %d\n", args[0]->o_article, args[0]->o_cents, args[0]->o_serial, args[1]->c_zone,
        args[1]->c_number, args[2]); }
  orders$target:::dropped { printf("%s: %s %d\n", stringof(args[0]), args[1]->o_article, args[1]->o_cents); }'
