// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernel/kernel_functions.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/hexadecimal.h"
#include "base/owned.h"
#include "base/read_file.h"
#include "runtime/kernel/kernel_info.h"
#include "runtime/kernel/landing_marks.h"

namespace dtrace::runtime {
namespace {

constexpr std::string_view kCoreKernel = "vmlinux";
constexpr const char *kForbiddenPath = "/sys/kernel/debug/kprobes/blacklist";

/// Calls `each` with every line, without its newline.
template <typename Function>
void for_each_line(std::string_view text, Function each) {
  const char *at = text.data(), *end = at + text.size();
  while (at < end) {
    const auto *newline = static_cast<const char *>(std::memchr(at, '\n', static_cast<size_t>(end - at)));
    if (newline == nullptr) newline = end;
    each(std::string_view(at, static_cast<size_t>(newline - at)));
    at = newline + 1;
  }
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view next_word(std::string_view &line) {
  size_t begin = 0;
  while (begin < line.size() && is_blank(line[begin])) ++begin;
  size_t end = begin;
  while (end < line.size() && !is_blank(line[end])) ++end;
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

/// "[ext4]" -> "ext4"; nothing -> the core kernel.
std::string_view module_of(std::string_view word) {
  if (word.size() < 2 || word.front() != '[') return kCoreKernel;
  return word.substr(1, word.size() - 2);
}

/// What the function tracer calls an address that has no name any more: it was a weak function.
bool is_nameless(std::string_view name) { return name.empty() || name.starts_with("__ftrace_invalid_address__"); }

struct Range {
  uint64_t begin, end;
};

/// "0xffffffff81000000-0xffffffff81000010\tname"
std::vector<Range> parse_forbidden(std::string_view text) {
  std::vector<Range> ranges;
  for_each_line(text, [&](std::string_view line) {
    const std::string_view range = next_word(line);
    const size_t dash = std::min(range.find('-'), range.size());
    const std::optional<uint64_t> begin = hexadecimal(range.substr(0, dash));
    const std::optional<uint64_t> end = hexadecimal(range.substr(std::min(dash + 1, range.size())));
    if (begin && end) ranges.push_back({*begin, *end});
  });
  std::sort(ranges.begin(), ranges.end(), [](const Range &a, const Range &b) { return a.begin < b.begin; });
  return ranges;
}

bool is_forbidden(const std::vector<Range> &ranges, uint64_t address) {
  auto after = std::upper_bound(ranges.begin(), ranges.end(), address,
                                [](uint64_t value, const Range &range) { return value < range.begin; });
  return after != ranges.begin() && address < std::prev(after)->end;
}

bool is_text_type(char type) { return type == 't' || type == 'T' || type == 'w' || type == 'W'; }

/// Text symbols of kallsyms, in its order.
std::vector<KernelFunction> parse_kallsyms(std::string_view text) {
  std::vector<KernelFunction> functions;
  for_each_line(text, [&](std::string_view line) {
    const std::optional<uint64_t> address = hexadecimal(next_word(line));
    const std::string_view type = next_word(line);
    const std::string_view name = next_word(line);
    const std::string_view module = module_of(next_word(line));
    if (!address || *address == 0 || type.size() != 1 || module == "bpf" || module.starts_with("__builtin")) return;
    if (is_text_type(type.front())) functions.push_back({name, module, *address});
  });
  return functions;
}

std::vector<KernelFunction> parse_with_addresses(std::string_view text) {
  std::vector<KernelFunction> functions;
  for_each_line(text, [&](std::string_view line) {
    const std::optional<uint64_t> address = hexadecimal(next_word(line));
    const std::string_view name = next_word(line);
    if (address && !is_nameless(name)) functions.push_back({name, module_of(next_word(line)), *address});
  });
  return functions;
}

/// The list's address is that of the call that the tracer patches, behind a landing mark if there is one. The kernel
/// looks attach cookies up by where the function begins, so that is what a probe must be set at.
constexpr uint64_t kMaxToCall = 16;

/// Where text symbols are, ascending.
std::vector<uint64_t> begins_of(std::string_view kallsyms) {
  constexpr size_t kShortestLine = 32;  // or nearly so
  std::vector<uint64_t> begins;
  begins.reserve(kallsyms.size() / kShortestLine);
  for_each_line(kallsyms, [&](std::string_view line) {
    const size_t digits = std::min(line.find(' '), line.size());
    if (line.size() < digits + 2 || !is_text_type(line[digits + 1])) return;
    if (const std::optional<uint64_t> address = hexadecimal(line.substr(0, digits))) begins.push_back(*address);
  });
  // The core kernel, most of it, is in order.
  const auto rest = std::is_sorted_until(begins.begin(), begins.end());
  std::sort(rest, begins.end());
  std::inplace_merge(begins.begin(), rest, begins.end());
  return begins;
}

void move_to_begin(std::vector<KernelFunction> &functions, std::string_view kallsyms) {
  const std::vector<uint64_t> begins = begins_of(kallsyms);
  auto after = begins.begin();
  for (KernelFunction &function : functions) {
    // Mostly a few symbols behind that of the function before.
    constexpr int kSteps = 16;
    for (int i = 0; i < kSteps && after != begins.end() && *after <= function.address; ++i) ++after;
    const bool is_here = (after == begins.end() || *after > function.address) &&
                         (after == begins.begin() || *std::prev(after) <= function.address);
    if (!is_here) after = std::upper_bound(begins.begin(), begins.end(), function.address);
    if (after != begins.begin() && function.address - *std::prev(after) <= kMaxToCall)
      function.address = *std::prev(after);
  }
}

struct ByName {
  size_t operator()(const std::pair<std::string_view, std::string_view> &key) const {
    const std::hash<std::string_view> hash;
    return hash(key.first) ^ hash(key.second) * 31;
  }
};

/// The list gives names only; kallsyms has addresses for them. Both list functions of one name in the order of
/// addresses.
std::vector<KernelFunction> parse_names(std::string_view text, std::string_view kallsyms) {
  struct Same {
    std::vector<uint64_t> addresses;
    size_t wanted = 0, taken = 0;
  };
  std::unordered_map<std::pair<std::string_view, std::string_view>, Same, ByName> same;
  std::vector<KernelFunction> functions;
  for_each_line(text, [&](std::string_view line) {
    const std::string_view name = next_word(line);
    if (is_nameless(name)) return;
    functions.push_back({name, module_of(next_word(line)), 0});
    ++same[{name, functions.back().module}].wanted;
  });
  for (const KernelFunction &symbol : parse_kallsyms(kallsyms))
    if (auto found = same.find({symbol.name, symbol.module}); found != same.end())
      found->second.addresses.push_back(symbol.address);
  for (auto &[name, each] : same) std::sort(each.addresses.begin(), each.addresses.end());
  for (KernelFunction &function : functions) {
    Same &each = same[{function.name, function.module}];
    if (each.addresses.size() == each.wanted) function.address = each.addresses[each.taken++];
  }
  std::erase_if(functions, [](const KernelFunction &function) { return function.address == 0; });
  return functions;
}

}  // namespace

KernelFunctions KernelFunctions::from_text(std::string with_addresses, std::string names, std::string kallsyms,
                                           std::string forbidden, Described described, void *host) {
  KernelFunctions table;
  if (!with_addresses.empty()) {
    table.functions_ = parse_with_addresses(table.texts_.emplace_back(std::move(with_addresses)));
    move_to_begin(table.functions_, kallsyms);
  } else if (!names.empty()) {
    // Views into the list, addresses out of kallsyms, which is not kept.
    table.functions_ = parse_names(table.texts_.emplace_back(std::move(names)), kallsyms);
  } else {
    table.functions_ = parse_kallsyms(table.texts_.emplace_back(std::move(kallsyms)));
    std::erase_if(table.functions_, [&](const KernelFunction &function) { return !described(host, function.name); });
  }
  table.finish(forbidden);
  return table;
}

/// The same without kallsyms; nothing, if that is needed.
std::optional<KernelFunctions> KernelFunctions::from_marks(const std::string &with_addresses,
                                                           std::string_view forbidden) {
  KernelFunctions table;
  table.functions_ = parse_with_addresses(table.texts_.emplace_back(with_addresses));
  std::vector<uint64_t> places;
  places.reserve(table.functions_.size());
  for (const KernelFunction &function : table.functions_) places.push_back(function.address);
  if (!move_to_landing_marks(places)) return std::nullopt;
  for (size_t i = 0; i < places.size(); ++i) table.functions_[i].address = places[i];
  table.finish(forbidden);
  return table;
}

/// Removes from functions_ what no probe may be set in; makes the index of the rest.
void KernelFunctions::finish(std::string_view forbidden) {
  const std::vector<Range> ranges = parse_forbidden(forbidden);
  std::erase_if(functions_, [&](const KernelFunction &function) { return is_forbidden(ranges, function.address); });
  chains_.assign(std::bit_ceil(functions_.size() + 1), 0);
  next_.reserve(functions_.size());
  for (uint32_t i = 0; i < functions_.size(); ++i) index(i);
}

/// Those before it have been indexed.
void KernelFunctions::index(uint32_t place) {
  KernelFunction &function = functions_[place];
  uint32_t &chain = chains_[chain_of(function.name)];
  for (uint32_t at = chain; at != 0 && !function.is_repeated; at = next_[at - 1]) {
    const KernelFunction &other = functions_[at - 1];
    function.is_repeated = other.name == function.name && other.module == function.module && !other.is_gone();
  }
  next_.push_back(std::exchange(chain, place + 1));
}

std::vector<const KernelFunction *> KernelFunctions::by_name(std::string_view module, std::string_view name) const {
  std::vector<const KernelFunction *> found;
  each_by_name(module, name, [&](const KernelFunction &function) { found.push_back(&function); });
  std::reverse(found.begin(), found.end());
  return found;
}

std::set<std::string, std::less<>> KernelFunctions::update(const KernelFunctions &now) {
  using Module = std::vector<const KernelFunction *>;
  auto modules_of = [](const KernelFunctions &table) {
    std::map<std::string_view, Module> modules;
    for (const KernelFunction &function : table.functions_)
      if (function.module != kCoreKernel) modules[function.module].push_back(&function);
    return modules;
  };
  const std::map<std::string_view, Module> here = modules_of(*this), there = modules_of(now);
  auto load_of = [](const KernelFunctions &table, std::string_view name) {
    const auto found = table.loads_.find(name);
    return found != table.loads_.end() ? found->second : 0;
  };
  auto same = [&](std::string_view name, const Module &a, const Module &b) {
    return load_of(*this, name) == load_of(now, name) &&
           std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](auto *x, auto *y) { return x->address == y->address && x->name == y->name; });
  };
  std::set<std::string, std::less<>> changed;
  for (const auto &[name, functions] : here) {
    const auto other = there.find(name);
    const bool was_there = !functions.front()->is_gone();
    if (was_there && (other == there.end() || !same(name, functions, other->second))) changed.emplace(name);
  }
  for (KernelFunction &function : functions_)
    if (changed.contains(function.module)) function.address = 0;
  std::set<std::string_view> stayed;  // asked now, because the table moves when it grows
  for (const auto &[name, functions] : here)
    if (!functions.front()->is_gone()) stayed.insert(name);
  for (const auto &[name, functions] : there) {
    if (stayed.contains(name)) continue;
    for (const KernelFunction *function : functions) {
      KernelFunction *again = find_gone(name, function->name);
      if (again != nullptr) {
        again->address = function->address;
        continue;
      }
      functions_.push_back(
          {texts_.emplace_back(function->name), texts_.emplace_back(function->module), function->address, false});
      index(static_cast<uint32_t>(functions_.size() - 1));
    }
  }
  loads_ = now.loads_;
  return changed;
}

/// The first of that name that a module had and has no more.
KernelFunction *KernelFunctions::find_gone(std::string_view module, std::string_view name) {
  KernelFunction *first = nullptr;
  for (uint32_t at = chains_[chain_of(name)]; at != 0; at = next_[at - 1]) {
    KernelFunction &function = functions_[at - 1];
    if (function.name == name && function.module == module && function.is_gone()) first = &function;
  }
  return first;
}

namespace {

/// Symbols of the kernel and its modules. Those of BPF programs come last, and for each of them the kernel walks the
/// list of all: they are not read.
Result<std::string> read_symbols() {
  constexpr const char *kPath = "/proc/kallsyms";
  constexpr size_t kUsualBytes = 12 << 20, kReadBytes = 64 << 10;
  const Fd fd(::open(kPath, O_RDONLY | O_CLOEXEC));
  if (!fd) return Error::from_errno(kPath, errno);
  std::string text;
  text.reserve(kUsualBytes);
  char buffer[kReadBytes];
  for (;;) {
    const ssize_t got = ::read(fd.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Error::from_errno(kPath, errno);
    const std::string_view read(buffer, static_cast<size_t>(got));
    text.append(read);
    if (read.find("\t[bpf]\n") == std::string_view::npos && !read.empty()) continue;
    text.resize(text.rfind('\n') + 1);  // nothing, if there is none
    return text;
  }
}

}  // namespace

Result<KernelFunctions> KernelFunctions::read(const std::string &tracefs, Described described, void *host) {
  auto text_of = [](const std::string &path) {
    Result<std::string> text = read_file(path);
    return text ? std::move(*text) : std::string();
  };
  std::string with_addresses, names;
  if (!tracefs.empty()) {
    with_addresses = text_of(tracefs + "/available_filter_functions_addrs");
    if (with_addresses.empty()) names = text_of(tracefs + "/available_filter_functions");
  }
  const std::string forbidden = text_of(kForbiddenPath);
  std::optional<KernelFunctions> marked;
  if (!with_addresses.empty()) marked = from_marks(with_addresses, forbidden);
  if (!marked) {
    Result<std::string> kallsyms = read_symbols();
    if (!kallsyms) return std::move(kallsyms).error().during("cannot find the addresses of kernel functions");
    marked = from_text(std::move(with_addresses), std::move(names), std::move(*kallsyms), forbidden, described, host);
  }
  KernelFunctions &table = *marked;
  for (const KernelFunction &function : table.functions_) {
    if (function.module == kCoreKernel || table.loads_.contains(function.module)) continue;
    struct stat st{};
    const std::string name(function.module);
    if (stat(("/sys/module/" + name).c_str(), &st) == 0) table.loads_.emplace(name, st.st_ino);
  }
  if (table.functions_.empty())
    return Error(
        "cannot find the addresses of kernel functions: /proc/kallsyms hides them (sysctl kernel.kptr_restrict)");
  return std::move(table);
}

}  // namespace dtrace::runtime
