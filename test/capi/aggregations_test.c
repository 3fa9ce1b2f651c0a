/* SPDX-License-Identifier: Apache-2.0 */
/* Aggregations: what walks see, in which order, and what they may change. */
#include "client.h"

#define MAX_ENTRIES 32

struct entry {
  dtrace_aggvarid_t variable;
  char name[16];
  int keys;
  char text[64];
  int64_t number; /* the last integer key */
  int action;
  uint64_t normal;
  uint64_t words[DTRACE_QUANTIZE_NBUCKETS + 1];
  uint32_t size;
  uint64_t arg;
};
struct entries {
  int count;
  int answer;
  struct entry list[MAX_ENTRIES];
};
static struct entries seen;

static int see(const dtrace_aggdata_t *data, void *arg) {
  const dtrace_aggdesc_t *desc = data->dtada_desc;
  const dtrace_recdesc_t *records = desc->dtagd_rec;
  const dtrace_recdesc_t *value = &records[desc->dtagd_nrecs - 1];
  struct entry *entry = &seen.list[seen.count < MAX_ENTRIES ? seen.count : MAX_ENTRIES - 1];
  int64_t id = 0;
  int i;
  (void)arg;
  memset(entry, 0, sizeof *entry);
  ++seen.count;
  entry->variable = desc->dtagd_varid;
  snprintf(entry->name, sizeof entry->name, "%s", desc->dtagd_name);
  memcpy(&id, data->dtada_data + records[0].dtrd_offset, records[0].dtrd_size);
  CHECK(id == desc->dtagd_varid);
  CHECK(records[0].dtrd_offset + records[0].dtrd_size == 16);
  entry->keys = desc->dtagd_nrecs - 2;
  for (i = 1; i < desc->dtagd_nrecs - 1; ++i) {
    const char *at = data->dtada_data + records[i].dtrd_offset;
    CHECK(records[i].dtrd_offset % records[i].dtrd_alignment == 0);
    if (records[i].dtrd_action == DTRACEACT_USTACK || records[i].dtrd_action == DTRACEACT_USYM) {
      uint64_t pid = 0;
      memcpy(&pid, at, sizeof pid);
      entry->number = (int64_t)pid;
    } else if (records[i].dtrd_size == 4) {
      int32_t number;
      memcpy(&number, at, sizeof number);
      entry->number = number;
    } else if (records[i].dtrd_size == 8) {
      memcpy(&entry->number, at, sizeof entry->number);
    } else {
      snprintf(entry->text, sizeof entry->text, "%s", at);
    }
  }
  entry->action = value->dtrd_action;
  entry->normal = data->dtada_normal;
  entry->size = value->dtrd_size;
  entry->arg = value->dtrd_arg;
  CHECK(DTRACEACT_ISAGG(value->dtrd_action));
  CHECK(value->dtrd_size <= sizeof entry->words);
  CHECK(value->dtrd_offset + value->dtrd_size <= data->dtada_size);
  memcpy(entry->words, data->dtada_data + value->dtrd_offset, value->dtrd_size);
  return seen.answer;
}

static void look(dtrace_hdl_t *dtp, dtrace_aggregate_walk_f *walk, int answer) {
  memset(&seen, 0, sizeof seen);
  seen.answer = answer;
  CHECK(walk(dtp, see, NULL) == 0);
}

