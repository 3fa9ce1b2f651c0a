/* SPDX-License-Identifier: Apache-2.0 */
/* Rows: text, records and the functions that get them; what goes wrong; options; processes. */
#include "client.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

/* ---------------------------------------------------------------- rows */

static void one_call_for_each_action(void) {
  char text[4096] = "";
  dtrace_hdl_t *dtp = open_handle();
  CHECK(dtrace_handle_buffered(dtp, keep_text, text) == 0);
  CHECK(dtrace_handle_buffered(dtp, keep_text, text) == -1);
  CHECK(dtrace_errno(dtp) == EALREADY);
  add(dtp,
      "BEGIN { trace(\"Hello\"); trace(-5); printf(\"%d and %s\", 7, \"text\"); exit(3); } END { trace(\"end\"); }");
  REQUIRE_OK(dtp, dtrace_go(dtp) == 0);
  CHECK(strcmp(text, "") == 0); /* nothing is handed over before somebody asks */
  dtrace_sleep(dtp);
  CHECK(dtrace_work(dtp, NULL, NULL, show_all, NULL) == DTRACE_WORKSTATUS_DONE);
  CHECK(strcmp(text, "Hello|-5|7 and text|end|") == 0 || (fprintf(stderr, "%s\n", text), 0));
  CHECK(dtrace_work(dtp, NULL, NULL, show_all, NULL) == DTRACE_WORKSTATUS_DONE);
  CHECK(dtrace_status(dtp) == DTRACE_STATUS_STOPPED);
  dtrace_close(dtp);
}

static void text_goes_to_a_file(void) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  dtrace_hdl_t *dtp = start("BEGIN { printf(\"%s\\n\", \"one\"); printf(\"%d\", 2); exit(0); }");
  CHECK(dtrace_work(dtp, file, NULL, show_all, NULL) == DTRACE_WORKSTATUS_DONE);
  fclose(file);
  CHECK(strcmp(text, "one\n2") == 0 || (fprintf(stderr, "%s\n", text), 0));
  free(text);
  dtrace_close(dtp);
}

static void nobody_takes_text(void) {
  dtrace_hdl_t *dtp = start("BEGIN { trace(1); exit(0); }");
  CHECK(dtrace_work(dtp, NULL, NULL, show_all, NULL) == DTRACE_WORKSTATUS_ERROR);
  CHECK(dtrace_errno(dtp) == DTRACE_E_NO_OUTPUT);
  /* Without a function for records, none are shown. */
  CHECK(dtrace_work(dtp, NULL, NULL, NULL, NULL) == DTRACE_WORKSTATUS_DONE);
  dtrace_close(dtp);
}

struct seen {
  int rows, records, ends;
  uint32_t status;
  char text[32];
  int32_t number;
  uint64_t wide, pid, first_pc;
  dtrace_epid_t epid;
};

static int see_row(const dtrace_probedata_t *data, void *arg) {
  struct seen *seen = (struct seen *)arg;
  ++seen->rows;
  seen->epid = data->dtpda_edesc->dtepd_epid;
  CHECK(data->dtpda_cpu >= 0);
  CHECK(data->dtpda_flow == DTRACEFLOW_NONE);
  CHECK(data->dtpda_pdesc->dtpd_id == data->dtpda_edesc->dtepd_probeid);
  CHECK(memcmp(data->dtpda_data, &seen->epid, sizeof seen->epid) == 0);
  return DTRACE_CONSUME_THIS;
}

static int see_record(const dtrace_probedata_t *data, const dtrace_recdesc_t *record, void *arg) {
  struct seen *seen = (struct seen *)arg;
  if (record == NULL) {
    ++seen->ends;
    return DTRACE_CONSUME_NEXT;
  }
  ++seen->records;
  switch (record->dtrd_action) {
    case DTRACEACT_EXIT:
      CHECK(record->dtrd_size == 4);
      memcpy(&seen->status, data->dtpda_data, 4);
      break;
    case DTRACEACT_USTACK:
      memcpy(&seen->pid, data->dtpda_data, 8);
      memcpy(&seen->first_pc, data->dtpda_data + 8, 8);
      CHECK(DTRACE_USTACK_NFRAMES(record->dtrd_arg) >= 3);
      CHECK(record->dtrd_size == 8 * (DTRACE_USTACK_NFRAMES(record->dtrd_arg) + 1));
      break;
    case DTRACEACT_DIFEXPR:
      if (record->dtrd_size == 256) {
        CHECK(record->dtrd_offset == 16);
        snprintf(seen->text, sizeof seen->text, "%s", data->dtpda_data);
      } else if (record->dtrd_size == 4) {
        memcpy(&seen->number, data->dtpda_data, 4);
      } else {
        CHECK(record->dtrd_size == 8 && record->dtrd_offset % 8 == 0);
        memcpy(&seen->wide, data->dtpda_data, 8);
      }
      break;
    default:
      CHECK(!"such a record");
  }
  return DTRACE_CONSUME_NEXT;
}

