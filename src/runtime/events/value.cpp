// SPDX-License-Identifier: Apache-2.0
// Order of aggregation keys. Integers compare unsigned whatever their type: a negative key comes after the positive
// ones.
#include "runtime/events/value.h"

#include <algorithm>
#include <compare>
#include <tuple>

#include "bpf/dt_unwind.h"

namespace dtrace::runtime {

namespace {

int sign(std::strong_ordering order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

int compare_frames(std::span<const uint64_t> a, std::span<const uint64_t> b) {
  return sign(std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end()));
}

/// All 64 bits: keys of one variable may be shown in different widths.
uint64_t rank(const Integer &value) {
  return value.is_signed ? static_cast<uint64_t>(value.as_signed()) : value.as_unsigned();
}

int compare(const Integer &a, const Integer &b) { return sign(rank(a) <=> rank(b)); }
int compare(const Text &a, const Text &b) { return a.view().compare(b.view()); }
int compare(const Bytes &a, const Bytes &b) { return a.bytes.compare(b.bytes); }
int compare(const KernelStack &a, const KernelStack &b) { return compare_frames(a.frames, b.frames); }
int compare(const UserStack &a, const UserStack &b) {
  if (a.pid != b.pid) return sign(a.pid <=> b.pid);
  const int frames = compare_frames(a.frames, b.frames);
  return frames != 0 ? frames : sign(std::tie(a.end, a.image) <=> std::tie(b.end, b.image));
}
int compare(const Symbol &a, const Symbol &b) {
  return sign(std::tie(a.pid, a.address, a.kind, a.image) <=> std::tie(b.pid, b.address, b.kind, b.image));
}
int compare(const Floating &a, const Floating &b) { return a.value < b.value ? -1 : a.value > b.value; }

/// The first eight bytes as a big-endian number.
uint64_t byte_prefix(std::string_view bytes) {
  uint64_t prefix = 0;
  for (size_t i = 0; i < 8; i++) prefix = prefix << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u);
  return prefix;
}

struct OrderPrefix {
  uint64_t operator()(const Integer &value) const { return rank(value); }
  uint64_t operator()(const Text &value) const { return byte_prefix(value.view()); }
  uint64_t operator()(const Bytes &value) const { return byte_prefix(value.bytes); }
  uint64_t operator()(const KernelStack &value) const { return value.frames.empty() ? 0 : value.frames.front(); }
  uint64_t operator()(const UserStack &value) const { return static_cast<uint32_t>(value.pid); }
  uint64_t operator()(const Symbol &value) const { return static_cast<uint32_t>(value.pid); }
  uint64_t operator()(const Floating &) const { return 0; }
};

}  // namespace

std::string_view stack_end_text(uint32_t end) {
  // By enum dt_unwind_end.
  static constexpr std::string_view kTexts[] = {"", "no unwind table yet", "no unwind rule", "stack not readable",
                                                "more frames than wanted"};
  return end < std::size(kTexts) ? kTexts[end] : kTexts[DT_UNWIND_NO_RULE];
}

uint64_t order_prefix(const Value &value) { return std::visit(OrderPrefix{}, value); }

int compare_values(const Value &a, const Value &b) {
  if (a.index() != b.index()) return a.index() < b.index() ? -1 : 1;
  if (const auto *left = std::get_if<Integer>(&a)) return compare(*left, *std::get_if<Integer>(&b));
  return std::visit([&b]<typename T>(const T &left) { return compare(left, std::get<T>(b)); }, a);
}

}  // namespace dtrace::runtime
