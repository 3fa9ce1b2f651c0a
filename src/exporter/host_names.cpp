// SPDX-License-Identifier: Apache-2.0
#include "exporter/host_names.h"

#include <arpa/inet.h>

#include <algorithm>
#include <optional>

namespace dtrace::exporter {
namespace {

/// Names are the same in any case, and with a dot at the end.
std::string normal_name(std::string_view name) {
  if (name.ends_with('.')) name.remove_suffix(1);
  std::string normal(name);
  for (char &c : normal)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return normal;
}

template <typename Address>
bool is_address(int family, std::string_view text) {
  Address address{};
  return inet_pton(family, std::string(text).c_str(), &address) == 1;
}

bool is_port(std::string_view text) {
  return text.size() <= 5 && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// What is before the port; nothing: the header is malformed.
std::optional<std::string_view> host_of(std::string_view header) {
  const size_t end = header.starts_with('[') ? header.find(']') : std::min(header.find(':'), header.size()) - 1;
  if (end >= header.size()) return std::nullopt;
  const std::string_view rest = header.substr(end + 1);
  if (!rest.empty() && (rest[0] != ':' || !is_port(rest.substr(1)))) return std::nullopt;
  return header.substr(0, end + 1);
}

}  // namespace

HostNames::HostNames(std::vector<std::string> names) : names_(std::move(names)) {
  accepts_all_ = std::ranges::find(names_, "*") != names_.end();
  names_.emplace_back("localhost");
  for (std::string &name : names_) name = normal_name(name);
}

bool HostNames::accepts(std::string_view header) const {
  if (header.find('\0') != std::string_view::npos) return false;
  const std::optional<std::string_view> host = host_of(header);
  if (!host || host->empty()) return false;
  if (host->starts_with('[')) return is_address<in6_addr>(AF_INET6, host->substr(1, host->size() - 2));
  if (accepts_all_ || is_address<in_addr>(AF_INET, *host)) return true;
  return std::ranges::find(names_, normal_name(*host)) != names_.end();
}

}  // namespace dtrace::exporter
