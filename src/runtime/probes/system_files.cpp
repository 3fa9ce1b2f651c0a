// SPDX-License-Identifier: Apache-2.0
#include "runtime/probes/system_files.h"

#include <dirent.h>
#include <elf.h>
#include <fmt/format.h>
#include <fnmatch.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "arch/machine.h"
#include "base/exhausted.h"
#include "base/printable.h"
#include "frontend/text/glob.h"
#include "runtime/foreign/open.h"
#include "runtime/foreign/same_pages.h"

namespace dtrace::runtime {
namespace {

constexpr char kUsualPath[] = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
constexpr size_t kMaxPids = 8;  // remembered of a file

/// True for programs of this machine. x32 is excluded: its 32-bit programs pass arguments as 64-bit ones do, and no
/// current kernel runs them.
bool is_program(int fd) {
  std::array<unsigned char, 20> head{};
  if (pread(fd, head.data(), head.size(), 0) != std::ssize(head) || std::memcmp(head.data(), ELFMAG, SELFMAG) != 0)
    return false;
  uint16_t machine = 0;
  std::memcpy(&machine, &head[18], sizeof machine);
  return (head[EI_CLASS] == ELFCLASS64) == (machine == arch::host_machine().elf_machine);
}

uint64_t changed_ns(const struct stat &info) {
  return static_cast<uint64_t>(info.st_ctim.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(info.st_ctim.tv_nsec);
}

/// "*" stands for what processes execute, not for every file that they might.
bool means_everything(std::string_view field) { return field.find_first_not_of('*') == std::string_view::npos; }

bool matches_path(std::string_view pattern, std::string_view path) {
  return fnmatch(std::string(pattern).c_str(), std::string(path).c_str(), FNM_PATHNAME) == 0;
}

/// Calls `take` with each file of $PATH whose name the field may mean.
template <typename Take>
void for_each_program(const std::string &field, const Take &take) {
  const char *variable = getenv("PATH");
  const std::string_view path = variable != nullptr ? variable : kUsualPath;
  for (size_t begin = 0, end = 0; begin <= path.size(); begin = end + 1) {
    end = std::min(path.find(':', begin), path.size());
    const std::string folder(path.substr(begin, end - begin));
    if (!folder.starts_with('/')) continue;
    if (!is_glob(field)) {
      take(folder + '/' + field);
      continue;
    }
    DIR *entries = opendir(folder.c_str());
    if (entries == nullptr) continue;
    while (const dirent *entry = readdir(entries))
      if (names_object(field, entry->d_name)) take(folder + '/' + entry->d_name);
    closedir(entries);
  }
}

}  // namespace

bool names_mapped_file(std::string_view module, std::string_view path) {
  if (module.starts_with('/')) return matches_path(module, path);
  return module.empty() || names_object(module, object_name(path));
}

std::string real_path(const std::string &path) {
  const size_t wildcard = path.find_first_of("*?[\\");
  const size_t fixed = wildcard == std::string::npos ? path.size() : path.rfind('/', wildcard);
  std::error_code error;
  const std::filesystem::path real = std::filesystem::weakly_canonical(path.substr(0, fixed), error);
  if (error || fixed == 0) return path;
  return (real == "/" && fixed != path.size() ? std::string() : real.string()) + path.substr(fixed);
}

bool SystemFiles::is_meant(const std::string &field, const Module &module, std::string_view path) {
  return names_mapped_file(field, path) || (!module.real.empty() && matches_path(module.real, path));
}

SystemFiles::File *SystemFiles::known_twin(int fd, const std::string &path) {
  for (auto &[identity, file] : files_) {
    const SamePages same = have_same_pages(fd, file.object->file()->fd.get());
    if (same == SamePages::kYes) return &file;
    if (same == SamePages::kUnknown && !std::exchange(said_of_twins_, true))
      problems_.push_back(may_be_one_file(path, file.object->path()));
  }
  return nullptr;
}

/// Null: it is no program, or had no probe when it was last looked at.
SystemFiles::File *SystemFiles::add(Fd fd, const std::string &path, pid_t pid) {
  struct stat info{};
  if (fstat(fd.get(), &info) != 0 || !is_program(fd.get())) return nullptr;
  Identity identity(info.st_dev, info.st_ino);
  if (const auto twin = twins_.find(identity); twin != twins_.end()) identity = twin->second;
  const auto note_process = [&](File &file) {
    const bool is_known = std::find(file.pids.begin(), file.pids.end(), pid) != file.pids.end();
    if (pid != 0 && !is_known && file.pids.size() < kMaxPids) file.pids.push_back(pid);
    return &file;
  };
  if (const auto known = files_.find(identity); known != files_.end()) return note_process(known->second);
  if (const auto unused = unused_.find(identity); unused != unused_.end()) {
    if (unused->second == changed_ns(info)) return nullptr;
    unused_.erase(unused);
  }
  if (File *twin = known_twin(fd.get(), path)) {
    twins_.emplace(identity, identity_of(*twin));
    return note_process(*twin);
  }
  auto opened = std::make_shared<UserFile>();
  opened->path = path;
  opened->fd = std::move(fd);
  opened->device = info.st_dev;
  opened->inode = info.st_ino;
  File &file = files_[identity];
  file.object = std::make_shared<UserObject>(std::move(opened), path);
  file.serial = ++last_serial_;
  return note_process(file);
}

void SystemFiles::walk() {
  refused_.clear();
  executed_ = files_of_all_processes(refused_);
  std::set<pid_t> pids;
  for (const auto &[key, file] : *executed_) pids.insert(file.pids.begin(), file.pids.end());
  processes_ = pids.size();
}

void SystemFiles::add_mapped(const std::string &field, Module &module) {
  for (const auto &[key, executed] : *executed_) {
    if (!is_meant(field, module, executed.path)) continue;
    Result<Fd> fd = open_executed_file(executed);
    if (!fd) {
      if (is_exhausted(fd.error().errno_value())) ++unopened_count_;
      if (is_denied(fd.error().errno_value())) refused_.insert(executed.pids.begin(), executed.pids.end());
      continue;
    }
    File *file = add(std::move(*fd), executed.path, executed.pids.front());
    if (file == nullptr) continue;
    keys_.insert(key);
    module.files.insert(file->serial);
  }
}

void SystemFiles::add_path(const std::string &path, Module &module) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  Result<Fd> fd = error ? Result<Fd>(Error::from_errno(path, error.value())) : open_regular(real.string(), path);
  if (!fd) {
    module.cause = fd.error().errno_value();
    return;
  }
  if (const File *file = add(std::move(*fd), real.string(), 0)) module.files.insert(file->serial);
}

void SystemFiles::add_from_disk(const std::string &field, Module &module) {
  if (field.starts_with('/')) {
    if (!is_glob(field)) return add_path(field, module);
    glob_t found{};
    if (glob(field.c_str(), GLOB_NOSORT, nullptr, &found) == 0)
      for (size_t i = 0; i < found.gl_pathc; ++i) add_path(found.gl_pathv[i], module);
    globfree(&found);
    return;
  }
  if (means_everything(field)) return;
  if (!libraries_) libraries_ = cached_libraries();
  for (const CachedLibrary &library : *libraries_)
    if (names_object(field, library.name) || names_object(field, object_name(library.path)))
      add_path(library.path, module);
  module.libraries = libraries_->size();
  for_each_program(field, [&](const std::string &path) { add_path(path, module); });
  module.in_path = true;
}

std::vector<const SystemFiles::File *> SystemFiles::find(const std::string &field) {
  const auto [entry, is_new] = modules_.try_emplace(field);
  Module &module = entry->second;
  if (is_new) {
    if (field.starts_with('/')) module.real = real_path(field);
    if (!executed_) walk();
    add_mapped(field, module);
    add_from_disk(field, module);
  }
  std::vector<const File *> files;
  for (const auto &[identity, file] : files_)
    if (module.files.contains(file.serial)) files.push_back(&file);
  std::sort(files.begin(), files.end(), [](const File *a, const File *b) { return a->serial < b->serial; });
  return files;
}

bool SystemFiles::has_newer(const std::string &field, uint64_t serial) const {
  const auto module = modules_.find(field);
  return module != modules_.end() && module->second.files.upper_bound(serial) != module->second.files.end();
}

std::string SystemFiles::looked_at(const std::string &field) const {
  const auto found = modules_.find(field);
  if (found == modules_.end()) return {};
  const Module &module = found->second;
  const std::string mapped =
      fmt::format("no file that {} processes execute ({})", processes_, executed_ ? executed_->size() : 0);
  if (!field.starts_with('/'))
    return fmt::format("{}, no library in the dynamic linker's cache ({}) and no program in $PATH is called {}", mapped,
                       module.libraries, field);
  if (is_glob(field)) return fmt::format("{} and no program or library here is called {}", mapped, field);
  const std::string cause = module.cause == 0 ? std::string("it is neither a program nor a library")
                                              : fmt::format("it cannot be opened: {}", std::strerror(module.cause));
  return fmt::format("{} is called {}, and {}", mapped, field, cause);
}

/// Not before tracing runs: the clauses of a program are matched one after the other.
void SystemFiles::forget_unused() {
  constexpr size_t kMaxRemembered = 1 << 16;
  if (unused_.size() > kMaxRemembered) unused_.clear();
  if (twins_.size() > kMaxRemembered) twins_.clear();
  std::erase_if(files_, [&](const auto &entry) {
    const File &file = entry.second;
    struct stat info{};
    if (file.is_kept || fstat(file.object->file()->fd.get(), &info) != 0) return false;
    drop(file);
    unused_[entry.first] = changed_ns(info);
    return true;
  });
}

void SystemFiles::forget(const std::set<const UserFile *> &files) {
  std::erase_if(files_, [&](const auto &entry) {
    if (!files.contains(entry.second.object->file().get())) return false;
    drop(entry.second);
    return true;
  });
}

void SystemFiles::drop(const File &file) {
  for (auto &[field, module] : modules_) module.files.erase(file.serial);
  std::erase_if(twins_, [&](const auto &twin) { return twin.second == identity_of(file); });
  keys_.clear();  // found again when they are looked at
}

void SystemFiles::notice_map(pid_t pid, const MapEntry &map) {
  const FileKey key{map.device_major, map.device_minor, map.inode};
  if (!map.is_file() || keys_.contains(key)) return;
  const auto means = [&](const auto &entry) { return is_meant(entry.first, entry.second, map.path); };
  if (std::none_of(modules_.begin(), modules_.end(), means)) return;
  Result<Fd> fd = open_mapped_file(pid, map);
  if (!fd && is_exhausted(fd.error().errno_value())) ++unopened_count_;
  if (!fd) {
    constexpr size_t kMaxUnopened = 100;
    if (unopened_.size() < kMaxUnopened && unopened_.insert(map.path).second)
      problems_.push_back(
          fmt::format("{} of process {} has no probes: it cannot be opened any more", printable(map.path), pid));
    return;
  }
  const File *file = add(std::move(*fd), map.path, pid);
  if (file == nullptr) return;
  keys_.insert(key);
  for (auto &entry : modules_)
    if (means(entry)) entry.second.files.insert(file->serial);
}

void SystemFiles::notice_all() {
  walk();
  for (auto &[field, module] : modules_) add_mapped(field, module);
}

void SystemFiles::notice(const MappingNews &news) {
  if (modules_.empty()) return;
  forget_unused();
  // The first time: finds what was mapped after the first walk and before notifications of mappings began.
  if (news.lost || !std::exchange(noticed_, true)) return notice_all();
  std::set<pid_t> told;
  for (const MappingWatch::Event &event : news.events) {
    told.insert(event.pid);
    if (event.map.executable) notice_map(event.pid, event.map);
  }
  for (const pid_t pid : news.pids) {
    if (told.contains(pid)) continue;
    const Result<ProcessMaps> maps = read_process_maps(pid);
    if (!maps) continue;
    for (const MapEntry &map : maps->maps)
      if (map.executable) notice_map(pid, map);
  }
}

}  // namespace dtrace::runtime
