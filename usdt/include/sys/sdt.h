/* SPDX-License-Identifier: Apache-2.0 */
/*
 * <sys/sdt.h>: probes without a definition file, by the macros that SystemTap made common. Not installed among the
 * system's headers, where that package's own may be: its folder is what `pkg-config --cflags dtrace-usdt` says.
 *
 *   DTRACE_PROBE (provider, name)                  a probe without arguments
 *   DTRACE_PROBE1 (provider, name, a) .. PROBE12   with 1 to 12 arguments of any scalar type
 *   STAP_PROBE, STAP_PROBE1 .. STAP_PROBE12        the same
 *   STAP_PROBEV (provider, name, ...)              any of them, if SDT_USE_VARIADIC is defined before
 *   The same in assembler files, with operands as arguments: STAP_PROBE2 (libc, setjmp, 8@%rdi, -4@%esi).
 *   STAP_PROBE_ASM (provider, name, text)          inside of an asm statement, or a line of an assembler file; in a
 *                                                  statement the text may be STAP_PROBE_ASM_TEMPLATE (n), with
 *                                                  STAP_PROBE_ASM_OPERANDS (n, a, ...) among the operands
 *
 * If _SDT_HAS_SEMAPHORES is defined before, each probe has a counter of tracers that the program defines itself:
 * unsigned short PROVIDER_NAME_semaphore in section .probes. Without that section it lies in .bss, where the kernel
 * counts only in the first page, and not in processes that start later. STAP_SDT_ARG_CONSTRAINT overrides where
 * arguments may be. DTRACE_PROBES_NO_POINTERS, defined before, says that no argument points to memory that a tracer
 * reads: the compiler may then keep such memory in registers across a probe.
 */
/* clang-format off */
#ifndef _SYS_SDT_H
#define _SYS_SDT_H 1

#if !defined __ASSEMBLER__
#pragma GCC system_header
#endif

#define __sdt_text_of(x) #x
#define __sdt_text(x) __sdt_text_of (x)

#if defined __ASSEMBLER__

#if defined __LP64__ || defined __x86_64__ && !defined __ILP32__ || defined __aarch64__
#define __sdt_address .8byte
#else
#define __sdt_address .4byte
#endif
#if defined _SDT_HAS_SEMAPHORES
#define __sdt_counter(provider, name) provider##_##name##_semaphore
#else
#define __sdt_counter(provider, name) 0
#endif
#define __sdt_line(provider, name, counter, text) \
	990: nop; \
	.pushsection .note.stapsdt,"?","note"; \
	.balign 4; \
	.4byte 992f-991f,994f-993f,3; \
	991: .asciz "stapsdt"; \
	992: .balign 4; \
	993: __sdt_address 990b; \
	__sdt_address _.stapsdt.base; \
	__sdt_address counter; \
	.asciz __sdt_text (provider); \
	.asciz __sdt_text (name); \
	.asciz text; \
	994: .balign 4; \
	.popsection; \
	.ifndef _.stapsdt.base; \
	.pushsection .stapsdt.base,"aG","progbits",.stapsdt.base,comdat; \
	.weak _.stapsdt.base; \
	.hidden _.stapsdt.base; \
	_.stapsdt.base: .zero 1; \
	.size _.stapsdt.base,1; \
	.popsection; \
	.endif
#define STAP_PROBE_ASM(provider, name, ...) __sdt_asm_line (provider, name, __VA_ARGS__)
#define __sdt_asm_line(provider, name, ...) __sdt_line (provider, name, __sdt_counter (provider, name), #__VA_ARGS__)
#define STAP_PROBE(provider, name) STAP_PROBE_ASM (provider, name)
#define DTRACE_PROBE(provider, name) STAP_PROBE_ASM (provider, name)
#define STAP_PROBE1(provider, name, a1) \
	STAP_PROBE_ASM (provider, name, a1)
#define STAP_PROBE2(provider, name, a1, a2) \
	STAP_PROBE_ASM (provider, name, a1 a2)
#define STAP_PROBE3(provider, name, a1, a2, a3) \
	STAP_PROBE_ASM (provider, name, a1 a2 a3)
#define STAP_PROBE4(provider, name, a1, a2, a3, a4) \
	STAP_PROBE_ASM (provider, name, a1 a2 a3 a4)
