// SPDX-License-Identifier: Apache-2.0
// The members of plain structures, without naming them: what is done to each member is done to one that is added later,
// too. Plain means: no constructors, bases, private members or C arrays.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace dtrace {
namespace members {

/// Converts to whatever a member is initialised with.
struct Anything {
  template <typename T>
  operator T() const;  // NOLINT(google-explicit-constructor): declared only
};

template <typename T, size_t... Is>
constexpr bool takes(std::index_sequence<Is...>) {
  return requires { T{(static_cast<void>(Is), Anything{})...}; };
}

inline constexpr size_t kMax = 24;

template <typename T, size_t N = kMax>
constexpr size_t count() {
  if constexpr (takes<T>(std::make_index_sequence<N>()))
    return N;
  else if constexpr (N == 0)
    return 0;
  else
    return count<T, N - 1>();
}

}  // namespace members

/// Calls `each` with every member of `value`, in order.
template <typename T, typename Each>
void for_each_member(const T &value, Each each) {
  static_assert(std::is_aggregate_v<T>, "not a plain structure: it needs an overload");
  constexpr size_t kCount = members::count<T>();
  static_assert(std::is_empty_v<T> || kCount > 0, "its members are not understood: it needs an overload");
  static_assert(kCount < members::kMax, "too many members: extend the list below");
#define DT_MEMBERS(n, ...)                                      \
  else if constexpr (kCount == n) {                             \
    const auto &[__VA_ARGS__] = value;                          \
    [&](const auto &...all) { (each(all), ...); }(__VA_ARGS__); \
  }
  if constexpr (kCount == 0) {
    static_cast<void>(value);
  }
  DT_MEMBERS(1, a)
  DT_MEMBERS(2, a, b)
  DT_MEMBERS(3, a, b, c)
  DT_MEMBERS(4, a, b, c, d)
  DT_MEMBERS(5, a, b, c, d, e)
  DT_MEMBERS(6, a, b, c, d, e, f)
  DT_MEMBERS(7, a, b, c, d, e, f, g)
  DT_MEMBERS(8, a, b, c, d, e, f, g, h)
  DT_MEMBERS(9, a, b, c, d, e, f, g, h, i)
  DT_MEMBERS(10, a, b, c, d, e, f, g, h, i, j)
  DT_MEMBERS(11, a, b, c, d, e, f, g, h, i, j, k)
  DT_MEMBERS(12, a, b, c, d, e, f, g, h, i, j, k, l)
  DT_MEMBERS(13, a, b, c, d, e, f, g, h, i, j, k, l, m)
  DT_MEMBERS(14, a, b, c, d, e, f, g, h, i, j, k, l, m, n)
  DT_MEMBERS(15, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)
  DT_MEMBERS(16, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
  DT_MEMBERS(17, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q)
  DT_MEMBERS(18, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r)
  DT_MEMBERS(19, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s)
  DT_MEMBERS(20, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t)
  DT_MEMBERS(21, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u)
  DT_MEMBERS(22, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v)
  DT_MEMBERS(23, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w)
#undef DT_MEMBERS
}

}  // namespace dtrace
