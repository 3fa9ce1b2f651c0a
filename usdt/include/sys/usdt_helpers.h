/* SPDX-License-Identifier: Apache-2.0 */
/* clang-format off */
/*
 * What every generated header begins with. Its names carry a number, so that headers of several versions meet in one
 * translation unit; a change of meaning is a new number.
 *
 * How a site is made, and why:
 *   - one asm statement per probe: a one-byte nop (a longer one would be replaced by a call under an optimised uprobe,
 *     and that call clobbers the red zone), the .note.stapsdt note, and the semaphore's definition, so that no other object
 *     is needed. The definition is weak, hidden and in a COMDAT group: any number of sites, units and -G objects agree
 *     on it.
 *   - a "memory" clobber where an argument may be a pointer: without one gcc removes stores that only the tracer reads,
 *     or moves them behind the site. It costs reloads of what was cached in registers; probes with small integers or
 *     floats only do without it, and DTRACE_PROBES_NO_POINTERS removes it.
 *   - gcc takes the lines of a site's text for instructions, and so does not by itself inline the functions that it is in,
 *     as with the other tool's header: what is rebuilt has the sites it had. DTRACE_PROBES_INLINE says that a site is small.
 *     The test for "enabled" always is: its like elsewhere is a plain read.
 *   - sizes and signs of arguments are "n" operands printed negated (%n), hence positive here for signed types. They
 *     come from _Generic or overloads, which do not evaluate the argument.
 *   - _Generic of a bit-field is neither of the small types nor their promotion, so the size and the value are both
 *     taken of the promoted argument, in the same case of the same selection.
 *   - floating-point arguments are integers of the same bits: no tracer sees vector registers, and a constant would lie at
 *     a label that the linker drops.
 *   - the test for "enabled" is a compare in asm: a plain read would be moved out of loops. Its note says where the counter
 *     is, and names a nop that is never executed: a tracer raises the counter of a probe without sites by setting that.
 *   - gcc is offered memory operands ("o"), so what is in memory is not loaded; clang would pick memory even for what
 *     is in registers, and store it first, so it is offered registers while there are enough.
 *
 * Headers of `dtrace -h` hold a copy of what follows this comment, and <sys/sdt.h> of ours includes it.
 */
#pragma GCC system_header

#if !defined __usdt2
#define __usdt2 1

#if defined __LP64__
#define __usdt2_address ".8byte"
#else
#define __usdt2_address ".4byte"
#endif

#if defined __clang__ ? __clang_major__ >= 11 : __GNUC__ >= 9
#define __usdt2_small_asm __asm__ __volatile__ __inline__
#else
#define __usdt2_small_asm __asm__ __volatile__
#endif
#if defined DTRACE_PROBES_INLINE
#define __usdt2_asm __usdt2_small_asm
#else
#define __usdt2_asm __asm__ __volatile__
#endif

/* The clobber list of sites whose arguments may be pointers. */
#if defined DTRACE_PROBES_NO_POINTERS
#define __usdt2_barrier
#else
#define __usdt2_barrier : "memory"
#endif

#if defined __clang__
#define __usdt2_begin __extension__ ({ \
	_Pragma ("clang diagnostic push") \
	_Pragma ("clang diagnostic ignored \"-Wunevaluated-expression\"")
#define __usdt2_end _Pragma ("clang diagnostic pop") (void) 0; })
#else
#define __usdt2_begin __extension__ ({
#define __usdt2_end (void) 0; })
#endif

/* The register's name of 32 bits, whatever the operand's size. */
#if defined __i386__
#define __usdt2_k "k"
#else
#define __usdt2_k ""
#endif

/*
 * Where arguments may be: __usdt2_few for as many as there are registers. Never memory that has the name of a variable:
 * strip(1) takes the name away, and with it the only way to the value. GCC has no letter for memory without a name, but a
 * value that came out of another asm statement is in a register or on the stack.
 */
#define __usdt2_text_of(x) #x
#define __usdt2_text(x) __usdt2_text_of (x)
#if defined STAP_SDT_ARG_CONSTRAINT
#define __usdt2_in_few __usdt2_text (STAP_SDT_ARG_CONSTRAINT)
#define __usdt2_in_many __usdt2_text (STAP_SDT_ARG_CONSTRAINT)
#elif defined __arm__
#define __usdt2_in_few "g"
#define __usdt2_in_many "g"
#elif !defined __i386__
#define __usdt2_in_few "nr"
#define __usdt2_in_many "nor"
#else
#define __usdt2_in_few "nor"
#define __usdt2_in_many "nor"
#endif
#if defined __clang__ || defined STAP_SDT_ARG_CONSTRAINT
#define __usdt2_forget_name(variable)
#define __usdt2_unnamed(x) x
#else
#define __usdt2_forget_name(variable) \
	if (!__builtin_constant_p (variable)) \
		__asm__ ("" : "+r" (variable));