static void records_are_as_described(void) {
  struct seen seen = {0, 0, 0, 0, "", 0, 0, 0, 0, 0};
  dtrace_hdl_t *dtp = start(OURS "{ trace(probefunc); trace((int)-2); trace((uint64_t)1 << 40); ustack(3); exit(9); }");
  fire(1);
  while (dtrace_work(dtp, NULL, see_row, see_record, &seen) == DTRACE_WORKSTATUS_OKAY) dtrace_sleep(dtp);
  CHECK(seen.rows == 1);
  CHECK(seen.records == 5);
  CHECK(seen.ends == 1);
  CHECK(seen.epid == 1);
  CHECK(strcmp(seen.text, "getpriority") == 0);
  CHECK(seen.number == -2);
  CHECK(seen.wide == (uint64_t)1 << 40);
  CHECK(seen.pid == (uint64_t)getpid());
  CHECK(seen.first_pc != 0);
  CHECK(seen.status == 9);
  dtrace_close(dtp);
}

static int refuse_row(const dtrace_probedata_t *data, void *arg) {
  (void)data;
  return *(int *)arg;
}

static void callers_may_refuse(void) {
  char text[4096] = "";
  int answer = DTRACE_CONSUME_NEXT;
  dtrace_hdl_t *dtp = open_handle();
  CHECK(dtrace_handle_buffered(dtp, keep_text, text) == 0);
  add(dtp, OURS "{ trace(1); }");
  REQUIRE_OK(dtp, dtrace_go(dtp) == 0);
  fire(1);
  CHECK(dtrace_work(dtp, NULL, refuse_row, show_all, &answer) == DTRACE_WORKSTATUS_OKAY);
  fire(1);
  answer = DTRACE_CONSUME_ABORT;
  CHECK(dtrace_consume(dtp, NULL, refuse_row, show_all, &answer) == -1);
  CHECK(dtrace_errno(dtp) == DTRACE_E_ABORT);
  fire(1);
  answer = 77;
  CHECK(dtrace_consume(dtp, NULL, refuse_row, show_all, &answer) == -1);
  CHECK(dtrace_errno(dtp) == DTRACE_E_RETURN);
  fire(1);
  answer = DTRACE_CONSUME_THIS;
  CHECK(dtrace_consume(dtp, NULL, refuse_row, show_all, &answer) == 0);
  CHECK(strcmp(text, "1|") == 0 || (fprintf(stderr, "%s\n", text), 0));
  dtrace_close(dtp);
}

static int stop_inside(const dtrace_probedata_t *data, void *arg) {
  ++*(int *)arg;
  CHECK(dtrace_work(data->dtpda_handle, NULL, NULL, NULL, NULL) == DTRACE_WORKSTATUS_ERROR);
  CHECK(dtrace_errno(data->dtpda_handle) == DTRACE_E_BUSY);
  CHECK(dtrace_stop(data->dtpda_handle) == 0);
  return DTRACE_CONSUME_THIS;
}

static void functions_of_the_caller_may_stop(void) {
  int rows = 0;
  dtrace_hdl_t *dtp = start(OURS "{ trace(1); } END { trace(2); }");
  fire(1);
  CHECK(dtrace_work(dtp, NULL, stop_inside, NULL, &rows) == DTRACE_WORKSTATUS_DONE);
  CHECK(rows == 2);
  dtrace_close(dtp);
}

static int refuse_and_count(const dtrace_probedata_t *data, void *arg) {
  (void)data;
  ++*(int *)arg;
  return DTRACE_CONSUME_NEXT;
}