#define STAP_PROBE5(provider, name, a1, a2, a3, a4, a5) \
	STAP_PROBE_ASM (provider, name, a1 a2 a3 a4 a5)
#define STAP_PROBE6(provider, name, a1, a2, a3, a4, a5, a6) \
	STAP_PROBE_ASM (provider, name, a1 a2 a3 a4 a5 a6)
#define STAP_PROBE7(provider, name, a1, a2, a3, a4, a5, a6, a7) \
	STAP_PROBE_ASM (provider, name, a1 a2 a3 a4 a5 a6 a7)
#define STAP_PROBE8(provider, name, a1, a2, a3, a4, a5, a6, a7, a8) \
	STAP_PROBE_ASM (provider, name, a1 a2 a3 a4 a5 a6 a7 a8)
#define STAP_PROBE9(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9) \
	STAP_PROBE_ASM (provider, name, a1 a2 a3 a4 a5 a6 a7 a8 a9)
#define STAP_PROBE10(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) \
	STAP_PROBE_ASM (provider, name, a1 a2 a3 a4 a5 a6 a7 a8 a9 a10)
#define STAP_PROBE11(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) \
	STAP_PROBE_ASM (provider, name, a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11)
#define STAP_PROBE12(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) \
	STAP_PROBE_ASM (provider, name, a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12)
#define DTRACE_PROBE1(provider, name, a1) \
	STAP_PROBE_ASM (provider, name, a1)
#define DTRACE_PROBE2(provider, name, a1, a2) \
	STAP_PROBE_ASM (provider, name, a1 a2)
#define DTRACE_PROBE3(provider, name, a1, a2, a3) \
	STAP_PROBE_ASM (provider, name, a1 a2 a3)
#define DTRACE_PROBE4(provider, name, a1, a2, a3, a4) \
	STAP_PROBE_ASM (provider, name, a1 a2 a3 a4)
#define DTRACE_PROBE5(provider, name, a1, a2, a3, a4, a5) \
	STAP_PROBE_ASM (provider, name, a1 a2 a3 a4 a5)
#define DTRACE_PROBE6(provider, name, a1, a2, a3, a4, a5, a6) \
	STAP_PROBE_ASM (provider, name, a1 a2 a3 a4 a5 a6)
#define DTRACE_PROBE7(provider, name, a1, a2, a3, a4, a5, a6, a7) \
	STAP_PROBE_ASM (provider, name, a1 a2 a3 a4 a5 a6 a7)
#define DTRACE_PROBE8(provider, name, a1, a2, a3, a4, a5, a6, a7, a8) \
	STAP_PROBE_ASM (provider, name, a1 a2 a3 a4 a5 a6 a7 a8)
#define DTRACE_PROBE9(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9) \
	STAP_PROBE_ASM (provider, name, a1 a2 a3 a4 a5 a6 a7 a8 a9)
#define DTRACE_PROBE10(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) \
	STAP_PROBE_ASM (provider, name, a1 a2 a3 a4 a5 a6 a7 a8 a9 a10)
#define DTRACE_PROBE11(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) \
	STAP_PROBE_ASM (provider, name, a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11)
#define DTRACE_PROBE12(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) \
	STAP_PROBE_ASM (provider, name, a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12)

#else

#include "usdt_helpers.h"

#if defined _SDT_HAS_SEMAPHORES
#define __sdt_counter(provider, name) __sdt_text (provider##_##name##_semaphore)
#else
#define __sdt_counter(provider, name) "0"
#endif

