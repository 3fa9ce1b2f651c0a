// SPDX-License-Identifier: Apache-2.0
#include "runtime/user/user_object.h"

#include <elf.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <functional>

#include "arch/machine_code.h"
#include "base/foreign_limits.h"
#include "base/printable.h"
#include "frontend/text/glob.h"
#include "runtime/user/return_address.h"
#include "usdt/elf_file.h"

namespace dtrace::runtime {
namespace {

constexpr uint64_t kUnnamedBytes = 1024;  // looked at of code that no symbol names

std::optional<std::pair<uint64_t, uint64_t>> identity_of(int fd) {
  struct stat info{};
  if (fstat(fd, &info) != 0) return std::nullopt;
  return std::pair<uint64_t, uint64_t>(info.st_dev, info.st_ino);
}

/// What `ask` answers about the file; false if it is no ELF file.
bool ask_file(int fd, const std::function<bool(const usdt::ElfFile &elf)> &ask) {
  const usdt::FileSource source(fd);
  const Result<usdt::ElfFile> elf = usdt::ElfFile::open(source);
  return elf && ask(*elf);
}

bool has_segment(int fd, uint32_t type) {
  return ask_file(fd, [&](const usdt::ElfFile &elf) { return elf.has_segment(type); });
}

bool has_section(int fd, std::string_view name) {
  return ask_file(fd, [&](const usdt::ElfFile &elf) { return elf.section(name) != nullptr; });
}

/// Names of what the file wants from others. `is_wanted` is asked for each until it has said yes.
bool imports_any(int fd, const std::function<bool(std::string_view name)> &is_wanted) {
  return ask_file(fd, [&](const usdt::ElfFile &elf) {
    const usdt::Section *table = elf.first_of(SHT_DYNSYM);
    if (table == nullptr) return false;
    uint64_t left = limits::kMaxImports;
    bool found = false;
    elf.each_symbol(*table, [&](const usdt::RawSymbol &symbol, std::string_view name) {
      found = symbol.section == SHN_UNDEF && is_wanted(name);
      return !found && --left != 0;
    });
    return found;
  });
}

template <size_t n>
bool is_one_of(std::string_view name, const std::array<std::string_view, n> &names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool installs_handlers(std::string_view function) {
  constexpr std::array<std::string_view, 9> kInstalling = {"sigaction",     "__sigaction", "signal",
                                                           "__sysv_signal", "sysv_signal", "bsd_signal",
                                                           "ssignal",       "sigset",      "sigvec"};
  return is_one_of(function, kInstalling);
}

bool switches_stacks_in_calls(std::string_view function) {
  return function == "swapcontext" || function == "setcontext";
}

bool begins_unwinding(std::string_view function) {
  constexpr std::array<std::string_view, 7> kBeginning = {
      "__cxa_throw",  "__cxa_rethrow", "_Unwind_RaiseException", "_Unwind_Resume_or_Rethrow", "_Unwind_ForcedUnwind",
      "pthread_exit", "thrd_exit"};
  const bool throws_for_library = function.starts_with("_ZSt") && function.find("__throw_") != function.npos;
  return throws_for_library || is_one_of(function, kBeginning);
}

bool is_function(const ElfSymbol &symbol) {
  return symbol.type == ElfSymbolType::kFunction || symbol.type == ElfSymbolType::kIfunc;
}

}  // namespace

UserObject::UserObject(std::shared_ptr<const UserFile> file, const std::string &path)
    : file_(std::move(file)), path_(printable(path)) {}

const ElfSymbols *UserObject::symbols() {
  if (!tried_) {
    tried_ = true;
    Result<ElfSymbols> read = ElfSymbols::read(file_->fd.get(), path_);
    if (read)
      symbols_ = std::make_unique<ElfSymbols>(std::move(*read));
    else
      error_ = read.error().text();
  }
  return symbols_.get();
}

const std::vector<UserFunction> &UserObject::functions() {
  if (functions_) return *functions_;
  functions_.emplace();
  const ElfSymbols *elf = symbols();
  if (elf == nullptr) return *functions_;
  for (size_t i = 0, next = 0; i < elf->size(); i = next) {
    const uint64_t address = elf->at(i).address;
    UserFunction function;
    uint64_t section_room = 0;
    for (next = i; next < elf->size() && elf->at(next).address == address; next++) {
      const ElfSymbol symbol = elf->at(next);
      if (!is_function(symbol)) continue;
      // strlen before strlen_ifunc, the local symbol of its resolver.
      const auto position = symbol.type == ElfSymbolType::kIfunc
                                ? static_cast<std::ptrdiff_t>(function.indirect_names++)
                                : std::ssize(function.names);
      function.names.insert(function.names.begin() + position, symbol.name);
      function.size_bytes = std::max(function.size_bytes, symbol.size_bytes);
      section_room = std::max(section_room, symbol.room_bytes);
      function.is_global |= symbol.binding != ElfBinding::kLocal;
    }
    if (function.names.empty()) continue;
    const auto segment = std::find_if(elf->segments().begin(), elf->segments().end(), [&](const ElfSegment &s) {
      return s.executable && address >= s.address && address - s.address < s.file_bytes;
    });
    if (segment == elf->segments().end()) continue;
    const uint64_t room = segment->file_bytes - (address - segment->address);
    // The section of _init, which has no size, ends before the procedure linkage table.
    if (function.size_bytes == 0)
      function.size_bytes = std::min(section_room, next < elf->size() ? elf->at(next).address - address : room);
    function.size_bytes = std::min({function.size_bytes, room, limits::kMaxFunctionBytes});
    function.address = address;
    function.offset = segment->offset + (address - segment->address);
    functions_->push_back(std::move(function));
  }
  return *functions_;
}

std::optional<UserFunction> UserObject::function_around(uint64_t address) {
  const std::vector<UserFunction> &all = functions();
  const auto after = std::upper_bound(all.begin(), all.end(), address,
                                      [](uint64_t wanted, const UserFunction &f) { return wanted < f.address; });
  if (after == all.begin() || address - after[-1].address >= after[-1].size_bytes) return std::nullopt;
  return after[-1];
}

std::optional<UserFunction> UserObject::function_at(uint64_t address) {
  if (std::optional<UserFunction> known = function_around(address); known && known->address == address) return known;
  const std::optional<uint64_t> offset = symbols() != nullptr ? symbols()->offset_of_address(address) : std::nullopt;
  if (!offset) return std::nullopt;
  UserFunction function;
  function.offset = *offset;
  function.address = address;
  const std::vector<UserFunction> &all = functions();
  const auto next = std::upper_bound(all.begin(), all.end(), address,
                                     [](uint64_t wanted, const UserFunction &f) { return wanted < f.address; });
  function.size_bytes = next != all.end() ? std::min(next->address - address, kUnnamedBytes) : kUnnamedBytes;
  return function;
}

bool UserObject::moves_stacks() {
  if (!moves_stacks_) moves_stacks_ = has_section(file_->fd.get(), ".gopclntab");
  return *moves_stacks_;
}

bool UserObject::catches_exceptions() {
  if (!catches_exceptions_) catches_exceptions_ = has_section(file_->fd.get(), ".gcc_except_table");
  return *catches_exceptions_;
}

bool UserObject::cancels_threads() {
  if (!cancels_threads_)
    cancels_threads_ = imports_any(file_->fd.get(), [](std::string_view name) { return name == "pthread_cancel"; });
  return *cancels_threads_;
}

bool UserObject::may_throw_in_handlers() {
  if (!may_throw_in_handlers_) {
    may_throw_in_handlers_ = imports_any(file_->fd.get(), installs_handlers) &&
                             (catches_exceptions() || imports_any(file_->fd.get(), begins_unwinding));
  }
  return *may_throw_in_handlers_;
}

bool UserObject::switches_stacks() {
  if (!switches_stacks_) switches_stacks_ = imports_any(file_->fd.get(), switches_stacks_in_calls);
  return *switches_stacks_;
}

bool UserObject::has_stacks_for_signals() {
  if (!has_stacks_for_signals_)
    has_stacks_for_signals_ = imports_any(file_->fd.get(), [](std::string_view name) { return name == "sigaltstack"; });
  return *has_stacks_for_signals_;
}

bool UserObject::imports_reader_of_return_address() {
  if (!imports_reader_) imports_reader_ = imports_any(file_->fd.get(), is_reader_of_return_address);
  return *imports_reader_;
}

const std::set<uint64_t> &UserObject::slots_of_readers() {
  if (!slots_of_readers_) {
    slots_of_readers_.emplace();
    ask_file(file_->fd.get(), [&](const usdt::ElfFile &elf) {
      *slots_of_readers_ = elf.relocated_by(is_reader_of_return_address);
      return true;
    });
  }
  return *slots_of_readers_;
}

CallFrames *UserObject::call_frames() {
  if (frames_source_ == nullptr) {
    frames_source_ = std::make_unique<usdt::FileSource>(file_->fd.get());
    const arch::FrameRegisters registers = arch::machine_code_of(machine()).after_call(is_64bit()).registers;
    if (Result<CallFrames> opened = CallFrames::open(*frames_source_, registers)) call_frames_ = std::move(*opened);
  }
  return call_frames_ ? &*call_frames_ : nullptr;
}

bool UserObject::has_interpreter() {
  if (!has_interpreter_) has_interpreter_ = has_segment(file_->fd.get(), PT_INTERP);
  return *has_interpreter_;
}

uint16_t UserObject::machine() {
  if (!machine_) {
    const usdt::FileSource source(file_->fd.get());
    const auto elf = usdt::ElfFile::open(source);
    machine_ = elf ? elf->machine_number() : uint16_t{EM_NONE};
  }
  return *machine_;
}

Result<std::vector<MappedObject>> UserObjects::of_process(pid_t pid, std::vector<Refusal> *refusals) {
  Result<ProcessMaps> maps = read_process_maps(pid);
  if (!maps) return std::move(maps).error();
  struct stat program{};
  const bool has_program = stat(fmt::format("/proc/{}/exe", pid).c_str(), &program) == 0;
  std::vector<MappedObject> objects;
  const MapEntry *first = nullptr;
  for (const MapEntry &map : maps->maps) {
    if (!map.executable || !map.is_file()) continue;
    if (first == nullptr) first = &map;
    // /proc/PID/exe of another user's process cannot be read: the program lies below its libraries.
    const bool is_first = !has_program && map.inode == first->inode && map.path == first->path;
    Result<Fd> fd = open_mapped_file(pid, map);
    if (!fd) {
      if (refusals != nullptr) refusals->push_back({map.path, is_first, fd.error().errno_value()});
      continue;
    }
    const auto identity = identity_of(fd->get());
    if (!identity) continue;
    std::shared_ptr<UserObject> &object = known_[*identity];
    if (object == nullptr) {
      auto file = std::make_shared<UserFile>();
      file->path = map.path;
      file->fd = std::move(*fd);
      file->device = identity->first;
      file->inode = identity->second;
      object = std::make_shared<UserObject>(std::move(file), map.path);
    }
    const bool is_program =
        has_program ? *identity == std::pair<uint64_t, uint64_t>(program.st_dev, program.st_ino) : is_first;
    const bool again = std::any_of(objects.begin(), objects.end(), [&](auto &o) { return o.object == object; });
    if (!again) objects.push_back({object, is_program, map.start, map.offset});
  }
  // A process may load and unload files all its life.
  constexpr size_t kMaxUnused = 512;
  if (known_.size() > objects.size() + kMaxUnused)
    std::erase_if(known_, [](const auto &entry) { return entry.second.use_count() == 1; });
  return objects;
}

bool names_file(std::string_view field, std::string_view base) {
  constexpr std::string_view kSuffix = ".so";
  const size_t suffix = base.find(kSuffix);
  if (field_match(field, base)) return true;
  if (suffix == std::string_view::npos) return false;
  if (field_match(field, base.substr(0, suffix))) return true;
  for (size_t end = suffix + kSuffix.size(); end < base.size(); end = std::min(base.find('.', end + 1), base.size()))
    if (field_match(field, base.substr(0, end))) return true;
  return false;
}

bool names_object(std::string_view field, std::string_view base) {
  return names_file(field, base) || field_match(field, base.substr(0, base.find('.'))) ||
         (field == "ld.so" && base.starts_with("ld-"));
}

bool module_matches(std::string_view field, const MappedObject &mapped) {
  if (field.empty()) return true;
  const std::string_view base = mapped.object->name();
  if (names_object(field, base)) return true;
  if (field.starts_with('/') && field_match(field, mapped.object->path())) return true;
  return mapped.is_program && field == "a.out";
}

}  // namespace dtrace::runtime