/* What a file has. */
static void contents_of(const char *path, char *text, size_t size) {
  FILE *file = fopen(path, "r");
  size_t got = file == NULL ? 0 : fread(text, 1, size - 1, file);
  text[got] = '\0';
  if (file != NULL) fclose(file);
}

/* Commands write where this process does. */
static void commands_run_where_they_stand(void) {
  char path[] = "/tmp/capi.XXXXXX", other[64], program[512], text[256];
  const int fd = mkstemp(path), saved = dup(STDOUT_FILENO);
  FILE *file = fdopen(fd, "w");
  dtrace_hdl_t *dtp = open_handle();
  snprintf(other, sizeof other, "%s.other", path);
  CHECK(dtrace_setopt(dtp, "destructive", NULL) == 0);
  snprintf(program, sizeof program,
           "BEGIN { printf(\"a\\n\"); system(\"echo b\"); printf(\"c\\n\"); freopen(\"%s\"); printf(\"d\\n\");"
           " freopen(\"\"); printf(\"e\\n\"); } BEGIN { printf(\"f\\n\"); exit(0); }",
           other);
  add(dtp, program);
  REQUIRE_OK(dtp, dtrace_go(dtp) == 0);
  fflush(stdout);
  CHECK(dup2(fd, STDOUT_FILENO) == STDOUT_FILENO);
  CHECK(dtrace_work(dtp, file, NULL, show_all, NULL) == DTRACE_WORKSTATUS_DONE);
  CHECK(dup2(saved, STDOUT_FILENO) == STDOUT_FILENO);
  close(saved);
  fclose(file);
  contents_of(path, text, sizeof text);
  CHECK(strcmp(text, "a\nb\nc\ne\nf\n") == 0 || (fprintf(stderr, "%s\n", text), 0));
  contents_of(other, text, sizeof text);
  CHECK(strcmp(text, "d\n") == 0);
  unlink(path);
  unlink(other);
  dtrace_close(dtp);

  dtp = open_handle();
  add(dtp, "BEGIN { system(\"true\"); }");
  CHECK(dtrace_go(dtp) == -1);
  CHECK(dtrace_errno(dtp) == DTRACE_E_DESTRUCTIVE);
  dtrace_close(dtp);
}

static void speculations_are_rows_once_committed(void) {
  char text[256] = "";
  int rows = 0;
  dtrace_hdl_t *dtp = open_handle();
  CHECK(dtrace_handle_buffered(dtp, keep_text, text) == 0);
  add(dtp,
      "BEGIN { self->s = speculation(); speculate(self->s); printf(\"kept\"); }"
      "BEGIN { commit(self->s); } BEGIN { printf(\"after\"); exit(0); }");
  REQUIRE_OK(dtp, dtrace_go(dtp) == 0);
  CHECK(dtrace_work(dtp, NULL, NULL, show_all, &rows) == DTRACE_WORKSTATUS_DONE);
  CHECK(strcmp(text, "kept|after|") == 0 || (fprintf(stderr, "%s\n", text), 0));
  dtrace_close(dtp);
}

static void a_full_buffer_ends_policy_fill(void) {
  int rows = 0, status, turns = 0;
  dtrace_hdl_t *dtp = open_handle();
  CHECK(dtrace_setopt(dtp, "bufpolicy", "fill") == 0);
  CHECK(dtrace_setopt(dtp, "bufsize", "16k") == 0);
  add(dtp, OURS "{ trace(probefunc); }");
  REQUIRE_OK(dtp, dtrace_go(dtp) == 0);
  CHECK(dtrace_status(dtp) == DTRACE_STATUS_OKAY);
  fire(3000);
  while ((status = dtrace_status(dtp)) == DTRACE_STATUS_OKAY && ++turns < 100) dtrace_sleep(dtp);
  CHECK(status == DTRACE_STATUS_FILLED);
  CHECK(dtrace_status(dtp) == DTRACE_STATUS_STOPPED);
  CHECK(dtrace_work(dtp, NULL, refuse_and_count, NULL, &rows) == DTRACE_WORKSTATUS_DONE);
  CHECK(rows > 100 && rows < 3000);
  dtrace_close(dtp);

  dtp = start(OURS "{ exit(0); }");
  fire(1);
  turns = 0;
  while ((status = dtrace_status(dtp)) == DTRACE_STATUS_OKAY && ++turns < 100) dtrace_sleep(dtp);
  CHECK(status == DTRACE_STATUS_EXITED);
  dtrace_close(dtp);
}

