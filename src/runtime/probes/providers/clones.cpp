// SPDX-License-Identifier: Apache-2.0
#include "runtime/probes/providers/clones.h"

#include <algorithm>

namespace dtrace::runtime {
namespace {

constexpr std::string_view kWhole[] = {".constprop.", ".isra.", ".lto_priv.", ".llvm."};
constexpr size_t kMaxNamed = 3;

bool is_clone(std::string_view name, std::string_view function) {
  if (!name.starts_with(function)) return false;
  const std::string_view suffix = name.substr(function.size());
  return suffix.find(".part.") == std::string_view::npos && suffix.find(".cold") == std::string_view::npos &&
         std::ranges::any_of(kWhole, [&](std::string_view kind) { return suffix.starts_with(kind); });
}

}  // namespace

std::string clones_of(UserObject &object, std::string_view function) {
  std::string named;
  size_t count = 0;
  for (const UserFunction &candidate : object.functions()) {
    const auto name =
        std::ranges::find_if(candidate.names, [&](std::string_view each) { return is_clone(each, function); });
    if (name == candidate.names.end() || ++count > kMaxNamed) continue;
    named.append(named.empty() ? "" : ", ").append(*name);
  }
  if (named.empty()) return "";
  return ": the compiler made " + named + (count > kMaxNamed ? ", ..." : "") + " of it";
}

}  // namespace dtrace::runtime
