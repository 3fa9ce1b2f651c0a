// SPDX-License-Identifier: Apache-2.0
// Names of stability levels in order of strength; the enumerations' order is the tables'.
#include "frontend/lang/stability.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace dtrace {
namespace {

constexpr std::string_view kStabilities[] = {"Internal", "Private",  "Obsolete", "External",
                                             "Unstable", "Evolving", "Stable",   "Standard"};
constexpr std::string_view kClasses[] = {"Unknown", "CPU", "Platform", "Group", "ISA", "Common"};

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

template <typename Enum, size_t N>
bool parse_part(const std::string_view (&words)[N], std::string_view word, Enum &out) {
  if (word.empty()) return true;
  for (size_t i = 0; i < N; ++i) {
    if (!same_word(words[i], word)) continue;
    out = static_cast<Enum>(i);
    return true;
  }
  return false;
}

struct PartRow {
  std::string_view word;
  Attributes ProviderAttributes::*part;
};
constexpr PartRow kParts[] = {
    {"provider", &ProviderAttributes::provider}, {"module", &ProviderAttributes::module},
    {"function", &ProviderAttributes::function}, {"name", &ProviderAttributes::name},
    {"args", &ProviderAttributes::args},
};

bool is_glob(std::string_view text) { return text.find_first_of("*?[\\") != std::string_view::npos; }

}  // namespace

std::string_view text(Stability stability) { return kStabilities[static_cast<size_t>(stability)]; }
std::string_view text(DependencyClass dependency) { return kClasses[static_cast<size_t>(dependency)]; }

std::string text(const Attributes &attributes) {
  std::string result(text(attributes.name));
  result += '/';
  result += text(attributes.data);
  result += '/';
  result += text(attributes.dependency);
  return result;
}

std::optional<Attributes> parse_attributes(std::string_view text) {
  Attributes result = kStrongestAttributes;
  std::string_view parts[3];
  for (size_t i = 0; i < 3; ++i) {
    const size_t slash = i < 2 ? text.find('/') : std::string_view::npos;
    parts[i] = text.substr(0, slash);
    text.remove_prefix(slash == std::string_view::npos ? text.size() : slash + 1);
  }
  if (!parse_part(kStabilities, parts[0], result.name) || !parse_part(kStabilities, parts[1], result.data) ||
      !parse_part(kClasses, parts[2], result.dependency)) {
    return std::nullopt;
  }
  return result;
}

Attributes ProviderAttributes::*provider_part(std::string_view word) {
  const auto *row = std::ranges::find(kParts, word, &PartRow::word);
  return row == std::end(kParts) ? nullptr : row->part;
}

Attributes weaker(const Attributes &a, const Attributes &b) {
  return Attributes{std::min(a.name, b.name), std::min(a.data, b.data), std::min(a.dependency, b.dependency)};
}

bool reaches(const Attributes &attributes, const Attributes &floor) {
  return attributes.name >= floor.name && attributes.data >= floor.data && attributes.dependency >= floor.dependency;
}

Attributes description_attributes(const ProbeDesc &desc, const ProviderAttributes &provider) {
  Attributes result = desc.provider.empty() || is_glob(desc.provider) ? kUnstableAttributes : provider.provider;
  if (!desc.module.empty()) result = weaker(result, provider.module);
  if (!desc.function.empty()) result = weaker(result, provider.function);
  if (!desc.name.empty()) result = weaker(result, provider.name);
  return result;
}

}  // namespace dtrace
