/* SPDX-License-Identifier: Apache-2.0 */
/*
 * <dtrace.h>: tracing inside C programs, by the functions that layered tools call. What each does: libdtrace(3).
 *
 *     int error;
 *     dtrace_hdl_t *dtp = dtrace_open(DTRACE_VERSION, 0, &error);
 *     dtrace_prog_t *program = dtrace_program_strcompile(dtp, "syscall:::entry { @[execname] = count(); }",
 *                                                        DTRACE_PROBESPEC_NAME, 0, 0, NULL);
 *     dtrace_program_exec(dtp, program, NULL);
 *     dtrace_go(dtp);
 *     do {
 *         dtrace_sleep(dtp);
 *     } while (dtrace_work(dtp, stdout, probe, record, NULL) == DTRACE_WORKSTATUS_OKAY);
 *     dtrace_aggregate_walk_valsorted(dtp, entry, NULL);
 *     dtrace_close(dtp);
 *
 * Functions that return int return -1 on failure, those that return a pointer NULL; dtrace_errno() and dtrace_errmsg()
 * say why. A handle is used by one thread at a time; several handles may be used by several threads at the same time.
 * C11 and C++; C++ programs have <dtrace/tracer.h>, too.
 */
#ifndef DTRACE_DTRACE_H
#define DTRACE_DTRACE_H

#include <elf.h>
#include <stdio.h>
#include <sys/dtrace.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DTRACE_VERSION 3 /* of this interface: the first argument of dtrace_open() */

typedef struct dtrace_hdl dtrace_hdl_t;
typedef struct dtrace_prog dtrace_prog_t;
typedef struct dtrace_vector dtrace_vector_t;
struct ps_prochandle;

/* As <gelf.h> has them. */
typedef Elf64_Sym GElf_Sym;
typedef Elf64_Addr GElf_Addr;

/* ---------------------------------------------------------------- handles */

#define DTRACE_O_NODEV 0x01 /* compile only: needs no privileges */
#define DTRACE_O_NOSYS 0x02 /* accepted, and without effect; so are the next two */
#define DTRACE_O_LP64 0x04
#define DTRACE_O_ILP32 0x08
#define DTRACE_O_MASK 0x0f

dtrace_hdl_t *dtrace_open(int version, int flags, int *error);
dtrace_hdl_t *dtrace_vopen(int version, int flags, int *error, const dtrace_vector_t *vector, void *arg);
void dtrace_close(dtrace_hdl_t *dtp);

/*
 * What went wrong: below 1000 a number of <errno.h>, from there on one of these. dtrace_errmsg() gives the
 * message of the handle's last failure; of other numbers, or without a handle, what the number means.
 */
enum {
  DTRACE_E_VERSION = 1000, /* another version of the interface */
  DTRACE_E_PRIVILEGES,     /* this process may not trace */
  DTRACE_E_SYSTEM,         /* the system lacks what tracing needs */
  DTRACE_E_COMPILER,       /* the D program is wrong */
  DTRACE_E_OPTION_NAME,    /* no such option */
  DTRACE_E_OPTION_VALUE,   /* not a value of the option */
  DTRACE_E_ACTIVE,         /* not after dtrace_go() */
  DTRACE_E_INACTIVE,       /* not before dtrace_go() */
  DTRACE_E_BUSY,           /* not while another function of the handle runs */
  DTRACE_E_NO_PROGRAM,     /* dtrace_program_exec() was not called */
  DTRACE_E_DESTRUCTIVE,    /* destructive actions need option destructive */
  DTRACE_E_ENABLE,         /* the kernel refused programs or probes */
  DTRACE_E_PROCESS,        /* a process could not be created, grabbed or let go */
  DTRACE_E_NO_OUTPUT,      /* neither a file nor a handler takes the text */
  DTRACE_E_OUTPUT,         /* the text could not be written */
  DTRACE_E_FAULT,          /* a fault in a probe, and no handler for it */
  DTRACE_E_DROP,           /* data was dropped, and no handler for it */
  DTRACE_E_ABORT,          /* a function of the caller asked for the end */
  DTRACE_E_RETURN,         /* a function of the caller returned what it may not */
  DTRACE_E_TRACING,        /* tracing failed */
  DTRACE_E_NO_PROBE,       /* no probe has that number */
  DTRACE_E_NO_SYMBOL       /* no symbol contains that address */
};
int dtrace_errno(dtrace_hdl_t *dtp);
const char *dtrace_errmsg(dtrace_hdl_t *dtp, int error);