struct flow {
  char text[64];
};
static int see_flow(const dtrace_probedata_t *data, void *arg) {
  char *to = ((struct flow *)arg)->text;
  snprintf(to + strlen(to), 16, "%d%s%d ", data->dtpda_indent, data->dtpda_prefix, (int)data->dtpda_flow);
  return DTRACE_CONSUME_NEXT;
}

static void flowindent_says_how_to_indent(void) {
  struct flow flow = {""};
  dtrace_hdl_t *dtp = open_handle();
  CHECK(dtrace_setopt(dtp, "flowindent", NULL) == 0);
  add(dtp, "syscall::getpriority: /pid == $pid/ { trace(1); }");
  REQUIRE_OK(dtp, dtrace_go(dtp) == 0);
  fire(1);
  CHECK(dtrace_work(dtp, NULL, see_flow, NULL, &flow) == DTRACE_WORKSTATUS_OKAY);
  CHECK(strcmp(flow.text, "0 => 0 0 <= 1 ") == 0 || (fprintf(stderr, "%s\n", flow.text), 0));
  dtrace_close(dtp);
}

/* ---------------------------------------------------------------- what goes wrong */

static void mistakes_have_a_number_and_a_story(void) {
  int error = 0;
  dtrace_hdl_t *dtp;
  dtrace_prog_t *program;
  dtrace_optval_t value = 0;
  CHECK(dtrace_open(DTRACE_VERSION + 1, 0, &error) == NULL);
  CHECK(error == DTRACE_E_VERSION);
  CHECK(strcmp(dtrace_errmsg(NULL, ENOENT), "No such file or directory") == 0);
  dtp = open_handle();
  program =
      dtrace_program_strcompile(dtp, "BEGIN { trace(strlen(1, 2)); }", DTRACE_PROBESPEC_NAME, DTRACE_C_ETAGS, 0, NULL);
  CHECK(program == NULL);
  CHECK(dtrace_errno(dtp) == DTRACE_E_COMPILER);
  CHECK(strncmp(dtrace_errmsg(dtp, dtrace_errno(dtp)), "[D_PROTO_LEN] ", 14) == 0);
  program = dtrace_program_strcompile(dtp, "nosuch:::probe { }", DTRACE_PROBESPEC_NAME, 0, 0, NULL);
  CHECK(program == NULL);
  CHECK(dtrace_errmsg(dtp, DTRACE_E_COMPILER)[0] != '[');
  /* That it may match nothing is said for one program. */
  program = dtrace_program_strcompile(dtp, "nosuch:::probe { }", DTRACE_PROBESPEC_NAME, DTRACE_C_ZDEFS, 0, NULL);
  CHECK(program != NULL);
  CHECK(dtrace_program_strcompile(dtp, "nosuch:::probe { }", DTRACE_PROBESPEC_NAME, 0, 0, NULL) == NULL);
  CHECK(dtrace_go(dtp) == -1);
  CHECK(dtrace_errno(dtp) == DTRACE_E_NO_PROGRAM);
  CHECK(dtrace_setopt(dtp, "bufsiz", "4m") == -1);
  CHECK(dtrace_errno(dtp) == DTRACE_E_OPTION_NAME);
  CHECK(dtrace_setopt(dtp, "bufsize", "much") == -1);
  CHECK(dtrace_errno(dtp) == DTRACE_E_OPTION_VALUE);
  CHECK(dtrace_getopt(dtp, "nosuch", &value) == -1);
  CHECK(dtrace_errno(dtp) == DTRACE_E_OPTION_NAME);
  CHECK(dtrace_work(dtp, NULL, NULL, NULL, NULL) == DTRACE_WORKSTATUS_ERROR);
  CHECK(dtrace_errno(dtp) == DTRACE_E_INACTIVE);
  CHECK(dtrace_stop(dtp) == -1);
  dtrace_close(dtp);
  dtrace_close(NULL);
}