static void values_have_the_known_layouts(void) {
  static const int functions[] = {DTRACEAGG_COUNT,    DTRACEAGG_SUM,       DTRACEAGG_MIN,
                                  DTRACEAGG_MAX,      DTRACEAGG_AVG,       DTRACEAGG_STDDEV,
                                  DTRACEAGG_QUANTIZE, DTRACEAGG_LQUANTIZE, DTRACEAGG_LLQUANTIZE};
  static const uint32_t sizes[] = {8, 8, 8, 8, 16, 32, 127 * 8, 8 * (1 + 10 + 2), 8 * (1 + 2 * 18 + 3)};
  int i;
  dtrace_hdl_t *dtp = start(
      "BEGIN { @c = count(); @c = count(); @s = sum(-7); @s = sum(3); @min = min(-9); @min = min(4); @max = max(-9);"
      "  @max = max(4); @avg = avg(3); @avg = avg(4); @dev = stddev(3); @dev = stddev(-4); @q = quantize(0);"
      "  @q = quantize(5); @q = quantize(-1); @l = lquantize(25, 0, 100, 10); @l = lquantize(-1, 0, 100, 10);"
      "  @l = lquantize(100, 0, 100, 10); @ll = llquantize(15, 10, 0, 1, 10); @ll = llquantize(0, 10, 0, 1, 10); }");
  CHECK(dtrace_aggregate_snap(dtp) == 0);
  look(dtp, dtrace_aggregate_walk_keysorted, DTRACE_AGGWALK_NEXT);
  CHECK(seen.count == 9);
  for (i = 0; i < 9 && i < seen.count; ++i) {
    CHECK(seen.list[i].variable == i + 1); /* in the order of the program */
    CHECK(seen.list[i].action == functions[i]);
    CHECK(seen.list[i].size == sizes[i] || (fprintf(stderr, "%d: %u\n", i, seen.list[i].size), 0));
    CHECK(seen.list[i].keys == 0);
    CHECK(seen.list[i].normal == 1);
  }
  CHECK(strcmp(seen.list[0].name, "c") == 0);
  CHECK(seen.list[0].words[0] == 2);
  CHECK((int64_t)seen.list[1].words[0] == -4);
  CHECK((int64_t)seen.list[2].words[0] == -9);
  CHECK(seen.list[3].words[0] == 4);
  CHECK(seen.list[4].words[0] == 2 && seen.list[4].words[1] == 7);
  CHECK(seen.list[5].words[0] == 2 && (int64_t)seen.list[5].words[1] == -1 && seen.list[5].words[2] == 25 &&
        seen.list[5].words[3] == 0);
  CHECK(seen.list[6].words[DTRACE_QUANTIZE_ZEROBUCKET] == 1);
  CHECK(seen.list[6].words[DTRACE_QUANTIZE_ZEROBUCKET - 1] == 1);
  CHECK(seen.list[6].words[DTRACE_QUANTIZE_ZEROBUCKET + 3] == 1);
  CHECK(DTRACE_QUANTIZE_BUCKETVAL(DTRACE_QUANTIZE_ZEROBUCKET + 3) == 4);
  CHECK(DTRACE_QUANTIZE_BUCKETVAL(DTRACE_QUANTIZE_ZEROBUCKET - 1) == -1);
  CHECK(seen.list[7].words[0] == seen.list[7].arg);
  CHECK(DTRACE_LQUANTIZE_STEP(seen.list[7].arg) == 10);
  CHECK(DTRACE_LQUANTIZE_LEVELS(seen.list[7].arg) == 10);
  CHECK(DTRACE_LQUANTIZE_BASE(seen.list[7].arg) == 0);
  CHECK(seen.list[7].words[1] == 1);          /* below the base */
  CHECK(seen.list[7].words[1 + 3] == 1);      /* 20..29 */
  CHECK(seen.list[7].words[1 + 10 + 1] == 1); /* 100 and above */
  CHECK(seen.list[8].words[0] == seen.list[8].arg);
  CHECK(DTRACE_LLQUANTIZE_FACTOR(seen.list[8].arg) == 10);
  CHECK(DTRACE_LLQUANTIZE_LOW(seen.list[8].arg) == 0);
  CHECK(DTRACE_LLQUANTIZE_HIGH(seen.list[8].arg) == 1);
  CHECK(DTRACE_LLQUANTIZE_NSTEP(seen.list[8].arg) == 10);
  CHECK(seen.list[8].words[1 + 18 + 1] == 1);      /* 0 */
  CHECK(seen.list[8].words[1 + 18 + 1 + 10] == 1); /* 10..19 */
  dtrace_close(dtp);
}

