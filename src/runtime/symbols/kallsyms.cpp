// SPDX-License-Identifier: Apache-2.0
#include "runtime/symbols/kallsyms.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "base/read_file.h"

namespace dtrace::runtime {

namespace {

constexpr size_t kReadBytes = 1u << 20;
constexpr std::string_view kCoreModule = "vmlinux";
constexpr std::string_view kBpfModule = "bpf";
constexpr uint16_t kCore = 0;
// Per-CPU symbols carry offsets, not addresses; kernel addresses have the top bit set on every 64-bit Linux.
constexpr uint64_t kLeastKernelAddress = 1ull << 63;
// kallsyms has no sizes. A symbol without a successor in its own module is believed this far and no further.
constexpr uint64_t kMaxUnboundedBytes = 64u << 10;

// Sorting by name costs as much as scanning this often, and most programs ask for a symbol or two.
constexpr int kScannedQuestions = 16;

/// Marks an end, so it contains nothing: an address behind it belongs to no symbol.
bool is_end_marker(std::string_view name) { return name == "_etext" || name == "_einittext" || name == "_end"; }

/// Order of preference among the types at one address: global text, weak text, local text, then data.
int type_rank(char type) {
  switch (type) {
    case 'T':
      return 0;
    case 'W':
    case 'w':
      return 1;
    case 't':
      return 2;
    case 'D':
    case 'B':
    case 'R':
      return 3;
    default:
      return 4;
  }
}

size_t leading_underscores(std::string_view name) {
  const size_t n = name.find_first_not_of('_');
  return n == std::string_view::npos ? name.size() : n;
}

bool parse_hex(std::string_view text, uint64_t *value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value, 16);
  return error == std::errc() && end == text.data() + text.size();
}

/// Cuts the next word off `line`, at blanks.
std::string_view next_word(std::string_view *line) {
  // By hand: find_first_of() calls memchr() for each character, which doubled the time of a whole read.
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  size_t start = 0;
  while (start < line->size() && is_blank((*line)[start])) start++;
  size_t end = start;
  while (end < line->size() && !is_blank((*line)[end])) end++;
  const std::string_view word = line->substr(start, end - start);
  line->remove_prefix(end);
  return word;
}

}  // namespace

struct Kallsyms::Table {
  struct Entry {
    uint64_t address;
    uint32_t name;  // offset into `names`, NUL-terminated
    uint16_t module;
    char type;
  };
  static_assert(sizeof(Entry) == 16);

  struct ModuleRange {
    uint64_t start;
    uint64_t end;
    uint16_t module;
  };

  std::vector<Entry> entries;  // after sort(): by address, the preferred alias first
  std::string names;
  std::vector<std::string> modules{std::string(kCoreModule)};
  std::unordered_map<std::string, uint16_t> module_ids{{std::string(kCoreModule), kCore}};
  std::vector<ModuleRange> ranges;   // by start
  std::vector<uint32_t> name_index;  // entries by name; empty until somebody asks by name, and asks again
  int name_questions = 0;
  std::string reason;
  uint64_t core_start = 0;  // first and last symbol of the core kernel's image
  uint64_t core_end = 0;
  bool has_data = false;  // CONFIG_KALLSYMS_ALL: without it a data address would find the wrong neighbour

  // The unread rest of the file: everything from the first BPF program on.
  Fd rest;
  std::string partial_line;

  std::string_view name_of(const Entry &e) const { return names.c_str() + e.name; }
  KernelSymbol symbol_of(const Entry &e) const { return {e.address, name_of(e), modules[e.module], e.type}; }

  uint16_t module_id(std::string_view name);
  bool add_line(std::string_view line);
  bool add_text(std::string_view text);
  void read(const std::string &path);
  void read_on(bool stop_at_bpf);
  void add_modules(std::string_view text);
  bool is_preferred(const Entry &a, const Entry &b) const;
  void sort();
  void mend_types();
  void index_names();
  const ModuleRange *range_of(uint64_t address) const;
  std::optional<KernelLocation> find(uint64_t address, bool *certain) const;
  std::vector<KernelSymbol> find(std::string_view module, std::string_view name);
};

uint16_t Kallsyms::Table::module_id(std::string_view name) {
  const auto [it, is_new] = module_ids.try_emplace(std::string(name), static_cast<uint16_t>(modules.size()));
  if (is_new) {
    assert(modules.size() < std::numeric_limits<uint16_t>::max());
    modules.emplace_back(name);
  }
  return it->second;
}

