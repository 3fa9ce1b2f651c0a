// SPDX-License-Identifier: Apache-2.0
// A compiled object is used again for the same input, and for no other.
#include <catch2/catch.hpp>

#include "codegen/object_entry.h"
#include "test/unit/codegen/compile_fixture.h"

using namespace dtrace;
using namespace dtrace::codegen;
using namespace dtrace::test;

namespace {

/// Keeps everything, in memory.
class Memory final : public ObjectStore {
 public:
  std::string_view identity() const override { return name; }
  std::optional<std::string> find(const ObjectKey &key) override {
    const auto found = entries.find(key);
    return found == entries.end() ? std::nullopt : std::optional(found->second);
  }
  void keep(const ObjectKey &key, std::string_view entry) override { entries[key] = entry; }

  std::string name = "this build on this kernel";
  std::map<ObjectKey, std::string> entries;
};

/// Compiles with `store`; `around` may differ.
Compiled compiled(Memory &store, std::string_view text, Compiled::Around around = {},
                  const arch::Machine &machine = arch::kX86_64, Compiled::Adjust adjust = {}) {
  around.store.store = &store;
  return Compiled(text, machine, std::move(adjust), around);
}

/// Most of what can be emitted: variables, strings, keys, records, branches, loops, scratch.
constexpr std::string_view kProgram =
    "int n; string s; self int t; this string u; int a[int, string];"
    "syscall::read:entry / arg0 > 1 / { self->t = arg2; this->u = copyinstr(arg1); a[n, this->u]++; s = strjoin(s, "
    "\"x\");"
    "  if (n > 3) { printf(\"%s %d\", s, n); } else { trace(execname); } @[probefunc, pid] = quantize(arg2); }"
    "syscall::read:return / self->t / { @b = sum(arg0); self->t = 0; n += 1; }"
    "ERROR { trace(arg4); } END { printa(@b); exit(n); }";

}  // namespace

TEST_CASE("an object that was kept is the one that is compiled", "[store]") {
  Memory store;
  const Compiled first = compiled(store, kProgram);
  const Compiled again = compiled(store, kProgram);
  REQUIRE(first.error == "");
  REQUIRE(again.error == "");
  CHECK_FALSE(first.object.was_kept);
  CHECK(again.object.was_kept);
  CHECK(again.object.elf == first.object.elf);
  CHECK(again.object.plan->uses_scratch == first.object.plan->uses_scratch);
  CHECK(again.object.plan->programs.size() == first.object.plan->programs.size());
  CHECK(again.object.listing.empty());  // LLVM was not there
  CHECK(again.planned.size() == 1);
  CHECK(store.entries.size() == 1);
}

TEST_CASE("whatever a compilation depends on is another object", "[store]") {
  Memory store;
  (void)compiled(store, "BEGIN { n = $1; @ = count(); }");  // does not compile: nothing is kept
  CHECK(store.entries.empty());
  const std::string text = "BEGIN { @[execname] = count(); trace(pid); trace(\"a\"); exit(0); }";
  REQUIRE(compiled(store, text).error == "");
  const auto is_new = [&](const Compiled &other) {
    CAPTURE(other.error);
    REQUIRE(other.error == "");
    return !other.object.was_kept;
  };
  CHECK_FALSE(is_new(compiled(store, text)));
  SECTION("the text") {
    CHECK(is_new(compiled(store, "BEGIN { @[execname] = count(); trace(pid); trace(\"b\"); exit(0); }")));
    CHECK(is_new(compiled(store, text + " ")));
    CHECK(is_new(compiled(store, "END { @[execname] = count(); trace(pid); trace(\"a\"); exit(0); }")));
  }
  SECTION("an option") { CHECK(is_new(compiled(store, text, {.options = {{"strsize", "64"}}}))); }
  SECTION("an option that only the consumer asks for") {
    CHECK(is_new(compiled(store, text, {.options = {{"quiet", "yes"}}})));
  }
  SECTION("CPUs") { CHECK(is_new(compiled(store, text, {.nr_cpus = 3}))); }
  SECTION("what is listed") { CHECK(is_new(compiled(store, text, {.listing = kListIr}))); }
  SECTION("what records have") { CHECK(is_new(compiled(store, text, {.with_time = true}))); }
  SECTION("the machine") { CHECK(is_new(compiled(store, text, {}, arch::kAarch64))); }
  SECTION("the build or the kernel") {
    store.name = "another";
    CHECK(is_new(compiled(store, text)));
  }
  SECTION("where arguments lie") {
    CHECK(is_new(compiled(store, text, {}, arch::kX86_64, [](const Probe &probe, ProbeHook &hook) {
      if (probe.name == "BEGIN") hook.args[0].size_bytes = 4;
    })));
  }
  SECTION("an answer to what emission asked: the pid namespace") {
    CHECK(is_new(compiled(store, text, {.pid_namespace = 7})));
    // The key is the same, so the newer object replaces the older one.
    CHECK(store.entries.size() == 1);
    CHECK_FALSE(is_new(compiled(store, text, {.pid_namespace = 7})));
    CHECK(is_new(compiled(store, text)));
  }
}

TEST_CASE("options that say how objects are kept do not change them", "[store]") {
  Memory store;
  REQUIRE(compiled(store, "BEGIN { exit(0); }").error == "");
  CHECK(compiled(store, "BEGIN { exit(0); }", {.options = {{"cache", "check"}, {"cachedir", "/nowhere"}}})
            .object.was_kept);
}

TEST_CASE("bytes that are no entry are not used", "[store]") {
  Memory store;
  REQUIRE(compiled(store, kProgram).error == "");
  const std::string good = store.entries.begin()->second;
  REQUIRE(decode(good));
  CHECK(encode(*decode(good)) == good);
  for (size_t size = 0; size < good.size(); size += 97) CHECK_FALSE(decode(std::string_view(good).substr(0, size)));
  CHECK_FALSE(decode(good + '\0'));
  store.entries.begin()->second = good.substr(0, good.size() / 2);
  const Compiled again = compiled(store, kProgram);
  CHECK_FALSE(again.object.was_kept);
  CHECK(store.entries.begin()->second == good);
}

TEST_CASE("a check finds an object that differs from what is compiled", "[store]") {
  Memory store;
  REQUIRE(compiled(store, kProgram).error == "");
  const Compiled same = compiled(store, kProgram, {.store = {nullptr, true}});
  CHECK(same.error == "");
  CHECK(same.object.was_kept);
  CHECK_FALSE(same.object.listing.empty());  // it was compiled as well
  ObjectEntry entry = *decode(store.entries.begin()->second);
  entry.elf.back() = static_cast<char>(entry.elf.back() ^ 1);
  store.entries.begin()->second = encode(entry);
  CHECK(compiled(store, kProgram, {.store = {nullptr, true}}).error ==
        "internal error: the compiled program in the cache differs from what is compiled now");
}
