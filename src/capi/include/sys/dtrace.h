/* SPDX-License-Identifier: Apache-2.0 */
/*
 * <sys/dtrace.h>: what tracing records, as programs that use <dtrace.h> see it. Names, numbers and the order of members
 * are those that clients of libdtrace know. C11 and C++.
 */
#ifndef DTRACE_SYS_DTRACE_H
#define DTRACE_SYS_DTRACE_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- identifiers */

#define DTRACE_CPUALL (-1)    /* not of one CPU */
#define DTRACE_IDNONE 0       /* no probe */
#define DTRACE_EPIDNONE 0     /* no enabled probe */
#define DTRACE_AGGIDNONE 0    /* no aggregation */
#define DTRACE_AGGVARIDNONE 0 /* no aggregation variable */
#define DTRACE_ARGNONE (-1)   /* no argument */

/* Bytes of each field of a probe description, with the NUL at its end. Longer names are cut. */
#define DTRACE_PROVNAMELEN 64
#define DTRACE_MODNAMELEN 64
#define DTRACE_FUNCNAMELEN 192
#define DTRACE_NAMELEN 64
#define DTRACE_FULLNAMELEN (DTRACE_PROVNAMELEN + DTRACE_MODNAMELEN + DTRACE_FUNCNAMELEN + DTRACE_NAMELEN + 4)

typedef uint32_t dtrace_id_t;      /* probe, as `dtrace -l` numbers it */
typedef uint32_t dtrace_epid_t;    /* clause at a probe, from 1 */
typedef uint32_t dtrace_aggid_t;   /* aggregation, from 1 */
typedef int64_t dtrace_aggvarid_t; /* aggregation by its name, from 1, in the order in which the programs name them */
typedef uint16_t dtrace_actkind_t; /* DTRACEACT_*, DTRACEAGG_* */
typedef int64_t dtrace_optval_t;   /* value of an option */
typedef int processorid_t;         /* CPU */

/* What a word of a program without colons names. */
typedef enum dtrace_probespec {
  DTRACE_PROBESPEC_NONE = -1, /* as in scripts */
  DTRACE_PROBESPEC_PROVIDER = 0,
  DTRACE_PROBESPEC_MOD = 1,
  DTRACE_PROBESPEC_FUNC = 2,
  DTRACE_PROBESPEC_NAME = 3
} dtrace_probespec_t;

/* ---------------------------------------------------------------- actions */

#define DTRACEACT_NONE 0
#define DTRACEACT_DIFEXPR 1 /* trace(), print(), and keys */
#define DTRACEACT_EXIT 2    /* uint32_t: the status */
#define DTRACEACT_PRINTF 3  /* one record for each argument, or one of size 0 */
#define DTRACEACT_PRINTA 4
#define DTRACEACT_LIBACT 5 /* setopt(), clear(), trunc(), normalize(), ... */
#define DTRACEACT_TRACEMEM 6
#define DTRACEACT_TRACEMEM_DYNSIZE 7

#define DTRACEACT_PROC 0x0100
#define DTRACEACT_USTACK (DTRACEACT_PROC + 1) /* uint64_t pid, then uint64_t pcs */
#define DTRACEACT_JSTACK (DTRACEACT_PROC + 2)
#define DTRACEACT_USYM (DTRACEACT_PROC + 3) /* uint64_t pid, uint64_t address */
#define DTRACEACT_UMOD (DTRACEACT_PROC + 4)
#define DTRACEACT_UADDR (DTRACEACT_PROC + 5)

#define DTRACEACT_PROC_DESTRUCTIVE 0x0200
#define DTRACEACT_STOP (DTRACEACT_PROC_DESTRUCTIVE + 1)
#define DTRACEACT_RAISE (DTRACEACT_PROC_DESTRUCTIVE + 2)
#define DTRACEACT_SYSTEM (DTRACEACT_PROC_DESTRUCTIVE + 3)
#define DTRACEACT_FREOPEN (DTRACEACT_PROC_DESTRUCTIVE + 4)

#define DTRACEACT_PROC_CONTROL 0x0300

