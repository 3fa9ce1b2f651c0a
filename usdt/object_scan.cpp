// SPDX-License-Identifier: Apache-2.0
// Offsets and sizes in a file are not trusted: all reads go through Bytes, which answers only within bounds.
#include "usdt/object_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "usdt/arguments.h"

namespace dtrace::usdt {
namespace {

constexpr std::string_view kCall = "__dtrace_";
constexpr std::string_view kTest = "__dtraceenabled_";
constexpr std::string_view kSeparator = "___";
constexpr std::string_view kSiteSection = ".note.stapsdt";
constexpr uint64_t kSiteNote = 3;

class Bytes {
 public:
  Bytes(std::string_view data, bool big_endian) : data_(data), big_endian_(big_endian) {}

  /// Nothing if any byte of it lies outside.
  std::optional<uint64_t> number(uint64_t at, unsigned size_bytes) const {
    if (at > data_.size() || data_.size() - at < size_bytes) return std::nullopt;
    uint64_t value = 0;
    for (unsigned i = 0; i < size_bytes; ++i) {
      const unsigned from = big_endian_ ? i : size_bytes - 1 - i;
      value = value << 8 | static_cast<unsigned char>(data_[at + from]);
    }
    return value;
  }
  /// What of [at, at + size_bytes) exists.
  std::string_view part(uint64_t at, uint64_t size_bytes) const {
    return at >= data_.size() ? std::string_view() : data_.substr(at, size_bytes);
  }

 private:
  std::string_view data_;
  bool big_endian_;
};

/// NUL-terminated, within `table`.
std::string_view string_at(std::string_view table, uint64_t at) {
  if (at >= table.size()) return {};
  const std::string_view rest = table.substr(at);
  return rest.substr(0, std::min(rest.find('\0'), rest.size()));
}

struct SectionHeader {
  uint32_t name = 0;
  uint32_t type = 0;
  uint64_t offset = 0, size_bytes = 0, entry_bytes = 0;
  uint32_t link = 0;
};

class ObjectFile {
 public:
  static std::optional<ObjectFile> open(std::string_view data) {
    if (data.size() < EI_NIDENT || data.substr(0, SELFMAG) != ELFMAG) return std::nullopt;
    const char file_class = data[EI_CLASS];
    const char order = data[EI_DATA];
    if ((file_class != ELFCLASS32 && file_class != ELFCLASS64) || (order != ELFDATA2LSB && order != ELFDATA2MSB))
      return std::nullopt;
    ObjectFile file(data, file_class == ELFCLASS64, order == ELFDATA2MSB);
    const std::optional<uint64_t> machine = file.bytes_.number(18, 2);
    const std::optional<uint64_t> flags = file.bytes_.number(file.is_64_ ? 48 : 36, 4);
    if (!machine || !flags) return std::nullopt;
    file.target_ = {file.is_64_, order == ELFDATA2MSB, static_cast<uint16_t>(*machine), static_cast<uint32_t>(*flags),
                    static_cast<uint8_t>(data[EI_OSABI])};
    file.read_sections();
    return file;
  }

  const Target &target() const { return target_; }

  bool has_intermediate_code() const {
    const std::string_view names = contents(name_section_);
    return std::ranges::any_of(sections_, [&](const SectionHeader &section) {
      const std::string_view name = string_at(names, section.name);
      return name.starts_with(".gnu.lto_") || name == ".llvm.lto";
    });
  }

  template <typename Visit>
  void each_undefined(Visit visit) const {
    for (const SectionHeader &section : sections_) {
      if (section.type != SHT_SYMTAB || section.link >= sections_.size()) continue;
      const std::string_view names = contents(section.link);
      const uint64_t entry_bytes = is_64_ ? 24 : 16;
      for (uint64_t at = entry_bytes; at + entry_bytes <= section.size_bytes; at += entry_bytes) {
        const std::optional<uint64_t> name = bytes_.number(section.offset + at, 4);
        const std::optional<uint64_t> defined_in = bytes_.number(section.offset + at + (is_64_ ? 6 : 14), 2);
        if (!name || !defined_in) break;
        if (*defined_in == SHN_UNDEF) visit(string_at(names, *name));
      }
    }
  }