#define __sdt_note(provider, name, text) \
	__usdt2_note (#provider, #name, __sdt_counter (provider, name), text)

/*
 * Floating-point arguments: passed as their bits, a long double as those of a double, and marked by an `f` in the note.
 * Whether an argument is one, the compiler alone knows: it sets a bit of one operand for all, and the assembler writes
 * the letters.
 */
#if defined __cplusplus
extern "C++" {
template <typename t> struct __sdt_number {
	enum { is_float = 0 };
	__attribute__ ((__always_inline__)) static inline t operand (t value) { return value; }
};
template <> struct __sdt_number<float> {
	enum { is_float = 1 };
	__attribute__ ((__always_inline__)) static inline unsigned int operand (float value)
	{
		return __usdt2_bits4 (value);
	}
};
__extension__ typedef unsigned long long __sdt_bits;
template <> struct __sdt_number<double> {
	enum { is_float = 1 };
	__attribute__ ((__always_inline__)) static inline __sdt_bits operand (double value)
	{
		return __usdt2_bits8 (value);
	}
};
template <> struct __sdt_number<long double> {
	enum { is_float = 1 };
	__attribute__ ((__always_inline__)) static inline __sdt_bits operand (long double value)
	{
		return __usdt2_bits8 (static_cast<double> (value));
	}
};
template <typename t> char (&__sdt_probe (t))[1 + __sdt_number<t>::is_float];
char (&__sdt_probe (...))[1];
}
#define __sdt_is_float(x) (static_cast<int> (sizeof (__sdt_probe (x))) - 1)
#define __sdt_value(x) (__sdt_number<__typeof__ (__usdt2_decayed (x))>::operand (x))
#else
#define __sdt_is_float(x) _Generic ((x), float: 1, double: 1, long double: 1, default: 0)
#define __sdt_only(number, x) _Generic ((x), number: (x), default: (number) 0)
#define __sdt_value(x) _Generic ((x), \
	float: __usdt2_bits4 (__sdt_only (float, x)), \
	double: __usdt2_bits8 (__sdt_only (double, x)), \
	long double: __usdt2_bits8 ((double) __sdt_only (long double, x)), \
	default: __usdt2_value (_Generic ((x), float: 0, double: 0, long double: 0, default: (x))))
#endif
#define __sdt_code(x) (__sdt_is_float (x) && __usdt2_code (x) < -8 ? -8 : __usdt2_code (x))
#define __sdt_few(x) "n" (__sdt_code (x)), __usdt2_in_few (__usdt2_unnamed_few (__sdt_value (x)))
#define __sdt_many(x) "n" (__sdt_code (x)), __usdt2_in_many (__usdt2_unnamed (__sdt_value (x)))

/* Sizes and operands are numbered in turn, arguments from 0. */
#define __sdt_floats(mask) , [__sdt_f] "n" (mask)
#define __sdt_bit(n, x) (__sdt_is_float (x) << n)
#define __sdt_a(n, size, operand) \
	"%n" #size "\"\n.fill (%c[__sdt_f]>>" #n ")&1,1,102\n.ascii \"@%" __usdt2_k #operand
#define __sdt_t1 __sdt_a (0, 0, 1)
#define __sdt_t2 __sdt_t1 " " __sdt_a (1, 2, 3)
#define __sdt_t3 __sdt_t2 " " __sdt_a (2, 4, 5)
#define __sdt_t4 __sdt_t3 " " __sdt_a (3, 6, 7)
#define __sdt_t5 __sdt_t4 " " __sdt_a (4, 8, 9)
#define __sdt_t6 __sdt_t5 " " __sdt_a (5, 10, 11)
#define __sdt_t7 __sdt_t6 " " __sdt_a (6, 12, 13)
#define __sdt_t8 __sdt_t7 " " __sdt_a (7, 14, 15)
#define __sdt_t9 __sdt_t8 " " __sdt_a (8, 16, 17)
#define __sdt_t10 __sdt_t9 " " __sdt_a (9, 18, 19)
#define __sdt_t11 __sdt_t10 " " __sdt_a (10, 20, 21)
#define __sdt_t12 __sdt_t11 " " __sdt_a (11, 22, 23)
#define __sdt_m1(a1) __sdt_bit (0, a1)
#define __sdt_m2(a1, a2) \
	(__sdt_m1 (a1) | __sdt_bit (1, a2))
#define __sdt_m3(a1, a2, a3) \
	(__sdt_m2 (a1, a2) | __sdt_bit (2, a3))
#define __sdt_m4(a1, a2, a3, a4) \
	(__sdt_m3 (a1, a2, a3) | __sdt_bit (3, a4))
#define __sdt_m5(a1, a2, a3, a4, a5) \
	(__sdt_m4 (a1, a2, a3, a4) | __sdt_bit (4, a5))
#define __sdt_m6(a1, a2, a3, a4, a5, a6) \
	(__sdt_m5 (a1, a2, a3, a4, a5) | __sdt_bit (5, a6))
#define __sdt_m7(a1, a2, a3, a4, a5, a6, a7) \
	(__sdt_m6 (a1, a2, a3, a4, a5, a6) | __sdt_bit (6, a7))
