// SPDX-License-Identifier: Apache-2.0
#include "runtime/probes/derived_probes.h"

#include <charconv>

#include "runtime/usdt/argument_type.h"

namespace dtrace::runtime {
namespace {

TypeId type_by_name(std::string_view text, TypeTable &types) {
  return text == "string" ? types.string_type() : declared_type(text, UserOperand{}, Space::kKernel, types);
}

/// The number that a type begins with, which is then taken off.
std::optional<unsigned> take_source(std::string_view &text) {
  unsigned source = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), source);
  if (error != std::errc()) return std::nullopt;
  constexpr std::string_view kSeparator = ": ";
  text.remove_prefix(static_cast<size_t>(end - text.data()) + kSeparator.size());
  return source;
}

}  // namespace

std::vector<ProbeArg> derived_args(const ProbeOrigins &origins, const ProbeDefinition &definition, TypeTable &types) {
  const std::vector<TypeId> &values = origins.front().args;
  std::vector<ProbeArg> args;
  bool is_whole = false;  // the definition's list
  for (unsigned n = 0; n < (is_whole ? definition.types.size() : values.size()); ++n) {
    std::string_view said = n < definition.types.size() ? definition.types[n] : std::string_view();
    const std::optional<unsigned> source = take_source(said);
    is_whole = is_whole || source;
    const TypeId native = values[source.value_or(n)];
    args.push_back({native, said.empty() ? native : type_by_name(said, types), source.value_or(n)});
  }
  return args;
}

std::vector<ProbeArg> absent_args(std::span<const std::string_view> types, TypeTable &table) {
  std::vector<ProbeArg> args;
  for (std::string_view said : types) {
    const unsigned source = take_source(said).value_or(static_cast<unsigned>(args.size()));
    const TypeId type = said.empty() ? TypeId{} : type_by_name(said, table);
    args.push_back({type, type, source});
  }
  return args;
}

}  // namespace dtrace::runtime
