// SPDX-License-Identifier: Apache-2.0
#include "runtime/user/function_flow.h"

#include <algorithm>

namespace dtrace::runtime {
namespace {

using Kind = Instruction::Kind;

bool goes_on(const Instruction &instruction) {
  switch (instruction.kind) {
    case Kind::kOther:
    case Kind::kBranch:
    case Kind::kCall:
    case Kind::kNop:
      return true;
    default:
      return false;
  }
}

bool jumps(const Instruction &instruction) {
  return instruction.kind == Kind::kJump || instruction.kind == Kind::kBranch;
}

}  // namespace

std::optional<size_t> FunctionFlow::index_of(uint64_t address) const {
  if (address < address_) return std::nullopt;
  const auto found = std::ranges::lower_bound(code_, address - address_, {}, &Instruction::offset);
  if (found == code_.end() || found->offset != address - address_) return std::nullopt;
  return static_cast<size_t>(found - code_.begin());
}

FunctionFlow::FunctionFlow(std::span<const Instruction> code, uint64_t address)
    : code_(code), address_(address), sources_(code.size()) {
  for (uint32_t i = 0; i < code.size(); ++i) {
    if (goes_on(code[i]) && i + 1 < code.size()) sources_[i + 1].push_back(i);
    if (!jumps(code[i])) continue;
    if (const std::optional<size_t> target = index_of(code[i].target)) sources_[*target].push_back(i);
  }
}

void FunctionFlow::follow(std::vector<size_t> &open, const std::function<void(size_t)> &reach) const {
  while (!open.empty()) {
    const size_t i = open.back();
    open.pop_back();
    if (goes_on(code_[i]) && i + 1 < code_.size()) reach(i + 1);
    if (!jumps(code_[i])) continue;
    if (const std::optional<size_t> target = index_of(code_[i].target)) reach(*target);
  }
}

std::vector<uint64_t> FunctionFlow::first_of(const IsInside &is_inside) const {
  std::vector<bool> seen(code_.size()), inside(code_.size());
  for (size_t i = 0; i < code_.size(); ++i) inside[i] = is_inside(address_ + code_[i].offset);
  std::vector<uint64_t> found;
  std::vector<size_t> open;
  const auto reach = [&](size_t i) {
    if (seen[i]) return;
    seen[i] = true;
    if (inside[i])
      found.push_back(address_ + code_[i].offset);
    else
      open.push_back(i);
  };
  if (!code_.empty()) reach(0);
  follow(open, reach);
  // A table of cases leads to what has no sources; to padding nothing leads.
  for (size_t i = 0; i < code_.size(); ++i)
    if (sources_[i].empty() && !inside[i] && code_[i].kind != Kind::kNop) reach(i);
  follow(open, reach);
  // Only a table of cases leads to it.
  for (size_t i = 0; i < code_.size() && found.empty(); ++i)
    if (inside[i]) found.push_back(address_ + code_[i].offset);
  std::ranges::sort(found);
  return found;
}

/// A loop is taken for the instructions between its beginning and the last jump back there.
std::optional<std::pair<size_t, size_t>> FunctionFlow::loop_around(size_t first, size_t last, bool begins,
                                                                   const IsInside &is_inside) const {
  const auto is_in = [&](size_t i) { return is_inside(address_ + code_[i].offset); };
  std::optional<std::pair<size_t, size_t>> widest;
  for (size_t head = first + 1; head-- != 0 && is_in(head);) {
    if (begins && head != first) break;
    for (const uint32_t source : sources_[head]) {
      if (source < last || source < head || !jumps(code_[source])) continue;
      if (widest && widest->first <= head && source <= widest->second) continue;
      bool is_whole = true;
      for (size_t i = last; i <= source && is_whole; ++i) is_whole = is_in(i);
      if (is_whole) widest = {head, std::max<size_t>(source, widest ? widest->second : 0)};
    }
  }
  return widest;
}

Result<std::vector<uint64_t>> FunctionFlow::before_loop(uint64_t address, const IsInside &is_inside) const {
  constexpr unsigned kMaxNesting = 16;
  const std::optional<size_t> at = index_of(address);
  std::optional<std::pair<size_t, size_t>> loop = at ? loop_around(*at, *at, true, is_inside) : std::nullopt;
  if (!loop) return std::vector{address};
  for (unsigned depth = 0; depth < kMaxNesting; ++depth) {
    const auto wider = loop_around(loop->first, loop->second, false, is_inside);
    if (!wider || *wider == *loop) break;
    loop = wider;
  }
  std::vector<uint64_t> sources;
  for (size_t i = loop->first; i <= loop->second; ++i) {
    for (const uint32_t source : sources_[i]) {
      if (source >= loop->first && source <= loop->second) continue;
      if (code_[source].kind == Kind::kBranch)
        return Error("its code begins with a loop, and a conditional jump leads into it");
      sources.push_back(address_ + code_[source].offset);
    }
  }
  if (sources.empty()) return Error("its code begins with a loop, and nothing is known of what leads into it");
  std::ranges::sort(sources);
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  return sources;
}

std::vector<uint64_t> FunctionFlow::apart(std::span<const uint64_t> addresses, const IsInside &is_inside) const {
  constexpr size_t kMaxSteps = 1 << 24;
  if (addresses.size() * code_.size() > kMaxSteps) return {};
  std::vector<bool> inside(code_.size());
  for (size_t i = 0; i < code_.size(); ++i) inside[i] = is_inside(address_ + code_[i].offset);
  std::vector<std::vector<bool>> reached;  // by address, from it
  std::vector<size_t> indexes;
  for (const uint64_t address : addresses) {
    const std::optional<size_t> start = index_of(address);
    std::vector<bool> &seen = reached.emplace_back(code_.size());
    indexes.push_back(start.value_or(0));
    std::vector<size_t> open;
    if (start) open.push_back(*start);
    const auto reach = [&](size_t i) {
      if (inside[i] && !seen[i]) open.push_back(i);
      if (inside[i]) seen[i] = true;
    };
    follow(open, reach);
  }
  std::vector<uint64_t> found;
  for (size_t i = 0; i < addresses.size(); ++i) {
    bool is_led_to = false;
    for (size_t from = 0; from < addresses.size(); ++from)
      is_led_to |= from != i && reached[from][indexes[i]] && (from < i || !reached[i][indexes[from]]);
    if (!is_led_to) found.push_back(addresses[i]);
  }
  return found;
}

std::vector<uint64_t> FunctionFlow::straight_from(uint64_t address) const {
  std::vector<uint64_t> found{address};
  const std::optional<size_t> at = index_of(address);
  if (!at) return found;
  for (size_t i = *at; i + 1 < code_.size() && sources_[i + 1].size() == 1; ++i) {
    if (code_[i].kind != Kind::kOther && code_[i].kind != Kind::kNop) break;
    found.push_back(address_ + code_[i + 1].offset);
  }
  return found;
}

bool FunctionFlow::is_jumped_to(uint64_t address, const IsInside &is_inside) const {
  const std::optional<size_t> at = index_of(address);
  return at && std::ranges::any_of(sources_[*at], [&](uint32_t source) {
           const Instruction &from = code_[source];
           return jumps(from) && from.target == address && is_inside(address_ + from.offset);
         });
}

bool FunctionFlow::has_jumps(const IsInside &is_inside) const {
  return has_computed_jumps(is_inside) || std::ranges::any_of(code_, [&](const Instruction &one) {
           return jumps(one) && is_inside(address_ + one.offset);
         });
}

bool FunctionFlow::has_computed_jumps(const IsInside &is_inside) const {
  return std::ranges::any_of(code_, [&](const Instruction &one) {
    return one.kind == Kind::kIndirectJump && is_inside(address_ + one.offset);
  });
}

bool FunctionFlow::is_padding(uint64_t address) const {
  const std::optional<size_t> at = index_of(address);
  return at && code_[*at].kind == Kind::kNop;
}

std::vector<uint64_t> FunctionFlow::only_sources(uint64_t address) const {
  const std::optional<size_t> at = index_of(address);
  std::vector<uint64_t> sources;
  if (!at) return sources;
  for (const uint32_t source : sources_[*at]) {
    if (code_[source].kind == Kind::kBranch) return {};
    sources.push_back(address_ + code_[source].offset);
  }
  return sources;
}

}  // namespace dtrace::runtime