#define __sdt_m8(a1, a2, a3, a4, a5, a6, a7, a8) \
	(__sdt_m7 (a1, a2, a3, a4, a5, a6, a7) | __sdt_bit (7, a8))
#define __sdt_m9(a1, a2, a3, a4, a5, a6, a7, a8, a9) \
	(__sdt_m8 (a1, a2, a3, a4, a5, a6, a7, a8) | __sdt_bit (8, a9))
#define __sdt_m10(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) \
	(__sdt_m9 (a1, a2, a3, a4, a5, a6, a7, a8, a9) | __sdt_bit (9, a10))
#define __sdt_m11(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) \
	(__sdt_m10 (a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) | __sdt_bit (10, a11))
#define __sdt_m12(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) \
	(__sdt_m11 (a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) | __sdt_bit (11, a12))

#define STAP_PROBE(provider, name) \
	__usdt2_begin __usdt2_asm (__sdt_note (provider, name, "") : : ); __usdt2_end
#define STAP_PROBE1(provider, name, a1) \
	__usdt2_begin __usdt2_asm (__sdt_note (provider, name, __sdt_t1) : : \
		__sdt_few (a1) \
		__sdt_floats (__sdt_m1 (a1)) __usdt2_barrier); __usdt2_end
#define STAP_PROBE2(provider, name, a1, a2) \
	__usdt2_begin __usdt2_asm (__sdt_note (provider, name, __sdt_t2) : : \
		__sdt_few (a1), __sdt_few (a2) \
		__sdt_floats (__sdt_m2 (a1, a2)) __usdt2_barrier); __usdt2_end
#define STAP_PROBE3(provider, name, a1, a2, a3) \
	__usdt2_begin __usdt2_asm (__sdt_note (provider, name, __sdt_t3) : : \
		__sdt_few (a1), __sdt_few (a2), __sdt_few (a3) \
		__sdt_floats (__sdt_m3 (a1, a2, a3)) __usdt2_barrier); __usdt2_end
#define STAP_PROBE4(provider, name, a1, a2, a3, a4) \
	__usdt2_begin __usdt2_asm (__sdt_note (provider, name, __sdt_t4) : : \
		__sdt_few (a1), __sdt_few (a2), __sdt_few (a3), __sdt_few (a4) \
		__sdt_floats (__sdt_m4 (a1, a2, a3, a4)) __usdt2_barrier); __usdt2_end
#define STAP_PROBE5(provider, name, a1, a2, a3, a4, a5) \
	__usdt2_begin __usdt2_asm (__sdt_note (provider, name, __sdt_t5) : : \
		__sdt_few (a1), __sdt_few (a2), __sdt_few (a3), __sdt_few (a4), \
		__sdt_few (a5) \
		__sdt_floats (__sdt_m5 (a1, a2, a3, a4, a5)) __usdt2_barrier); __usdt2_end
#define STAP_PROBE6(provider, name, a1, a2, a3, a4, a5, a6) \
	__usdt2_begin __usdt2_asm (__sdt_note (provider, name, __sdt_t6) : : \
		__sdt_many (a1), __sdt_many (a2), __sdt_many (a3), __sdt_many (a4), \
		__sdt_many (a5), __sdt_many (a6) \
		__sdt_floats (__sdt_m6 (a1, a2, a3, a4, a5, a6)) __usdt2_barrier); __usdt2_end
#define STAP_PROBE7(provider, name, a1, a2, a3, a4, a5, a6, a7) \
	__usdt2_begin __usdt2_asm (__sdt_note (provider, name, __sdt_t7) : : \
		__sdt_many (a1), __sdt_many (a2), __sdt_many (a3), __sdt_many (a4), \
		__sdt_many (a5), __sdt_many (a6), __sdt_many (a7) \
		__sdt_floats (__sdt_m7 (a1, a2, a3, a4, a5, a6, a7)) __usdt2_barrier); __usdt2_end
#define STAP_PROBE8(provider, name, a1, a2, a3, a4, a5, a6, a7, a8) \
	__usdt2_begin __usdt2_asm (__sdt_note (provider, name, __sdt_t8) : : \
		__sdt_many (a1), __sdt_many (a2), __sdt_many (a3), __sdt_many (a4), \
		__sdt_many (a5), __sdt_many (a6), __sdt_many (a7), __sdt_many (a8) \
		__sdt_floats (__sdt_m8 (a1, a2, a3, a4, a5, a6, a7, a8)) __usdt2_barrier); __usdt2_end
