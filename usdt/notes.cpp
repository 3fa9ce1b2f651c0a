// SPDX-License-Identifier: Apache-2.0
#include "usdt/notes.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/foreign_limits.h"
#include "base/printable.h"
#include "usdt/note_dtrace.h"

namespace dtrace::usdt {
namespace {

using namespace limits;

constexpr size_t kMaxNameBytes = 127;  // of a provider, a probe or a type
constexpr size_t kMaxTypeBytes = 1023;
constexpr size_t kMaxFunctionBytes = 1023;

constexpr std::string_view kSystemTap = ".note.stapsdt", kOracle = ".note.usdt";
constexpr uint32_t kOracleSite = 1, kOracleTest = 2;
constexpr std::string_view kOwner = kNoteName.substr(0, kNoteName.size() - 1);

constexpr size_t kMinNoteBytes = 3 * sizeof(uint32_t);

/// Linkers may fill up the end of a section.
bool is_padding(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= kMaxNameBytes &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c != ':' && c != 0x7f; });
}

/// Calls `use(owner, type, descriptor)` for each note of a section; returns the number of those that are cut off.
template <typename Use>
size_t each_note(std::span<const std::byte> bytes, Use use) {
  for (Cursor cursor(bytes); cursor.left() >= kMinNoteBytes || !is_padding(bytes.last(cursor.left()));) {
    const uint32_t name_bytes = cursor.word(), descriptor_bytes = cursor.word(), type = cursor.word();
    const std::span<const std::byte> name = cursor.bytes(name_bytes);
    cursor.align(4);
    const std::span<const std::byte> descriptor = cursor.bytes(descriptor_bytes);
    cursor.align(4);
    if (!cursor.ok()) return 1;
    std::string_view owner(reinterpret_cast<const char *>(name.data()), name.size());
    use(owner.substr(0, owner.find('\0')), type, descriptor);
  }
  return 0;
}

/// A point where a program asks whether a probe is enabled (note_dtrace.h).
struct Test {
  uint64_t pc = 0, semaphore = 0;  // addresses
  uint64_t arguments = 0;
  uint64_t asked_at = 0;  // in the function that asks; 0: the note does not say
};

class NoteReader {
 public:
  explicit NoteReader(const ElfFile &file) : file_(file), word_(file.is_64bit() ? 8 : 4) {}

  FileNotes read() {
    // First, so that it is known which sites are stubs.
    each_section(kNoteSection, [this](std::string_view owner, uint32_t type, std::span<const std::byte> descriptor) {
      if (owner != kOwner) {
        ++notes_.malformed;
      } else if (type == static_cast<uint32_t>(NoteType::kProvider)) {
        read_own_provider(descriptor);
      } else if (type == static_cast<uint32_t>(NoteType::kStub)) {
        Cursor cursor(descriptor);
        stubs_.insert(cursor.number(word_));
      } else if (type == static_cast<uint32_t>(NoteType::kTest)) {
        read_test(descriptor);
      }
    });
    if (const Section *base = file_.section(".stapsdt.base")) base_ = base->address;
    each_section(kSystemTap, [this](std::string_view owner, uint32_t type, std::span<const std::byte> descriptor) {
      if (owner == "stapsdt" && type == 3)
        read_systemtap_site(descriptor);
      else
        ++notes_.malformed;
    });
    each_section(kOracle, [this](std::string_view owner, uint32_t type, std::span<const std::byte> descriptor) {
      if (owner == "usdt" && (type == kOracleSite || type == kOracleTest))
        read_oracle_site(descriptor, type == kOracleTest);
      else if (owner == "prov" && type == 1)
        read_oracle_provider(descriptor);
      else if (owner != "dver" && owner != "usdt")
        ++notes_.malformed;
    });
    add_tests();
    return std::move(notes_);
  }

 private:
  template <typename Use>
  void each_section(std::string_view name, Use use) {
    size_t read = 0;
    for (const Section &section : file_.sections()) {
      if (section.name != name || section.type != SHT_NOTE || ++read > kMaxNoteSections) continue;
      const std::vector<std::byte> bytes = file_.contents(section, kMaxNoteSectionBytes);
      if (bytes.empty() && section.size_bytes != 0)
        notes_.refused =
            fmt::format("its section {} of {} bytes {}", section.name, section.size_bytes,
                        section.size_bytes > kMaxNoteSectionBytes ? "is larger than is read" : "cannot be read");
      const size_t nr_cut = each_note(bytes, use);
      if (nr_cut != 0) notes_.cut = fmt::format("its section {} ends within a note", section.name);
      notes_.malformed += nr_cut;
    }
  }