#define __usdt2_unnamed(x) __extension__ ({ \
	__typeof__ (x) __usdt2_copy = x; \
	__usdt2_forget_name (__usdt2_copy) \
	__usdt2_copy; })
#endif
#if defined __i386__
#define __usdt2_unnamed_few(x) __usdt2_unnamed (x)
#else
#define __usdt2_unnamed_few(x) x
#endif
/* __usdt2_code: the size in bytes, negative if unsigned. __usdt2_value: the argument as the operand it must be. */
#if defined __cplusplus
extern "C++" {
template <typename t, bool is_enum> struct __usdt2_signed { enum { value = 0 }; };
template <typename t> struct __usdt2_signed<t, true> : __usdt2_signed<__underlying_type (t), false> {};
template <> struct __usdt2_signed<signed char, false> { enum { value = 1 }; };
template <> struct __usdt2_signed<char, false> { enum { value = static_cast<char> (-1) < 0 }; };
template <> struct __usdt2_signed<wchar_t, false> { enum { value = static_cast<wchar_t> (-1) < 0 }; };
template <> struct __usdt2_signed<short, false> { enum { value = 1 }; };
template <> struct __usdt2_signed<int, false> { enum { value = 1 }; };
template <> struct __usdt2_signed<long, false> { enum { value = 1 }; };
__extension__ typedef long long __usdt2_long_long;
template <> struct __usdt2_signed<__usdt2_long_long, false> { enum { value = 1 }; };
#if defined __SIZEOF_INT128__
__extension__ typedef __int128 __usdt2_int128;
template <> struct __usdt2_signed<__usdt2_int128, false> { enum { value = 1 }; };
#endif
template <typename t> struct __usdt2_type {
	enum { code = __usdt2_signed<t, __is_enum (t)>::value ? 1048576 + static_cast<int> (sizeof (t))
							       : 1048576 - static_cast<int> (sizeof (t)) };
};
/* By value: arrays and functions become pointers. What no template takes (C++98: types without a name) is an int. */
template <typename t> char (&__usdt2_probe (t))[__usdt2_type<t>::code];
char (&__usdt2_probe (...))[1048576 + static_cast<int> (sizeof (int))];
template <typename t> t __usdt2_decayed (t);
int __usdt2_decayed (...);
}
#define __usdt2_code(x) (static_cast<int> (sizeof (__usdt2_probe (x))) - 1048576)
#define __usdt2_value(x) (static_cast<__typeof__ (__usdt2_decayed (x))> (x))
#define __usdt2_float(x) static_cast<float> (x)
#define __usdt2_double(x) static_cast<double> (x)
#else
#if defined __CHAR_UNSIGNED__
#define __usdt2_char -1
#else
#define __usdt2_char 1
#endif
#if defined __SIZEOF_INT128__
#define __usdt2_wide __int128: 1,
#else
#define __usdt2_wide
#endif
#define __usdt2_promoted(x) (1 ? (x) : (x))
#define __usdt2_code(x) _Generic ((x), \
	char: __usdt2_char, signed char: 1, unsigned char: -1, short: 2, unsigned short: -2, _Bool: -1, \
	default: (int) sizeof (__usdt2_promoted (x)) * \
		_Generic (__usdt2_promoted (x), int: 1, long: 1, long long: 1, __usdt2_wide default: -1))
#define __usdt2_value(x) _Generic ((x), \
	char: (x), signed char: (x), unsigned char: (x), short: (x), unsigned short: (x), _Bool: (x), \
	default: __usdt2_promoted (x))
#define __usdt2_float(x) (float) (x)
#define __usdt2_double(x) (double) (x)
#endif

#define __usdt2_bits(number, integer, x) __extension__ ({ \
	union { number __usdt2_number; integer __usdt2_integer; } __usdt2_both; \
	integer __usdt2_word; \
	__usdt2_both.__usdt2_number = x; \
	__usdt2_word = __usdt2_both.__usdt2_integer; \
	__usdt2_forget_name (__usdt2_word) \
	__usdt2_word; })
