// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * number.bpf.c - arithmetic that BPF lacks.
 */
#include "dt_bpf.h"
#include "number.bpf.h"

DT_API s64 dt_divide(s64 dividend, s64 divisor)
{
	return dt_signed_quotient(dividend, divisor);
}

DT_API s64 dt_modulo(s64 dividend, s64 divisor)
{
	return dt_signed_remainder(dividend, divisor);
}