  void read_systemtap_site(std::span<const std::byte> descriptor) {
    Cursor cursor(descriptor);
    SiteNote site;
    site.pc = cursor.number(word_);
    site.is_stub = stubs_.contains(site.pc);
    const uint64_t base = cursor.number(word_);
    uint64_t semaphore = cursor.number(word_);
    site.provider = cursor.string();
    site.probe = probe_name(cursor.string());
    site.arguments = cursor.string();
    if (!cursor.ok()) {
      ++notes_.malformed;
      return;
    }
    // Moved since it was linked (prelink): everything has moved as far as the base has.
    if (base != 0 && base_ != 0 && site.pc != 0) {
      site.pc = in_words(site.pc + (base_ - base));
      if (semaphore != 0) semaphore = in_words(semaphore + (base_ - base));
    }
    if (semaphore != 0) site.semaphore_offset = file_.data_offset(semaphore).value_or(0);
    add(std::move(site), notes_.sites);
  }

  void read_test(std::span<const std::byte> descriptor) {
    Cursor cursor(descriptor);
    Test test;
    test.pc = cursor.number(word_);
    test.semaphore = cursor.number(word_);
    std::string provider(cursor.string()), probe = probe_name(cursor.string());
    test.arguments = cursor.number(1);
    if (!cursor.ok())
      ++notes_.malformed;
    else if (test.pc != 0 && tests_.size() < kMaxProbesOfProvider) {
      const uint64_t asked_at = cursor.number(word_);
      if (cursor.ok()) test.asked_at = asked_at;
      tests_.try_emplace({std::move(provider), std::move(probe)}, test);
    }
  }

  /// Probes that the program tests for being enabled only.
  void add_tests() {
    for (const SiteNote &site : notes_.sites) tests_.erase({site.provider, site.probe});
    for (const auto &[name, test] : tests_) {
      SiteNote site;
      std::tie(site.provider, site.probe) = name;
      site.pc = test.pc;
      site.function_pc = test.asked_at;
      site.semaphore_offset = file_.data_offset(test.semaphore).value_or(0);
      // It has all its arguments, though nobody will see them: zeros, as the machine's assembler writes them.
      const std::string_view zero = file_.machine() == Machine::kAarch64 ? "8@0" : "8@$0";
      for (uint64_t i = 0; i < test.arguments; ++i) site.arguments.append(i == 0 ? "" : " ").append(zero);
      add(std::move(site), notes_.sites);
    }
  }

  void read_oracle_site(std::span<const std::byte> descriptor, bool is_test) {
    Cursor cursor(descriptor);
    SiteNote site;
    site.pc = cursor.number(8);
    const uint64_t function = cursor.number(8);
    site.provider = cursor.string();
    site.probe = probe_name(cursor.string());
    cursor.skip(1);  // number of arguments
    site.arguments = cursor.string();
    if (!cursor.ok()) {
      ++notes_.malformed;
      return;
    }
    site.function = printable(file_.string_at(function, kMaxFunctionBytes).value_or(""));
    if (is_test)
      add(TestNote{site.pc, 0, std::move(site.provider), std::move(site.probe), std::move(site.arguments)},
          notes_.tests);
    else
      add(std::move(site), notes_.sites);
  }

  /// A SiteNote or a TestNote.
  template <typename Note>
  void add(Note note, std::vector<Note> &notes) {
    if (!is_name(note.provider) || !is_name(note.probe)) {
      ++notes_.malformed;
      return;
    }
    if (notes.size() >= kMaxProbeSites) {
      notes_.refused = fmt::format("it has more than {} sites of static probes", kMaxProbeSites);
      return;
    }
    const std::optional<uint64_t> offset = note.pc == 0 ? std::nullopt : file_.code_offset(note.pc);
    if (!offset) {
      ++notes_.discarded;
      return;
    }
    note.code_offset = *offset;
    notes.push_back(std::move(note));
  }

  static Attributes attributes(uint64_t name, uint64_t data, uint64_t dependency) {
    const auto stability = [](uint64_t value) {
      return value <= static_cast<uint64_t>(Stability::kStandard) ? static_cast<Stability>(value) : Stability::kPrivate;
    };
    return {stability(name), stability(data),
            dependency <= static_cast<uint64_t>(DependencyClass::kCommon) ? static_cast<DependencyClass>(dependency)
                                                                          : DependencyClass::kUnknown};
  }

  void read_oracle_provider(std::span<const std::byte> descriptor) {
    Cursor cursor(descriptor);
    Provider provider;
    provider.name = cursor.string();
    cursor.align(4);
    ProviderAttributes &parts = provider.attributes;
    for (Attributes *part : {&parts.provider, &parts.module, &parts.function, &parts.name, &parts.args}) {
      const uint32_t packed = cursor.word();
      *part = attributes(packed >> 24, packed >> 16 & 0xff, packed >> 8 & 0xff);
    }
    const uint32_t count = cursor.word();
    for (uint32_t i = 0; i < count && i < kMaxProbesOfProvider && cursor.ok(); ++i) {
      cursor.align(4);
      Probe probe;
      probe.name = cursor.string();
      const uint64_t native = cursor.number(1);
      for (uint64_t k = 0; k < native; ++k) probe.native.push_back({std::string(cursor.string()), ""});
      const uint64_t translated = cursor.number(1);
      for (uint64_t k = 0; k < translated; ++k) {
        std::string type(cursor.string());
        probe.translated.push_back({std::move(type), "", static_cast<uint16_t>(cursor.number(1))});
      }
      // Both lists are always written: the second one only says something if it differs.
      probe.is_translated = !is_same_list(probe);
      if (!probe.is_translated) probe.translated.clear();
      provider.probes.push_back(std::move(probe));
    }
    add(std::move(provider), cursor.ok());
  }

