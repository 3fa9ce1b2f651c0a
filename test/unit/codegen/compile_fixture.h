// SPDX-License-Identifier: Apache-2.0
// From D text to LLVM IR and a BPF object over the made-up kernel of the checker's tests; nothing is loaded. The
// machine is x86-64 on all hosts, if the test names no other.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/compile.h"
#include "test/unit/frontend/check_fixture.h"

namespace dtrace::test {

class Compiled : public CompileHost {
 public:
  /// `adjust` may change the hook of a probe.
  using Adjust = std::function<void(const Probe &, ProbeHook &)>;
  /// What else a compilation may depend on.
  struct Around {
    StoreUse store{};
    std::vector<std::pair<std::string, std::string>> options{};
    unsigned nr_cpus = 2;
    unsigned listing = codegen::kListIr | codegen::kListAssembly;
    bool with_time = false;
    uint32_t pid_namespace = 0;
    bool typed_pointers = true;  ///< CompileHost::is_typed_pointer()
  };
  explicit Compiled(std::string_view text, const arch::Machine &machine = arch::kX86_64, Adjust adjust = {})
      : Compiled(text, machine, std::move(adjust), Around()) {}
  Compiled(std::string_view text, const arch::Machine &machine, Adjust adjust, const Around &around)
      : adjust_(std::move(adjust)), pid_namespace_(around.pid_namespace), typed_pointers_(around.typed_pointers) {
    for (const auto &[name, value] : around.options)
      if (check_.options.set(name, value, OptionSource::kCommandLine) != OptionError::kNone) error = name;
    if (!check_.program(text)) {
      error = check_.messages();
      return;
    }
    const codegen::CompileInput input{check_.unit,    check_.front.sources(), check_.types, check_.options,  *this,
                                      around.nr_cpus, around.listing,         machine,      around.with_time};
    Result<codegen::CompiledObject> made =
        codegen::compile(input, [this](const Plan &plan) { planned.push_back(&plan); }, around.store);
    if (!made)
      error = made.error().text();
    else
      object = std::move(*made);
  }

  const Probe &probe(ProbeId id) override { return check_.probes.probe(id); }
  uint32_t pid_namespace() override { return pid_namespace_; }
  bool is_typed_pointer(const RawTracepointHook &, unsigned) override { return typed_pointers_; }
  const ProbeHook &hook(ProbeId id) override {
    ProbeHook &hook = hooks_[id.value];
    const Probe &probe = check_.probes.probe(id);
    if (probe.name == "ERROR")
      hook.hook.target = NeverHook();
    else if (probe.provider == "dtrace")
      hook.hook.target = TestRunHook{probe.name == "END"};
    else
      hook.hook.target = RawTracepointHook{probe.provider + "_" + probe.name};
    hook.args.clear();
    for (uint32_t i = 0; i < 4; ++i) hook.args.push_back({ArgSource::Kind::kContextWord, i + 2, 8, false});
    if (probe.provider == "syscall") hook.hook.selector = Selector::kSyscallNumber;
    hook.selector_value = id.value;
    if (adjust_) adjust_(probe, hook);
    return hook;
  }

  /// How often the IR has the text.
  size_t count(std::string_view wanted) const {
    size_t result = 0;
    for (size_t at = object.listing.find(wanted); at != std::string::npos; at = object.listing.find(wanted, at + 1))
      ++result;
    return result;
  }

  std::string error;
  codegen::CompiledObject object;
  std::vector<const Plan *> planned;  ///< what codegen::compile() gave away before there was code

 private:
  Check check_;
  std::map<uint32_t, ProbeHook> hooks_;
  Adjust adjust_;
  uint32_t pid_namespace_ = 0;
  bool typed_pointers_ = true;
};

}  // namespace dtrace::test
