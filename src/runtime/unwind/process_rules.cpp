// SPDX-License-Identifier: Apache-2.0
#include "runtime/unwind/process_rules.h"

#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/exhausted.h"
#include "base/file_limit.h"
#include "base/foreign_limits.h"

namespace dtrace::runtime {
namespace {

constexpr std::string_view kVdso = "[vdso]";
/// Where return probes return to: a walk finds the true address. And what the kernel itself executes for the process.
constexpr std::string_view kNoCode[] = {"[uprobes]", "[vsyscall]"};
/// A Java virtual machine maps its code cache and fills it a few milliseconds later. We look at it often at first.
constexpr unsigned kMaxLooks = 200, kCloseLooks = 100;
constexpr unsigned kLooksOfTables = 10;  // those that cannot be read cost as much as so many looks
constexpr std::chrono::milliseconds kCloseLook{2}, kLook{50};

/// Makes one mapping of the range, whatever of it is mapped. False: there is a file's code in it, or there are too
/// many.
bool put_mapping(std::vector<dt_unwind_mapping> &told, const dt_unwind_mapping &mapping) {
  std::vector<dt_unwind_mapping> made;
  for (const dt_unwind_mapping &other : told) {
    const bool is_apart = other.end <= mapping.start || other.start >= mapping.end;
    if (!is_apart && other.pages != 0) return false;
    if (is_apart) made.push_back(other);
    if (is_apart) continue;
    for (const auto &[start, end] : {std::pair(other.start, mapping.start), std::pair(mapping.end, other.end)}) {
      if (start >= end) continue;
      made.push_back(other);
      made.back().start = start;
      made.back().end = end;
    }
  }
  if (made.size() >= DT_UNWIND_MAPPINGS) return false;
  made.insert(std::ranges::upper_bound(made, mapping.start, {}, &dt_unwind_mapping::start), mapping);
  told = std::move(made);
  return true;
}

}  // namespace

ProcessRules::ProcessRules(RulePool &pool, const arch::Machine &machine, Publish publish, PublishFile publish_file,
                           ShowsManaged shows_managed)
    : pool_(pool),
      machine_(machine),
      publish_(std::move(publish)),
      publish_file_(std::move(publish_file)),
      shows_managed_(std::move(shows_managed)) {}

// ---------------------------------------------------------------- files

bool ProcessRules::give_pages(CodeFile &file) {
  if (!file.has_rules()) return true;
  while (!(file.pages = pool_.add_pages(file.nr_pages())))
    if (!forget_file_used_least()) return false;
  if (file.pages && file.runtime() && shows_managed_()) file.runtime_place = pool_.add_runtime(*file.runtime());
  return true;
}

/// As programs have them.
uint32_t ProcessRules::flags_of(const CodeFile &file) {
  const uint32_t runtime = file.runtime_place.value_or(0) / DT_MANAGED_RUNTIME_BYTES << DT_MANAGED_RUNTIME_SHIFT;
  return runtime | (file.keeps_frames() ? DT_UNWIND_KEEPS_FRAMES : 0);
}

dt_unwind_file_key ProcessRules::kernel_key(const FileKey &key) {
  constexpr unsigned kMinorBits = 20;  // of the kernel's own device numbers
  const auto &[device, inode, changed_s, changed_ns] = key;
  return {inode, changed_s, static_cast<uint32_t>(changed_ns), major(device) << kMinorBits | minor(device)};
}

/// Publishes a file whose mappings programs recognise by themselves. For other files, the processes' lists do.
void ProcessRules::tell_file(const FileKey &key, const CodeFile &file) {
  const std::optional<uint64_t> start = file.first_offset();
  if (!start) return;
  dt_unwind_file told{};
  told.start = *start;
  told.size_bytes = file.nr_pages() << DT_UNWIND_PAGE_SHIFT;
  told.pages = file.pages.value_or(0);
  told.flags = flags_of(file);
  (void)publish_file_(kernel_key(key), &told);
}

bool ProcessRules::is_mapped(const FileRef &file) const {
  const long ours = 1 + (file->pages ? 1 : 0) + (file->is_wanted ? std::ranges::count(to_fill_, file) : 0);
  return file.use_count() > ours;
}

size_t ProcessRules::nr_open_files() const {
  return static_cast<size_t>(std::ranges::count_if(files_, [](const auto &one) { return !one.second->is_resting(); }));
}

/// Only files that no process maps.
bool ProcessRules::forget_file_used_least() {
  auto least = files_.end();
  for (auto at = files_.begin(); at != files_.end(); ++at) {
    const FileRef &file = at->second;
    if (!is_mapped(file) && (least == files_.end() || file->used < least->second->used)) least = at;
  }
  if (least == files_.end()) return false;
  const FileRef file = least->second;
  (void)publish_file_(kernel_key(least->first), nullptr);
  files_.erase(least);
  std::erase(to_fill_, file);
  if (file->pages) {
    by_pages_.erase(*file->pages);
    pool_.remove_pages(*file->pages, file->nr_pages());
  }
  if (file->runtime_place) pool_.remove_runtime(*file->runtime_place);
  return true;
}

ProcessRules::FileRef ProcessRules::vdso() {
  if (vdso_) return *vdso_;
  vdso_.emplace();
  // Every process has the same; it is ours that we can read.
  const auto address = getauxval(AT_SYSINFO_EHDR);
  Result<ProcessMaps> own = read_process_maps(getpid());
  const MapEntry *map = address == 0 || !own ? nullptr : find_map(own->maps, address);
  if (map == nullptr) return nullptr;
  const auto *bytes = reinterpret_cast<const std::byte *>(map->start);
  Result<std::unique_ptr<CodeFile>> file = CodeFile::open(
      std::vector<std::byte>(bytes, bytes + (map->end - map->start)), machine_.frame_registers, machine_.elf_machine);
  if (!file || !give_pages(**file)) return nullptr;
  vdso_ = FileRef(std::move(*file));
  if ((*vdso_)->pages) by_pages_[*(*vdso_)->pages] = *vdso_;
  return *vdso_;
}

ProcessRules::FileRef ProcessRules::opened(Fd fd, const FileKey &key, bool &is_known) {
  if (const auto known = files_.find(key); known != files_.end()) {
    if (known->second->is_resting()) known->second->wake(std::move(fd));
    return known->second;
  }
  constexpr size_t kShare = 4;
  while (files_.size() >= std::min(limits::kMaxCodeFiles, file_limit() / kShare))
    if (!forget_file_used_least()) return nullptr;
  Result<std::unique_ptr<CodeFile>> opened =
      CodeFile::open(std::move(fd), machine_.frame_registers, machine_.elf_machine);
  is_known = true;
  if (!opened) return nullptr;
  if (!give_pages(**opened)) {
    is_known = false;
    return nullptr;
  }
  FileRef file(std::move(*opened));
  files_.emplace(key, file);
  if (file->pages) by_pages_[*file->pages] = file;
  tell_file(key, *file);
  return file;
}

ProcessRules::Mapped ProcessRules::look_at(pid_t pid, MapEntry map) {
  Mapped mapped{std::move(map), nullptr, true};
  if (mapped.map.path == kVdso) mapped.file = vdso();
  if (!mapped.map.is_file()) return mapped;
  mapped.is_known = false;
  Result<Fd> fd = open_mapped_file(pid, mapped.map);
  if (!fd && is_exhausted(fd.error().errno_value())) ++unopened_;
  struct stat status{};
  if (!fd || fstat(fd->get(), &status) != 0) return mapped;
  mapped.file = opened(std::move(*fd), {status.st_dev, status.st_ino, status.st_ctim.tv_sec, status.st_ctim.tv_nsec},
                       mapped.is_known);
  mapped.is_known |= mapped.file != nullptr;
  return mapped;
}

// ---------------------------------------------------------------- processes

std::optional<dt_unwind_mapping> ProcessRules::mapping_of(const MapEntry &map, const CodeFile *file) {
  dt_unwind_mapping mapping{};
  mapping.start = map.start;
  mapping.end = map.end;
  if (file != nullptr) mapping.flags = flags_of(*file);
  if (file == nullptr || !file->pages) return mapping;
  const std::optional<uint64_t> address =
      map.path == kVdso ? std::optional(file->first_address()) : file->address_of(map.offset);
  if (!address || *address < file->first_address()) return mapping;
  const uint64_t known_bytes = file->first_address() + (file->nr_pages() << DT_UNWIND_PAGE_SHIFT) - *address;
  mapping.end = std::min(map.end, map.start + known_bytes);
  mapping.bias = map.start - (*address - file->first_address());
  mapping.pages = *file->pages;
  return mapping;
}

std::optional<uint32_t> ProcessRules::give_mappings(std::span<const dt_unwind_mapping> mappings) {
  if (mappings.empty()) return std::nullopt;
  std::optional<uint32_t> place = pool_.add_mappings(mappings);
  while (!place && forget_file_used_least()) place = pool_.add_mappings(mappings);
  return place;
}

/// Tells of the code cache of a Java virtual machine. `process` has what is known from before.
void ProcessRules::look_at_java(pid_t pid, Process &process, Depth depth) {
  if (!machine_.frame_registers.know_managed) return;
  JavaMachine &java = process.java;
  const auto library =
      std::ranges::find_if(process.mapped, [](const Mapped &mapped) { return is_hotspot(mapped.map); });
  java.is_there = library != process.mapped.end();
  if (!java.is_there) return;
  java.has_code = std::ranges::any_of(process.mapped, [](const Mapped &mapped) { return mapped.map.path.empty(); });
  if (!java.has_code || (!java.runtime && depth == Depth::kFiles)) return;
  if (!java.is_complete() && java.nr_looks <= kMaxLooks) ++java.nr_looks;
  if (!java.runtime && java.nr_looks <= kMaxLooks) {
    java.runtime = HotspotRuntime::open(pid, library->map, machine_.elf_machine);
    if (!java.runtime) java.nr_looks += kLooksOfTables;
  }
  std::optional<dt_hotspot> now = java.runtime ? java.runtime->read(ProcessMemory(pid)) : std::nullopt;
  const bool is_same = now && java.told && std::memcmp(&*now, &*java.told, sizeof *now) == 0;
  if (!is_same) {
    java.told.reset();
    java.place = 0;
  }
  if (!now || !shows_managed_()) return;
  if (!is_same) {
    dt_managed_runtime runtime{};
    static_assert(sizeof(dt_hotspot) <= sizeof runtime);
    std::memcpy(&runtime, &*now, sizeof *now);
    const std::optional<uint32_t> place = pool_.add_runtime(runtime);
    if (!place) return;
    java.place = *place;
    java.told = now;
  }
  dt_unwind_mapping cache{};
  cache.start = now->cache_start;
  cache.end = now->cache_start + now->cache_bytes;
  cache.flags = DT_HOTSPOT_CACHE | java.place / DT_MANAGED_RUNTIME_BYTES << DT_MANAGED_RUNTIME_SHIFT;
  if (put_mapping(process.told, cache)) return;
  if (!is_same) pool_.remove_runtime(java.place);
  java.told.reset();
  java.place = 0;
}

std::optional<std::chrono::milliseconds> ProcessRules::next_look(pid_t pid) const {
  const auto known = processes_.find(pid);
  if (known == processes_.end()) return std::nullopt;
  const JavaMachine &java = known->second.java;
  if (!java.is_there || java.is_complete() || java.nr_looks > kMaxLooks) return std::nullopt;
  if (!java.has_code) return kLook;
  if (java.nr_looks == 0) return std::chrono::milliseconds(0);
  return java.runtime && java.nr_looks < kCloseLooks ? kCloseLook : kLook;
}

ProcessRules::Outcome ProcessRules::know(pid_t pid, Depth depth) {
  Result<ProcessMaps> now = read_process_maps(pid);
  const auto known = processes_.find(pid);
  if (!now || now->maps.empty() || (known == processes_.end() && processes_.size() >= limits::kMaxProcesses)) {
    forget(pid);
    return Outcome::kNone;
  }
  Process process{now->identity, {}, {}, {}, {}};
  ++count_;
  for (MapEntry &map : now->maps) {
    if (!map.executable || std::ranges::find(kNoCode, map.path) != std::end(kNoCode)) continue;
    if (process.told.size() >= DT_UNWIND_MAPPINGS) break;
    Mapped mapped;
    if (known != processes_.end() && known->second.identity == now->identity)
      if (auto before = std::ranges::find(known->second.mapped, map, &Mapped::map);
          before != known->second.mapped.end() && before->is_known)
        mapped = *before;
    if (!mapped.is_known) mapped = look_at(pid, std::move(map));
    if (mapped.file) mapped.file->used = count_;
    // What could not be looked into is not code without rules: a walk says that it knows nothing of it.
    if (mapped.is_known)
      if (const std::optional<dt_unwind_mapping> told = mapping_of(mapped.map, mapped.file.get()))
        process.told.push_back(*told);
    process.mapped.push_back(std::move(mapped));
  }
  if (known != processes_.end() && known->second.identity == now->identity) process.java = known->second.java;
  look_at_java(pid, process, depth);
  const uint32_t old_runtime = known == processes_.end() ? 0 : known->second.java.place;
  if (known != processes_.end() && known->second.identity == now->identity &&
      std::ranges::equal(known->second.told, process.told, [](const auto &a, const auto &b) {
        return a.start == b.start && a.end == b.end && a.bias == b.bias && a.pages == b.pages && a.flags == b.flags;
      })) {
    known->second.java = process.java;
    return Outcome::kSame;
  }
  const auto give_up = [&] {
    if (process.java.place != 0 && process.java.place != old_runtime) pool_.remove_runtime(process.java.place);
    forget(pid);
    return Outcome::kNone;
  };
  process.mappings = give_mappings(process.told);
  if (!process.mappings) return give_up();
  dt_unwind_process told{};
  told.stack_start = now->identity.stack_start;
  told.mappings = *process.mappings;
  told.nr_mappings = static_cast<uint32_t>(process.told.size());
  if (!publish_(pid, &told)) {
    pool_.remove_mappings(*process.mappings);
    return give_up();
  }
  if (known != processes_.end()) {
    if (old_runtime != 0 && old_runtime != process.java.place) pool_.remove_runtime(old_runtime);
    pool_.remove_mappings(*known->second.mappings);
    processes_.erase(known);
  }
  processes_.emplace(pid, std::move(process));
  return Outcome::kNews;
}

void ProcessRules::forget(pid_t pid) {
  const auto known = processes_.find(pid);
  if (known == processes_.end()) return;
  publish_(pid, nullptr);
  pool_.remove_mappings(*known->second.mappings);
  if (known->second.java.place != 0) pool_.remove_runtime(known->second.java.place);
  std::vector<FileRef> files;
  for (Mapped &mapped : known->second.mapped)
    if (mapped.file) files.push_back(std::move(mapped.file));
  processes_.erase(known);
  while (!files.empty()) {
    CodeFile *file = files.back().get();
    files.pop_back();
    const auto kept = std::ranges::find_if(files_, [&](const auto &one) { return one.second.get() == file; });
    if (kept != files_.end() && !is_mapped(kept->second)) file->rest();
  }
}

void ProcessRules::forget_ended() {
  std::vector<pid_t> ended;
  for (const auto &[pid, process] : processes_) {
    const Result<ProcessIdentity> now = read_identity(pid);
    if (!now || now->start_ticks != process.identity.start_ticks) ended.push_back(pid);
  }
  for (const pid_t pid : ended) forget(pid);
}

// ---------------------------------------------------------------- pages

bool ProcessRules::answer(uint32_t word) {
  const auto after = by_pages_.upper_bound(word);
  if (after == by_pages_.begin()) return false;
  CodeFile &file = *std::prev(after)->second;
  const uint64_t page = (word - *file.pages) / sizeof(uint64_t);
  if (page >= file.nr_pages() || pool_.knows_page(word)) return false;
  if (file.tell(pool_, page)) {
    want(std::prev(after)->second);
    return true;
  }
  pool_.forget_page(word);
  return false;
}

void ProcessRules::answer_stack(pid_t pid, std::span<const uint64_t> words) {
  const auto known = processes_.find(pid);
  if (known == processes_.end()) return;
  const std::vector<dt_unwind_mapping> &told = known->second.told;
  for (const uint64_t word : words) {
    auto mapping = std::ranges::upper_bound(told, word, {}, &dt_unwind_mapping::start);
    if (mapping == told.begin()) continue;
    --mapping;
    if (word >= mapping->end || mapping->pages == 0) continue;
    const uint64_t page = (word - mapping->bias) >> DT_UNWIND_PAGE_SHIFT;
    (void)answer(static_cast<uint32_t>(mapping->pages + page * sizeof(uint64_t)));
  }
}

void ProcessRules::want(const FileRef &file) {
  if (file->is_wanted || !file->pages) return;
  file->is_wanted = true;
  to_fill_.push_back(file);
}

void ProcessRules::want_all(pid_t pid) {
  const auto known = processes_.find(pid);
  if (known == processes_.end()) return;
  for (const Mapped &mapped : known->second.mapped)
    if (mapped.file) want(mapped.file);
}

bool ProcessRules::fill(unsigned nr_pages) {
  while (!to_fill_.empty() && pool_.has_room()) {
    CodeFile &file = *to_fill_.back();
    if (file.is_resting()) {
      file.is_wanted = false;
      to_fill_.pop_back();
      continue;
    }
    for (; file.next_page < file.nr_pages(); ++file.next_page) {
      if (nr_pages == 0) return true;
      if (pool_.knows_page(static_cast<uint32_t>(*file.pages + file.next_page * sizeof(uint64_t)))) continue;
      if (!pool_.has_room()) return false;
      --nr_pages;
      if (!file.tell(pool_, file.next_page)) return false;
    }
    to_fill_.pop_back();
  }
  return false;
}

void ProcessRules::fill_process(pid_t pid, const std::function<bool()> &gives_up) {
  constexpr unsigned kPagesAtOnce = 32;
  want_all(pid);
  const auto known = processes_.find(pid);
  if (known == processes_.end()) return;
  for (const Mapped &mapped : known->second.mapped) {
    const auto waiting = std::ranges::find(to_fill_, mapped.file);
    if (waiting == to_fill_.end()) continue;
    std::rotate(waiting, waiting + 1, to_fill_.end());
    while (!to_fill_.empty() && to_fill_.back() == mapped.file && fill(kPagesAtOnce))
      if (gives_up && gives_up()) return;
  }
}

}  // namespace dtrace::runtime