  static bool is_same_list(const Probe &probe) {
    if (probe.native.size() != probe.translated.size()) return false;
    for (size_t i = 0; i < probe.native.size(); ++i)
      if (probe.translated[i].native != i || probe.translated[i].type != probe.native[i].type) return false;
    return true;
  }

  void read_own_provider(std::span<const std::byte> descriptor) {
    Cursor cursor(descriptor);
    if (cursor.number(2) != kNoteVersion) {
      ++notes_.malformed;
      return;
    }
    cursor.skip(2);
    Provider provider;
    ProviderAttributes &parts = provider.attributes;
    for (Attributes *part : {&parts.provider, &parts.module, &parts.function, &parts.name, &parts.args}) {
      const uint64_t name = cursor.number(1), data = cursor.number(1);
      *part = attributes(name, data, cursor.number(1));
    }
    cursor.skip(1);
    provider.name = cursor.string();
    bool is_whole = true;
    while (cursor.ok() && cursor.left() != 0 && provider.probes.size() < kMaxProbesOfProvider) {
      const auto kind = static_cast<RecordKind>(cursor.number(2));
      const uint64_t length = cursor.number(2);
      const std::span<const std::byte> record = cursor.bytes(length);
      if (!cursor.ok()) break;
      if (kind == RecordKind::kProbe)
        is_whole &= read_own_probe(record, provider);
      else if (kind == RecordKind::kDefinition)
        provider.definitions.emplace_back(Cursor(record).string());
    }
    add(std::move(provider), cursor.ok() && is_whole);
  }

  static bool read_own_probe(std::span<const std::byte> record, Provider &provider) {
    Cursor cursor(record);
    Probe probe;
    probe.is_translated = (cursor.number(2) & kProbeIsTranslated) != 0;
    const uint64_t native = cursor.number(2), translated = cursor.number(2);
    probe.name = cursor.string();
    for (uint64_t i = 0; i < native && cursor.ok(); ++i) {
      Argument argument;
      argument.type = cursor.string();
      argument.name = cursor.string();
      probe.native.push_back(std::move(argument));
    }
    for (uint64_t i = 0; i < translated && cursor.ok(); ++i) {
      TranslatedArgument argument;
      argument.type = cursor.string();
      argument.name = cursor.string();
      argument.native = static_cast<uint16_t>(cursor.number(2));
      probe.translated.push_back(std::move(argument));
    }
    if (cursor.ok()) provider.probes.push_back(std::move(probe));
    return cursor.ok();
  }

  void add(Provider provider, bool is_whole) {
    if (!is_whole || !is_name(provider.name) || !is_sound(provider))
      ++notes_.malformed;
    else
      notes_.providers.push_back(std::move(provider));
  }

  static bool is_sound(const Provider &provider) {
    return std::all_of(provider.probes.begin(), provider.probes.end(), [](const Probe &probe) {
      const auto is_type = [](const auto &argument) {
        return argument.type.size() <= kMaxTypeBytes && is_printable(argument.type) && is_printable(argument.name);
      };
      return is_name(probe.name) && std::all_of(probe.native.begin(), probe.native.end(), is_type) &&
             std::all_of(probe.translated.begin(), probe.translated.end(), [&](const TranslatedArgument &argument) {
               return is_type(argument) && argument.native < probe.native.size();
             });
    });
  }

  uint64_t in_words(uint64_t address) const { return word_ == 8 ? address : static_cast<uint32_t>(address); }

  const ElfFile &file_;
  unsigned word_;
  uint64_t base_ = 0;
  std::set<uint64_t> stubs_;
  std::map<std::pair<std::string, std::string>, Test> tests_;  // by provider and probe
  FileNotes notes_;
};

}  // namespace

bool has_probe_notes(const ElfFile &file) {
  return std::any_of(file.sections().begin(), file.sections().end(), [](const Section &section) {
    return section.type == SHT_NOTE &&
           (section.name == kSystemTap || section.name == kOracle || section.name == kNoteSection);
  });
}

FileNotes read_notes(const ElfFile &file) { return NoteReader(file).read(); }

std::string probe_name(std::string_view raw) {
  std::string name;
  for (size_t i = 0; i < raw.size(); ++i) {
    const bool dash = raw[i] == '_' && i + 1 < raw.size() && raw[i + 1] == '_';
    name += dash ? '-' : raw[i];
    if (dash) ++i;
  }
  return name;
}

}  // namespace dtrace::usdt
