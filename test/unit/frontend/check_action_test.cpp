// SPDX-License-Identifier: Apache-2.0
// Actions and formats.
#include <catch2/catch.hpp>

#include "test/unit/frontend/check_fixture.h"

using namespace dtrace;
using namespace dtrace::test;

namespace {
struct Row {
  const char *text;
  const char *expected;
};
}  // namespace

TEST_CASE("action: trees", "[check]") {
  CHECK(
      body_in(
          "exit(3LL); ftruncate(); raise(9); system(\"ls %d\", pid); freopen(\"\"); freopen(\"/tmp/%s\", execname);") ==
      "action exit\n  int 3 : int\n"
      "action ftruncate\n"
      "action raise\n  int 9 : int\n"
      "action system format 1\n  builtin pid : pid_t\n"
      "action freopen format 0\n"
      "action freopen format 1\n  builtin execname : string(16)\n");
  CHECK(body_in("print(*curthread); print(curthread); print(pid); print(execname);") ==
        "action print size 64 object struct task_struct\n"
        "  deref : struct task_struct\n"
        "    builtin curthread : struct task_struct *\n"
        "action print size 64 pointed object struct task_struct\n"
        "  builtin curthread : struct task_struct *\n"
        "action print size 4 object pid_t\n"
        "  builtin pid : pid_t\n"
        "action print size 16 object string(16)\n"
        "  builtin execname : string(16)\n");
  CHECK(body_in("tracemem(curthread, 32); tracemem(arg0, 16, pid);") ==
        "action tracemem size 32\n  builtin curthread : struct task_struct *\n"
        "action tracemem size 16\n  builtin arg0 : int64_t\n  builtin pid : pid_t\n");
  CHECK(body_in("setopt(\"quiet\"); setopt(\"bufsize\", execname);") ==
        "action setopt\n  string \"quiet\" : string(6)\n"
        "action setopt\n  string \"bufsize\" : string(8)\n  builtin execname : string(16)\n");
  CHECK(
      body_in("@a[pid] = count(); trunc(@a, 5); trunc(@a); clear(@a); normalize(@a, 10); denormalize(@a); printa(@a); "
              "printa(\"%d %@d\\n\", @a);")
          .ends_with("action trunc @a\n  int 5 : long\n"
                     "action trunc @a\n"
                     "action clear @a\n"
                     "action normalize @a\n  int 10 : long\n"
                     "action denormalize @a\n"
                     "action printa @a\n"
                     "action printa @a format 2\n"));
  CHECK(body_in("trace(curthread->comm);") ==
        "action trace\n"
        "  member at 8 : char [16]\n"
        "    deref : struct task_struct\n"
        "      builtin curthread : struct task_struct *\n");
}

TEST_CASE("action: destructive programs say so", "[check]") {
  Check c;
  REQUIRE(c.program("BEGIN { system(\"ls\"); }"));
  CHECK(c.unit.programs.back().destructive);
  REQUIRE(c.program("BEGIN { copyoutstr(\"a\", arg0, 1); }"));
  CHECK(c.unit.programs.back().destructive);
  REQUIRE(c.program("BEGIN { if (pid) { stop(); } }"));
  CHECK(c.unit.programs.back().destructive);
  REQUIRE(c.program("BEGIN { trace(1); }"));
  CHECK_FALSE(c.unit.programs.back().destructive);
}