#define DTRACEACT_KERNEL 0x0400
#define DTRACEACT_STACK (DTRACEACT_KERNEL + 1) /* uint64_t pcs; 0 ends them early */
#define DTRACEACT_SYM (DTRACEACT_KERNEL + 2)   /* uint64_t address */
#define DTRACEACT_MOD (DTRACEACT_KERNEL + 3)

#define DTRACEACT_KERNEL_DESTRUCTIVE 0x0500
#define DTRACEACT_BREAKPOINT (DTRACEACT_KERNEL_DESTRUCTIVE + 1)
#define DTRACEACT_PANIC (DTRACEACT_KERNEL_DESTRUCTIVE + 2)
#define DTRACEACT_CHILL (DTRACEACT_KERNEL_DESTRUCTIVE + 3)

#define DTRACEACT_SPECULATIVE 0x0600
#define DTRACEACT_SPECULATE (DTRACEACT_SPECULATIVE + 1)
#define DTRACEACT_COMMIT (DTRACEACT_SPECULATIVE + 2)
#define DTRACEACT_DISCARD (DTRACEACT_SPECULATIVE + 3)

#define DTRACEACT_AGGREGATION 0x0700
#define DTRACEAGG_COUNT (DTRACEACT_AGGREGATION + 1)
#define DTRACEAGG_MIN (DTRACEACT_AGGREGATION + 2)
#define DTRACEAGG_MAX (DTRACEACT_AGGREGATION + 3)
#define DTRACEAGG_AVG (DTRACEACT_AGGREGATION + 4)
#define DTRACEAGG_SUM (DTRACEACT_AGGREGATION + 5)
#define DTRACEAGG_STDDEV (DTRACEACT_AGGREGATION + 6)
#define DTRACEAGG_QUANTIZE (DTRACEACT_AGGREGATION + 7)
#define DTRACEAGG_LQUANTIZE (DTRACEACT_AGGREGATION + 8)
#define DTRACEAGG_LLQUANTIZE (DTRACEACT_AGGREGATION + 9)

#define DTRACEACT_CLASS(kind) ((kind) & 0xff00)
#define DTRACEACT_ISAGG(kind) (DTRACEACT_CLASS(kind) == DTRACEACT_AGGREGATION)
#define DTRACEACT_ISSPECULATIVE(kind) (DTRACEACT_CLASS(kind) == DTRACEACT_SPECULATIVE)
#define DTRACEACT_ISDESTRUCTIVE(kind) \
  (DTRACEACT_CLASS(kind) == DTRACEACT_PROC_DESTRUCTIVE || DTRACEACT_CLASS(kind) == DTRACEACT_KERNEL_DESTRUCTIVE)
#define DTRACEACT_ISPRINTFLIKE(kind)                                                         \
  ((kind) == DTRACEACT_PRINTF || (kind) == DTRACEACT_PRINTA || (kind) == DTRACEACT_SYSTEM || \
   (kind) == DTRACEACT_FREOPEN)

/* dtrd_arg of stacks: frames, and for jstack() the bytes of its strings. */
#define DTRACE_USTACK_NFRAMES(arg) ((uint32_t)((arg) & UINT32_MAX))
#define DTRACE_USTACK_STRSIZE(arg) ((uint32_t)((arg) >> 32))
#define DTRACE_USTACK_ARG(frames, strsize) (((uint64_t)(strsize) << 32) | ((frames) & UINT32_MAX))

/* ---------------------------------------------------------------- values of aggregations */

/*
 * All words are 64 bits wide, in the order of the machine:
 *   count, sum, min, max   the value
 *   avg                    count, sum
 *   stddev                 count, sum, sum of squares: low word, high word
 *   quantize               DTRACE_QUANTIZE_NBUCKETS counts
 *   lquantize              its parameters, as in dtrd_arg; a count of what is below the base; one of each level; one of
 * what is above llquantize             its parameters, as in dtrd_arg; a count of what is below the lowest negative
 * bucket; those buckets, from large to small magnitude; a count of what is nearer to 0 than the buckets; the positive
 *                          buckets; a count of what is above
 */