static int see_fault(const dtrace_errdata_t *data, void *arg) {
  char *to = (char *)arg;
  CHECK(data->dteda_fault == DTRACEFLT_DIVZERO);
  CHECK(data->dteda_edesc->dtepd_epid != DTRACE_EPIDNONE);
  CHECK(strcmp(data->dteda_pdesc->dtpd_name, "BEGIN") == 0);
  snprintf(to, 256, "%s", data->dteda_msg);
  return DTRACE_HANDLE_OK;
}

static void faults_go_to_their_handler(void) {
  char text[256] = "";
  dtrace_hdl_t *dtp = open_handle();
  CHECK(dtrace_handle_err(dtp, see_fault, text) == 0);
  add(dtp, "BEGIN { x = 0; trace(1 / x); } BEGIN { exit(0); }");
  REQUIRE_OK(dtp, dtrace_go(dtp) == 0);
  CHECK(dtrace_work(dtp, NULL, NULL, NULL, NULL) == DTRACE_WORKSTATUS_DONE);
  CHECK(strstr(text, "divide-by-zero") != NULL && text[strlen(text) - 1] == '\n');
  dtrace_close(dtp);

  dtp = start("BEGIN { x = 0; trace(1 / x); } BEGIN { exit(0); }");
  CHECK(dtrace_work(dtp, NULL, NULL, NULL, NULL) == DTRACE_WORKSTATUS_ERROR);
  CHECK(dtrace_errno(dtp) == DTRACE_E_FAULT);
  CHECK(strstr(dtrace_errmsg(dtp, DTRACE_E_FAULT), "divide-by-zero") != NULL);
  CHECK(dtrace_work(dtp, NULL, NULL, NULL, NULL) == DTRACE_WORKSTATUS_DONE);
  dtrace_close(dtp);
}

struct drops {
  uint64_t count, total;
  char text[128];
};
static int see_drops(const dtrace_dropdata_t *data, void *arg) {
  struct drops *drops = (struct drops *)arg;
  CHECK(data->dtdda_kind == DTRACEDROP_PRINCIPAL);
  drops->count += data->dtdda_drops;
  drops->total = data->dtdda_total;
  snprintf(drops->text, sizeof drops->text, "%s", data->dtdda_msg);
  return DTRACE_HANDLE_OK;
}
static int count_rows(const dtrace_probedata_t *data, void *arg) {
  (void)data;
  ++*(int *)arg;
  return DTRACE_CONSUME_NEXT;
}

static void every_row_arrives_or_is_a_drop(void) {
  enum { kFired = 3000 };
  struct drops drops = {0, 0, ""};
  int rows = 0;
  dtrace_hdl_t *dtp = open_handle();
  CHECK(dtrace_handle_drop(dtp, see_drops, &drops) == 0);
  CHECK(dtrace_setopt(dtp, "bufsize", "16k") == 0);
  add(dtp, OURS "{ trace(probefunc); trace(execname); }");
  REQUIRE_OK(dtp, dtrace_go(dtp) == 0);
  fire(kFired);
  CHECK(dtrace_work(dtp, NULL, count_rows, NULL, &rows) == DTRACE_WORKSTATUS_OKAY);
  CHECK(dtrace_stop(dtp) == 0);
  CHECK(dtrace_work(dtp, NULL, count_rows, NULL, &rows) == DTRACE_WORKSTATUS_DONE);
  CHECK(drops.count > 0);
  CHECK(drops.count == drops.total);
  CHECK((uint64_t)rows + drops.count == kFired);
  CHECK(strstr(drops.text, " drops on CPU ") != NULL && drops.text[strlen(drops.text) - 1] == '\n');
  dtrace_close(dtp);

  dtp = open_handle();
  CHECK(dtrace_setopt(dtp, "bufsize", "16k") == 0);
  add(dtp, OURS "{ trace(probefunc); trace(execname); }");
  REQUIRE_OK(dtp, dtrace_go(dtp) == 0);
  fire(kFired);
  CHECK(dtrace_stop(dtp) == 0);
  while (dtrace_work(dtp, NULL, count_rows, NULL, &rows) != DTRACE_WORKSTATUS_ERROR) continue;
  CHECK(dtrace_errno(dtp) == DTRACE_E_DROP);
  dtrace_close(dtp);
}

static void see_message(dtrace_hdl_t *dtp, const char *text, void *arg) {
  (void)dtp;
  snprintf((char *)arg, 256, "%s", text);
}