  /// The notes of sites.
  template <typename Visit>
  void each_site(Visit visit) const {
    const std::string_view names = contents(name_section_);
    for (size_t i = 0; i < sections_.size(); ++i) {
      if (sections_[i].type != SHT_NOTE || string_at(names, sections_[i].name) != kSiteSection) continue;
      const std::string_view notes = contents(i);
      const Bytes bytes(notes, target_.big_endian);
      for (uint64_t at = 0; at < notes.size();) {
        const auto name_bytes = bytes.number(at, 4), descriptor_bytes = bytes.number(at + 4, 4),
                   type = bytes.number(at + 8, 4);
        if (!name_bytes || !descriptor_bytes || !type) break;
        const auto aligned = [](uint64_t size) { return (size + 3) & ~uint64_t{3}; };
        const uint64_t descriptor = at + 12 + aligned(*name_bytes);
        if (*type == kSiteNote) visit(site(bytes.part(descriptor, *descriptor_bytes)));
        at = descriptor + aligned(*descriptor_bytes);
      }
    }
  }

 private:
  /// After three addresses: provider, probe and arguments, each with its NUL.
  SiteFact site(std::string_view descriptor) const {
    descriptor.remove_prefix(std::min<size_t>(descriptor.size(), is_64_ ? 24 : 12));
    const auto next = [&] {
      const std::string_view text = string_at(descriptor, 0);
      descriptor.remove_prefix(std::min(text.size() + 1, descriptor.size()));
      return text;
    };
    SiteFact fact;
    fact.provider = next();
    fact.probe = next();
    fact.arguments = parse_arguments(next(), Machine::kOther).size();
    return fact;
  }

  ObjectFile(std::string_view data, bool is_64, bool big_endian) : bytes_(data, big_endian), is_64_(is_64) {}

  std::string_view contents(size_t section) const {
    if (section >= sections_.size() || sections_[section].type == SHT_NOBITS) return {};
    return bytes_.part(sections_[section].offset, sections_[section].size_bytes);
  }

  std::optional<SectionHeader> section_header(uint64_t at) const {
    const auto word = [&](unsigned offset_32, unsigned offset_64, unsigned bytes_32, unsigned bytes_64) {
      return is_64_ ? bytes_.number(at + offset_64, bytes_64) : bytes_.number(at + offset_32, bytes_32);
    };
    const auto name = word(0, 0, 4, 4), type = word(4, 4, 4, 4), offset = word(16, 24, 4, 8), size = word(20, 32, 4, 8),
               link = word(24, 40, 4, 4), entry = word(36, 56, 4, 8);
    if (!name || !type || !offset || !size || !link || !entry) return std::nullopt;
    return SectionHeader{static_cast<uint32_t>(*name), static_cast<uint32_t>(*type), *offset, *size, *entry,
                         static_cast<uint32_t>(*link)};
  }

  void read_sections() {
    const std::optional<uint64_t> table = is_64_ ? bytes_.number(40, 8) : bytes_.number(32, 4);
    const std::optional<uint64_t> entry = bytes_.number(is_64_ ? 58 : 46, 2);
    std::optional<uint64_t> count = bytes_.number(is_64_ ? 60 : 48, 2);
    std::optional<uint64_t> names = bytes_.number(is_64_ ? 62 : 50, 2);
    if (!table || !entry || !count || !names || *table == 0 || *entry == 0) return;
    const std::optional<SectionHeader> first = section_header(*table);
    if (!first) return;
    if (*count == 0) count = first->size_bytes;  // more than fit 16 bits
    name_section_ = *names == SHN_XINDEX ? first->link : *names;
    uint64_t at = *table;
    for (uint64_t i = 0; i < *count; ++i, at += *entry) {
      const std::optional<SectionHeader> section = section_header(at);
      if (!section) return;  // the file ends: so does the loop, whatever the count says
      sections_.push_back(*section);
    }
  }