#define STAP_PROBE9(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9) \
	__usdt2_begin __usdt2_asm (__sdt_note (provider, name, __sdt_t9) : : \
		__sdt_many (a1), __sdt_many (a2), __sdt_many (a3), __sdt_many (a4), \
		__sdt_many (a5), __sdt_many (a6), __sdt_many (a7), __sdt_many (a8), \
		__sdt_many (a9) \
		__sdt_floats (__sdt_m9 (a1, a2, a3, a4, a5, a6, a7, a8, a9)) __usdt2_barrier); __usdt2_end
#define STAP_PROBE10(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) \
	__usdt2_begin __usdt2_asm (__sdt_note (provider, name, __sdt_t10) : : \
		__sdt_many (a1), __sdt_many (a2), __sdt_many (a3), __sdt_many (a4), \
		__sdt_many (a5), __sdt_many (a6), __sdt_many (a7), __sdt_many (a8), \
		__sdt_many (a9), __sdt_many (a10) \
		__sdt_floats (__sdt_m10 (a1, a2, a3, a4, a5, a6, a7, a8, a9, a10)) __usdt2_barrier); __usdt2_end
#define STAP_PROBE11(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) \
	__usdt2_begin __usdt2_asm (__sdt_note (provider, name, __sdt_t11) : : \
		__sdt_many (a1), __sdt_many (a2), __sdt_many (a3), __sdt_many (a4), \
		__sdt_many (a5), __sdt_many (a6), __sdt_many (a7), __sdt_many (a8), \
		__sdt_many (a9), __sdt_many (a10), __sdt_many (a11) \
		__sdt_floats (__sdt_m11 (a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11)) __usdt2_barrier); __usdt2_end
#define STAP_PROBE12(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) \
	__usdt2_begin __usdt2_asm (__sdt_note (provider, name, __sdt_t12) : : \
		__sdt_many (a1), __sdt_many (a2), __sdt_many (a3), __sdt_many (a4), \
		__sdt_many (a5), __sdt_many (a6), __sdt_many (a7), __sdt_many (a8), \
		__sdt_many (a9), __sdt_many (a10), __sdt_many (a11), __sdt_many (a12) \
		__sdt_floats (__sdt_m12 (a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12)) __usdt2_barrier); __usdt2_end

#define DTRACE_PROBE(provider, name) STAP_PROBE (provider, name)
#define DTRACE_PROBE1(provider, name, a1) \
	STAP_PROBE1 (provider, name, a1)
#define DTRACE_PROBE2(provider, name, a1, a2) \
	STAP_PROBE2 (provider, name, a1, a2)
#define DTRACE_PROBE3(provider, name, a1, a2, a3) \
	STAP_PROBE3 (provider, name, a1, a2, a3)
#define DTRACE_PROBE4(provider, name, a1, a2, a3, a4) \
	STAP_PROBE4 (provider, name, a1, a2, a3, a4)
#define DTRACE_PROBE5(provider, name, a1, a2, a3, a4, a5) \
	STAP_PROBE5 (provider, name, a1, a2, a3, a4, a5)
#define DTRACE_PROBE6(provider, name, a1, a2, a3, a4, a5, a6) \
	STAP_PROBE6 (provider, name, a1, a2, a3, a4, a5, a6)
#define DTRACE_PROBE7(provider, name, a1, a2, a3, a4, a5, a6, a7) \
	STAP_PROBE7 (provider, name, a1, a2, a3, a4, a5, a6, a7)
#define DTRACE_PROBE8(provider, name, a1, a2, a3, a4, a5, a6, a7, a8) \
	STAP_PROBE8 (provider, name, a1, a2, a3, a4, a5, a6, a7, a8)
#define DTRACE_PROBE9(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9) \
	STAP_PROBE9 (provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9)
#define DTRACE_PROBE10(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) \
	STAP_PROBE10 (provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10)
#define DTRACE_PROBE11(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) \
	STAP_PROBE11 (provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11)
#define DTRACE_PROBE12(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) \
	STAP_PROBE12 (provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12)