/* Bucket 63 counts zeros, 63 + n counts [2^(n-1), 2^n), 63 - n counts their negatives. */
#define DTRACE_QUANTIZE_NBUCKETS 127
#define DTRACE_QUANTIZE_ZEROBUCKET 63
/* The value of least magnitude in a bucket. */
#define DTRACE_QUANTIZE_BUCKETVAL(bucket)                                                                            \
  ((int64_t)((bucket) < DTRACE_QUANTIZE_ZEROBUCKET    ? -((int64_t)1 << (DTRACE_QUANTIZE_ZEROBUCKET - 1 - (bucket))) \
             : (bucket) == DTRACE_QUANTIZE_ZEROBUCKET ? 0                                                            \
                                                      : (int64_t)1 << ((bucket) - DTRACE_QUANTIZE_ZEROBUCKET - 1)))

#define DTRACE_LQUANTIZE_STEPSHIFT 48
#define DTRACE_LQUANTIZE_STEPMASK ((uint64_t)UINT16_MAX << DTRACE_LQUANTIZE_STEPSHIFT)
#define DTRACE_LQUANTIZE_LEVELSHIFT 32
#define DTRACE_LQUANTIZE_LEVELMASK ((uint64_t)UINT16_MAX << DTRACE_LQUANTIZE_LEVELSHIFT)
#define DTRACE_LQUANTIZE_BASESHIFT 0
#define DTRACE_LQUANTIZE_BASEMASK UINT32_MAX
#define DTRACE_LQUANTIZE_STEP(arg) ((uint16_t)(((arg) & DTRACE_LQUANTIZE_STEPMASK) >> DTRACE_LQUANTIZE_STEPSHIFT))
#define DTRACE_LQUANTIZE_LEVELS(arg) ((uint16_t)(((arg) & DTRACE_LQUANTIZE_LEVELMASK) >> DTRACE_LQUANTIZE_LEVELSHIFT))
#define DTRACE_LQUANTIZE_BASE(arg) ((int32_t)(((arg) & DTRACE_LQUANTIZE_BASEMASK) >> DTRACE_LQUANTIZE_BASESHIFT))

#define DTRACE_LLQUANTIZE_FACTORSHIFT 48
#define DTRACE_LLQUANTIZE_LOWSHIFT 32
#define DTRACE_LLQUANTIZE_HIGHSHIFT 16
#define DTRACE_LLQUANTIZE_NSTEPSHIFT 0
#define DTRACE_LLQUANTIZE_FACTOR(arg) ((uint16_t)((arg) >> DTRACE_LLQUANTIZE_FACTORSHIFT))
#define DTRACE_LLQUANTIZE_LOW(arg) ((uint16_t)((arg) >> DTRACE_LLQUANTIZE_LOWSHIFT))
#define DTRACE_LLQUANTIZE_HIGH(arg) ((uint16_t)((arg) >> DTRACE_LLQUANTIZE_HIGHSHIFT))
#define DTRACE_LLQUANTIZE_NSTEP(arg) ((uint16_t)((arg) >> DTRACE_LLQUANTIZE_NSTEPSHIFT))

/* ---------------------------------------------------------------- descriptions */

typedef struct dtrace_probedesc {
  dtrace_id_t dtpd_id;
  char dtpd_provider[DTRACE_PROVNAMELEN];
  char dtpd_mod[DTRACE_MODNAMELEN];
  char dtpd_func[DTRACE_FUNCNAMELEN];
  char dtpd_name[DTRACE_NAMELEN];
} dtrace_probedesc_t;

#define DTRACE_VALUE_NONE 0   /* no bytes */
#define DTRACE_VALUE_SIGNED 1 /* an integer */
#define DTRACE_VALUE_UNSIGNED 2
#define DTRACE_VALUE_FLOAT 3 /* float, double or long double */
#define DTRACE_VALUE_TEXT 4
#define DTRACE_VALUE_BYTES 5   /* a struct, an array, raw memory */
#define DTRACE_VALUE_STACK 6   /* uint64_t pcs; 0 ends them early */
#define DTRACE_VALUE_USTACK 7  /* uint64_t pid, or 0 of a kernel stack, then pcs */
#define DTRACE_VALUE_SYMBOL 8  /* uint64_t address */
#define DTRACE_VALUE_USYMBOL 9 /* uint64_t pid, uint64_t address */

