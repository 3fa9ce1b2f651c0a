/* SPDX-License-Identifier: Apache-2.0 */
/* What the generated programs and the code that checks them share. Freestanding: no C library. */
#ifndef ABI_CHECK_H
#define ABI_CHECK_H
#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned long abi_seed;

/* How the bytes of a number may be chosen. */
enum abi_kind { ABI_INTEGER, ABI_FLOAT, ABI_BOOL, ABI_BIT_INT };

/* `count` numbers, each with `bytes` bytes that mean something, `stride` bytes apart. */
void abi_fill(void *at, unsigned bytes, unsigned stride, unsigned count, int kind, abi_seed seed);
int abi_same(const void *at, unsigned bytes, unsigned stride, unsigned count, int kind, abi_seed seed);
unsigned long abi_bits(unsigned bits, abi_seed seed);
void abi_copy(void *to, const void *from, unsigned long bytes);
void abi_use(const void *);

/* One function and its call. `same` says whether the bytes are the parameter that was passed. */
struct abi_list {
  void (*call)(abi_seed seed);
  int (*same)(int parameter, const void *bytes, abi_seed seed);
};
extern const struct abi_list abi_lists[];
extern const unsigned abi_nr_lists;

/* Where a parameter is to be, of the line of abi_places. */
struct abi_operand {
  char kind;
  unsigned offset;
  long number;
};
struct abi_place {
  unsigned table, list, parameter;
  char mode;
  unsigned nr_operands;
  struct abi_operand operands[8];
};
extern const struct abi_place abi_places[];
extern const unsigned abi_nr_places;

#ifdef __cplusplus
}
#endif
#endif