static void messages_go_to_their_handler(void) {
  char text[256] = "";
  char *const command[] = {(char *)"true", NULL};
  dtrace_hdl_t *dtp = open_handle();
  struct ps_prochandle *process;
  pid_t pid;
  CHECK(dtrace_handle_message(dtp, see_message, text) == 0);
  process = dtrace_proc_create(dtp, "true", command);
  REQUIRE_OK(dtp, process != NULL);
  pid = dtrace_proc_getpid(dtp, process);
  CHECK(pid > 0);
  add(dtp, "proc:::exit /pid == $target/ { trace(1); }");
  REQUIRE_OK(dtp, dtrace_go(dtp) == 0);
  dtrace_proc_continue(dtp, process);
  while (dtrace_work(dtp, NULL, NULL, NULL, NULL) == DTRACE_WORKSTATUS_OKAY) dtrace_sleep(dtp);
  CHECK(strstr(text, "exited with status 0") != NULL || strstr(text, "has exited") != NULL);
  dtrace_close(dtp);
}

/* ---------------------------------------------------------------- options */

static void options_are_numbers(void) {
  dtrace_optval_t value = 0;
  dtrace_hdl_t *dtp = open_handle();
  CHECK(dtrace_getopt(dtp, "quiet", &value) == 0 && value == DTRACEOPT_UNSET);
  CHECK(dtrace_setopt(dtp, "quiet", NULL) == 0);
  CHECK(dtrace_getopt(dtp, "quiet", &value) == 0 && value == 1);
  CHECK(dtrace_getopt(dtp, "bufsize", &value) == 0 && value == 4 << 20);
  CHECK(dtrace_setopt(dtp, "bufsize", "64k") == 0);
  CHECK(dtrace_getopt(dtp, "bufsize", &value) == 0 && value == 64 << 10);
  CHECK(dtrace_getopt(dtp, "aggrate", &value) == 0 && value == 1000000000);
  CHECK(dtrace_getopt(dtp, "cpu", &value) == 0 && value == DTRACEOPT_UNSET);
  CHECK(dtrace_getopt(dtp, "bufpolicy", &value) == 0 && value == DTRACEOPT_BUFPOLICY_SWITCH);
  CHECK(dtrace_setopt(dtp, "bufpolicy", "fill") == 0);
  CHECK(dtrace_getopt(dtp, "bufpolicy", &value) == 0 && value == DTRACEOPT_BUFPOLICY_FILL);
  CHECK(dtrace_setopt(dtp, "bufpolicy", "switch") == 0);
  CHECK(dtrace_getopt(dtp, "libdir", &value) == -1);
  /* A program's pragma counts, as it does in scripts. */
  {
    FILE *file = tmpfile();
    dtrace_prog_t *program;
    fputs("#pragma D option aggsize=2m\nBEGIN { exit($1); }\n", file);
    rewind(file);
    {
      char *const words[] = {(char *)"script.d", (char *)"5", NULL};
      program = dtrace_program_fcompile(dtp, file, 0, 2, words);
    }
    fclose(file);
    REQUIRE_OK(dtp, program != NULL);
    CHECK(dtrace_getopt(dtp, "aggsize", &value) == 0 && value == 2 << 20);
    REQUIRE_OK(dtp, dtrace_program_exec(dtp, program, NULL) == 0);
    CHECK(dtrace_program_exec(dtp, program, NULL) == -1);
    CHECK(dtrace_errno(dtp) == EALREADY);
  }
  REQUIRE_OK(dtp, dtrace_go(dtp) == 0);
  CHECK(dtrace_setopt(dtp, "bufsize", "1m") == -1);
  CHECK(dtrace_errno(dtp) == DTRACE_E_ACTIVE);
  CHECK(dtrace_setopt(dtp, "stackindent", "3") == 0);
  CHECK(dtrace_getopt(dtp, "stackindent", &value) == 0 && value == 3);
  dtrace_close(dtp);
}

