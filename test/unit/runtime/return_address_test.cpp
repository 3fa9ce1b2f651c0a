// SPDX-License-Identifier: Apache-2.0
#include "runtime/user/return_address.h"

#include <fcntl.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <string>

#include "runtime/user/pid_probes.h"
#include "test/unit/runtime/fixture_process.h"

namespace dtrace::runtime {
namespace {

std::shared_ptr<UserObject> object_of(const std::string &path) {
  auto file = std::make_shared<UserFile>();
  file->path = path;
  file->fd = Fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  REQUIRE(file->fd.get() >= 0);
  return std::make_shared<UserObject>(std::move(file), path);
}

UserFunction function_of(UserObject &object, std::string_view name) {
  for (const UserFunction &function : object.functions())
    if (std::ranges::find(function.names, name) != function.names.end()) return function;
  FAIL("no function " << name);
  return {};
}

using Use = ReturnAddressUse;

Use use_of(UserObject &object, std::string_view name) { return return_address_use(object, function_of(object, name)); }

TEST_CASE("return address: functions that only return are told from those that read, keep or lack it", "[user]") {
  const std::map<std::string, Use> wanted = {{"returns", Use::kReturns},      {"calls", Use::kReturns},
                                             {"jumps", Use::kReturns},        {"jumps_in_circle", Use::kReturns},
                                             {"jumps_out", Use::kReturns},    {"reads", Use::kReads},
                                             {"reads_later", Use::kReads},    {"jumps_to_reader", Use::kReads},
                                             {"keeps", Use::kReads},          {"moves", Use::kReads},
                                             {"resolver", Use::kMissing},     {"begins", Use::kMissing},
                                             {"_start", Use::kMissing},       {"frame_dummy", Use::kReturns},
                                             {"without_rules", Use::kUnknown}};
  const auto object = object_of(fixture_path("returns"));
  for (const auto &[name, use] : wanted) {
    INFO(name);
    CHECK(use_of(*object, name) == use);
  }
}

TEST_CASE("return address: a jump into another file may lead to a function that reads it", "[user]") {
  const auto object = object_of(fixture_path("returns_reader"));
  CHECK(use_of(*object, "asks_linker") == Use::kReads);
#ifdef __x86_64__  // where the entry of the procedure linkage table tells its location
  CHECK(use_of(*object, "jumps_out") == Use::kReturns);
#endif
  CHECK(use_of(*object, "jumps") == Use::kReturns);
}

TEST_CASE("return address: setjmp() and its like in the C library", "[user]") {
  Result<std::vector<MappedObject>> mapped = UserObjects().of_process(::getpid());
  REQUIRE(mapped);
  for (const MappedObject &one : *mapped) {
    if (!one.object->name().starts_with("libc.so.")) continue;
    for (const char *name :
         {"setjmp", "_setjmp", "__sigsetjmp", "getcontext", "swapcontext", "vfork", "dlsym", "dlopen"})
      CHECK(use_of(*one.object, name) == Use::kReads);
#ifdef __x86_64__  // elsewhere compilers may use the link register as any other
    for (const char *name : {"puts", "fclose", "qsort", "getpid"}) CHECK(use_of(*one.object, name) == Use::kReturns);
#endif
    return;
  }
  WARN("the C library is not a shared one");
}

TEST_CASE("return address: the kernel's return probe is only for functions that return, and no more", "[user]") {
  const auto object = object_of(fixture_path("returns"));
  const auto hook = [&](std::string_view name, StackUse use = {}) {
    PidProbe probe;
    probe.kind = PidProbe::Kind::kReturn;
    probe.stack_use = use;
    probe.places = {{.object = object, .function = function_of(*object, name)}};
    return hook_of(probe);
  };
  const auto refusal = [&](std::string_view name) {
    return return_refusal({.object = object, .function = function_of(*object, name)}, {});
  };
  const auto by_kernel = [](const ProbeHook &of) { return std::holds_alternative<UserReturnHook>(of.hook.target); };
  CHECK(by_kernel(hook("jumps")));
  CHECK(hook("returns").cheaper != nullptr);
  CHECK_FALSE(by_kernel(hook("jumps_to_reader")));
  CHECK(hook("jumps_to_reader").sites.size() == 1);
  CHECK(hook("keeps").cheaper == nullptr);
  CHECK(hook("without_rules").cheaper == nullptr);
  for (const char *name : {"returns", "jumps", "jumps_to_reader", "keeps", "without_rules"})
    CHECK(refusal(name).empty());
  CHECK(refusal("resolver") ==
        "not all the instructions that leave it can be probed, and it is not entered by a call, so it has no return "
        "address");
  CHECK(refusal("begins") == kDoesNotReturn);
}

TEST_CASE("return address: functions of one name are all probed in one way", "[user]") {
  const auto object = object_of(fixture_path("returns"));
  const auto place = [&](std::string_view name) {
    return PidPlace{.object = object, .function = function_of(*object, name)};
  };
  CHECK(share_return({place("returns"), place("jumps")}, {}));
  CHECK(share_return({place("keeps"), place("jumps")}, {}));
  CHECK_FALSE(share_return({place("jumps"), place("resolver")}, {}));
}

}  // namespace
}  // namespace dtrace::runtime
