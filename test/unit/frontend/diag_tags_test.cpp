// SPDX-License-Identifier: Apache-2.0
// Every tag of diag.def can be produced: by the program in the table below, or by a golden script err.TAG.*.d where it
// takes the command and the machine. A tag whose feature is still to come stands in kAwaited with the reason; a tag
// that nothing can raise has no business in diag.def.
#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "test/unit/frontend/check_fixture.h"
#include "test/unit/frontend/parser_fixture.h"

using namespace dtrace;
using namespace dtrace::test;
namespace fs = std::filesystem;

namespace {

struct Row {
  Tag tag;
  std::string program;
};

/// `BEGIN { TEXT }`.
std::string in_clause(std::string_view text) { return fmt::format("BEGIN {{ {} }}", text); }

std::string probe_with_arguments(unsigned count) {
  std::string text = "provider shop { probe x(int";
  for (unsigned i = 1; i < count; ++i) text += ", int";
  return text + "); };";
}

std::string many_variables(unsigned count) {
  std::string text = "int v0";
  for (unsigned i = 1; i < count; ++i) text += fmt::format(", v{}", i);
  return text + ";";
}

constexpr const char *kInfo =
    "typedef struct { int i_pid; int i_none; string i_name; } info_t;\n"
    "translator info_t < struct task_struct *T > { i_pid = T->pid; };\n";
std::string with_info(std::string_view text) { return std::string(kInfo) + std::string(text); }

/// Errors of a clause's statements and of declarations, found by the checker.
const std::vector<Row> kChecked = {
    {Tag::D_UNKNOWN, "struct s { int a; int a; };"},
    {Tag::D_TYPE_ERR, "struct a`b`c *x;"},
    {Tag::D_TYPE_MEMBER, in_clause("trace(curthread->nosuch);")},
    {Tag::D_ASRELO, "extern int nosuch; BEGIN { trace(`nosuch); }"},
    {Tag::D_CG_EXPR, in_clause("x = trace(1);")},
    {Tag::D_CG_DYN, with_info("BEGIN { x = xlate <info_t *> (curthread); }")},
    {Tag::D_ATTR_MIN, "#pragma D option amin=Evolving/Evolving/Common\ndtrace:::BEGIN { trace(curthread); }"},
    {Tag::D_ID_OFLOW, many_variables(65535 - 1280 + 1)},
    {Tag::D_PDESC_ZERO, "a:b:c:d { }"},
    {Tag::D_PDESC_INVAL, "99 { }"},
    {Tag::D_PRED_SCALAR, "BEGIN /execname/ { }"},
    {Tag::D_FUNC_IDENT, in_clause("trace((pid + 1)(1));")},
    {Tag::D_FUNC_UNDEF, in_clause("nosuch();")},
    {Tag::D_FUNC_IDKIND, in_clause("trace(pid(1));")},
    {Tag::D_OFFSETOF_TYPE, in_clause("trace(offsetof(int, x));")},
    {Tag::D_OFFSETOF_BITFIELD, in_clause("trace(offsetof(struct request, low));")},
    {Tag::D_SIZEOF_TYPE, in_clause("trace(sizeof(void));")},
    {Tag::D_SIZEOF_BITFIELD, in_clause("trace(sizeof(((struct request *)0)->low));")},
    {Tag::D_STRINGOF_TYPE, in_clause("trace(stringof(*curthread));")},
    {Tag::D_OP_INT, in_clause("trace(~curthread);")},
    {Tag::D_OP_SCALAR, in_clause("trace(!execname);")},
    {Tag::D_OP_ARITH, in_clause("trace(-execname);")},
    {Tag::D_OP_WRITE, in_clause("pid = 2;")},
    {Tag::D_OP_LVAL, in_clause("1 = 2;")},
    {Tag::D_OP_INCOMPAT, in_clause("x = 1; x = \"a\";")},
    {Tag::D_OP_VFPTR, in_clause("x = (void *)arg0; x += 1;")},
    {Tag::D_OP_ARRFUN, in_clause("x = curthread->comm;")},
    {Tag::D_OP_PTR, in_clause("trace(pid->x);")},
    {Tag::D_OP_SOU, in_clause("trace(pid.x);")},
    {Tag::D_OP_INCOMPLETE, in_clause("trace(((struct nosuch *)0)->x);")},
    {Tag::D_OP_DYN, in_clause("@a = count(); x = @a;")},
    {Tag::D_OP_ACT, in_clause("x = pid ? trace(1) : 2;")},
    {Tag::D_DIV_ZERO, in_clause("trace(1 / 0);")},
    {Tag::D_DEREF_NONPTR, in_clause("trace(*pid);")},
    {Tag::D_DEREF_VOID, in_clause("trace(*(void *)0);")},
    {Tag::D_DEREF_FUNC, in_clause("trace(*&`vfs_read);")},
    {Tag::D_ADDROF_LVAL, in_clause("trace(&1);")},
    {Tag::D_ADDROF_VAR, in_clause("x = 1; trace(&x);")},
    {Tag::D_ADDROF_BITFIELD, in_clause("trace(&((struct request *)0)->low);")},
    {Tag::D_CAST_INVAL, in_clause("trace((int)execname);")},

    {Tag::D_AGG_REDEF, in_clause("@a = count(); @a = sum(1);")},
    {Tag::D_AGG_FUNC, in_clause("@a = 1;")},
    {Tag::D_AGG_MDIM, in_clause("@a[1][2] = count();")},
    {Tag::D_AGG_NULL, in_clause("@a = count(); @a;")},
    {Tag::D_AGG_SCALAR, in_clause("@a = sum(execname);")},
    {Tag::D_AGG_COMM, in_clause("commit(1); @a = count();")},
    {Tag::D_AGG_SPEC, in_clause("speculate(1); @a = count();")},
    {Tag::D_COMM_COMM, "#pragma D option strict\n" + in_clause("commit(1); commit(1);")},
    {Tag::D_COMM_DREC, in_clause("trace(1); commit(1);")},
    {Tag::D_SPEC_SPEC, in_clause("speculate(1); speculate(1);")},
    {Tag::D_SPEC_COMM, in_clause("commit(1); speculate(1);")},
    {Tag::D_SPEC_DREC, in_clause("trace(1); speculate(1);")},
    {Tag::D_ACT_SPEC, in_clause("speculate(1); raise(9);")},
    {Tag::D_EXIT_SPEC, in_clause("speculate(1); exit(0);")},
    {Tag::D_DREC_COMM, in_clause("commit(1); trace(1);")},

    {Tag::D_ARR_BADREF, in_clause("trace(`table[1, 2]);")},
    {Tag::D_ARR_LOCAL, in_clause("this->x[1] = 2;")},
    {Tag::D_ARR_BOUNDS, in_clause("trace(`table[4]);")},
    {Tag::D_KEY_TYPE, in_clause("@a[trace(1)] = count();")},
    {Tag::D_IDENT_BADREF, in_clause("x[1] = 2; trace(x);")},
    {Tag::D_IDENT_UNDEF, in_clause("trace(nosuch);")},
    {Tag::D_IDENT_AMBIG, "int STATE_BUSY; BEGIN { trace((enum state)pid == STATE_BUSY); }"},
    {Tag::D_SYM_BADREF, in_clause("trace(vmlinux``jiffies);")},
    {Tag::D_SYM_NOTYPES, in_clause("trace(`untyped);")},
    {Tag::D_VAR_UNDEF, in_clause("trace(self->nosuch);")},
    {Tag::D_PROTO_LEN, in_clause("trace();")},
    {Tag::D_PROTO_ARG, in_clause("trace(strlen(1));")},
    {Tag::D_ALLOCA_SIZE, in_clause("trace(alloca(257));")},
    {Tag::D_ARGS_MULTI, "syscall::: { trace(args[0]); }"},
    {Tag::D_ARGS_XLATOR, "typedef struct { int b; } bufinfo_t; io:::start { trace(args[0]); }"},
    {Tag::D_ARGS_NONE, "inline int x = args[0]; BEGIN { }"},
    {Tag::D_ARGS_TYPE, "sdt:::untyped { trace(args[0]); }"},
    {Tag::D_ARGS_IDX, "syscall::read:entry { trace(args[3]); }"},
    {Tag::D_ARGS_PLACE, "sdt:::lost { trace(arg1); }"},
    {Tag::D_ARGS_NAME, "syscall::read:entry { trace(args.nosuch); }"},
    {Tag::D_LOCALS_NONE, in_clause("trace(locals->n);")},
    {Tag::D_LOCALS_NAME, "sdt:::lost { trace(locals->nosuch); }"},
    {Tag::D_LOCALS_PLACE, "sdt:::lost { trace(locals->gone); }"},
    {Tag::D_LOCALS_MULTI, "sdt::: { trace(locals->differs); }"},
    {Tag::D_REGS_IDX, in_clause("trace(uregs[-1]);")},

    {Tag::D_XLATE_REDECL, with_info("translator info_t < struct task_struct *T > { };")},
    {Tag::D_XLATE_NOCONV, with_info("BEGIN { trace(xlate <info_t *> (curthread)->i_none); }")},
    {Tag::D_XLATE_NONE, with_info("BEGIN { trace(xlate <info_t> (pid).i_pid); }")},
    {Tag::D_XLATE_SOU, "translator int < struct task_struct *T > { a = 1; };"},
    {Tag::D_XLATE_INCOMPAT, with_info("translator info_t < int T > { i_name = T; };")},
    {Tag::D_XLATE_MEMB, with_info("translator info_t < int T > { nosuch = 1; };")},

    {Tag::D_PRAGMA_UNUSED, "#pragma D attributes Stable/Stable/Common nosuch\nint x;"},
    {Tag::D_PRAGMA_SCOPE, "#pragma D attributes Stable/Stable/Common pid\nint x;"},
    {Tag::D_PRAGMA_DEPEND, "#pragma D depends_on module nomodule\nint x;"},
    {Tag::D_PRAGMA_OPTSET, "#pragma D option nosuch\nint x;"},

    {Tag::D_TRACE_VOID, in_clause("trace((void)1);")},
    {Tag::D_TRACE_DYN, in_clause("@a = count(); trace(@a);")},
    {Tag::D_PRINT_VOID, in_clause("print((void)1);")},
    {Tag::D_PRINT_DYN, with_info("BEGIN { print(xlate <info_t *> (curthread)); }")},
    {Tag::D_PRINT_AGG, in_clause("@a = count(); print(@a);")},
    {Tag::D_PRINT_SIZE, in_clause("print((void *)0);")},
    {Tag::D_TRACEMEM_ADDR, in_clause("tracemem(*curthread, 1);")},
    {Tag::D_TRACEMEM_SIZE, in_clause("tracemem(arg0, pid);")},
    {Tag::D_TRACEMEM_DYNSIZE, in_clause("tracemem(arg0, 1, execname);")},
    {Tag::D_STACK_SIZE, in_clause("stack(0);")},
    {Tag::D_USTACK_FRAMES, in_clause("ustack(0);")},
    {Tag::D_USTACK_STRSIZE, in_clause("ustack(5, -1);")},
    {Tag::D_FREOPEN_INVALID, in_clause("freopen(\".\");")},
    {Tag::D_PRINTF_DYN_PROTO, in_clause("printf(\"%*d\");")},
    {Tag::D_PRINTF_DYN_TYPE, in_clause("printf(\"%*d\", execname, 1);")},
    {Tag::D_PRINTF_AGG_CONV, in_clause("printf(\"%@d\", 1);")},
    {Tag::D_PRINTF_ARG_PROTO, in_clause("printf(\"%d\");")},
    {Tag::D_PRINTF_ARG_TYPE, in_clause("printf(\"%d\", execname);")},
    {Tag::D_PRINTF_ARG_EXTRA, in_clause("printf(\"%d\", 1, 2);")},
    {Tag::D_PRINTF_ARG_FMT, in_clause("printf(execname);")},
    {Tag::D_PRINTF_FMT_EMPTY, in_clause("printf(\"\");")},
    {Tag::D_PRINTA_PROTO, in_clause("printa(\"x\");")},
    {Tag::D_PRINTA_AGGARG, in_clause("printa(1);")},
    {Tag::D_PRINTA_ORDER, in_clause("@a = count(); printa(@a, \"sorted\");")},
    {Tag::D_PRINTA_AGGKEY, in_clause("@a[1] = count(); @b = count(); printa(@a, @b);")},
    {Tag::D_PRINTA_AGGPROTO, in_clause("@a[1] = count(); @b[\"x\"] = count(); printa(@a, @b);")},
    {Tag::D_CLEAR_AGGARG, in_clause("clear(1);")},
    {Tag::D_TRUNC_AGGARG, in_clause("trunc(execname);")},
    {Tag::D_NORMALIZE_AGGARG, in_clause("normalize(1, 2);")},
    {Tag::D_NORMALIZE_ZERO, in_clause("@a = count(); normalize(@a, 0);")},

    {Tag::D_LQUANT_BASETYPE, in_clause("@a = lquantize(1, pid, 10);")},
    {Tag::D_LQUANT_BASEVAL, in_clause("@a = lquantize(1, 4294967296, 10);")},
    {Tag::D_LQUANT_LIMTYPE, in_clause("@a = lquantize(1, 0, execname);")},
    {Tag::D_LQUANT_LIMVAL, in_clause("@a = lquantize(1, 0, 4294967296);")},
    {Tag::D_LQUANT_MISMATCH, in_clause("@a = lquantize(1, 10, 0);")},
    {Tag::D_LQUANT_STEPTYPE, in_clause("@a = lquantize(1, 0, 10, 0);")},
    {Tag::D_LQUANT_STEPVAL, in_clause("@a = lquantize(1, 0, 10, 65536);")},
    {Tag::D_LQUANT_STEPLARGE, in_clause("@a = lquantize(1, 0, 10, 11);")},
    {Tag::D_LQUANT_STEPSMALL, in_clause("@a = lquantize(1, 0, 65536);")},
    {Tag::D_LQUANT_MATCHBASE, in_clause("@a = lquantize(1, 0, 10); @a = lquantize(1, 1, 10);")},
    {Tag::D_LQUANT_MATCHLIM, in_clause("@a = lquantize(1, 0, 10); @a = lquantize(1, 0, 11);")},
    {Tag::D_LQUANT_MATCHSTEP, in_clause("@a = lquantize(1, 0, 10); @a = lquantize(1, 0, 10, 2);")},
    {Tag::D_LLQUANT_FACTORTYPE, in_clause("@a = llquantize(1, pid, 0, 6, 20);")},
    {Tag::D_LLQUANT_FACTORVAL, in_clause("@a = llquantize(1, 1, 0, 6, 20);")},
    {Tag::D_LLQUANT_LMAGTYPE, in_clause("@a = llquantize(1, 10, pid, 6, 20);")},
    {Tag::D_LLQUANT_LMAGVAL, in_clause("@a = llquantize(1, 10, -1, 6, 20);")},
    {Tag::D_LLQUANT_HMAGTYPE, in_clause("@a = llquantize(1, 10, 0, execname, 20);")},
    {Tag::D_LLQUANT_HMAGVAL, in_clause("@a = llquantize(1, 10, 6, 5, 20);")},
    {Tag::D_LLQUANT_STEPTYPE, in_clause("@a = llquantize(1, 10, 0, 6, pid);")},
    {Tag::D_LLQUANT_STEPVAL, in_clause("@a = llquantize(1, 10, 0, 6, 15);")},
    {Tag::D_LLQUANT_MATCHFACTOR, in_clause("@a = llquantize(1, 10, 0, 6, 20); @a = llquantize(1, 5, 0, 6, 5);")},
    {Tag::D_LLQUANT_MATCHLMAG, in_clause("@a = llquantize(1, 10, 0, 6, 20); @a = llquantize(1, 10, 1, 6, 20);")},
    {Tag::D_LLQUANT_MATCHHMAG, in_clause("@a = llquantize(1, 10, 0, 6, 20); @a = llquantize(1, 10, 0, 5, 20);")},
    {Tag::D_LLQUANT_MATCHSTEPS, in_clause("@a = llquantize(1, 10, 0, 6, 20); @a = llquantize(1, 10, 0, 6, 10);")},

    {Tag::D_DECL_CHARATTR, "long char x;"},
    {Tag::D_DECL_VOIDATTR, "unsigned void *x;"},
    {Tag::D_DECL_SIGNINT, "signed float x;"},
    {Tag::D_DECL_LONGINT, "long string x;"},
    {Tag::D_DECL_IDENT, "int x y;"},
    {Tag::D_DECL_CLASS, "self this int x;"},
    {Tag::D_DECL_BADCLASS, "auto int x;"},
    {Tag::D_DECL_PARMCLASS, "int x[static int];"},
    {Tag::D_DECL_COMBO, "int char x;"},
    {Tag::D_DECL_ARRSUB, "int x[-1];"},
    {Tag::D_DECL_ARRNULL, "int x[];"},
    {Tag::D_DECL_ARRBIG, "int x[4294967296];"},
    {Tag::D_DECL_IDRED, "int x; string x;"},
    {Tag::D_DECL_TYPERED, "struct s { int a; }; struct s { int b; };"},
    {Tag::D_DECL_MNAME, "struct s { int; };"},
    {Tag::D_DECL_SCOPE, "int a`b;"},
    {Tag::D_DECL_BFCONST, "struct s { int x : pid; };"},
    {Tag::D_DECL_BFSIZE, "struct s { int x : 33; };"},
    {Tag::D_DECL_BFTYPE, "struct s { float x : 3; };"},
    {Tag::D_DECL_ENCONST, "enum e { A = pid };"},
    {Tag::D_DECL_ENOFLOW, "enum e { A = 2147483648 };"},
    {Tag::D_DECL_USELESS, "int;"},
    {Tag::D_DECL_LOCASSC, "this int x[int];"},
    {Tag::D_DECL_VOIDOBJ, "void x;"},
    {Tag::D_DECL_DYNOBJ, "struct s { int a[int]; };"},
    {Tag::D_DECL_INCOMPLETE, "struct nosuch x;"},
    {Tag::D_DECL_PROTO_VARARGS, "int x[int, ...];"},
    {Tag::D_DECL_PROTO_TYPE, "int x[void];"},
    {Tag::D_DECL_PROTO_VOID, "int f(int, void);"},
    {Tag::D_DECL_PROTO_NAME, "int f(void x);"},
    {Tag::D_DECL_PROTO_FORM, "int f(int a, int a);"},

    {Tag::D_PCAP_ADDR, in_clause("pcap(\"x\", 1);")},
    {Tag::D_PCAP_PROTO, in_clause("pcap(curthread, \"x\");")},
    {Tag::D_NOT_ON_LINUX, in_clause("breakpoint();")},
    {Tag::D_PROV_BADNAME, "provider shop1 { probe x(); };"},
    {Tag::D_PROV_INCOMPAT, "provider shop { probe x(int); }; provider shop { probe x(long); };"},
    {Tag::D_PROV_PRDUP, "provider shop { probe x(); probe x(); };"},
    {Tag::D_PROV_PRARGLEN, probe_with_arguments(256)},
    {Tag::D_PROV_PRXLATOR, "struct s { int a; }; provider shop { probe x(int a) : (struct s *a); };"},
};

/// What the lexer, the parser and the macro variables refuse. The program has one operand, 99999999999999999999.
const std::vector<Row> kParsed = {
    {Tag::D_SYNTAX, in_clause("x = ;")},
    {Tag::D_EMPTY, "/* nothing */"},
    {Tag::D_INT_OFLOW, in_clause("x = 18446744073709551616;")},
    {Tag::D_INT_DIGIT, in_clause("x = 08;")},
    {Tag::D_STR_NL, in_clause("x = \"abc\n;")},
    {Tag::D_CHR_NL, in_clause("x = 'a\n;")},
    {Tag::D_CHR_NULL, in_clause("x = '';")},
    {Tag::D_CHR_OFLOW, in_clause("x = '123456789';")},
    {Tag::D_MACRO_UNDEF, in_clause("x = $2;")},
    {Tag::D_MACRO_OFLOW, in_clause("x = $1;")},
    {Tag::D_MACRO_UNUSED, in_clause("x = 1;")},
    {Tag::D_PRAGERR, "#error no more\n"},
    {Tag::D_PRAGCTL_INVAL, "#include <x.h>\n"},
    {Tag::D_PRAGMA_INVAL, "#pragma D nosuch\n"},
    {Tag::D_PRAGMA_MALFORM, "#pragma D option\n"},
};

struct Awaited {
  Tag tag;
  const char *reason;
};
/// Tags of features that are being built; they leave this list with the first err.TAG.* script.
const std::vector<Awaited> kAwaited = {
    {Tag::D_PROC_DYN, "pid provider"},
    {Tag::D_PROC_NODEV, "pid provider, on kernels without uprobes"},
    {Tag::D_PROC_BADPROV, "pid provider"},
    {Tag::D_PROC_USDT, "USDT probes"},
    {Tag::D_KERN_LACKS, "programs that need what an older kernel lacks"},
    {Tag::D_PCAP_SIZE, "pcap()"},
};

constexpr std::array kAll = {
#define DIAG(name) Tag::name,
#include "frontend/text/diag.def"
};

/// TAG of every test/golden/<topic>/err.TAG.* and test/phase/<phase>/err.TAG.*.
std::set<std::string> tags_of_scripts() {
  std::set<std::string> tags;
  const fs::path tests = fs::path(__FILE__).parent_path() / "../..";
  for (const char *tier : {"golden", "phase"}) {
    for (const auto &entry : fs::recursive_directory_iterator(tests / tier)) {
      const std::string name = entry.path().filename();
      if (name.starts_with("err.")) tags.insert(name.substr(4, name.find('.', 4) - 4));
    }
  }
  return tags;
}

}  // namespace