#if defined SDT_USE_VARIADIC
#define __sdt_choice(p, n, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, which, ...) which
#define STAP_PROBEV(...) \
	__sdt_choice (__VA_ARGS__, STAP_PROBE12, STAP_PROBE11, STAP_PROBE10, STAP_PROBE9, STAP_PROBE8, STAP_PROBE7, \
		STAP_PROBE6, STAP_PROBE5, STAP_PROBE4, STAP_PROBE3, STAP_PROBE2, STAP_PROBE1, STAP_PROBE, none) (__VA_ARGS__)
#endif

/* Tokens, made a string together with what else the user says about arguments. */
#define STAP_PROBE_ASM(provider, name, ...) __sdt_asm_text (provider, name, __VA_ARGS__)
#define __sdt_asm_text(provider, name, ...) __sdt_note (provider, name, #__VA_ARGS__)
#define STAP_PROBE_ASM_TEMPLATE(n) __sdt_template_##n
#define __sdt_template_0
#define __sdt_template_1 %n[__sdt_s1]@%[__sdt_a1]
#define __sdt_template_2 __sdt_template_1 %n[__sdt_s2]@%[__sdt_a2]
#define __sdt_template_3 __sdt_template_2 %n[__sdt_s3]@%[__sdt_a3]
#define __sdt_template_4 __sdt_template_3 %n[__sdt_s4]@%[__sdt_a4]
#define __sdt_template_5 __sdt_template_4 %n[__sdt_s5]@%[__sdt_a5]
#define __sdt_template_6 __sdt_template_5 %n[__sdt_s6]@%[__sdt_a6]
#define __sdt_template_7 __sdt_template_6 %n[__sdt_s7]@%[__sdt_a7]
#define __sdt_template_8 __sdt_template_7 %n[__sdt_s8]@%[__sdt_a8]
#define __sdt_template_9 __sdt_template_8 %n[__sdt_s9]@%[__sdt_a9]
#define __sdt_template_10 __sdt_template_9 %n[__sdt_s10]@%[__sdt_a10]
#define __sdt_template_11 __sdt_template_10 %n[__sdt_s11]@%[__sdt_a11]
#define __sdt_template_12 __sdt_template_11 %n[__sdt_s12]@%[__sdt_a12]
#define STAP_PROBE_ASM_OPERANDS(n, ...) __sdt_operands_##n (__VA_ARGS__)
#define __sdt_operand(n, x) [__sdt_s##n] "n" (__sdt_code (x)), [__sdt_a##n] __usdt2_in_many (__usdt2_unnamed (__sdt_value (x)))
#define __sdt_operands_1(a1) __sdt_operand (1, a1)
#define __sdt_operands_2(a1, a2) \
	__sdt_operands_1 (a1), __sdt_operand (2, a2)
#define __sdt_operands_3(a1, a2, a3) \
	__sdt_operands_2 (a1, a2), __sdt_operand (3, a3)
#define __sdt_operands_4(a1, a2, a3, a4) \
	__sdt_operands_3 (a1, a2, a3), __sdt_operand (4, a4)
#define __sdt_operands_5(a1, a2, a3, a4, a5) \
	__sdt_operands_4 (a1, a2, a3, a4), __sdt_operand (5, a5)
#define __sdt_operands_6(a1, a2, a3, a4, a5, a6) \
	__sdt_operands_5 (a1, a2, a3, a4, a5), __sdt_operand (6, a6)
#define __sdt_operands_7(a1, a2, a3, a4, a5, a6, a7) \
	__sdt_operands_6 (a1, a2, a3, a4, a5, a6), __sdt_operand (7, a7)
#define __sdt_operands_8(a1, a2, a3, a4, a5, a6, a7, a8) \
	__sdt_operands_7 (a1, a2, a3, a4, a5, a6, a7), __sdt_operand (8, a8)
#define __sdt_operands_9(a1, a2, a3, a4, a5, a6, a7, a8, a9) \
	__sdt_operands_8 (a1, a2, a3, a4, a5, a6, a7, a8), __sdt_operand (9, a9)
#define __sdt_operands_10(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) \
	__sdt_operands_9 (a1, a2, a3, a4, a5, a6, a7, a8, a9), __sdt_operand (10, a10)
#define __sdt_operands_11(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) \
	__sdt_operands_10 (a1, a2, a3, a4, a5, a6, a7, a8, a9, a10), __sdt_operand (11, a11)
#define __sdt_operands_12(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) \
	__sdt_operands_11 (a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11), __sdt_operand (12, a12)

#endif

#endif
