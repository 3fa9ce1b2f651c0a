// SPDX-License-Identifier: Apache-2.0
// What programs read of a machine's registers, for each machine that there is, whatever the host.
#include <catch2/catch.hpp>

#include <functional>

#include "test/unit/codegen/compile_fixture.h"

using namespace dtrace;
using namespace dtrace::codegen;
using namespace dtrace::test;

namespace {

/// As the provider `syscall` has them on raw tracepoints.
void as_system_call(const Probe &probe, ProbeHook &hook) {
  if (probe.provider != "syscall") return;
  const bool is_entry = probe.name == "entry";
  hook.hook.target = RawTracepointHook{is_entry ? "sys_enter" : "sys_exit"};
  hook.is_syscall_entry = is_entry;
  hook.is_syscall_return = !is_entry;
  hook.args.clear();
  if (is_entry)
    for (uint32_t i = 0; i < 6; ++i) hook.args.push_back({ArgSource::Kind::kSyscallArg, i, 8, true});
  else
    hook.args = {{ArgSource::Kind::kSyscallReturn, 0, 8, true}, {ArgSource::Kind::kSyscallReturn, 0, 8, true}};
}

/// The entry of a user function instead of the system call.
void as_user_function(const Probe &probe, ProbeHook &hook) {
  if (probe.provider != "syscall") return;
  hook.hook = {};
  hook.hook.target = UserInstructionHook{UserInstructionHook::Where::kEntry, false};
  hook.args.clear();
  for (uint32_t i = 0; i < 10; ++i) hook.args.push_back({ArgSource::Kind::kFunctionArg, i, 8, false});
}

/// How many more times one has the text than the other. " + 8)" is a load in the listing's assembly.
int more(const Compiled &one, const Compiled &other, std::string_view text) {
  REQUIRE(one.error == "");
  REQUIRE(other.error == "");
  return static_cast<int>(one.count(text)) - static_cast<int>(other.count(text));
}

}  // namespace

TEST_CASE("machine: the system call's number is where the kernel keeps it, with its width", "[codegen][machine]") {
  const char *text = "syscall::read:return { trace(1); }";
  const Compiled arm(text, arch::kAarch64, as_system_call), x86(text, arch::kX86_64, as_system_call);
  CHECK(more(arm, x86, ", 280") > 0);
  CHECK(more(x86, arm, ", 120") > 0);
  CHECK(more(arm, x86, "i32 4, i64 %") > 0);  // it is an int there
  CHECK(more(x86, arm, "i32 8, i64 %") > 0);
}

TEST_CASE("machine: the first argument of a system call is the one that the result does not replace",
          "[codegen][machine]") {
  const char *first = "syscall::read:entry { trace(arg0); }", *second = "syscall::read:entry { trace(arg1); }";
  const Compiled arm(first, arch::kAarch64, as_system_call), arm2(second, arch::kAarch64, as_system_call);
  CHECK(more(arm, arm2, ", 272") > 0);
  CHECK(more(arm2, arm, ", 8,") + more(arm2, arm, ", 8\n") > 0);
}

TEST_CASE("machine: arguments of functions are in registers, then on the stack", "[codegen][machine]") {
  const auto nth = [](unsigned n, const arch::Machine &machine) {
    return Compiled(fmt::format("syscall::read:entry {{ trace(arg{}); }}", n), machine, as_user_function);
  };
  CHECK(more(nth(7, arch::kAarch64), nth(0, arch::kAarch64), " + 56)") > 0);   // x7
  CHECK(more(nth(8, arch::kAarch64), nth(7, arch::kAarch64), " + 248)") > 0);  // at sp
  CHECK(more(nth(9, arch::kAarch64), nth(7, arch::kAarch64), " + 248)") > 0);
  CHECK(more(nth(5, arch::kX86_64), nth(0, arch::kX86_64), " + 64)") > 0);   // r9
  CHECK(more(nth(6, arch::kX86_64), nth(5, arch::kX86_64), " + 152)") > 0);  // behind the return address
}

TEST_CASE("machine: the return address is in a register or on the stack", "[codegen][machine]") {
  const char *text = "syscall::read:entry { trace(ucaller); }", *without = "syscall::read:entry { trace(1); }";
  const Compiled arm(text, arch::kAarch64, as_user_function), arm_without(without, arch::kAarch64, as_user_function);
  const Compiled x86(text, arch::kX86_64, as_user_function), x86_without(without, arch::kX86_64, as_user_function);
  CHECK(more(arm, arm_without, " + 240)") > 0);  // x30
  CHECK(more(x86, x86_without, " + 152)") > 0);  // where rsp leads to
}

TEST_CASE("machine: uregs[] has as many words as the machine has registers", "[codegen][machine]") {
  const char *text = "int i; BEGIN { trace(uregs[i]); }";
  const Compiled arm(text, arch::kAarch64), x86(text, arch::kX86_64);
  CHECK(more(arm, x86, ", 34") > 0);    // orig_x0 is the last
  CHECK(more(x86, arm, ", 21, ") > 0);  // ss is the last of pt_regs; segment registers are the task's
}

TEST_CASE("machine: user addresses lose their tag where the machine has tags", "[codegen][machine]") {
  const char *without = "syscall::read:entry { trace(arg1); }";
  const Compiled arm_without(without, arch::kAarch64, as_system_call),
      x86_without(without, arch::kX86_64, as_system_call);
  for (const char *text :
       {"syscall::read:entry { trace(copyinstr(arg1)); }", "syscall::read:entry { tracemem(copyin(arg1, 8), 8); }",
        "syscall::read:entry { trace(*(userland int *)arg1); }",
        "syscall::read:entry { trace(memstr((userland char *)arg1, ' ', 8)); }",
        "syscall::read:entry { copyout(alloca(8), arg1, 8); }",
        "syscall::read:entry { copyoutstr(\"x\", arg1, 2); }"}) {
    INFO(text);
    const Compiled arm(text, arch::kAarch64, as_system_call), x86(text, arch::kX86_64, as_system_call);
    CHECK(more(arm, arm_without, " = ashr exact i64 %") > more(x86, x86_without, " = ashr exact i64 %"));
  }
  const char *kernel = "syscall::read:entry { trace(*(int *)arg1); }";
  CHECK(more(Compiled(kernel, arch::kAarch64, as_system_call), arm_without, " = ashr exact i64 %") ==
        more(Compiled(kernel, arch::kX86_64, as_system_call), x86_without, " = ashr exact i64 %"));
}
