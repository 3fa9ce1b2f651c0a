// SPDX-License-Identifier: Apache-2.0
#include "runtime/probes/catalog.h"
#include "frontend/check/defined_probes.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <string_view>

#include "arch/machine.h"
#include "runtime/kernel/c_type_text.h"

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

std::vector<std::string> names(ProbeCatalog &catalog, ProbeDesc desc) {
  Result<std::vector<ProbeId>> ids = catalog.match(desc);
  REQUIRE(ids);
  std::vector<std::string> all;
  for (ProbeId id : *ids) all.push_back(catalog.probe(id).text());
  return all;
}

}  // namespace

TEST_CASE("BEGIN, END and ERROR are probes 1, 2 and 3", "[catalog]") {
  KernelInfo kernel;
  Catalog catalog(kernel);
  CHECK(names(catalog, {"dtrace", "", "", ""}) ==
        std::vector<std::string>{"dtrace:::BEGIN", "dtrace:::END", "dtrace:::ERROR"});
  REQUIRE(catalog.by_number(3));
  CHECK(catalog.probe(*catalog.by_number(3)).name == "ERROR");
  CHECK_FALSE(catalog.by_number(0));
  CHECK_FALSE(catalog.by_number(4'000'000'000));
}

TEST_CASE("system calls answer to their manual-page names, tracefs names and old aliases", "[catalog]") {
  KernelInfo kernel;
  Catalog catalog(kernel);
  CHECK(names(catalog, {"syscall", "", "read", "entry"}) == std::vector<std::string>{"syscall:vmlinux:read:entry"});
  CHECK(names(catalog, {"syscall", "", "newuname", "return"}) ==
        std::vector<std::string>{"syscall:vmlinux:uname:return"});
  CHECK(names(catalog, {"syscall", "", "rexit", "entry"}) ==
        std::vector<std::string>{"syscall:vmlinux:exit_group:entry"});
  constexpr std::array<std::string_view, 4> kForks{"clone", "clone3", "fork", "vfork"};  // arm64 has two of them
  const auto is_fork = [&](const arch::SystemCall &call) { return std::ranges::count(kForks, call.name) != 0; };
  CHECK(names(catalog, {"syscall", "", "fork1", "entry"}).size() ==
        static_cast<size_t>(std::ranges::count_if(arch::host_machine().system_calls, is_fork)));
  CHECK(names(catalog, {"syscall", "", "pread", "entry"}) == std::vector<std::string>{"syscall:vmlinux:pread64:entry"});
  CHECK(names(catalog, {"syscall", "", "", ""}).size() == 2 * names(catalog, {"syscall", "", "", "entry"}).size());
  const ProbeHook &hook = catalog.hook(*catalog.by_number(100));
  CHECK(hook.hook.text() == "sys_enter");
  CHECK(hook.selector_value == 0);
  CHECK(hook.args.size() == 6);
}

TEST_CASE("probes that cannot be derived are left out of globs, and who names one is told why", "[catalog]") {
  KernelInfo kernel;
  Catalog catalog(kernel);
  REQUIRE(catalog.by_number(100));  // a system call
  const auto check = [](const std::string &name, std::string_view) -> Result<ProbeOrigins> {
    if (name.ends_with("exec-failure")) return ProbeOrigins{{{ProbeId{100}}, 1, {}}};
    if (name.ends_with("exec")) return Error("this kernel has none of the events that define it");
    return Error("no such text");
  };
  DefinedProbes probes(catalog, check);
  CHECK(names(probes, {"proc", "", "", "exec*"}) == std::vector<std::string>{"proc:vmlinux::exec-failure"});
  const auto why = [&](const char *probe) {
    Result<std::vector<ProbeId>> ids = probes.match({"proc", "", "", probe});
    return ids ? std::string() : ids.error().text();
  };
  CHECK(why("exec-failure").empty());
  CHECK(why("exec") == "proc:vmlinux::exec: this kernel has none of the events that define it");
  CHECK(why("create") == "proc:vmlinux::create: no such text");
  // Nor are they had by their numbers; the other is what it is derived from, in a program of its own.
  DefinedProbes lister(catalog, check);
  lister.keep_underivable();
  Result<std::vector<ProbeId>> create = lister.match({"proc", "", "", "create"});
  REQUIRE(create);
  CHECK_FALSE(probes.by_number(create->front().value));
  CHECK(lister.by_number(create->front().value));
  const ProbeHook &hook = catalog.hook(catalog.match({"proc", "", "", "exec-failure"})->front());
  ProbeHook origin = catalog.hook(*catalog.by_number(100));
  CHECK_FALSE(hook.hook == origin.hook);
  origin.hook.derivation = hook.hook.derivation;
  CHECK(hook.hook == origin.hook);
  CHECK(hook.also.size() == origin.also.size());  // where 32-bit code makes the call
}

TEST_CASE("profile rates exist when named, within the limit", "[catalog]") {
  KernelInfo kernel;
  Catalog catalog(kernel);
  auto period = [&](const char *name) -> std::string {
    Result<std::vector<ProbeId>> ids = catalog.match({"profile", "", "", name});
    REQUIRE(ids);
    return ids->size() == 1 ? catalog.hook(ids->front()).hook.text() : "";
  };
  CHECK(period("profile-997") == "1003009");
  CHECK(period("profile-123") == "8130081");
  CHECK(period("tick-10ms") == "10000000");
  CHECK(period("tick-1sec") == "1000000000");
  CHECK(period("tick-2m") == "120000000000");
  CHECK(period("profile-5000hz") == "200000");
  CHECK(period("profile-5001") == "");
  CHECK(period("tick-100us") == "");
  CHECK(period("tick-0") == "");
  CHECK(period("tick-1parsec") == "");
  CHECK(names(catalog, {"profile", "", "", ""}).size() == 13);
  // Naming a rate twice gives the same probe.
  CHECK(catalog.match({"", "", "", "tick-7ms"})->front() == catalog.match({"profile", "", "", "tick-7ms"})->front());
  const Hook &tick = catalog.hook(catalog.match({"", "", "", "tick-7ms"})->front()).hook;
  REQUIRE(tick.is<PerfClockHook>());
  CHECK(tick.as<PerfClockHook>()->cpu >= 0);
}

TEST_CASE("counters of cpc exist when named, in any mode and from the least count on", "[catalog]") {
  KernelInfo kernel;
  Catalog catalog(kernel);
  const auto counter = [&](const char *name) -> std::optional<PerfCounterHook> {
    Result<std::vector<ProbeId>> ids = catalog.match({"cpc", "", "", name});
    REQUIRE(ids);
    if (ids->empty()) return std::nullopt;
    REQUIRE(ids->size() == 1);
    REQUIRE(catalog.hook(ids->front()).hook.is<PerfCounterHook>());
    return *catalog.hook(ids->front()).hook.as<PerfCounterHook>();
  };
  const auto faults = counter("page_faults-user-10");
  if (!faults) return;  // without privileges the kernel counts nothing for us
  CHECK(faults->period == 10);
  CHECK(faults->in_user);
  CHECK_FALSE(faults->in_kernel);
  REQUIRE(counter("page-faults-all-1"));
  CHECK((counter("page-faults-all-1")->in_user && counter("page-faults-all-1")->in_kernel));
  CHECK_FALSE(counter("page_faults-kernel-3")->in_user);
  for (const char *none : {"page_faults-some-10", "page_faults-all-0", "page_faults-all-x", "page_faults-all-",
                           "page_faults-all", "page_faults", "-all-1", "nothing-all-10000", "cycles-all-4999"})
    CHECK_FALSE(counter(none));
  CHECK(catalog.why_absent({"cpc", "", "", "cycles-all-4999"}).reason.find("5000") != std::string::npos);
  CHECK(catalog.why_absent({"cpc", "", "", "nothing-all-10000"}).reason.find("EVENT-MODE-COUNT") != std::string::npos);
}

TEST_CASE("functions of other systems stand for the probes that are in them", "[catalog]") {
  KernelInfo kernel;
  Catalog catalog(kernel);
  using Names = std::vector<std::string>;
  CHECK(names(catalog, {"io", "", "bdev_strategy", ""}) == Names{"io:vmlinux::start"});
  CHECK(names(catalog, {"io", "genunix", "bdev_strategy", ""}) == Names{"io:vmlinux::start"});
  CHECK(names(catalog, {"io", "", "biodone", "done"}) == Names{"io:vmlinux::done"});
  CHECK(names(catalog, {"io", "genunix", "some_function", "start"}) == Names{"io:vmlinux::start"});
  CHECK(names(catalog, {"io", "", "some_function", "start"}).empty());
  CHECK(names(catalog, {"io", "", "biodone", "start"}).empty());
  CHECK(names(catalog, {"io", "vmlinux", "bdev_strategy", "start"}).empty());
  CHECK(names(catalog, {"proc", "", "bdev_strategy", ""}).empty());
  CHECK(names(catalog, {"", "", "bdev_strategy", ""}).empty());
}

TEST_CASE("counters that Linux does not have are named with a reason", "[catalog]") {
  KernelInfo kernel;
  Catalog catalog(kernel);
  const auto why = [&](const char *provider, const char *name) { return catalog.why_absent({provider, "", "", name}); };
  CHECK(why("sysinfo", "trap").is_certain);
  CHECK(why("sysinfo", "trap").reason.find("vminfo:::as_fault") != std::string::npos);
  CHECK(why("sysinfo", "readhc").reason.empty());  // may be a slip
  CHECK_FALSE(why("mib", "ipInReceives").is_certain);
  CHECK(why("mib", "ipInReceives").reason.find("/proc/net/snmp") != std::string::npos);
  CHECK(why("vminfo", "as_fault").reason.empty());
}

TEST_CASE("tracepoints come with their subsystem and typed arguments", "[catalog]") {
  KernelInfo kernel;
  if (kernel.btf() == nullptr) return;
  Catalog catalog(kernel);
  Result<std::vector<ProbeId>> ids = catalog.match({"sdt", "", "", "sched_switch"});
  REQUIRE(ids);
  REQUIRE(ids->size() == 1);
  if (!kernel.tracefs().empty()) CHECK(catalog.probe(ids->front()).text() == "sdt:sched::sched_switch");
  TypeTable types;
  types.add_btf(kernel.btf());
  Result<std::vector<ProbeArg>> args = catalog.args(ids->front(), types);
  REQUIRE(args);
  REQUIRE(args->size() >= 3);
  CHECK(types.name((*args)[1].native) == "struct task_struct *");
}

TEST_CASE("types from tracefs declarations", "[catalog]") {
  TypeTable types;
  auto name = [&](const char *text) { return types.name(type_of_declaration(text, types, Space::kUser)); };
  CHECK(name("int dfd") == "int");
  CHECK(name("unsigned int fd") == "unsigned int");
  CHECK(name("const char * filename") == "userland const char *");
  CHECK(name("size_t count") == "size_t");
  CHECK(name("unsigned long addr") == "unsigned long");
  CHECK(name("void * p") == "userland void *");
  CHECK(name("long long x") == "long long");
}

TEST_CASE("cpu lists", "[catalog]") {
  CHECK(parse_cpu_list("0-3,8\n") == std::vector<int>{0, 1, 2, 3, 8});
  CHECK(parse_cpu_list("0\n") == std::vector<int>{0});
  CHECK(parse_cpu_list("x").empty());
}