static void programs_are_described(void) {
  dtrace_proginfo_t info;
  dtrace_hdl_t *dtp = open_handle();
  dtrace_prog_t *program = dtrace_program_strcompile(
      dtp, "BEGIN, END { @ = count(); trace(1); } syscall::read:entry { @s[pid] = sum(arg2); @b = max(1); }",
      DTRACE_PROBESPEC_NAME, 0, 0, NULL);
  REQUIRE_OK(dtp, program != NULL);
  memset(&info, 0xff, sizeof info);
  dtrace_program_info(dtp, program, &info);
  CHECK(info.dpi_matches == 3);
  CHECK(info.dpi_aggregates == 4);
  CHECK(info.dpi_recgens == 2);
  CHECK(info.dpi_speculations == 0);
  CHECK(info.dpi_descattr.dtat_name <= DTRACE_STABILITY_MAX && info.dpi_stmtattr.dtat_class <= DTRACE_CLASS_MAX);
  dtrace_close(dtp);
}

/* What was compiled and not executed does not take part. */
static void only_executed_programs_run(void) {
  char text[256] = "";
  dtrace_hdl_t *dtp = open_handle();
  CHECK(dtrace_handle_buffered(dtp, keep_text, text) == 0);
  REQUIRE_OK(dtp, dtrace_program_strcompile(dtp, "BEGIN { trace(\"no\"); @a = count(); }", DTRACE_PROBESPEC_NAME, 0, 0,
                                            NULL) != NULL);
  add(dtp, "BEGIN { trace(\"yes\"); exit(0); }");
  REQUIRE_OK(dtp, dtrace_go(dtp) == 0);
  CHECK(dtrace_work(dtp, NULL, NULL, show_all, NULL) == DTRACE_WORKSTATUS_DONE);
  CHECK(strcmp(text, "yes|") == 0);
  dtrace_close(dtp);
}

/* ---------------------------------------------------------------- processes, symbols, probes */

static void created_processes_wait(void) {
  char text[256] = "";
  char *const command[] = {(char *)"sh", (char *)"-c", (char *)"exit 3 # it's so", NULL};
  dtrace_hdl_t *dtp = open_handle();
  struct ps_prochandle *process = dtrace_proc_create(dtp, "/bin/sh", command);
  REQUIRE_OK(dtp, process != NULL);
  CHECK(dtrace_handle_buffered(dtp, keep_text, text) == 0);
  add(dtp, "syscall::exit_group:entry /pid == $target/ { trace(arg0); }");
  REQUIRE_OK(dtp, dtrace_go(dtp) == 0);
  usleep(100000);
  CHECK(dtrace_work(dtp, NULL, NULL, show_all, NULL) == DTRACE_WORKSTATUS_OKAY);
  CHECK(strcmp(text, "") == 0);
  dtrace_proc_continue(dtp, process);
  while (dtrace_work(dtp, NULL, NULL, show_all, NULL) == DTRACE_WORKSTATUS_OKAY) dtrace_sleep(dtp);
  CHECK(strcmp(text, "3|") == 0 || (fprintf(stderr, "%s\n", text), 0));
  dtrace_close(dtp);
}

static void released_processes_are_forgotten(void) {
  pid_t child = fork();
  dtrace_hdl_t *dtp;
  struct ps_prochandle *process;
  if (child == 0) {
    pause();
    _exit(0);
  }
  dtp = open_handle();
  process = dtrace_proc_grab(dtp, child, 0);
  REQUIRE_OK(dtp, process != NULL);
  CHECK(dtrace_proc_getpid(dtp, process) == child);
  add(dtp, OURS "{ trace(1); }");
  REQUIRE_OK(dtp, dtrace_go(dtp) == 0);
  dtrace_proc_release(dtp, process);
  kill(child, SIGKILL);
  CHECK(waitpid(child, NULL, 0) == child);
  CHECK(dtrace_work(dtp, NULL, NULL, NULL, NULL) == DTRACE_WORKSTATUS_OKAY); /* tracing does not end with it */
  dtrace_close(dtp);
  dtp = open_handle();
  CHECK(dtrace_proc_grab_pid(dtp, child, 0) == NULL);
  CHECK(dtrace_errno(dtp) == DTRACE_E_PROCESS);
  dtrace_close(dtp);
}

