// SPDX-License-Identifier: Apache-2.0
// The static probes of one file: its notes, grouped into probes as D names them, with the locations of their arguments.
//
// What costs something is put off until it is wanted: the notes are read to find out whose probes they are, symbols
// only when a function's name or an argument asks for them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "plan/hook.h"
#include "runtime/usdt/struct_layout.h"
#include "usdt/arguments.h"
#include "usdt/notes.h"

namespace dtrace::runtime {

/// One probe of a file: all sites of that name in one function.
struct FileProbe {
  std::string provider, function, name;
  std::vector<uint32_t> sites;  ///< indexes into the notes' sites
};

class ProbeFile {
 public:
  /// Reads the notes. `pid` is a process that has the file, in whose root its path is meant. nullptr: the file has no
  /// probes. Errors: it has more than are read, or it is damaged, so that its probes cannot be known.
  static Result<std::unique_ptr<ProbeFile>> read(std::shared_ptr<const UserFile> file, pid_t pid);

  const std::shared_ptr<const UserFile> &file() const { return file_; }
  std::string_view module() const { return module_; }
  /// What is damaged, so that it may have more probes; empty: nothing.
  std::string damage() const;
  /// The providers that have a site here.
  const std::set<std::string, std::less<>> &providers() const { return providers_; }
  /// All probes of a provider, functions named.
  const std::vector<FileProbe> &probes(const std::string &provider);
  /// What the file itself says of a probe; nullptr: nothing, or notes that contradict each other.
  const usdt::Probe *declaration(std::string_view provider, std::string_view name) const;
  /// The stability the file declares; nullptr: it does not.
  const usdt::Provider *declared_provider(std::string_view provider) const;

  /// The layout of a structure in this program, as its debug information has it, else as the provider's note describes
  /// it. `type`: "request_t", "struct request". Nothing: neither does.
  std::optional<StructLayout> layout(const FileProbe &probe, const std::string &type);
  /// Is debug information of this program in files of its own (-gsplit-dwarf), which are not looked into?
  bool has_split_debug_information();
  /// Is the program for a data model of 32 bits?
  bool is_narrow() const { return machine_ == usdt::Machine::kI386; }

  /// Turns the operands that a site's note lists into those of arg0, arg1, ...
  using Arrange = std::function<std::vector<UserOperand>(std::vector<UserOperand> native)>;
  /// The sites of a probe, `variant` of each being an index into `variants`, to which new ones are added.
  std::vector<UserSite> sites(const FileProbe &probe, const Arrange &arrange,
                              std::vector<std::vector<UserOperand>> &variants);
  /// Sizes and signs of a probe's arguments. Where its sites disagree: the largest, signed if any is, and
  /// floating-point only if all are.
  std::vector<UserOperand> shape(const FileProbe &probe);

 private:
  ProbeFile(std::shared_ptr<const UserFile> file, pid_t pid);
  void merge_declarations();
  void find_symbols();
  using Tests = std::shared_ptr<const std::vector<EnabledTest>>;
  /// Where the file asks whether the probe is enabled; null: nowhere, or it has counters.
  Tests tests(const FileProbe &probe, const usdt::ElfFile &elf);
  const Fd &debug_file(const usdt::ElfFile &elf);

  std::shared_ptr<const UserFile> file_;
  pid_t pid_;
  std::string module_;
  usdt::FileNotes notes_;
  std::set<std::string, std::less<>> providers_;
  std::optional<std::map<std::string, std::vector<FileProbe>>> probes_;  // by provider
  std::optional<Fd> debug_file_;  // once it was looked for: to tell it from others may take reading all of it
  usdt::Machine machine_ = usdt::Machine::kOther;
  std::optional<usdt::ArgumentSymbols> symbols_;
  std::map<std::string, std::optional<StructLayout>> layouts_;               // by type; those found or known not to be
  std::map<std::pair<std::string, std::string>, usdt::Probe> declarations_;  // by provider and D name
  std::set<std::pair<std::string, std::string>> contradictions_;
  struct Asking {
    std::vector<uint32_t> notes;  // indexes into the notes' tests
    Tests tests;                  // null: not read yet
  };
  std::optional<std::map<std::pair<std::string, std::string>, Asking>> asking_;  // by provider and probe
};

}  // namespace dtrace::runtime