static void keys_come_before_the_value(void) {
  dtrace_hdl_t *dtp = start(OURS "{ @[execname, pid, \"literal\", (char)1] = count(); @u[ustack(3)] = count(); }");
  fire(3);
  CHECK(dtrace_aggregate_snap(dtp) == 0);
  look(dtp, dtrace_aggregate_walk_keysorted, DTRACE_AGGWALK_NEXT);
  CHECK(seen.count == 2);
  CHECK(seen.list[0].keys == 4);
  CHECK(strcmp(seen.list[0].name, "_") == 0);
  CHECK(strcmp(seen.list[0].text, "literal") == 0 || seen.list[0].text[0] == 1);
  CHECK(seen.list[0].number == getpid());
  CHECK(seen.list[0].words[0] == 3);
  CHECK(seen.list[1].keys == 1);
  CHECK(seen.list[1].number == getpid());
  CHECK(seen.list[1].words[0] == 3);
  dtrace_close(dtp);
}

/* Where clients have written the offsets into their code. */
static int see_offsets(const dtrace_aggdata_t *data, void *arg) {
  int value;
  memcpy(&value, data->dtada_data + 272, sizeof value);
  snprintf((char *)arg, 64, "%s %d", data->dtada_data + 16, value);
  return DTRACE_AGGWALK_NEXT;
}
static void a_text_key_is_256_bytes_wide(void) {
  char text[64] = "";
  dtrace_hdl_t *dtp = start(OURS "{ @[probefunc] = count(); }");
  fire(5);
  CHECK(dtrace_stop(dtp) == 0); /* which takes the last snapshot */
  CHECK(dtrace_aggregate_walk_valsorted(dtp, see_offsets, text) == 0);
  CHECK(strcmp(text, "getpriority 5") == 0);
  dtrace_close(dtp);
}

static const char *order(void) {
  static char text[256];
  int i;
  text[0] = '\0';
  for (i = 0; i < seen.count; ++i)
    snprintf(text + strlen(text), 32, "%s%d=%d ", seen.list[i].name, (int)seen.list[i].number,
             (int)seen.list[i].words[0]);
  return text;
}
#define CHECK_ORDER(wanted) CHECK(strcmp(order(), wanted) == 0 || (fprintf(stderr, "%s\n", order()), 0))

static void walks_are_sorted(void) {
  dtrace_hdl_t *dtp =
      start("BEGIN { @a[3] = sum(10); @a[1] = sum(30); @a[2] = sum(20); @b[2] = sum(5); @b[1] = sum(50); }");
  CHECK(dtrace_aggregate_snap(dtp) == 0);
  look(dtp, dtrace_aggregate_walk_keysorted, DTRACE_AGGWALK_NEXT);
  CHECK_ORDER("a1=30 a2=20 a3=10 b1=50 b2=5 ");
  look(dtp, dtrace_aggregate_walk_valsorted, DTRACE_AGGWALK_NEXT);
  CHECK_ORDER("a3=10 a2=20 a1=30 b2=5 b1=50 ");
  look(dtp, dtrace_aggregate_walk_keyvarsorted, DTRACE_AGGWALK_NEXT);
  CHECK_ORDER("a1=30 b1=50 a2=20 b2=5 a3=10 ");
  look(dtp, dtrace_aggregate_walk_valrevsorted, DTRACE_AGGWALK_NEXT);
  CHECK_ORDER("b1=50 b2=5 a1=30 a2=20 a3=10 ");
  look(dtp, dtrace_aggregate_walk, DTRACE_AGGWALK_NEXT);
  CHECK(seen.count == 5);
  dtrace_close(dtp);
}

static int remove_even(const dtrace_aggdata_t *data, void *arg) {
  int32_t key;
  (void)arg;
  memcpy(&key, data->dtada_data + data->dtada_desc->dtagd_rec[1].dtrd_offset, sizeof key);
  return key % 2 == 0 ? DTRACE_AGGWALK_REMOVE : key == 1 ? DTRACE_AGGWALK_CLEAR : DTRACE_AGGWALK_NEXT;
}
static int normalize(const dtrace_aggdata_t *data, void *arg) {
  (void)arg;
  ((dtrace_aggdata_t *)(uintptr_t)data)->dtada_normal = 10;
  return DTRACE_AGGWALK_NORMALIZE;
}
static int walk_again(const dtrace_aggdata_t *data, void *arg) {
  (void)arg;
  CHECK(dtrace_aggregate_walk(data->dtada_handle, see, NULL) == -1);
  CHECK(dtrace_errno(data->dtada_handle) == DTRACE_E_BUSY);
  CHECK(dtrace_aggregate_snap(data->dtada_handle) == -1);
  return DTRACE_AGGWALK_ABORT;
}

