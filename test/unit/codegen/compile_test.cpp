// SPDX-License-Identifier: Apache-2.0
// What clauses are compiled to: the instructions that depend on types, and what the object holds.
#include <algorithm>
#include <catch2/catch.hpp>

#include "test/unit/codegen/compile_fixture.h"

using namespace dtrace;
using namespace dtrace::codegen;
using namespace dtrace::test;

namespace {

/// How many more times `wanted` stands in the IR of `statement` than in that of a plain copy.
int more_of(std::string_view wanted, std::string_view type, std::string_view statement) {
  const std::string declarations = fmt::format("{} a; {} b; int64_t x; ", type, type);
  const Compiled with(fmt::format("{} BEGIN {{ {} }}", declarations, statement));
  const Compiled without(fmt::format("{} BEGIN {{ x = 1; }}", declarations));
  CAPTURE(statement, type, with.error, without.error);
  REQUIRE(with.error.empty());
  REQUIRE(without.error.empty());
  return static_cast<int>(with.count(wanted)) - static_cast<int>(without.count(wanted));
}

struct Row {
  const char *type, *statement, *wanted, *unwanted;
};

}  // namespace

TEST_CASE("codegen: comparisons, shifts and divisions go by the sign of their type", "[codegen]") {
  const Row rows[] = {
      {"uint64_t", "x = a < b;", "icmp ult", "icmp slt"},  {"int64_t", "x = a < b;", "icmp slt", "icmp ult"},
      {"uint64_t", "x = a > b;", "icmp ugt", "icmp sgt"},  {"int64_t", "x = a > b;", "icmp sgt", "icmp ugt"},
      {"uint64_t", "x = a <= b;", "icmp ule", "icmp sle"}, {"int64_t", "x = a <= b;", "icmp sle", "icmp ule"},
      {"uint64_t", "x = a >= b;", "icmp uge", "icmp sge"}, {"int64_t", "x = a >= b;", "icmp sge", "icmp uge"},
      {"uint64_t", "x = a >> 3;", "lshr i64", "ashr i64"}, {"int64_t", "x = a >> 3;", "ashr i64", "lshr i64"},
      {"uint64_t", "x = a / 7;", "udiv i64", "sdiv i64"},  {"uint64_t", "x = a % 7;", "urem i64", "srem i64"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.type, row.statement);
    CHECK(more_of(row.wanted, row.type, row.statement) > 0);
    CHECK(more_of(row.unwanted, row.type, row.statement) <= 0);
  }
}

TEST_CASE("codegen: values that are smaller than a register are extended by their sign", "[codegen]") {
  CHECK(more_of("sext i8", "char", "x = a;") > 0);
  CHECK(more_of("sext i16", "short", "x = a;") > 0);
  CHECK(more_of("sext i32", "int", "x = a;") > 0);
  CHECK(more_of("zext i8", "unsigned char", "x = a;") > 0);
  CHECK(more_of("sext i8", "unsigned char", "x = a;") <= 0);
  CHECK(more_of("zext i16", "unsigned short", "x = a;") > 0);
  CHECK(more_of("zext i32", "unsigned int", "x = a;") > 0);
}

TEST_CASE("codegen: a conversion to bool asks whether there is any bit", "[codegen]") {
  for (const char *type : {"char", "int", "int64_t"}) {
    CAPTURE(type);
    CHECK(more_of("icmp ne", type, "x = (_Bool)a;") + more_of("icmp eq", type, "x = (_Bool)a;") > 0);
  }
}

TEST_CASE("codegen: a division by what may be zero is guarded, one by a constant is not", "[codegen]") {
  CHECK(more_of("icmp eq i64", "uint64_t", "x = a / b;") > 0);
  CHECK(more_of("icmp eq i64", "uint64_t", "x = a / 7;") <= 0);
}

TEST_CASE("codegen: the object has a program for each hook, and the plan a clause for each", "[codegen]") {
  const Compiled two("BEGIN { trace(1); } END { trace(2); }");
  REQUIRE(two.error.empty());
  CHECK(two.object.plan->programs.size() == 2);
  CHECK(two.object.plan->clauses.size() == 2);
  CHECK(std::string_view(two.object.elf.data(), 4) == "\177ELF");
  const Compiled one("BEGIN { trace(1); } BEGIN { trace(2); }");
  REQUIRE(one.error.empty());
  CHECK(one.object.plan->programs.size() == 1);
  CHECK(one.object.plan->clauses.size() == 2);
  const Compiled calls("syscall::read:entry, syscall::write:entry { trace(1); }");
  REQUIRE(calls.error.empty());
  CHECK(calls.object.plan->programs.size() == 1);
}

TEST_CASE("codegen: the plan is known before there is code, and stays where it is", "[codegen]") {
  const Compiled one("BEGIN { trace(1); }");
  REQUIRE(one.error.empty());
  REQUIRE(one.planned.size() == 1);
  CHECK(one.planned.front() == one.object.plan.get());
}