/* Options of dtrace(1). The value of those that take none is NULL. */
int dtrace_setopt(dtrace_hdl_t *dtp, const char *name, const char *value);
int dtrace_getopt(dtrace_hdl_t *dtp, const char *name, dtrace_optval_t *value);

/* ---------------------------------------------------------------- programs */

#define DTRACE_C_DIFV 0x0001   /* accepted, and without effect */
#define DTRACE_C_EMPTY 0x0002  /* programs may be empty */
#define DTRACE_C_ZDEFS 0x0004  /* probe descriptions may match nothing */
#define DTRACE_C_EATTR 0x0008  /* accepted: option amin does it */
#define DTRACE_C_CPP 0x0010    /* dtrace_program_fcompile() runs the C preprocessor */
#define DTRACE_C_KNODEF 0x0020 /* accepted, and without effect */
#define DTRACE_C_UNODEF 0x0040 /* accepted, and without effect */
#define DTRACE_C_PSPEC 0x0080  /* words that may be a probe's are */
#define DTRACE_C_ETAGS 0x0100  /* messages begin with "[D_TAG] " */
#define DTRACE_C_ARGREF 0x0200 /* not all arguments need be used */
#define DTRACE_C_DEFARG 0x0800 /* arguments that are not given are 0 and "" */
#define DTRACE_C_NOLIBS 0x1000 /* without the D library; before the first program */
#define DTRACE_C_CTL 0x2000    /* accepted, and without effect */
#define DTRACE_C_MASK 0x3bff

typedef struct dtrace_proginfo {
  dtrace_attribute_t dpi_descattr; /* weakest of the probe descriptions */
  dtrace_attribute_t dpi_stmtattr; /* weakest of the statements */
  unsigned int dpi_aggregates;     /* statements that aggregate */
  unsigned int dpi_recgens;        /* clauses that record data */
  unsigned int dpi_matches;        /* probes, each as often as a clause names it */
  unsigned int dpi_speculations;   /* calls of speculate() */
} dtrace_proginfo_t;

/* argv[0] is $0, argv[1] is $1, and so on. */
dtrace_prog_t *dtrace_program_strcompile(dtrace_hdl_t *dtp, const char *text, dtrace_probespec_t spec,
                                         unsigned int flags, int argc, char *const argv[]);
dtrace_prog_t *dtrace_program_fcompile(dtrace_hdl_t *dtp, FILE *file, unsigned int flags, int argc, char *const argv[]);
/* From here on the program takes part; before that it was checked only. `info` may be NULL. */
int dtrace_program_exec(dtrace_hdl_t *dtp, dtrace_prog_t *program, dtrace_proginfo_t *info);
void dtrace_program_info(dtrace_hdl_t *dtp, dtrace_prog_t *program, dtrace_proginfo_t *info);

/* ---------------------------------------------------------------- tracing */

int dtrace_go(dtrace_hdl_t *dtp);
int dtrace_stop(dtrace_hdl_t *dtp);
/* Until there is something to do, and not longer than options statusrate, aggrate and switchrate say. */
void dtrace_sleep(dtrace_hdl_t *dtp);

/*
 * For loops of poll(2) and their like, of this library alone: readable when dtrace_work() has something to do. Good
 * until the handle is closed. -1: failure.
 */
int dtrace_poll_fd(dtrace_hdl_t *dtp);

#define DTRACE_STATUS_NONE 0    /* nothing to say yet */
#define DTRACE_STATUS_OKAY 1    /* tracing goes on */
#define DTRACE_STATUS_EXITED 2  /* exit() was called, or the processes have ended: tracing has stopped */
#define DTRACE_STATUS_FILLED 3  /* a buffer of policy fill is full: tracing has stopped */
#define DTRACE_STATUS_STOPPED 4 /* tracing had stopped before */
int dtrace_status(dtrace_hdl_t *dtp);