  Bytes bytes_;
  bool is_64_;
  Target target_;
  uint64_t name_section_ = 0;
  std::vector<SectionHeader> sections_;
};

class Scanner {
 public:
  explicit Scanner(const std::vector<StubName> &names) : names_(names) {
    for (const StubName &name : names) known_.insert(name.symbol);
  }

  ObjectFacts run(std::string_view bytes) {
    if (bytes.starts_with("!<arch>\n")) {
      archive(bytes);
    } else {
      object(bytes);
    }
    return std::move(facts_);
  }

 private:
  void object(std::string_view bytes) {
    const std::optional<ObjectFile> file = ObjectFile::open(bytes);
    if (!file) return search(bytes);
    if (!facts_.target) facts_.target = file->target();
    facts_.mixes_classes |= facts_.target->is_64 != file->target().is_64;
    file->each_undefined([&](std::string_view symbol) { take(symbol); });
    file->each_site([&](SiteFact site) { facts_.sites.insert(std::move(site)); });
    if (file->has_intermediate_code()) search(bytes);
  }

  void take(std::string_view symbol) {
    if (known_.contains(symbol)) {
      facts_.calls.emplace(symbol);
      return;
    }
    const bool has_form =
        (symbol.starts_with(kCall) || symbol.starts_with(kTest)) && symbol.find(kSeparator) != std::string_view::npos;
    if (has_form) facts_.unknown.emplace(symbol);
  }

  /// Names may lie side by side without a terminator, so each position is compared with each name.
  void search(std::string_view bytes) {
    constexpr std::string_view kCommon = "__dtrace";
    for (size_t at = bytes.find(kCommon); at != std::string_view::npos; at = bytes.find(kCommon, at + 1)) {
      for (const StubName &name : names_)
        if (bytes.substr(at, name.symbol.size()) == name.symbol) facts_.calls.insert(name.symbol);
    }
  }

  void archive(std::string_view bytes) {
    constexpr size_t kHeaderBytes = 60;
    for (size_t at = 8; at + kHeaderBytes <= bytes.size();) {
      const std::string_view size_field = bytes.substr(at + 48, 10);
      uint64_t size_bytes = 0;
      const auto [end, error] = std::from_chars(size_field.data(), size_field.data() + size_field.size(), size_bytes);
      if (error != std::errc()) return;
      at += kHeaderBytes;
      if (bytes.size() - at < size_bytes) return;
      object(bytes.substr(at, size_bytes));
      at += size_bytes + (size_bytes & 1);
    }
  }

  const std::vector<StubName> &names_;
  std::set<std::string_view, std::less<>> known_;
  ObjectFacts facts_;
};

}  // namespace

std::vector<StubName> stub_names(const std::vector<Provider> &providers) {
  std::vector<StubName> names;
  for (const Provider &provider : providers) {
    for (const Probe &probe : provider.probes) {
      const std::string tail = fmt::format("{}{}{}", provider.name, kSeparator, probe.name);
      names.push_back({&provider, &probe, false, std::string(kCall) + tail});
      names.push_back({&provider, &probe, true, std::string(kTest) + tail});
    }
  }
  return names;
}

std::string contradiction(const SiteFact &site, const std::vector<Provider> &providers) {
  const auto provider = std::ranges::find(providers, site.provider, &Provider::name);
  if (provider == providers.end()) return {};
  const auto probe = std::ranges::find(provider->probes, site.probe, &Probe::name);
  if (probe == provider->probes.end())
    return fmt::format("has a site of {}:{}, which no script defines", site.provider, site.probe);
  if (probe->native.size() == site.arguments) return {};
  return fmt::format("has a site of {}:{} with {} arguments; the script defines {}", site.provider, site.probe,
                     site.arguments, probe->native.size());
}

ObjectFacts scan_object(std::string_view bytes, const std::vector<StubName> &names) {
  return Scanner(names).run(bytes);
}

}  // namespace dtrace::usdt