TEST_CASE("codegen: a program without records has none in its plan", "[codegen]") {
  const Compiled silent("int64_t x; BEGIN { x = 1; }");
  REQUIRE(silent.error.empty());
  CHECK(silent.object.plan->clauses[0].size_bytes == 0);
  const Compiled loud("BEGIN { trace((int64_t)1); }");
  REQUIRE(loud.error.empty());
  CHECK(loud.object.plan->clauses[0].size_bytes >= 8);
}

TEST_CASE("codegen: a typed tracepoint is one whose arguments the kernel takes for pointers", "[codegen]") {
  const Compiled::Adjust by_btf = [](const Probe &probe, ProbeHook &hook) {
    if (probe.name == "thread") hook.hook.target = RawTracepointHook{"thread", 7};
  };
  const auto is_typed = [&](std::string_view text, bool typed_pointers) {
    const Compiled compiled(text, arch::kX86_64, by_btf, {.typed_pointers = typed_pointers});
    CAPTURE(text, compiled.error);
    REQUIRE(compiled.error.empty());
    const auto program = std::ranges::find_if(compiled.object.plan->programs, [](const ProgramPlan &plan) {
      return plan.hook.is<RawTracepointHook>() && plan.hook.as<RawTracepointHook>()->btf_id == 7;
    });
    REQUIRE(program != compiled.object.plan->programs.end());
    return program->as_btf_tracepoint;
  };
  CHECK(is_typed("sdt:::thread { trace(args[0]->pid); }", true));
  CHECK_FALSE(is_typed("sdt:::thread { trace(args[0]->pid); }", false));
  CHECK_FALSE(is_typed("sdt:::thread { trace(args[0]); }", true));
}

TEST_CASE("codegen: all CPUs have one ring where all probes fire on one CPU at a time", "[codegen]") {
  const Compiled begin("int64_t x; BEGIN { trace((int64_t)1); } END { x = 1; }");
  REQUIRE(begin.error.empty());
  const Plan &plan = *begin.object.plan;
  CHECK(plan.one_ring);
  CHECK(plan.clauses[0].cpu_offset == plan.clauses[0].size_bytes - 8);
  CHECK(plan.clauses[0].cpu_offset != 0);
  CHECK(plan.clauses[1].cpu_offset == 0);  // it makes no record
  CHECK(begin.count("@dt_one_ring") > 0);
  CHECK(begin.count("@dt_rings") == 0);

  const auto with = [](std::string_view text, std::vector<std::pair<std::string, std::string>> options = {}) {
    const Compiled made(text, arch::kX86_64, {}, {.options = std::move(options)});
    CAPTURE(text, made.error);
    REQUIRE(made.error.empty());
    return made.object.plan->one_ring;
  };
  CHECK(with("BEGIN { @ = count(); }"));
  CHECK_FALSE(with("BEGIN { @[1] = count(); }"));  // its tables are in an array of maps
  CHECK_FALSE(with("BEGIN { trace(1); } io:::start { }"));
  CHECK_FALSE(with("BEGIN { trace(1); }", {{"bufpolicy", "fill"}}));
  CHECK_FALSE(with("BEGIN { trace(1); }", {{"bufpolicy", "ring"}}));
}

TEST_CASE("codegen: many tracepoints share the code of a program, unless a clause asks for types", "[codegen]") {
  constexpr const char *kEight = "sdt:::, io:::, fbt:::";  // tracepoints here, all of them
  const auto plan_of = [](const std::string &text) {
    Compiled made(text);
    CAPTURE(text, made.error);
    REQUIRE(made.error.empty());
    return std::move(made.object.plan);
  };
  const auto shared = plan_of(fmt::format("{} {{ @[probename] = count(); }}", kEight));
  REQUIRE(shared->programs.size() == 1);
  CHECK(shared->programs[0].hook.is<TracepointCopiesHook>());
  CHECK(shared->programs[0].probes.size() == 8);
  CHECK(shared->programs[0].copies.size() == 8);
  CHECK(shared->programs[0].copies[0] == "sdt_untyped");
  CHECK_FALSE(shared->programs[0].own_slot);
  CHECK_FALSE(plan_of(fmt::format("{} {{ @ = count(); }}", kEight))->aggregations[0].has_lone_writer);

  CHECK(plan_of("sdt:::, fbt::: { @ = count(); }")->programs.size() == 7);  // too few
  CHECK(plan_of(fmt::format("{} {{ @ = sum(arg1); }}", kEight))->programs.size() == 1);
  CHECK(plan_of(fmt::format("{} {{ @ = count(); }} io:::start {{ @l = sum(args[1]); }}", kEight))->programs.size() ==
        8);  // seven are too few
}