static void addresses_have_symbols(void) {
  char line[256];
  unsigned long address = 0;
  GElf_Sym symbol;
  dtrace_syminfo_t info;
  FILE *file = fopen("/proc/kallsyms", "r");
  dtrace_hdl_t *dtp = open_handle();
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (strstr(line, " T vfs_read\n") != NULL) address = strtoul(line, NULL, 16);
  if (file != NULL) fclose(file);
  if (address != 0) {
    CHECK(dtrace_lookup_by_addr(dtp, address + 1, &symbol, &info) == 0);
    CHECK(symbol.st_value == address);
    CHECK(strcmp(info.dts_object, "vmlinux") == 0);
    CHECK(strcmp(info.dts_name, "vfs_read") == 0);
  }
  CHECK(dtrace_lookup_by_addr(dtp, 1, &symbol, &info) == -1);
  CHECK(dtrace_errno(dtp) == DTRACE_E_NO_SYMBOL);
  dtrace_close(dtp);
}

static int see_probe(dtrace_hdl_t *dtp, const dtrace_probedesc_t *probe, void *arg) {
  dtrace_probedesc_t same;
  ++*(int *)arg;
  CHECK(strcmp(probe->dtpd_provider, "syscall") == 0);
  CHECK(strcmp(probe->dtpd_func, "getpriority") == 0);
  CHECK(dtrace_id2desc(dtp, probe->dtpd_id, &same) == 0);
  CHECK(memcmp(&same, probe, sizeof same) == 0);
  return 0;
}
static int see_one_probe(dtrace_hdl_t *dtp, const dtrace_probedesc_t *probe, void *arg) {
  (void)dtp, (void)probe;
  ++*(int *)arg;
  return 42;
}

static void probes_are_listed(void) {
  int count = 0;
  dtrace_probedesc_t pattern;
  dtrace_hdl_t *dtp = open_handle();
  memset(&pattern, 0, sizeof pattern);
  strcpy(pattern.dtpd_provider, "syscall");
  strcpy(pattern.dtpd_func, "getpriorit?");
  CHECK(dtrace_probe_iter(dtp, &pattern, see_probe, &count) == 0);
  CHECK(count == 2);
  count = 0;
  CHECK(dtrace_probe_iter(dtp, &pattern, see_one_probe, &count) == 42);
  CHECK(count == 1);
  CHECK(dtrace_id2desc(dtp, 999999999, &pattern) == -1);
  CHECK(dtrace_errno(dtp) == DTRACE_E_NO_PROBE);
  dtrace_close(dtp);
}

static int name_all(void *arg, GElf_Addr address, GElf_Sym *symbol, dtrace_syminfo_t *info) {
  (void)arg, (void)address, (void)symbol;
  info->dts_name = "mine";
  return 0;
}
static int no_ioctl(void *arg, int command, void *data) {
  (void)arg, (void)command, (void)data;
  return 0;
}
static void look_ups_may_be_replaced(void) {
  int error = 0;
  dtrace_syminfo_t info;
  dtrace_vector_t vector = {NULL, name_all, NULL, NULL};
  dtrace_hdl_t *dtp = dtrace_vopen(DTRACE_VERSION, DTRACE_O_NODEV, &error, &vector, NULL);
  CHECK(dtp != NULL);
  CHECK(dtrace_lookup_by_addr(dtp, 1, NULL, &info) == 0 && strcmp(info.dts_name, "mine") == 0);
  dtrace_close(dtp);
  vector.dtv_ioctl = no_ioctl;
  CHECK(dtrace_vopen(DTRACE_VERSION, 0, &error, &vector, NULL) == NULL && error == ENOTSUP);
}

int main(void) {
  skip_if_forbidden();
  TEST(one_call_for_each_action);
  TEST(text_goes_to_a_file);
  TEST(nobody_takes_text);
  TEST(records_are_as_described);
  TEST(callers_may_refuse);
  TEST(functions_of_the_caller_may_stop);
  TEST(commands_run_where_they_stand);
  TEST(speculations_are_rows_once_committed);
  TEST(a_full_buffer_ends_policy_fill);
  TEST(flowindent_says_how_to_indent);
  TEST(mistakes_have_a_number_and_a_story);
  TEST(faults_go_to_their_handler);
  TEST(every_row_arrives_or_is_a_drop);
  TEST(messages_go_to_their_handler);
  TEST(options_are_numbers);
  TEST(programs_are_described);
  TEST(only_executed_programs_run);
  TEST(created_processes_wait);
  TEST(released_processes_are_forgotten);
  TEST(addresses_have_symbols);
  TEST(probes_are_listed);
  TEST(look_ups_may_be_replaced);
  return failures != 0;
}