/* ---------------------------------------------------------------- rows */

typedef enum { DTRACEFLOW_ENTRY, DTRACEFLOW_RETURN, DTRACEFLOW_NONE } dtrace_flowkind_t;

/*
 * A firing of a clause. dtpda_data is where the data begins; while the function for records runs for a record, where
 * that record's does.
 */
typedef struct dtrace_probedata {
  dtrace_hdl_t *dtpda_handle;
  dtrace_eprobedesc_t *dtpda_edesc;
  dtrace_probedesc_t *dtpda_pdesc;
  processorid_t dtpda_cpu;
  char *dtpda_data;
  dtrace_flowkind_t dtpda_flow; /* this and the rest: with option flowindent */
  const char *dtpda_prefix;     /* "-> "; NULL without the option */
  int dtpda_indent;             /* blanks */
} dtrace_probedata_t;

#define DTRACE_CONSUME_ERROR (-1) /* failed */
#define DTRACE_CONSUME_THIS 0     /* show it */
#define DTRACE_CONSUME_NEXT 1     /* show the next */
#define DTRACE_CONSUME_ABORT 2    /* show no more */

/* For each row. */
typedef int dtrace_consume_probe_f(const dtrace_probedata_t *data, void *arg);
/* For each action of a row, with its first record; behind the last one, with NULL. */
typedef int dtrace_consume_rec_f(const dtrace_probedata_t *data, const dtrace_recdesc_t *record, void *arg);

typedef enum {
  DTRACE_WORKSTATUS_ERROR = -1,
  DTRACE_WORKSTATUS_OKAY = 0,
  DTRACE_WORKSTATUS_DONE = 1 /* tracing has stopped, and all there was has been handed over */
} dtrace_workstatus_t;

/*
 * Hand over what there is: text goes to `file`, or where that is NULL to the handler for buffered output. Without
 * `probe` all rows are shown, without `record` none of their text. dtrace_work() stops tracing when it is to end;
 * dtrace_consume() does not.
 */
dtrace_workstatus_t dtrace_work(dtrace_hdl_t *dtp, FILE *file, dtrace_consume_probe_f *probe,
                                dtrace_consume_rec_f *record, void *arg);
int dtrace_consume(dtrace_hdl_t *dtp, FILE *file, dtrace_consume_probe_f *probe, dtrace_consume_rec_f *record,
                   void *arg);

/* ---------------------------------------------------------------- aggregations */

typedef struct dtrace_aggdata dtrace_aggdata_t;
struct dtrace_aggdata {
  dtrace_hdl_t *dtada_handle;
  dtrace_aggdesc_t *dtada_desc;
  dtrace_eprobedesc_t *dtada_edesc; /* empty: several clauses may update it; so is the next one */
  dtrace_probedesc_t *dtada_pdesc;
  char *dtada_data;          /* keys and value, where the records say */
  uint64_t dtada_normal;     /* what normalize() set; 1: nothing */
  size_t dtada_size;         /* bytes of the data */
  char *dtada_delta;         /* not used */
  char **dtada_percpu;       /* with option aggpercpu: values by CPU; else NULL */
  char **dtada_percpu_delta; /* not used; so are the rest */
  int64_t dtada_total;
  uint16_t dtada_minbin;
  uint16_t dtada_maxbin;
  uint32_t dtada_flags;
};

#define DTRACE_AGD_PRINTED 0x1 /* printa() has shown it */

#define DTRACE_AGGWALK_ERROR (-1) /* failed */
#define DTRACE_AGGWALK_NEXT 0
#define DTRACE_AGGWALK_ABORT 1     /* walk no further; the walk fails */
#define DTRACE_AGGWALK_CLEAR 2     /* the value becomes zero */
#define DTRACE_AGGWALK_NORMALIZE 3 /* the aggregation gets the normal that was put into dtada_normal */
#define DTRACE_AGGWALK_DENORMALIZE 4
#define DTRACE_AGGWALK_REMOVE 5 /* the entry goes */

