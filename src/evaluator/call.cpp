// SPDX-License-Identifier: Apache-2.0
// Subroutines, a function each. Source: the D language reference, 4.5.
#include "evaluator/call.h"

#include <array>
#include <bit>
#include <cstring>
#include <variant>

namespace dtrace::evaluator {
namespace {

using Answer = std::variant<uint64_t, MaybeText>;

Answer whole(int64_t number) { return static_cast<uint64_t>(number); }

/// Only the firing can tell.
Answer told(Call &c) {
  if (c.e.types().is_string(c.expr().type)) return c.parts().leaves.text(c.expr());
  return c.parts().leaves.number(c.expr());
}
/// What changes the traced process is not done here.
Answer not_done(Call &c) { throw NotTold{&c.expr()}; }

// --- memory

Answer sub_alloca(Call &c) { return c.parts().memory.allocate(c.number(0)); }
Answer sub_copyin(Call &c) { return c.parts().memory.put(c.parts().leaves.bytes(c.expr())); }

void copy_to(Call &c, std::span<const std::byte> from, uint64_t address) {
  if (from.empty()) return;
  std::memcpy(c.parts().memory.writable(address, from.size()).data(), from.data(), from.size());
}

Answer sub_copyinto(Call &c) {
  const uint64_t from = c.number(0), size_bytes = c.number(1), to = c.number(2);
  copy_to(c, c.e.read(Space::kUser, from, size_bytes), to);
  return uint64_t{0};
}
Answer sub_bcopy(Call &c) {
  const uint64_t from = c.number(0), to = c.number(1), size_bytes = c.number(2);
  if (size_bytes != 0) c.parts().memory.writable(to, size_bytes);  // before it is read
  copy_to(c, c.e.read(c.space(0), from, size_bytes), to);
  return uint64_t{0};
}
Answer sub_memstr(Call &c) {
  const uint64_t from = c.number(0);
  const char filler = static_cast<char>(c.number(1));
  const uint64_t wanted = c.number(2);
  const uint64_t count = wanted - (wanted != 0);  // the last byte gives way to the NUL
  const uint64_t most = c.e.types().size_bytes(c.expr().type) - 1;
  if (count > most) c.parts().lose(Cause::kStringCut);
  const std::vector<std::byte> bytes = c.e.read(c.space(0), from, std::min(count, most));
  std::string text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  for (char &character : text)
    if (character == '\0') character = filler;
  return MaybeText(text.substr(0, text.find('\0')));
}

// --- numbers

template <typename T>
Answer swapped(Call &c) {
  T value = static_cast<T>(c.number(0));
  if constexpr (std::endian::native == std::endian::little) {
    if constexpr (sizeof value == 2) value = __builtin_bswap16(value);
    if constexpr (sizeof value == 4) value = __builtin_bswap32(value);
    if constexpr (sizeof value == 8) value = __builtin_bswap64(value);
  }
  return uint64_t{value};
}
constexpr auto *sub_htons = swapped<uint16_t>, *sub_ntohs = swapped<uint16_t>;
constexpr auto *sub_htonl = swapped<uint32_t>, *sub_ntohl = swapped<uint32_t>;
constexpr auto *sub_htonll = swapped<uint64_t>, *sub_ntohll = swapped<uint64_t>;

constexpr unsigned kMinorBits = 20;
Answer sub_getmajor(Call &c) { return (c.number(0) & 0xffffffff) >> kMinorBits; }
Answer sub_getminor(Call &c) { return c.number(0) & ((uint64_t{1} << kMinorBits) - 1); }

/// Bases outside 2 to 36 are illegal.
unsigned base_of(Call &c, size_t n) {
  const int64_t base = c.given(n).value_or(10);
  if (base < 2 || base > 36) throw Fault{DT_FAULT_ILLOP};
  return static_cast<unsigned>(base);
}
Answer sub_lltostr(Call &c) {
  const int64_t number = c.integer(0);
  return MaybeText(number_text(number, base_of(c, 1)));
}
Answer sub_strtoll(Call &c) {
  const std::string text = c.text(0);
  return whole(text_number(text, base_of(c, 1)));
}

// --- strings

Answer sub_basename(Call &c) { return MaybeText(base_name(c.text(0))); }
Answer sub_dirname(Call &c) { return MaybeText(directory_name(c.text(0))); }
Answer sub_cleanpath(Call &c) { return MaybeText(clean_path(c.text(0))); }
Answer sub_toupper(Call &c) { return MaybeText(upper_case(c.text(0))); }
Answer sub_tolower(Call &c) { return MaybeText(lower_case(c.text(0))); }
Answer sub_strlen(Call &c) { return uint64_t{c.text(0).size()}; }

Answer sub_strchr(Call &c) {
  const std::string text = c.text(0);
  return from_first(text, static_cast<char>(c.number(1)));
}
Answer sub_strrchr(Call &c) {
  const std::string text = c.text(0);
  return from_last(text, static_cast<char>(c.number(1)));
}
Answer sub_strstr(Call &c) {
  const std::string text = c.text(0);
  return from_text(text, c.text(1));
}
Answer sub_index(Call &c) {
  const std::string text = c.text(0), wanted = c.text(1);
  return whole(first_index(text, wanted, c.given(2)));
}
Answer sub_rindex(Call &c) {
  const std::string text = c.text(0), wanted = c.text(1);
  return whole(last_index(text, wanted, c.given(2)));
}
Answer sub_substr(Call &c) {
  const std::string text = c.text(0);
  const int64_t index = c.integer(1);
  return MaybeText(part_of(text, index, c.given(2)));
}
Answer sub_strjoin(Call &c) {
  const MaybeText left = c.maybe_text(0), right = c.maybe_text(1);
  if (!left || !right) throw Fault{DT_FAULT_BADADDR};
  return MaybeText(c.e.fitted(*left + *right, c.e.types().size_bytes(c.expr().type)));
}
Answer sub_strtok(Call &c) {
  if (MaybeText text = c.maybe_text(0)) {
    text->resize(std::min<size_t>(text->size(), c.e.types().strsize() - 1));
    c.tokens().begin(*std::move(text));
  }
  return c.tokens().next(c.text(1));
}
Answer sub_json(Call &c) {
  const std::string text = c.text(0);
  return json_element(text, c.text(1));
}

// --- addresses of networks

template <size_t N>
std::array<unsigned char, N> octets(Call &c, size_t n) {
  const std::vector<std::byte> bytes = c.read(n, N);
  std::array<unsigned char, N> address;
  std::memcpy(address.data(), bytes.data(), N);
  return address;
}
Answer ipv4(Call &c, size_t n) { return MaybeText(ipv4_text(octets<4>(c, n))); }
Answer ipv6(Call &c, size_t n, bool plain) { return MaybeText(ipv6_text(octets<16>(c, n), plain)); }

Answer sub_inet_ntoa(Call &c) { return ipv4(c, 0); }
Answer sub_inet_ntoa6(Call &c) {
  const bool is_strict = c.given(1).value_or(0) != 0;  // keeps the prefix of an IPv4 address
  return ipv6(c, 0, !is_strict);
}
Answer sub_inet_ntop(Call &c) {
  constexpr uint64_t kInet = 2, kInet6 = 10;
  const uint64_t family = c.number(0);
  if (family != kInet && family != kInet6) throw Fault{DT_FAULT_ILLOP};
  return family == kInet ? ipv4(c, 1) : ipv6(c, 1, false);
}
Answer sub_link_ntop(Call &c) {
  constexpr uint64_t kEther = 1, kInfiniband = 32;
  const uint64_t type = c.number(0);
  if (type != kEther && type != kInfiniband) throw Fault{DT_FAULT_ILLOP};
  return MaybeText(type == kEther ? link_text(octets<6>(c, 1)) : link_text(octets<20>(c, 1)));
}

// --- what the kernel or the process knows

constexpr auto *sub_copyinstr = told, *sub_d_path = told, *sub_progenyof = told, *sub_rand = told,
               *sub_mutex_owned = told, *sub_mutex_owner = told, *sub_rw_iswriter = told, *sub_rw_read_held = told,
               *sub_rw_write_held = told, *sub_ddi_pathname = told, *sub_msgsize = told, *sub_msgdsize = told;
constexpr auto *sub_copyout = not_done, *sub_copyoutstr = not_done;

Answer sub_mutex_type_adaptive(Call &c) {
  c.number(0);
  return uint64_t{1};
}
Answer sub_mutex_type_spin(Call &c) {
  c.number(0);
  return uint64_t{0};
}
Answer sub_speculation(Call &c) { return c.parts().start_speculation(); }

#define DT_ROW_Subr(name) &*sub_##name,
#define DT_ROW_Act(name) nullptr,
#define DT_ROW_Value(name) nullptr,
#define DT_ROW_Agg(name) nullptr,
constexpr Answer (*kFunctions[])(Call &) = {
#define BUILTIN(name, kind, prototype, effect) DT_ROW_##kind(name)
#include "frontend/lang/builtins.def"
};
#undef DT_ROW_Subr
#undef DT_ROW_Act
#undef DT_ROW_Value
#undef DT_ROW_Agg

}  // namespace

uint64_t Call::number() {
  const Answer answer = kFunctions[static_cast<size_t>(call_.subr)](*this);
  const uint64_t *number = std::get_if<uint64_t>(&answer);
  return number != nullptr ? *number : 0;
}

MaybeText Call::text() {
  Answer answer = kFunctions[static_cast<size_t>(call_.subr)](*this);
  MaybeText *text = std::get_if<MaybeText>(&answer);
  return text != nullptr ? std::move(*text) : std::nullopt;
}

}  // namespace dtrace::evaluator
