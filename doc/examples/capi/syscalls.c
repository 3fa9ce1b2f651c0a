/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts system calls by program with the C library, and prints the counts as a table.
 *
 * Build: cc -o syscalls syscalls.c $(pkg-config --cflags --libs libdtrace)
 * Usage: syscalls [SECONDS]
 */
#include <dtrace.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char kProgram[] = "syscall:::entry { @[execname] = count(); } tick-1s /++passed == $1/ { exit(0); }";

static int fail(dtrace_hdl_t *dtp) {
  fprintf(stderr, "syscalls: %s\n", dtrace_errmsg(dtp, dtrace_errno(dtp)));
  dtrace_close(dtp);
  return 1;
}

/* Record 0 is the number of the aggregation; then come its keys; the value is the last. */
static int print_entry(const dtrace_aggdata_t *entry, void *arg) {
  const dtrace_recdesc_t *records = entry->dtada_desc->dtagd_rec;
  const dtrace_recdesc_t *value = &records[entry->dtada_desc->dtagd_nrecs - 1];
  uint64_t calls;
  (void)arg;
  memcpy(&calls, entry->dtada_data + value->dtrd_offset, sizeof calls);
  printf("%-20s%10llu\n", entry->dtada_data + records[1].dtrd_offset, (unsigned long long)calls);
  return DTRACE_AGGWALK_NEXT;
}

static int report_drop(const dtrace_dropdata_t *drop, void *arg) {
  (void)arg;
  fprintf(stderr, "syscalls: %s", drop->dtdda_msg);
  return DTRACE_HANDLE_OK;
}

int main(int argc, char **argv) {
  char seconds[] = "5";
  char *arguments[] = {argv[0], argc > 1 ? argv[1] : seconds};
  int error = 0;
  dtrace_prog_t *program;
  dtrace_workstatus_t status;
  dtrace_hdl_t *dtp = dtrace_open(DTRACE_VERSION, 0, &error);
  if (dtp == NULL) {
    fprintf(stderr, "syscalls: %s\n", dtrace_errmsg(NULL, error));
    return 1;
  }
  if (dtrace_handle_drop(dtp, report_drop, NULL) != 0) return fail(dtp);
  program = dtrace_program_strcompile(dtp, kProgram, DTRACE_PROBESPEC_NAME, 0, 2, arguments);
  if (program == NULL || dtrace_program_exec(dtp, program, NULL) != 0 || dtrace_go(dtp) != 0) return fail(dtp);
  do {
    dtrace_sleep(dtp);
    status = dtrace_work(dtp, stdout, NULL, NULL, NULL);
  } while (status == DTRACE_WORKSTATUS_OKAY);
  if (status == DTRACE_WORKSTATUS_ERROR) return fail(dtp);
  printf("%-20s%10s\n", "PROGRAM", "CALLS");
  if (dtrace_aggregate_walk_valrevsorted(dtp, print_entry, NULL) != 0) return fail(dtp);
  dtrace_close(dtp);
  return 0;
}
