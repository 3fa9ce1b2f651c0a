// SPDX-License-Identifier: Apache-2.0
// Any bytes as an argument string, on each machine. The first byte chooses the machine.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "usdt/arguments.h"
#include "usdt/registers.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace dtrace::usdt;
  if (size == 0) return 0;
  const auto machine = static_cast<Machine>(data[0] % 4);
  const std::string_view text(reinterpret_cast<const char *>(data) + 1, size - 1);
  const std::vector<SiteArgument> arguments = parse_arguments(text, machine);
  if (arguments.size() > kMaxArguments) std::abort();
  for (const SiteArgument &argument : arguments) {
    const Operand &operand = argument.operand;
    // What is not refused names registers that exist; what is says why.
    if ((operand.form == Operand::Form::kInvalid) == operand.reason.empty()) std::abort();
    if (operand.form == Operand::Form::kInvalid) continue;
    for (const std::string_view name : {operand.base, operand.index})
      if (!name.empty() && !find_register(machine, name)) std::abort();
  }
  return 0;
}