static void walks_may_change_what_they_see(void) {
  dtrace_hdl_t *dtp = start("BEGIN { @[1] = sum(10); @[2] = sum(20); @[3] = sum(30); @[4] = sum(40); }");
  CHECK(dtrace_aggregate_snap(dtp) == 0);
  CHECK(dtrace_aggregate_walk(dtp, remove_even, NULL) == 0);
  look(dtp, dtrace_aggregate_walk_keysorted, DTRACE_AGGWALK_NEXT);
  CHECK_ORDER("_1=0 _3=30 ");
  CHECK(dtrace_aggregate_walk(dtp, normalize, NULL) == 0);
  look(dtp, dtrace_aggregate_walk_keysorted, DTRACE_AGGWALK_DENORMALIZE);
  CHECK(seen.list[0].normal == 10 && seen.list[1].normal == 10);
  look(dtp, dtrace_aggregate_walk_keysorted, DTRACE_AGGWALK_NEXT);
  CHECK(seen.list[0].normal == 1);
  CHECK(dtrace_aggregate_walk(dtp, walk_again, NULL) == -1);
  CHECK(dtrace_errno(dtp) == DTRACE_E_ABORT);
  dtrace_aggregate_clear(dtp);
  look(dtp, dtrace_aggregate_walk_keysorted, DTRACE_AGGWALK_REMOVE);
  CHECK_ORDER("_1=0 _3=0 ");
  look(dtp, dtrace_aggregate_walk, DTRACE_AGGWALK_NEXT);
  CHECK(seen.count == 0);
  dtrace_close(dtp);
}

/* What was removed comes again when it happens again. */
static void what_goes_on_is_counted_on(void) {
  dtrace_hdl_t *dtp = start(OURS "{ @[probefunc] = count(); }");
  int round;
  for (round = 1; round <= 3; ++round) {
    fire(round);
    CHECK(dtrace_aggregate_snap(dtp) == 0);
    look(dtp, dtrace_aggregate_walk_valsorted, DTRACE_AGGWALK_REMOVE);
    CHECK(seen.count == 1);
    CHECK(seen.list[0].words[0] == (uint64_t)round);
  }
  dtrace_close(dtp);
}

/* dtrace_work() takes snapshots at option aggrate. */
static void work_takes_snapshots(void) {
  dtrace_hdl_t *dtp = open_handle();
  int turns = 0;
  CHECK(dtrace_setopt(dtp, "aggrate", "50ms") == 0);
  add(dtp, OURS "{ @[pid] = count(); }");
  REQUIRE_OK(dtp, dtrace_go(dtp) == 0);
  fire(4);
  do {
    dtrace_sleep(dtp);
    CHECK(dtrace_work(dtp, NULL, NULL, NULL, NULL) == DTRACE_WORKSTATUS_OKAY);
    look(dtp, dtrace_aggregate_walk, DTRACE_AGGWALK_NEXT);
  } while (seen.count == 0 && ++turns < 100);
  CHECK(seen.count == 1 && seen.list[0].words[0] == 4);
  dtrace_close(dtp);
}