TEST_CASE("action: errors", "[check]") {
  const Row rows[] = {
      {"trace();", "D_PROTO_LEN"},
      {"trace(1, 2);", "D_PROTO_LEN"},
      {"trace(trace(1));", "D_TRACE_VOID"},
      {"trace((void)1);", "D_TRACE_VOID"},
      {"@a = count(); trace(@a);", "D_TRACE_DYN"},
      {"trace(*(struct nosuch *)0);", "D_OP_INCOMPLETE"},
      {"print(trace(1));", "D_PRINT_VOID"},
      {"@a = count(); print(@a);", "D_PRINT_AGG"},
      {"print((void *)0);", "D_PRINT_SIZE"},
      {"print((struct nosuch *)0);", "D_PRINT_SIZE"},
      {"tracemem(execname, 1);", "D_TRACEMEM_ADDR"},
      {"tracemem(arg0, 0);", "D_TRACEMEM_SIZE"},
      {"tracemem(arg0, pid);", "D_TRACEMEM_SIZE"},
      {"tracemem(arg0, -1);", "D_TRACEMEM_SIZE"},
      {"tracemem(*curthread, 1);", "D_TRACEMEM_ADDR"},
      {"tracemem(arg0, 1, execname);", "D_TRACEMEM_DYNSIZE"},
      {"tracemem(arg0);", "D_PROTO_LEN"},
      {"tracemem(arg0, 1, 2, 3);", "D_PROTO_LEN"},
      {"printf();", "D_PROTO_LEN"},
      {"printf(execname);", "D_PRINTF_ARG_FMT"},
      {"printf(\"\");", "D_PRINTF_FMT_EMPTY"},
      {"printf(\"%d\");", "D_PRINTF_ARG_PROTO"},
      {"printf(\"%d\", 1, 2);", "D_PRINTF_ARG_EXTRA"},
      {"printf(\"%d\", execname);", "D_PRINTF_ARG_TYPE"},
      {"printf(\"%s\", 1);", "D_PRINTF_ARG_TYPE"},
      {"printf(\"%s\", curthread->path);", "D_PRINTF_ARG_TYPE"},
      {"printf(\"%d\", curthread);", "D_PRINTF_ARG_TYPE"},
      {"printf(\"%hd\", 1);", "D_PRINTF_ARG_TYPE"},
      {"printf(\"%hhd\", 1);", "D_PRINTF_ARG_TYPE"},
      {"printf(\"%hhu\", (char)1);", "D_PRINTF_ARG_TYPE"},
      {"printf(\"%ld\", 1);", "D_PRINTF_ARG_TYPE"},
      {"printf(\"%lld\", timestamp);", "D_PRINTF_ARG_TYPE"},
      {"printf(\"%c\", 1LL);", "D_PRINTF_ARG_TYPE"},
      {"printf(\"%Y\", 1);", "D_PRINTF_ARG_TYPE"},
      {"printf(\"%f\", execname);", "D_PRINTF_ARG_TYPE"},
      {"printf(\"%k\", 1);", "D_PRINTF_ARG_TYPE"},
      {"@a = count(); printf(\"%d\", @a);", "D_PRINTF_ARG_TYPE"},
      {"printf(\"%*d\");", "D_PRINTF_DYN_PROTO"},
      {"printf(\"%*d\", execname, 1);", "D_PRINTF_DYN_TYPE"},
      {"printf(\"%@d\", 1);", "D_PRINTF_AGG_CONV"},
      {"printf(\"%z\", 1);", "D_SYNTAX"},
      {"printf(\"%1$d\", 1);", "D_SYNTAX"},
      {"printf(\"%\");", "D_SYNTAX"},
      {"printa();", "D_PROTO_LEN"},
      {"printa(\"x\");", "D_PRINTA_PROTO"},
      {"printa(1);", "D_PRINTA_AGGARG"},
      {"@a[1] = count(); printa(@a[1]);", "D_PRINTA_AGGARG"},
      {"printa(@nosuch);", "D_IDENT_UNDEF"},
      {"@a[1] = count(); @b = count(); printa(@a, @b);", "D_PRINTA_AGGKEY"},
      {"@a[1] = count(); @b[\"x\"] = count(); printa(@a, @b);", "D_PRINTA_AGGPROTO"},
      {"@a[1] = count(); printa(\"%d %d\", @a);", "D_PRINTF_ARG_PROTO"},
      {"@a[1] = count(); printa(\"%s\", @a);", "D_PRINTF_ARG_TYPE"},
      {"@a[1] = count(); printa(\"%@s\", @a);", "D_PRINTF_ARG_TYPE"},
      {"@a = count(); printa(\"\", @a);", "D_PRINTF_FMT_EMPTY"},
      {"clear();", "D_PROTO_LEN"},
      {"clear(1);", "D_CLEAR_AGGARG"},
      {"trunc(execname);", "D_TRUNC_AGGARG"},
      {"trunc();", "D_PROTO_LEN"},
      {"@a = count(); trunc(@a, execname);", "D_PROTO_ARG"},
      {"normalize(1, 2);", "D_NORMALIZE_AGGARG"},
      {"denormalize(1);", "D_NORMALIZE_AGGARG"},
      {"@a = count(); normalize(@a);", "D_PROTO_LEN"},
      {"@a = count(); normalize(@a, execname);", "D_PROTO_ARG"},
      {"@a = count(); normalize(@a, 0);", "D_NORMALIZE_ZERO"},
      {"freopen(\".\");", "D_FREOPEN_INVALID"},
      {"exit();", "D_PROTO_LEN"},
      {"exit(execname);", "D_PROTO_ARG"},
      {"setopt(1);", "D_PROTO_ARG"},
      {"speculate(execname);", "D_PROTO_ARG"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.text);
    CHECK(tag_in(row.text) == row.expected);
  }
}