/// Adds one line, "ADDRESS TYPE NAME[ \t[MODULE]]". Returns true if the line is a BPF program's.
bool Kallsyms::Table::add_line(std::string_view line) {
  const std::string_view address_text = next_word(&line);
  const std::string_view type = next_word(&line);
  const std::string_view name = next_word(&line);
  std::string_view module = next_word(&line);

  Entry entry{};
  if (type.size() != 1 || name.empty() || !parse_hex(address_text, &entry.address)) return false;
  if (names.size() + name.size() + 1 > std::numeric_limits<uint32_t>::max()) return false;
  if (module.size() >= 2 && module.front() == '[' && module.back() == ']') module = module.substr(1, module.size() - 2);
  if (modules.size() == std::numeric_limits<uint16_t>::max()) return false;

  entry.name = static_cast<uint32_t>(names.size());
  entry.module = module.empty() ? kCore : module_id(module);
  entry.type = type[0];
  names.append(name).push_back('\0');
  entries.push_back(entry);
  if (entry.module == kCore && (entry.type == 'd' || entry.type == 'b')) has_data = true;
  return module == kBpfModule;
}

/// Adds every whole line of `text`; what follows the last newline waits in `partial_line`. Returns true if BPF was
/// seen.
bool Kallsyms::Table::add_text(std::string_view text) {
  bool saw_bpf = false;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) {
      partial_line.append(text);
      break;
    }
    if (partial_line.empty()) {
      saw_bpf |= add_line(text.substr(0, end));
    } else {
      partial_line.append(text.substr(0, end));
      saw_bpf |= add_line(partial_line);
      partial_line.clear();
    }
    text.remove_prefix(end + 1);
  }
  return saw_bpf;
}

void Kallsyms::Table::read(const std::string &path) {
  rest = Fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!rest) {
    reason = path + ": " + std::strerror(errno);
    return;
  }
  entries.reserve(200'000);
  names.reserve(4u << 20);
  read_on(/*stop_at_bpf=*/true);
  if (!reason.empty()) return;

  if (entries.empty()) {
    reason = path + ": no symbols (kernel built without CONFIG_KALLSYMS)";
  } else if (std::all_of(entries.begin(), entries.end(), [](const Entry &e) { return e.address == 0; })) {
    reason = path + ": addresses are hidden (kernel.kptr_restrict; CAP_SYSLOG is needed)";
    rest.reset();
    entries.clear();
  }
}

/// Reads to the end of the file, or (`stop_at_bpf`) to the first block that holds a BPF program.
void Kallsyms::Table::read_on(bool stop_at_bpf) {
  const auto buffer = std::make_unique_for_overwrite<char[]>(kReadBytes);
  while (rest) {
    const ssize_t n = ::read(rest.get(), buffer.get(), kReadBytes);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) reason = std::string("/proc/kallsyms: ") + std::strerror(errno);
    if (n <= 0) {
      rest.reset();
      break;
    }
    if (add_text({buffer.get(), static_cast<size_t>(n)}) && stop_at_bpf) break;
  }
  if (!rest && !partial_line.empty()) {
    add_line(partial_line);
    partial_line.clear();
  }
  sort();
}

/// "NAME SIZE REFS DEPS STATE ADDRESS": where module memory is. From 6.4 on ADDRESS is the text's and SIZE the total.
void Kallsyms::Table::add_modules(std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));

    const std::string_view name = next_word(&line);
    const std::string_view size_text = next_word(&line);
    next_word(&line);
    next_word(&line);
    next_word(&line);
    std::string_view address_text = next_word(&line);
    if (address_text.starts_with("0x")) address_text.remove_prefix(2);

    uint64_t size = 0;
    uint64_t address = 0;
    const auto parsed = std::from_chars(size_text.data(), size_text.data() + size_text.size(), size);
    if (parsed.ec != std::errc() || !parse_hex(address_text, &address) || address < kLeastKernelAddress) continue;
    if (size == 0 || size > ~address || modules.size() == std::numeric_limits<uint16_t>::max()) continue;
    ranges.push_back({address, address + size, module_id(name)});
  }
  std::sort(ranges.begin(), ranges.end(), [](const auto &a, const auto &b) { return a.start < b.start; });
}

bool Kallsyms::Table::is_preferred(const Entry &a, const Entry &b) const {
  if (const int x = type_rank(a.type), y = type_rank(b.type); x != y) return x < y;
  const std::string_view name_a = name_of(a);
  const std::string_view name_b = name_of(b);
  if (const size_t x = leading_underscores(name_a), y = leading_underscores(name_b); x != y) return x < y;
  if (name_a != name_b) return name_a < name_b;
  return a.module < b.module;
}