#define __usdt2_bits4(x) __usdt2_bits (float, unsigned int, x)
#define __usdt2_bits8(x) __usdt2_bits (double, __extension__ unsigned long long, x)

#define __usdt2_few(x) "n" (__usdt2_code (x)), __usdt2_in_few (__usdt2_unnamed_few (__usdt2_value (x)))
#define __usdt2_many(x) "n" (__usdt2_code (x)), __usdt2_in_many (__usdt2_unnamed (__usdt2_value (x)))
#define __usdt2_few4(x) __usdt2_in_few (__usdt2_bits4 (__usdt2_float (x)))
#define __usdt2_few8(x) __usdt2_in_few (__usdt2_bits8 (__usdt2_double (x)))
#define __usdt2_many4(x) __usdt2_in_many (__usdt2_bits4 (__usdt2_float (x)))
#define __usdt2_many8(x) __usdt2_in_many (__usdt2_bits8 (__usdt2_double (x)))

/* The argument types of the definition file, checked if the program wants that. */
#if defined DTRACE_TYPECHECK
#define __usdt2_check(call) (void) sizeof ((call), 0);
#else
#define __usdt2_check(call)
#endif

#define __usdt2_semaphore(symbol) \
	".ifndef " symbol "\n" \
	".pushsection .probes,\"awG\",\"progbits\"," symbol ",comdat\n" \
	".balign 2\n" \
	".weak " symbol "\n" \
	".hidden " symbol "\n" \
	".type " symbol ",\"object\"\n" \
	".size " symbol ",2\n" \
	symbol ":\n" \
	".zero 2\n" \
	".popsection\n" \
	".endif\n"

#define __usdt2_note(provider, probe, counter, arguments) \
	"990:\n" \
	"nop\n" \
	".pushsection .note.stapsdt,\"?\",\"note\"\n" \
	".balign 4\n" \
	".4byte 992f-991f,994f-993f,3\n" \
	"991:\n" \
	".asciz \"stapsdt\"\n" \
	"992:\n" \
	".balign 4\n" \
	"993:\n" \
	__usdt2_address " 990b\n" \
	__usdt2_address " _.stapsdt.base\n" \
	__usdt2_address " " counter "\n" \
	".asciz \"" provider "\"\n" \
	".asciz \"" probe "\"\n" \
	".ascii \"" arguments "\\0\"\n" \
	"994:\n" \
	".balign 4\n" \
	".popsection\n" \
	".ifndef _.stapsdt.base\n" \
	".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
	".weak _.stapsdt.base\n" \
	".hidden _.stapsdt.base\n" \
	"_.stapsdt.base:\n" \
	".zero 1\n" \
	".size _.stapsdt.base,1\n" \
	".popsection\n" \
	".endif\n"

#define __usdt2_site(provider, probe, symbol, arguments) \
	__usdt2_note (provider, probe, symbol, arguments) __usdt2_semaphore (symbol)

#define __usdt2_test(provider, probe, symbol, arguments) \
	".subsection 1\n" \
	"990:\n" \
	"nop\n" \
	".previous\n" \
	"991:\n" \
	".pushsection .note.dtrace,\"?\",\"note\"\n" \
	".balign 4\n" \
	".4byte 7,993f-992f,2\n" \
	".byte 100,116,114,97,99,101,0,0\n" \
	"992:\n" \
	__usdt2_address " 990b\n" \
	__usdt2_address " " symbol "\n" \
	".asciz \"" provider "\"\n" \
	".asciz \"" probe "\"\n" \
	".byte " arguments "\n" \
	__usdt2_address " 991b\n" \
	"993:\n" \
	".balign 4\n" \
	".popsection\n" \
	__usdt2_semaphore (symbol)

#if (defined __x86_64__ || defined __i386__) && defined __GCC_ASM_FLAG_OUTPUTS__
#define __usdt2_enabled(provider, probe, symbol, arguments, counter) \
	__extension__ ({ \
		int __usdt2_on; \
		__usdt2_small_asm (__usdt2_test (provider, probe, symbol, arguments) "{cmpw\t$0, %1|cmp\t%1, 0}" \
			: "=@ccne" (__usdt2_on) : "m" (counter)); \
		__builtin_expect (__usdt2_on, 0) != 0; })
#else
#define __usdt2_enabled(provider, probe, symbol, arguments, counter) \
	__extension__ ({ \
		__usdt2_small_asm (__usdt2_test (provider, probe, symbol, arguments) : : ); \
		__builtin_expect (counter, 0) != 0; })
#endif

#endif
