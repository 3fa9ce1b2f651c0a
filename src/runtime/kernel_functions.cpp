// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernel_functions.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

#include "runtime/kernel_info.h"

namespace dtrace {
namespace {

constexpr std::string_view kCoreKernel = "vmlinux";
constexpr const char *kForbiddenPath = "/sys/kernel/debug/kprobes/blacklist";

/// Calls `each` with every line, without its newline.
template <typename Function>
void for_each_line(std::string_view text, Function each) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    each(text.substr(at, end - at));
    at = end + 1;
  }
}

std::string_view next_word(std::string_view &line) {
  const size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  const size_t end = std::min(line.find_first_of(" \t", begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

std::optional<uint64_t> hexadecimal(std::string_view text) {
  if (text.starts_with("0x")) text.remove_prefix(2);
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
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

/// Text symbols of kallsyms, in its order.
std::vector<KernelFunction> parse_kallsyms(std::string_view text) {
  std::vector<KernelFunction> functions;
  for_each_line(text, [&](std::string_view line) {
    const std::optional<uint64_t> address = hexadecimal(next_word(line));
    const std::string_view type = next_word(line);
    const std::string_view name = next_word(line);
    const std::string_view module = module_of(next_word(line));
    if (!address || *address == 0 || type.size() != 1 || module == "bpf" || module.starts_with("__builtin")) return;
    if (std::string_view("tTwW").find(type.front()) != std::string_view::npos)
      functions.push_back({name, module, *address});
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
constexpr uint64_t kMostToCall = 16;

void move_to_begin(std::vector<KernelFunction> &functions, std::string_view kallsyms) {
  std::vector<uint64_t> begins;
  for (const KernelFunction &symbol : parse_kallsyms(kallsyms)) begins.push_back(symbol.address);
  std::sort(begins.begin(), begins.end());
  for (KernelFunction &function : functions) {
    auto after = std::upper_bound(begins.begin(), begins.end(), function.address);
    if (after != begins.begin() && function.address - *std::prev(after) <= kMostToCall)
      function.address = *std::prev(after);
  }
}

struct ByName {
  size_t operator()(const std::pair<std::string_view, std::string_view> &key) const {
    const std::hash<std::string_view> hash;
    return hash(key.first) ^ hash(key.second) * 31;
  }
};

/// The list gives names only; kallsyms has addresses for them. Of one name both are in the order of addresses.
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
  const std::vector<Range> ranges = parse_forbidden(forbidden);
  table.texts_.reserve(2);
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
  std::erase_if(table.functions_,
                [&](const KernelFunction &function) { return is_forbidden(ranges, function.address); });
  table.by_name_.reserve(table.functions_.size());
  for (uint32_t i = 0; i < table.functions_.size(); ++i) {
    KernelFunction &function = table.functions_[i];
    function.is_repeated = !table.by_name(function.module, function.name).empty();
    table.by_name_.emplace(function.name, i);
  }
  return table;
}

std::vector<const KernelFunction *> KernelFunctions::by_name(std::string_view module, std::string_view name) const {
  std::vector<const KernelFunction *> found;
  for (auto [at, end] = by_name_.equal_range(name); at != end; ++at)
    if (functions_[at->second].module == module) found.push_back(&functions_[at->second]);
  std::sort(found.begin(), found.end());
  return found;
}

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
  Result<std::string> kallsyms = read_file("/proc/kallsyms");
  if (!kallsyms) return std::move(kallsyms).error().during("cannot tell the addresses of kernel functions");
  KernelFunctions table = from_text(std::move(with_addresses), std::move(names), std::move(*kallsyms),
                                    text_of(kForbiddenPath), described, host);
  if (table.functions_.empty())
    return Error(
        "cannot tell the addresses of kernel functions: /proc/kallsyms hides them (sysctl kernel.kptr_restrict)");
  return table;
}

}  // namespace dtrace