void Kallsyms::Table::sort() {
  // The core kernel, most of the file, comes in order of address: sort the rest and merge.
  const auto by_address = [](const Entry &a, const Entry &b) { return a.address < b.address; };
  const auto unsorted = std::is_sorted_until(entries.begin(), entries.end(), by_address);
  if (unsorted != entries.end()) {
    std::sort(unsorted, entries.end(), by_address);
    std::vector<Entry> merged(entries.size());
    std::merge(entries.begin(), unsorted, unsorted, entries.end(), merged.begin(), by_address);
    entries = std::move(merged);
  }
  mend_types();
  for (auto run = entries.begin(); run != entries.end();) {
    const auto end = std::find_if(run, entries.end(), [run](const Entry &e) { return e.address != run->address; });
    if (end - run > 1) std::sort(run, end, [this](const Entry &a, const Entry &b) { return is_preferred(a, b); });
    run = end;
  }
  name_index.clear();

  const auto is_core = [](const Entry &e) { return e.module == kCore && e.address >= kLeastKernelAddress; };
  const auto first = std::find_if(entries.begin(), entries.end(), is_core);
  const auto last = std::find_if(entries.rbegin(), entries.rend(), is_core);
  core_start = first == entries.end() ? 0 : first->address;
  core_end = last == entries.rend() ? 0 : last->address;
}

/// 7.x says of a part of the data that it is text ("T init_task"). What lies between the end of the text and that of
/// initialisation is data.
void Kallsyms::Table::mend_types() {
  const auto find = [this](std::string_view name) {
    return std::find_if(entries.begin(), entries.end(),
                        [&](const Entry &e) { return e.module == kCore && name_of(e) == name; });
  };
  const auto text_end = find("_etext");
  if (text_end == entries.end()) return;
  const auto init = find("_sinittext");
  if (init == entries.end() || init->address <= text_end->address) return;
  for (auto each = text_end; each != init; ++each) {
    if (each->module != kCore || each->address == text_end->address || each->address == init->address) continue;
    if (symbol_of(*each).is_text()) each->type = each->type == 't' ? 'd' : 'D';
  }
}

void Kallsyms::Table::index_names() {
  if (name_index.size() == entries.size()) return;
  name_index.resize(entries.size());
  std::iota(name_index.begin(), name_index.end(), 0u);
  std::sort(name_index.begin(), name_index.end(), [this](uint32_t a, uint32_t b) {
    const int order = std::strcmp(names.c_str() + entries[a].name, names.c_str() + entries[b].name);
    if (order != 0) return order < 0;
    const bool core_a = entries[a].module == kCore;
    const bool core_b = entries[b].module == kCore;
    return core_a != core_b ? core_a : a < b;  // entries are in address order
  });
}

const Kallsyms::Table::ModuleRange *Kallsyms::Table::range_of(uint64_t address) const {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), address,
                                      [](uint64_t wanted, const ModuleRange &range) { return wanted < range.start; });
  return after != ranges.begin() && address < std::prev(after)->end ? &*std::prev(after) : nullptr;
}

/// The symbol that holds `address`. `*certain` is false when a BPF program not read yet could be the better answer.
std::optional<KernelLocation> Kallsyms::Table::find(uint64_t address, bool *certain) const {
  *certain = false;
  if (address < kLeastKernelAddress) {
    *certain = true;
    return std::nullopt;
  }
  const auto next = std::upper_bound(entries.begin(), entries.end(), address,
                                     [](uint64_t wanted, const Entry &e) { return wanted < e.address; });
  if (next == entries.begin()) return std::nullopt;
  const uint64_t start = std::prev(next)->address;
  if (start < kLeastKernelAddress) return std::nullopt;
  const auto best = std::lower_bound(entries.begin(), next, start,
                                     [](const Entry &e, uint64_t wanted) { return e.address < wanted; });

  const KernelSymbol symbol = symbol_of(*best);
  const uint64_t offset = address - start;
  const bool is_inside = next != entries.end() && next->module == best->module;
  // A module's text is one block, so between two of its functions lies nothing foreign; so is the whole core kernel.
  *certain = is_inside && (best->module == kCore || (symbol.is_text() && symbol_of(*next).is_text()));

  if (offset == 0) return KernelLocation{symbol, 0};
  if (is_end_marker(symbol.name)) return std::nullopt;
  if (best->module == kCore && !symbol.is_text() && !has_data) return std::nullopt;
  if (!is_inside) {
    // A module that begins between symbol and address; one that began earlier may be shorter than its size says.
    const ModuleRange *range = range_of(address);
    const bool is_in_another = range != nullptr && range->module != best->module && range->start > start;
    if (offset >= kMaxUnboundedBytes || is_in_another) return std::nullopt;
  }
  return KernelLocation{symbol, offset};
}

