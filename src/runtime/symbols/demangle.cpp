// SPDX-License-Identifier: Apache-2.0
#include "runtime/symbols/demangle.h"

#include <cxxabi.h>
#include <llvm/Demangle/Demangle.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "runtime/symbols/demangled_size.h"

namespace dtrace::runtime {

namespace {

// A name comes from anybody's file. Both demanglers recurse over it; longer ones print as they are.
constexpr size_t kMaxNameBytes = 4096;
// A name that would become longer prints as it is, too.
constexpr uint64_t kMaxDemangledBytes = 1 << 20;
// References of a Rust name to its own parts: three make it at most three times as long.
constexpr ptrdiff_t kMaxReferences = 24;

/// Is it no name, or one that becomes longer than anybody wants to read? Such names are made to use up memory. What
/// LLVM cannot parse does not reach __cxa_demangle, which never returns from some of it ("_ZaaAppsrp1DCa!").
bool is_hostile(std::string_view name, bool is_rust) {
  if (is_rust) return std::count(name.begin(), name.end(), 'B') > kMaxReferences;
  const uint64_t size = demangled_size(name);
  return size == 0 || size > kMaxDemangledBytes;
}

struct Free {
  void operator()(char *text) const { std::free(text); }
};
using CString = std::unique_ptr<char, Free>;

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

/// "::h" and 16 hex digits: what makes a legacy Rust name unique.
bool has_rust_hash(std::string_view plain) {
  constexpr size_t kDigits = 16;
  constexpr std::string_view kLead = "::h";
  if (plain.size() < kLead.size() + kDigits) return false;
  const std::string_view tail = plain.substr(plain.size() - kLead.size() - kDigits);
  return tail.starts_with(kLead) && std::all_of(tail.begin() + kLead.size(), tail.end(), is_hex);
}

struct RustEscape {
  std::string_view code;
  std::string_view text;
};
constexpr RustEscape kRustEscapes[] = {
    {"$SP$", "@"}, {"$BP$", "*"}, {"$RF$", "&"}, {"$LT$", "<"}, {"$GT$", ">"},
    {"$LP$", "("}, {"$RP$", ")"}, {"$C$", ","},  {"..", "::"},
};

/// "$u7b$" -> "{": a character by its number. Returns the bytes used, 0 if it is none.
size_t take_rust_character(std::string_view text, std::string *out) {
  if (!text.starts_with("$u")) return 0;
  const size_t end = text.find('$', 2);
  if (end == std::string_view::npos || end == 2 || end > 8) return 0;
  unsigned code = 0;
  for (const char c : text.substr(2, end - 2)) {
    if (!is_hex(c)) return 0;
    code = code * 16 + static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
  }
  if (code < 0x20 || code > 0x7e) return 0;
  out->push_back(static_cast<char>(code));
  return end + 1;
}

/// Undoes the escapes of legacy Rust names in one that was demangled as C++, hash cut off.
std::string rust_legacy(std::string_view plain) {
  std::string out;
  bool starts_component = true;
  while (!plain.empty()) {
    // A component may not start with '$', so "_" was put before it.
    if (starts_component && plain.starts_with("_$")) plain.remove_prefix(1);
    starts_component = false;
    if (plain.starts_with("::")) {
      out += "::";
      plain.remove_prefix(2);
      starts_component = true;
      continue;
    }
    const auto escape = std::find_if(std::begin(kRustEscapes), std::end(kRustEscapes),
                                     [plain](const RustEscape &e) { return plain.starts_with(e.code); });
    if (escape != std::end(kRustEscapes)) {
      out += escape->text;
      plain.remove_prefix(escape->code.size());
    } else if (const size_t used = take_rust_character(plain, &out)) {
      plain.remove_prefix(used);
    } else {
      out.push_back(plain.front());
      plain.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace

std::string demangle(std::string_view name) {
  const bool is_cxx = name.starts_with("_Z");
  const bool is_rust = name.starts_with("_R");
  if ((!is_cxx && !is_rust) || name.size() > kMaxNameBytes) return std::string(name);

  // Neither grammar has a '.' before the suffixes compilers add, except legacy Rust's "..".
  size_t suffix_at = name.find('.');
  while (suffix_at != std::string_view::npos && name.substr(suffix_at).starts_with("..")) {
    suffix_at = name.find('.', suffix_at + 2);
  }
  const std::string mangled(name.substr(0, suffix_at));
  const std::string_view suffix = suffix_at == std::string_view::npos ? std::string_view{} : name.substr(suffix_at);

  if (is_hostile(mangled, is_rust)) return std::string(name);
  int status = 0;
  const CString plain(is_rust ? llvm::rustDemangle(mangled)
                              : abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status));
  if (!plain || status != 0) return std::string(name);

  std::string_view text = plain.get();
  std::string out;
  if (is_cxx && has_rust_hash(text)) {
    constexpr size_t kHashBytes = 19;
    out = rust_legacy(text.substr(0, text.size() - kHashBytes));
  } else {
    out = text;
  }
  return out.append(suffix);
}

std::string_view name_without_parameters(std::string_view readable) {
  const size_t close = readable.rfind(')');
  // "(anonymous namespace)::counter" is no function.
  if (close == std::string_view::npos || readable.substr(close + 1).starts_with("::")) return readable;
  size_t open = close, depth = 1;
  while (depth > 0 && open > 0) {
    const char c = readable[--open];
    depth += c == ')' ? 1 : 0;
    depth -= c == '(' ? 1 : 0;
  }
  if (depth != 0) return readable;
  std::string_view name = readable.substr(0, open);
  // Templates are named with the type of their result, up to the last blank that is outside of all brackets. An
  // operator's name may hold blanks and brackets of its own.
  const size_t end = std::min(name.find("operator"), name.size());
  size_t begin = 0, brackets = 0;
  for (size_t i = 0; i < end; ++i) {
    const char c = name[i];
    if (c == '<' || c == '(' || c == '{') ++brackets;
    if ((c == '>' || c == ')' || c == '}') && brackets > 0) --brackets;
    if (c == ' ' && brackets == 0) begin = i + 1;
  }
  return name.substr(begin);
}

}  // namespace dtrace::runtime