TEST_CASE("tags: what the checker finds", "[diag]") {
  for (const Row &row : kChecked) {
    CAPTURE(row.program.substr(0, 200));
    CHECK(tag_of(row.program) == tag_name(row.tag));
  }
}

TEST_CASE("tags: what the parser finds", "[diag]") {
  for (const Row &row : kParsed) {
    CAPTURE(row.program);
    Parse p;
    p.arguments({"99999999999999999999"}).run(row.program);
    const std::string error = p.error();
    CHECK(error.substr(0, error.find(' ')) == tag_name(row.tag));
  }
}

TEST_CASE("tags: each can be produced", "[diag]") {
  std::set<Tag> produced;
  for (const Row &row : kChecked) CHECK(produced.insert(row.tag).second);
  for (const Row &row : kParsed) CHECK(produced.insert(row.tag).second);
  const std::set<std::string> scripts = tags_of_scripts();
  REQUIRE_FALSE(scripts.empty());
  std::set<Tag> awaited;
  for (const Awaited &row : kAwaited) {
    CAPTURE(tag_name(row.tag), row.reason);
    CHECK(awaited.insert(row.tag).second);
    CHECK_FALSE(produced.contains(row.tag));
  }
  for (const Tag tag : kAll) {
    CAPTURE(tag_name(tag));
    CHECK((produced.contains(tag) || scripts.contains(std::string(tag_name(tag))) || awaited.contains(tag)));
  }
}