TEST_CASE("action: what formats accept", "[check]") {
  const char *texts[] = {
      "printf(\"%d %i %u %x %X %o\", 1, 2, 3u, 4LL, (char)5, (short)6);",
      "printf(\"%ld %lu %lx %lld %llu %llx\", 1L, timestamp, 1L, 1LL, timestamp, timestamp);",
      "printf(\"%hd %hu %hx\", (short)1, (unsigned short)1, (short)1);",
      "printf(\"%hhd %hhi %hho %hhu %hhx %hhX\", (char)1, 'a' == 'a' ? (char)2 : (char)1, (unsigned char)8, (unsigned "
      "char)1, (char)1, (unsigned char)1);",
      "printf(\"%c %C\", 'a', (char)65);",
      "printf(\"%s %S %s\", execname, \"x\", curthread->comm);",
      "printf(\"%p %p %a %A\", curthread, 1, arg0, arg1);",
      "printf(\"%k\", stack());",
      "printf(\"%Y %T\", walltimestamp, walltimestamp);",
      "printf(\"%*.*d %%\", 3, 4, 5);",
      "printf(\"no conversion\");",
      "printf(\"%P %I\", (uint16_t)80, \"127.0.0.1\");",
      "@a[pid, execname, stack(), sym(arg0), usym(arg0)] = count(); printa(\"%d %s %k %a %A %@u\", @a);",
      "@a = quantize(1); @b = avg(2); printa(\"%@d %@d %@x\", @a, @b);",
      "@a[1, 2] = sum(1); printa(\"%@d\", @a);",
  };
  for (const char *text : texts) {
    CAPTURE(text);
    CHECK(message_in(text) == "");
  }
}

TEST_CASE("action: char arrays become text for %s", "[check]") {
  CHECK(body_in("printf(\"%s\", curthread->comm);")
            .starts_with("action printf format 1\n  convert to-string : string(17)\n"));
}

TEST_CASE("action: words of errors", "[check]") {
  CHECK(message_in("printf(\"%d\", execname);") ==
        "printf( ) argument #2 is incompatible with conversion #1 prototype:\n"
        "\tconversion: %d\n\t prototype: any integer\n\t  argument: string");
  CHECK(message_in("printf(\"%d\", 1, 2);") ==
        "printf( ) prototype mismatch: only 1 argument required by this format string");
  CHECK(message_in("clear(1);") ==
        "clear( ) argument #1 is incompatible with prototype:\n\tprototype: aggregation\n\t argument: int");
}
