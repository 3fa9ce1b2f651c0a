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
  const Instruction *found = code_.at(address - address_);
  if (found == nullptr) return std::nullopt;
  return static_cast<size_t>(found - code_.instructions().data());
}

FunctionFlow::FunctionFlow(const FunctionCode &code, uint64_t address)
    : code_(code), address_(address), sources_(code.instructions().size()) {
  const std::vector<Instruction> &all = code.instructions();
  for (uint32_t i = 0; i < all.size(); ++i) {
    if (goes_on(all[i]) && i + 1 < all.size()) sources_[i + 1].push_back(i);
    if (!jumps(all[i])) continue;
    if (const std::optional<size_t> target = index_of(all[i].target)) sources_[*target].push_back(i);
  }
}

std::vector<uint64_t> FunctionFlow::first_of(const IsInside &is_inside) const {
  const std::vector<Instruction> &all = code_.instructions();
  std::vector<bool> seen(all.size()), inside(all.size());
  for (size_t i = 0; i < all.size(); ++i) inside[i] = is_inside(address_ + all[i].offset);
  std::vector<uint64_t> found;
  std::vector<size_t> open;
  const auto reach = [&](size_t i) {
    if (seen[i]) return;
    seen[i] = true;
    if (inside[i])
      found.push_back(address_ + all[i].offset);
    else
      open.push_back(i);
  };
  const auto follow = [&] {
    while (!open.empty()) {
      const size_t i = open.back();
      open.pop_back();
      if (goes_on(all[i]) && i + 1 < all.size()) reach(i + 1);
      if (!jumps(all[i])) continue;
      if (const std::optional<size_t> target = index_of(all[i].target)) reach(*target);
    }
  };
  if (!all.empty()) reach(0);
  follow();
  for (size_t i = 0; i < all.size(); ++i)
    if (sources_[i].empty() && !inside[i]) reach(i);
  follow();
  // Only a table of cases leads to it.
  for (size_t i = 0; i < all.size() && found.empty(); ++i)
    if (inside[i]) found.push_back(address_ + all[i].offset);
  std::ranges::sort(found);
  return found;
}

/// A loop is taken for the instructions between its beginning and the last jump back there.
std::optional<std::pair<size_t, size_t>> FunctionFlow::loop_around(size_t first, size_t last, bool begins,
                                                                   const IsInside &is_inside) const {
  const std::vector<Instruction> &all = code_.instructions();
  const auto is_in = [&](size_t i) { return is_inside(address_ + all[i].offset); };
  std::optional<std::pair<size_t, size_t>> widest;
  for (size_t head = first + 1; head-- != 0 && is_in(head);) {
    if (begins && head != first) break;
    for (const uint32_t source : sources_[head]) {
      if (source < last || source < head || !jumps(all[source])) continue;
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
  const std::vector<Instruction> &all = code_.instructions();
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
      if (all[source].kind == Kind::kBranch)
        return Error("its code begins with a loop, and a conditional jump leads into it");
      sources.push_back(address_ + all[source].offset);
    }
  }
  if (sources.empty()) return Error("its code begins with a loop, and nothing is known of what leads into it");
  std::ranges::sort(sources);
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  return sources;
}

std::vector<uint64_t> FunctionFlow::only_sources(uint64_t address) const {
  const std::vector<Instruction> &all = code_.instructions();
  const std::optional<size_t> at = index_of(address);
  std::vector<uint64_t> sources;
  if (!at) return sources;
  for (const uint32_t source : sources_[*at]) {
    if (all[source].kind == Kind::kBranch) return {};
    sources.push_back(address_ + all[source].offset);
  }
  return sources;
}

}  // namespace dtrace::runtime
