/* SPDX-License-Identifier: Apache-2.0 */
/* Calls each function with values known in advance. A function is a few instructions of assembly that keep the
 * registers as they are when it begins; what is at the positions to be checked is compared with what was passed. */
#include "check.h"

enum { REGISTERS_BYTES = 512, MAX_BYTES = 1024, NR_SEEDS = 3, MAX_DISTANCE = 1 << 20 };

/* struct pt_regs, by the code in start_MACHINE.S */
unsigned char abi_registers[REGISTERS_BYTES];
unsigned abi_list_called;

#ifdef __x86_64__
enum { STACK_POINTER = 152, SYS_WRITE = 1, SYS_EXIT = 60 };
static long system_call(long number, long a, long b, long c) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return result;
}
#else
enum { STACK_POINTER = 248, SYS_WRITE = 64, SYS_EXIT = 93 };
static long system_call(long number, long a, long b, long c) {
  register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
  return x0;
}
#endif

void *memcpy(void *to, const void *from, unsigned long bytes) {
  for (unsigned long i = 0; i < bytes; i++) ((volatile char *)to)[i] = ((const char *)from)[i];
  return to;
}
void *memset(void *to, int byte, unsigned long bytes) {
  for (unsigned long i = 0; i < bytes; i++) ((volatile char *)to)[i] = (char)byte;
  return to;
}
void abi_copy(void *to, const void *from, unsigned long bytes) { memcpy(to, from, bytes); }
void abi_use(const void *object) { (void)object; }
/* Virtual functions of the generated classes refer to them. */
void __cxa_pure_virtual(void) { system_call(SYS_EXIT, 3, 0, 0); }

static unsigned char byte_of(abi_seed seed, unsigned at) {
  unsigned long mixed = (seed + 1) * 0x9e3779b97f4a7c15UL + (at + 1) * 0xc2b2ae3d27d4eb4fUL;
  mixed ^= mixed >> 29;
  mixed *= 0xbf58476d1ce4e5b9UL;
  return (unsigned char)(mixed >> 56);
}

static unsigned char wanted(unsigned bytes, unsigned number, unsigned i, int kind, abi_seed seed) {
  const unsigned char byte = byte_of(seed, number * 64 + i);
  if (kind == ABI_BOOL) return byte & 1;
  if (i != bytes - 1) return byte;
  if (kind == ABI_FLOAT) return 0x40; /* no signalling NaN, which copies may change */
  return kind == ABI_BIT_INT ? byte & 0x7f : byte;
}

void abi_fill(void *at, unsigned bytes, unsigned stride, unsigned count, int kind, abi_seed seed) {
  for (unsigned n = 0; n < count; n++)
    for (unsigned i = 0; i < stride; i++)
      ((volatile unsigned char *)at)[n * stride + i] = i < bytes ? wanted(bytes, n, i, kind, seed) : 0;
}

int abi_same(const void *at, unsigned bytes, unsigned stride, unsigned count, int kind, abi_seed seed) {
  for (unsigned n = 0; n < count; n++)
    for (unsigned i = 0; i < bytes; i++)
      if (((const unsigned char *)at)[n * stride + i] != wanted(bytes, n, i, kind, seed)) return 0;
  return 1;
}

unsigned long abi_bits(unsigned bits, abi_seed seed) {
  unsigned long value = 0;
  for (unsigned i = 0; i < 8; i++) value = value << 8 | byte_of(seed, i);
  return bits == 64 ? value : value & ((1UL << bits) - 1);
}

/* ---------------------------------------------------------------- output */

static char line[128];
static unsigned line_bytes;
static void put(char one) {
  line[line_bytes++] = one;
  if (one != '\n' && line_bytes != sizeof line) return;
  system_call(SYS_WRITE, 1, (long)line, line_bytes);
  line_bytes = 0;
}
static void text(const char *one) {
  while (*one) put(*one++);
}
static void number(unsigned long value, char behind) {
  char digits[24];
  unsigned count = 0;
  do digits[count++] = (char)('0' + value % 10);
  while (value /= 10);
  while (count) put(digits[--count]);
  put(behind);
}

/* ---------------------------------------------------------------- comparison */

static abi_seed seed_now;
static unsigned seed_number;
static unsigned char failed[1 << 17]; /* in some call; by number in abi_places */

static unsigned long register_at(unsigned offset) {
  unsigned long value;
  memcpy(&value, abi_registers + offset, sizeof value);
  return value;
}

/* Copies of parameters are on the stack, too. */
static int can_be_read(unsigned long address) {
  const unsigned long stack = register_at(STACK_POINTER);
  return address > stack - MAX_DISTANCE && address < stack + MAX_DISTANCE;
}

static unsigned long value_of(const struct abi_operand *operand) {
  unsigned long value = operand->kind == 'c' ? 0 : register_at(operand->offset);
  if (operand->kind == 'r') return value;
  value += (unsigned long)operand->number;
  if (operand->kind != 'm') return value;
  return can_be_read(value) ? *(unsigned long *)value : 0;
}

static int is_there(const struct abi_place *place) {
  static unsigned char bytes[MAX_BYTES] __attribute__((aligned(64)));
  memset(bytes, 0, sizeof bytes);
  if (place->mode == 'M') {
    const unsigned long address = value_of(&place->operands[0]);
    if (!can_be_read(address)) return 0;
    memcpy(bytes, (const void *)address, sizeof bytes);
  } else {
    for (unsigned i = 0; i < place->nr_operands; i++) {
      const unsigned long value = value_of(&place->operands[i]);
      memcpy(bytes + i * sizeof value, &value, sizeof value);
    }
  }
  return abi_lists[place->list].same((int)place->parameter, bytes, seed_now);
}

/* Called by the functions. */
void abi_check(void) {
  for (unsigned i = 0; i < abi_nr_places; i++)
    if (abi_places[i].list == abi_list_called && abi_places[i].mode != 'X') failed[i] |= !is_there(&abi_places[i]);
}

/* "wrong TABLE LIST PARAMETER" for each, and for each list that was called "called LIST". */
void abi_main(void) {
  for (unsigned list = 0; list < abi_nr_lists; list++) {
    for (seed_number = 0; seed_number < NR_SEEDS; seed_number++) {
      seed_now = (list * NR_SEEDS + seed_number + 1) * 1000UL;
      abi_list_called = abi_nr_lists;
#ifdef __x86_64__
      __asm__ volatile("fninit"); /* without what the function before returned there */
#endif
      abi_lists[list].call(seed_now);
      if (abi_list_called != list) text("not-called ");
    }
    text("called ");
    number(list, '\n');
  }
  for (unsigned i = 0; i < abi_nr_places; i++) {
    if (!failed[i]) continue;
    text("wrong ");
    number(abi_places[i].table, ' ');
    number(abi_places[i].list, ' ');
    number(abi_places[i].parameter, '\n');
  }
  system_call(SYS_EXIT, 0, 0, 0);
}