static int see_cpus(const dtrace_aggdata_t *data, void *arg) {
  const long cpus = sysconf(_SC_NPROCESSORS_CONF);
  uint64_t value, sum = 0, words[2];
  long cpu;
  const dtrace_recdesc_t *last = &data->dtada_desc->dtagd_rec[0] + data->dtada_desc->dtagd_nrecs - 1;
  (void)arg;
  CHECK(data->dtada_percpu != NULL);
  memcpy(&value, data->dtada_data + last->dtrd_offset, sizeof value);
  for (cpu = 0; data->dtada_percpu != NULL && cpu < cpus; ++cpu) {
    memcpy(words, data->dtada_percpu[cpu], sizeof words[0]);
    sum += words[0];
  }
  CHECK(value == 6 && sum == 6);
  return DTRACE_AGGWALK_NEXT;
}
static void values_by_cpu(void) {
  dtrace_hdl_t *dtp = open_handle();
  CHECK(dtrace_setopt(dtp, "aggpercpu", NULL) == 0);
  add(dtp, OURS "{ @[pid] = count(); }");
  REQUIRE_OK(dtp, dtrace_go(dtp) == 0);
  fire(6);
  CHECK(dtrace_aggregate_snap(dtp) == 0);
  CHECK(dtrace_aggregate_walk(dtp, see_cpus, NULL) == 0);
  dtrace_close(dtp);
}

/* ---------------------------------------------------------------- as text */

static void aggregations_are_printed(void) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  dtrace_hdl_t *dtp =
      start("BEGIN { @a[1] = count(); @b[2] = sum(7); @b[1] = sum(9); printa(\"%d %@d\\n\", @a); exit(0); }");
  CHECK(dtrace_work(dtp, file, NULL, show_all, NULL) == DTRACE_WORKSTATUS_DONE);
  CHECK(dtrace_aggregate_print(dtp, file, NULL) == 0);
  CHECK(strcmp(text, "1 1\n        2                7\n        1                9\n") == 0 ||
        (fprintf(stderr, "%s\n", text), 0));
  CHECK(dtrace_aggregate_print(dtp, file, dtrace_aggregate_walk_keysorted) == 0);
  CHECK(strcmp(text + strlen("1 1\n") + 54, "        1                9\n        2                7\n") == 0 ||
        (fprintf(stderr, "%s\n", text), 0));
  fclose(file);
  free(text);
  dtrace_close(dtp);
}

struct parts {
  char text[256];
};
static int keep_parts(const dtrace_bufdata_t *data, void *arg) {
  char *to = ((struct parts *)arg)->text;
  uint64_t value = 0;
  if (data->dtbda_aggdata != NULL) {
    const dtrace_aggdesc_t *desc = data->dtbda_aggdata->dtada_desc;
    memcpy(&value, data->dtbda_aggdata->dtada_data + (&desc->dtagd_rec[0] + desc->dtagd_nrecs - 1)->dtrd_offset,
           sizeof value);
  }
  CHECK(data->dtbda_recdesc != NULL && data->dtbda_recdesc->dtrd_action == DTRACEACT_PRINTA);
  snprintf(to + strlen(to), 64, "%u:%d ", data->dtbda_flags, (int)value);
  return DTRACE_HANDLE_OK;
}
static void printa_comes_in_parts(void) {
  struct parts parts = {""};
  dtrace_hdl_t *dtp = open_handle();
  CHECK(dtrace_handle_buffered(dtp, keep_parts, &parts) == 0);
  add(dtp, "BEGIN { @a[1, 2] = sum(7); @a[3, 4] = sum(8); printa(@a); printa(\"%d %d %@d\\n\", @a); exit(0); }");
  REQUIRE_OK(dtp, dtrace_go(dtp) == 0);
  CHECK(dtrace_work(dtp, NULL, NULL, show_all, NULL) == DTRACE_WORKSTATUS_DONE);
  CHECK(strcmp(parts.text, "0:0 1:7 1:7 10:7 0:0 1:8 1:8 10:8 0:0 12:7 12:8 ") == 0 ||
        (fprintf(stderr, "%s\n", parts.text), 0));
  dtrace_close(dtp);
}

int main(void) {
  skip_if_forbidden();
  TEST(values_have_the_known_layouts);
  TEST(keys_come_before_the_value);
  TEST(a_text_key_is_256_bytes_wide);
  TEST(walks_are_sorted);
  TEST(walks_may_change_what_they_see);
  TEST(what_goes_on_is_counted_on);
  TEST(work_takes_snapshots);
  TEST(values_by_cpu);
  TEST(aggregations_are_printed);
  TEST(printa_comes_in_parts);
  return failures != 0;
}