std::vector<KernelSymbol> Kallsyms::Table::find(std::string_view module, std::string_view name) {
  std::vector<KernelSymbol> found;
  const auto add = [&](const Entry &e) {
    const KernelSymbol symbol = symbol_of(e);
    if (module.empty() || symbol.module == module) found.push_back(symbol);
  };
  if (name_index.empty() && ++name_questions <= kScannedQuestions) {
    for (const bool wants_core : {true, false}) {
      for (const Entry &e : entries) {
        if ((e.module == kCore) == wants_core && name_of(e) == name) add(e);
      }
    }
    return found;
  }
  index_names();
  auto it = std::lower_bound(name_index.begin(), name_index.end(), name,
                             [this](uint32_t i, std::string_view wanted) { return name_of(entries[i]) < wanted; });
  for (; it != name_index.end() && name_of(entries[*it]) == name; ++it) add(entries[*it]);
  return found;
}

Kallsyms::Kallsyms() : Kallsyms("/proc/kallsyms", "/proc/modules") {}
Kallsyms::Kallsyms(std::string kallsyms_path, std::string modules_path)
    : kallsyms_path_(std::move(kallsyms_path)), modules_path_(std::move(modules_path)) {}
Kallsyms::Kallsyms(Kallsyms &&) noexcept = default;
Kallsyms &Kallsyms::operator=(Kallsyms &&) noexcept = default;
Kallsyms::~Kallsyms() = default;

Kallsyms Kallsyms::from_text(std::string_view kallsyms, std::string_view modules) {
  Kallsyms result("", "");
  result.table_ = std::make_unique<Table>();
  Table &table = *result.table_;
  table.add_text(kallsyms);
  if (!table.partial_line.empty()) table.add_line(table.partial_line);
  if (std::all_of(table.entries.begin(), table.entries.end(), [](const auto &e) { return e.address == 0; })) {
    table.reason = table.entries.empty() ? "no symbols" : "addresses are hidden (kernel.kptr_restrict)";
    table.entries.clear();
  }
  table.add_modules(modules);
  table.sort();
  return result;
}

Kallsyms::Table &Kallsyms::loaded() {
  if (!table_) {
    table_ = std::make_unique<Table>();
    table_->read(kallsyms_path_);
    // Without /proc/modules only the "module known, symbol not" answers are lost.
    if (const Result<std::string> modules = read_file(modules_path_)) table_->add_modules(*modules);
  }
  return *table_;
}

Kallsyms::Table &Kallsyms::complete() {
  Table &table = loaded();
  if (table.rest) table.read_on(/*stop_at_bpf=*/false);
  return table;
}

std::optional<KernelLocation> Kallsyms::by_address(uint64_t address) {
  bool certain = false;
  std::optional<KernelLocation> found = loaded().find(address, &certain);
  if (!certain && table_->rest) found = complete().find(address, &certain);
  return found;
}

std::vector<KernelSymbol> Kallsyms::by_name(std::string_view module, std::string_view name) {
  std::vector<KernelSymbol> found = loaded().find(module, name);
  if (found.empty() && table_->rest) found = complete().find(module, name);
  return found;
}

std::string_view Kallsyms::module_of(uint64_t address) {
  if (const std::optional<KernelLocation> found = by_address(address)) return found->symbol.module;
  const Table &table = *table_;
  if (const Table::ModuleRange *range = table.range_of(address)) return table.modules[range->module];

  // Inside the core image but between its symbols, as data is on a kernel that lists only functions.
  if (address >= table.core_start && address < table.core_end) return table.modules[kCore];
  return {};
}

std::optional<std::pair<uint64_t, uint64_t>> Kallsyms::range_of(uint64_t address) {
  const Table &table = loaded();
  if (const Table::ModuleRange *range = table.range_of(address)) return std::pair(range->start, range->end);
  if (address >= table.core_start && address < table.core_end) return std::pair(table.core_start, table.core_end);
  return std::nullopt;
}

const std::string &Kallsyms::reason() { return loaded().reason; }

size_t Kallsyms::size() const { return table_ ? table_->entries.size() : 0; }

}  // namespace dtrace::runtime