typedef int dtrace_aggregate_f(const dtrace_aggdata_t *data, void *arg);
typedef int dtrace_aggregate_walk_f(dtrace_hdl_t *dtp, dtrace_aggregate_f *function, void *arg);

/* Walks see what the last snapshot had: this one's, dtrace_work()'s at option aggrate, or the last at the end. */
int dtrace_aggregate_snap(dtrace_hdl_t *dtp);
void dtrace_aggregate_clear(dtrace_hdl_t *dtp);
/* As dtrace(1) prints them at the end; with a walk, in its order. */
int dtrace_aggregate_print(dtrace_hdl_t *dtp, FILE *file, dtrace_aggregate_walk_f *walk);

dtrace_aggregate_walk_f dtrace_aggregate_walk;              /* in no order */
dtrace_aggregate_walk_f dtrace_aggregate_walk_keysorted;    /* by aggregation, then by keys */
dtrace_aggregate_walk_f dtrace_aggregate_walk_valsorted;    /* by aggregation, then by value */
dtrace_aggregate_walk_f dtrace_aggregate_walk_keyvarsorted; /* by keys, then by aggregation */
dtrace_aggregate_walk_f dtrace_aggregate_walk_valrevsorted; /* the reverse of valsorted */

/* ---------------------------------------------------------------- handlers */

/* What handlers return. */
#define DTRACE_HANDLE_ABORT (-1)
#define DTRACE_HANDLE_OK 0

#define DTRACE_BUFDATA_AGGKEY 0x0001    /* a key of printa() */
#define DTRACE_BUFDATA_AGGVAL 0x0002    /* a value of printa() */
#define DTRACE_BUFDATA_AGGFORMAT 0x0004 /* an entry by printa()'s format */
#define DTRACE_BUFDATA_AGGLAST 0x0008   /* the last of its entry */

typedef struct dtrace_bufdata {
  dtrace_hdl_t *dtbda_handle;
  const char *dtbda_buffered; /* the text of one action, or a part of printa()'s */
  dtrace_probedata_t *dtbda_probe;
  const dtrace_recdesc_t *dtbda_recdesc; /* first record of the action */
  const dtrace_aggdata_t *dtbda_aggdata; /* whose entry it is, if it is one's */
  uint32_t dtbda_flags;
} dtrace_bufdata_t;

typedef int dtrace_handle_buffered_f(const dtrace_bufdata_t *data, void *arg);
int dtrace_handle_buffered(dtrace_hdl_t *dtp, dtrace_handle_buffered_f *handler, void *arg);

typedef enum {
  DTRACEDROP_PRINCIPAL,
  DTRACEDROP_AGGREGATION,
  DTRACEDROP_DYNAMIC,
  DTRACEDROP_DYNRINSE,
  DTRACEDROP_DYNDIRTY,
  DTRACEDROP_SPEC,
  DTRACEDROP_SPECBUSY,
  DTRACEDROP_SPECUNAVAIL,
  DTRACEDROP_STKSTROVERFLOW,
  DTRACEDROP_DBLERROR
} dtrace_dropkind_t;

typedef struct dtrace_dropdata {
  dtrace_hdl_t *dtdda_handle;
  processorid_t dtdda_cpu; /* or DTRACE_CPUALL */
  dtrace_dropkind_t dtdda_kind;
  uint64_t dtdda_drops;  /* since the last report of the kind */
  uint64_t dtdda_total;  /* of the kind */
  const char *dtdda_msg; /* a line with its newline */
} dtrace_dropdata_t;

/* Without one, drops make dtrace_work() and dtrace_consume() fail with DTRACE_E_DROP. */
typedef int dtrace_handle_drop_f(const dtrace_dropdata_t *data, void *arg);
int dtrace_handle_drop(dtrace_hdl_t *dtp, dtrace_handle_drop_f *handler, void *arg);