/* One value in the data of a clause or an aggregation. A string occupies option strsize bytes, and ends with NUL. */
typedef struct dtrace_recdesc {
  dtrace_actkind_t dtrd_action;
  uint32_t dtrd_size;      /* bytes */
  uint32_t dtrd_offset;    /* from the beginning of the data */
  uint16_t dtrd_alignment; /* bytes */
  uint16_t dtrd_format;    /* DTRACE_VALUE_*: what the bytes are. Only in this library */
  uint64_t dtrd_arg;       /* parameters of lquantize() and llquantize(), frames of stacks, aggregation of printa() */
  uint64_t dtrd_uarg;      /* the same number for all records of one action */
} dtrace_recdesc_t;

/* A clause at a probe. */
typedef struct dtrace_eprobedesc {
  dtrace_epid_t dtepd_epid;
  dtrace_id_t dtepd_probeid;
  uint64_t dtepd_uarg; /* number of the clause, from 0 */
  uint32_t dtepd_size; /* bytes of its data */
  int dtepd_nrecs;
  dtrace_recdesc_t dtepd_rec[1]; /* dtepd_nrecs of them */
} dtrace_eprobedesc_t;

/* An aggregation: record 0 is its dtagd_varid, then come its keys; the last record is the value. */
typedef struct dtrace_aggdesc {
  char *dtagd_name; /* "_" of @ */
  dtrace_aggvarid_t dtagd_varid;
  int dtagd_flags; /* DTRACE_AGD_* */
  dtrace_aggid_t dtagd_id;
  dtrace_epid_t dtagd_epid; /* not used: several clauses may update it */
  uint32_t dtagd_size;      /* bytes of its data */
  int dtagd_nrecs;
  uint32_t dtagd_pad;
  dtrace_recdesc_t dtagd_rec[1]; /* dtagd_nrecs of them */
} dtrace_aggdesc_t;

/* ---------------------------------------------------------------- options, faults, stability */

#define DTRACEOPT_UNSET ((dtrace_optval_t) - 2)
#define DTRACEOPT_BUFPOLICY_RING 0
#define DTRACEOPT_BUFPOLICY_FILL 1
#define DTRACEOPT_BUFPOLICY_SWITCH 2
#define DTRACEOPT_BUFRESIZE_AUTO 0
#define DTRACEOPT_BUFRESIZE_MANUAL 1

#define DTRACEFLT_UNKNOWN 0
#define DTRACEFLT_BADADDR 1
#define DTRACEFLT_BADALIGN 2
#define DTRACEFLT_ILLOP 3
#define DTRACEFLT_DIVZERO 4
#define DTRACEFLT_NOSCRATCH 5
#define DTRACEFLT_KPRIV 6
#define DTRACEFLT_UPRIV 7
#define DTRACEFLT_TUPOFLOW 8
#define DTRACEFLT_BADSTACK 9
#define DTRACEFLT_BADSIZE 10
#define DTRACEFLT_BADINDEX 11
#define DTRACEFLT_LIBRARY 1000 /* not in the probe, but when its data was handled */

typedef uint8_t dtrace_stability_t;
typedef uint8_t dtrace_class_t;

#define DTRACE_STABILITY_INTERNAL 0
#define DTRACE_STABILITY_PRIVATE 1
#define DTRACE_STABILITY_OBSOLETE 2
#define DTRACE_STABILITY_EXTERNAL 3
#define DTRACE_STABILITY_UNSTABLE 4
#define DTRACE_STABILITY_EVOLVING 5
#define DTRACE_STABILITY_STABLE 6
#define DTRACE_STABILITY_STANDARD 7
#define DTRACE_STABILITY_MAX 7

#define DTRACE_CLASS_UNKNOWN 0
#define DTRACE_CLASS_CPU 1
#define DTRACE_CLASS_PLATFORM 2
#define DTRACE_CLASS_GROUP 3
#define DTRACE_CLASS_ISA 4
#define DTRACE_CLASS_COMMON 5
#define DTRACE_CLASS_MAX 5

typedef struct dtrace_attribute {
  dtrace_stability_t dtat_name;
  dtrace_stability_t dtat_data;
  dtrace_class_t dtat_class;
} dtrace_attribute_t;

#ifdef __cplusplus
}
#endif

#endif
