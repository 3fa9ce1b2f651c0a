// SPDX-License-Identifier: Apache-2.0
#include "command_line/foreign_flags.h"

#include <algorithm>
#include <iterator>

namespace dtrace::command {
namespace {

struct ForeignFlag {
  std::string_view name, ours;
};
constexpr ForeignFlag kForeignFlags[] = {
    {"--flame", "-o cpu.html:flame"},
    {"--flamegraph", "-o cpu.html:flame"},
    {"--heatmap", "-o heat.html:heatmap"},
    {"--svg", "-o cpu.svg:svg"},
    {"--folded", "-x format=folded"},
    {"--json", "-x format=json"},
    {"--csv", "-x format=csv"},
    {"--format", "-x format=json"},
    {"--pprof", "-o cpu.pb.gz:pprof"},
    {"--pid", "-p PID"},
    {"--output", "-o FILE"},
    {"--script", "-s FILE"},
    {"--quiet", "-q"},
    {"--verbose", "-v"},
    {"--list", "-l"},
    {"--duration", "-T 10s"},
};

}  // namespace

std::string_view ours_for(std::string_view word) {
  const auto *found = std::ranges::find(kForeignFlags, word.substr(0, word.find('=')), &ForeignFlag::name);
  return found == std::end(kForeignFlags) ? std::string_view() : found->ours;
}

}  // namespace dtrace::command