typedef struct dtrace_errdata {
  dtrace_hdl_t *dteda_handle;
  dtrace_eprobedesc_t *dteda_edesc;
  dtrace_probedesc_t *dteda_pdesc;
  processorid_t dteda_cpu; /* or DTRACE_CPUALL: not known */
  int dteda_action;        /* not used */
  int dteda_offset;        /* BPF instruction; -1: not known */
  int dteda_fault;         /* DTRACEFLT_* */
  uint64_t dteda_addr;     /* of a bad address */
  const char *dteda_msg;   /* a line with its newline */
} dtrace_errdata_t;

/* Without one, faults make dtrace_work() and dtrace_consume() fail with DTRACE_E_FAULT. */
typedef int dtrace_handle_err_f(const dtrace_errdata_t *data, void *arg);
int dtrace_handle_err(dtrace_hdl_t *dtp, dtrace_handle_err_f *handler, void *arg);

/*
 * Only in this library: what dtrace(8) reports on standard error beside drops and faults (warnings, ends of processes),
 * a line without newline. Warnings come when a program is compiled, the rest when data is handed over. Without a
 * handler nobody hears them.
 */
typedef void dtrace_handle_message_f(dtrace_hdl_t *dtp, const char *text, void *arg);
int dtrace_handle_message(dtrace_hdl_t *dtp, dtrace_handle_message_f *handler, void *arg);

/* ---------------------------------------------------------------- processes */

/*
 * The first one is $target. A created process waits until dtrace_proc_continue(); one that still runs is killed when it
 * is released or the handle closed. Processes are created, continued and released by the same thread. dtrace_work()
 * ends tracing when all have ended.
 */
struct ps_prochandle *dtrace_proc_create(dtrace_hdl_t *dtp, const char *file, char *const argv[]);
struct ps_prochandle *dtrace_proc_grab(dtrace_hdl_t *dtp, pid_t pid, int flags);
struct ps_prochandle *dtrace_proc_grab_pid(dtrace_hdl_t *dtp, pid_t pid, int flags);
pid_t dtrace_proc_getpid(dtrace_hdl_t *dtp, struct ps_prochandle *process);
void dtrace_proc_continue(dtrace_hdl_t *dtp, struct ps_prochandle *process);
void dtrace_proc_release(dtrace_hdl_t *dtp, struct ps_prochandle *process);

/* ---------------------------------------------------------------- symbols and probes */

/* Good until the handle is closed. */
typedef struct dtrace_syminfo {
  const char *dts_object; /* "vmlinux", or a kernel module */
  const char *dts_name;
  unsigned long dts_id; /* not used */
} dtrace_syminfo_t;

/* The kernel's symbol that contains an address. Either result may be NULL. */
int dtrace_lookup_by_addr(dtrace_hdl_t *dtp, GElf_Addr address, GElf_Sym *symbol, dtrace_syminfo_t *info);

/* "vmlinux`vfs_read+0x42" of the kernel's, "libc.so.6`read+0x12" of a process's. They return the length, as snprintf(3)
 * does. */
int dtrace_addr2str(dtrace_hdl_t *dtp, uint64_t address, char *text, int size);
int dtrace_uaddr2str(dtrace_hdl_t *dtp, pid_t pid, uint64_t address, char *text, int size);

/* Probes that match `pattern`, whose fields are globs and match all where they are empty; NULL: all there are. */
typedef int dtrace_probe_f(dtrace_hdl_t *dtp, const dtrace_probedesc_t *probe, void *arg);
int dtrace_probe_iter(dtrace_hdl_t *dtp, const dtrace_probedesc_t *pattern, dtrace_probe_f *function, void *arg);
int dtrace_id2desc(dtrace_hdl_t *dtp, dtrace_id_t id, dtrace_probedesc_t *probe);

/* What dtrace_vopen() replaces: only the look-up of symbols can be. The other members are to be NULL. */
struct dtrace_vector {
  int (*dtv_ioctl)(void *arg, int command, void *data);
  int (*dtv_lookup_by_addr)(void *arg, GElf_Addr address, GElf_Sym *symbol, dtrace_syminfo_t *info);
  int (*dtv_status)(void *arg, processorid_t cpu);
  long (*dtv_sysconf)(void *arg, int name);
};

#ifdef __cplusplus
}
#endif

#endif
