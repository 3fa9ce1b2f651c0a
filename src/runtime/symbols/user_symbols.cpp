// SPDX-License-Identifier: Apache-2.0
#include "runtime/symbols/user_symbols.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/clock.h"
#include "base/hexadecimal.h"
#include "base/printable.h"
#include "bpf/dt_unwind.h"
#include "runtime/symbols/unnamed_code.h"

namespace dtrace::runtime {

namespace {

constexpr size_t kMaxSnapshots = 16;
constexpr long kMaxSnapshotsOfProgram = 4;
constexpr size_t kMaxTold = 1024;
constexpr size_t kMaxMissedPages = 256;
// How long an identity is believed without a look at /proc.
constexpr uint64_t kBelievedNs = 10'000'000;
// An address that was missed before asks for a new snapshot only when the last one's cost is this many times ago.
constexpr uint64_t kRestPerCost = 20;
constexpr uint64_t kLeastRestNs = 1'000'000;
constexpr uint64_t kPageBytes = 4096;
// Below it a process is a 32-bit one, whose vDSO is not ours.
constexpr uint64_t kLeast64BitVdso = 1ull << 32;

}  // namespace

UserSymbols::UserSymbols(UserSymbolsOptions options)
    : options_(std::move(options)), objects_(options_.elf, options_.objects) {}

bool UserSymbols::note_process(pid_t pid) {
  if (pid == kFileSpacePid) return true;
  Process &p = process(pid);
  revalidate(pid, p);
  return !p.snapshots.empty();
}

void UserSymbols::note_running(pid_t pid) {
  objects_.may_close_others(false);
  (void)note_process(pid);
  objects_.may_close_others(true);
}

bool UserSymbols::remember(pid_t pid) {
  Process &p = process(pid);
  p.is_remembered = true;
  take_snapshot(pid, p);
  return !p.snapshots.empty();
}

void UserSymbols::close_files_of_ended() {
  if (objects_.held_count() == 0) return;
  std::unordered_set<const CachedObject *> mapped;
  for (const auto &[pid, process] : processes_) {
    if (process.snapshots.empty() || (::kill(pid, 0) != 0 && errno == ESRCH)) continue;
    for (const Region &region : process.snapshots.front().regions) mapped.insert(region.object.get());
  }
  objects_.close_unless([&](const CachedObject &object) { return mapped.contains(&object); });
}

UserSymbols::Process &UserSymbols::process(pid_t pid) {
  push_out_oldest(pid);
  if (const auto it = processes_.find(pid); it != processes_.end()) return it->second;
  order_.push_back(pid);
  return processes_[pid];
}

/// Makes room for `pid`, which itself stays. Remembered ones go to the end of the queue; at most one round of it.
void UserSymbols::push_out_oldest(pid_t pid) {
  const size_t is_new = processes_.contains(pid) ? 0 : 1;
  const auto is_too_much = [&] {
    return processes_.size() + is_new > options_.most_processes || region_count_ > options_.most_regions;
  };
  for (size_t i = order_.size(); i > 0 && is_too_much(); i--) {
    const pid_t first = order_.front();
    order_.pop_front();
    const auto oldest = processes_.find(first);
    if (oldest->second.is_remembered || first == pid) {
      order_.push_back(first);
      continue;
    }
    for (const Snapshot &snapshot : oldest->second.snapshots) {
      region_count_ -= snapshot.regions.size();
      forget_mark(snapshot.identity);
    }
    region_count_ -= oldest->second.told.size();
    if (oldest->second.perf_map) std::erase(perf_maps_, first);
    processes_.erase(oldest);
  }
}

void UserSymbols::forget_mark(const ProcessIdentity &program) {
  const auto known = by_mark_.find(dt_image_mark(program.stack_start, program.code_start));
  if (known != by_mark_.end() && known->second == program.pid) by_mark_.erase(known);
}

void UserSymbols::add_snapshot(Process &process, Snapshot snapshot) {
  region_count_ += snapshot.regions.size();
  const ProcessIdentity program = snapshot.identity;
  process.snapshots.push_front(std::move(snapshot));
  const auto is_same = [&](const Snapshot &one) { return program.is_complete() && one.identity == program; };
  auto oldest = std::prev(process.snapshots.end());
  const bool has_many = std::ranges::count_if(process.snapshots, is_same) > kMaxSnapshotsOfProgram;
  if (has_many || process.snapshots.size() > kMaxSnapshots) {
    while (has_many && !is_same(*oldest)) --oldest;
    region_count_ -= oldest->regions.size();
    forget_mark(oldest->identity);
    process.snapshots.erase(oldest);
  }
  if (program.is_complete()) by_mark_[dt_image_mark(program.stack_start, program.code_start)] = program.pid;
}

/// Looks whether the pid is still the process of the newest snapshot, and takes a new one if not.
void UserSymbols::revalidate(pid_t pid, Process &process) {
  // With addresses that are not random another program may look the same.
  if (process.is_other_program) {
    process.is_other_program = false;
    take_snapshot(pid, process);
    return;
  }
  const uint64_t now = monotonic_ns();
  if (process.checked_ns != 0 && now - process.checked_ns < kBelievedNs) return;
  process.checked_ns = now;
  const Result<ProcessIdentity> identity = read_identity(pid);
  const bool was_gone = std::exchange(process.is_gone, !identity);
  if (!identity) {  // what we have and what the kernel reported is all there will be
    if (was_gone) return;
    hear(process);
    take_told(pid, process);
    return;
  }
  if (process.snapshots.empty() || process.snapshots.front().identity != *identity) take_snapshot(pid, process);
}

void UserSymbols::note_mapping(pid_t pid, MapEntry map) {
  Process &p = process(pid);
  if (map.end == 0) {
    take_told(pid, p);
    region_count_ -= p.told.size();
    p.told.clear();
    p.is_other_program = true;
    p.has_executed = true;
    return;
  }
  region_count_ -=
      std::erase_if(p.told, [&](const MapEntry &old) { return old.start < map.end && map.start < old.end; });
  if (p.told.size() >= kMaxTold) return;
  const auto after = std::upper_bound(p.told.begin(), p.told.end(), map.start,
                                      [](uint64_t start, const MapEntry &other) { return start < other.start; });
  p.told.insert(after, std::move(map));
  region_count_++;
}

/// Makes a snapshot of what the kernel has told, if that is more than the snapshots have.
bool UserSymbols::take_told(pid_t pid, Process &process) {
  const bool is_known = std::all_of(process.told.begin(), process.told.end(), [&](const MapEntry &map) {
    const Region *region = find_region(process, map.start);
    return region != nullptr && region->start == map.start && region->end == map.end &&
           (region->object == nullptr || region->object->name() == printable(object_name(map.path)));
  });
  if (is_known) return false;
  std::vector<Region> regions = regions_of(pid, process.told);
  for (Region &region : regions)  // mappings without code were not reported: files begin where their headers are
    if (region.object != nullptr && region.start >= region.offset) region.object_base = region.start - region.offset;
  add_snapshot(process, {{.pid = pid}, std::move(regions)});
  process.missed_pages.clear();
  return true;
}

/// Reads the maps. Returns true if they brought something new.
bool UserSymbols::take_snapshot(pid_t pid, Process &process) {
  const uint64_t start = monotonic_ns();
  process.checked_ns = start;
  Result<ProcessMaps> read = read_process_maps(pid);
  std::vector<Region> regions;
  // A zombie shows an empty address space; what it had before is worth more.
  if (read) regions = regions_of(pid, read->maps);
  const auto is_dump = [](const MapEntry &map) { return map.executable && map.is_file() && is_jit_dump(map.path); };
  if (read)
    if (const auto dump = std::ranges::find_if(read->maps, is_dump); dump != read->maps.end()) process.jit_dump = *dump;
  const uint64_t end = monotonic_ns();
  process.next_refresh_ns = end + std::max(kLeastRestNs, (end - start) * kRestPerCost);
  if (regions.empty()) return take_told(pid, process);

  if (!process.snapshots.empty() && process.snapshots.front().identity == read->identity &&
      process.snapshots.front().regions == regions) {
    return false;
  }
  const bool is_other_image = !process.snapshots.empty() && process.snapshots.front().identity != read->identity;
  add_snapshot(process, {read->identity, std::move(regions)});
  process.missed_pages.clear();

  if (is_other_image && process.perf_map) {
    process.perf_map.reset();
    std::erase(perf_maps_, pid);
  }
  const auto &newest = process.snapshots.front().regions;
  const bool has_jit =
      std::any_of(newest.begin(), newest.end(), [](const Region &r) { return r.executable && r.object == nullptr; });
  if (has_jit) perf_map(pid, process);
  return true;
}

std::vector<UserSymbols::Region> UserSymbols::regions_of(pid_t pid, const std::vector<MapEntry> &maps) {
  struct Seen {
    ObjectRef object;
    uint64_t base;
  };
  using Key = std::tuple<uint64_t, uint32_t, uint32_t, std::string_view>;
  const auto key_of = [](const MapEntry &map) { return Key(map.inode, map.device_major, map.device_minor, map.path); };
  std::vector<Region> regions;
  // Only files with code in them are opened: not locale archives, databases, fonts.
  std::set<Key> with_code;
  for (const MapEntry &map : maps)
    if (map.executable && map.is_file()) with_code.insert(key_of(map));
  std::map<Key, Seen> seen;
  for (size_t i = 0; i < maps.size(); i++) {
    const MapEntry &map = maps[i];
    if (map.path == "[vdso]") {
      ObjectRef object = map.start < kLeast64BitVdso ? objects_.add_name(map.path) : objects_.add_vdso();
      regions.push_back({map.start, map.end, map.offset, map.start, std::move(object), map.executable});
    } else if (map.is_file()) {
      const Key key = key_of(map);
      auto known = seen.find(key);
      if (known == seen.end())
        known = seen.emplace(key, Seen{objects_.add(pid, map, with_code.contains(key)), map.start}).first;
      const Seen &file = known->second;
      regions.push_back({map.start, map.end, map.offset, file.base, file.object, map.executable});
    } else if (map.path.empty() && !map.executable && !regions.empty() && regions.back().end == map.start &&
               regions.back().object != nullptr && maps[i - 1].is_file() && maps[i - 1].writable) {
      const Region data = regions.back();  // its .bss
      regions.push_back(
          {map.start, map.end, data.offset + (data.end - data.start), data.object_base, data.object, false});
    } else if (map.path == "[vsyscall]") {
      regions.push_back({map.start, map.end, 0, map.start, objects_.add_name(map.path), map.executable});
    } else if (map.executable) {
      regions.push_back({map.start, map.end, 0, map.start, nullptr, true});
    }
  }
  return regions;
}

const UserSymbols::Region *UserSymbols::find_region(const Snapshot &snapshot, uint64_t address) {
  const auto after = std::upper_bound(snapshot.regions.begin(), snapshot.regions.end(), address,
                                      [](uint64_t wanted, const Region &r) { return wanted < r.start; });
  return after != snapshot.regions.begin() && address < std::prev(after)->end ? &*std::prev(after) : nullptr;
}

const UserSymbols::Region *UserSymbols::find_region(const Process &process, uint64_t address) {
  for (const Snapshot &snapshot : process.snapshots)
    if (const Region *found = find_region(snapshot, address)) return found;
  return nullptr;
}

void UserSymbols::hear(Process &process) {
  if (!ask_) return;
  const bool was_remembered =
      std::exchange(process.is_remembered, true);  // the notifications may be of many other processes
  ask_();
  process.is_remembered = was_remembered;
}

bool UserSymbols::may_refresh(Process &process, uint64_t address) {
  const uint64_t page = address / kPageBytes;
  if (process.missed_pages.size() < kMaxMissedPages && process.missed_pages.insert(page).second) return true;
  return monotonic_ns() >= process.next_refresh_ns;
}

/// True if the identity of the snapshot has this mark.
bool UserSymbols::is_of(const Snapshot &snapshot, uint32_t mark) {
  const ProcessIdentity &identity = snapshot.identity;
  return identity.is_complete() && dt_image_mark(identity.stack_start, identity.code_start) == mark;
}

/// True if the snapshot's code begins where the mark says.
bool UserSymbols::may_be_of(const Snapshot &snapshot, uint32_t mark) {
  const uint32_t code = mark >> DT_IMAGE_CODE_SHIFT << DT_IMAGE_CODE_SHIFT;
  return std::ranges::any_of(snapshot.regions, [&](const Region &region) {
    return region.executable && region.object != nullptr && dt_image_code(region.start) == code;
  });
}

/// The region of an address in the program with this mark; 0: in the newest program that has one.
const UserSymbols::Region *UserSymbols::find_region(const Process &process, uint32_t mark, uint64_t address) {
  if (mark == 0) return find_region(process, address);
  // A snapshot made of mapping events has no identity. A process that executes a file again may have the same
  // addresses.
  const auto is_event = [](const Snapshot &snapshot, uint32_t code) {
    return !snapshot.identity.is_complete() && may_be_of(snapshot, code);
  };
  for (bool (*const is_meant)(const Snapshot &, uint32_t) : {&is_of, +is_event, &may_be_of})
    for (const Snapshot &snapshot : process.snapshots)
      if (is_meant(snapshot, mark))
        if (const Region *found = find_region(snapshot, address)) return found;
  // Without an identity the programs of a process cannot be distinguished.
  const bool is_distinguished =
      std::ranges::any_of(process.snapshots, [](const Snapshot &one) { return one.identity.is_complete(); });
  return is_distinguished ? nullptr : find_region(process, address);
}

const UserSymbols::Region *UserSymbols::find_region(UserImage image, Process &process, uint64_t address) {
  if (image.pid == kFileSpacePid) return find_region(shared_, address);
  revalidate(image.pid, process);
  if (!process.snapshots.empty() && (image.mark == 0 || is_of(process.snapshots.front(), image.mark)))
    if (const Region *found = find_region(process.snapshots.front(), address)) return found;
  if (image.mark != 0)
    if (const Region *found = find_region(process, image.mark, address)) return found;
  // A library loaded since, or a program image after exec; an older snapshot may have had something else there.
  if (may_refresh(process, address)) {
    hear(process);
    take_snapshot(image.pid, process);
  }
  const Region *found = find_region(process, image.mark, address);
  if (found != nullptr || image.mark == 0) return found;
  return may_be_inherited(process, image.mark) ? find_relative(image.mark, address) : nullptr;
}

bool UserSymbols::may_be_inherited(const Process &process, uint32_t mark) {
  if (process.snapshots.empty()) return !process.has_executed;
  return std::ranges::none_of(process.snapshots, [mark](const Snapshot &own) { return may_be_of(own, mark); });
}

const UserSymbols::Region *UserSymbols::find_relative(uint32_t mark, uint64_t address) const {
  const auto pid = by_mark_.find(mark);
  const auto relative = pid == by_mark_.end() ? processes_.end() : processes_.find(pid->second);
  if (relative == processes_.end()) return nullptr;
  for (const Snapshot &snapshot : relative->second.snapshots)
    if (is_of(snapshot, mark))
      if (const Region *found = find_region(snapshot, address)) return found;
  return nullptr;
}

UserLocation UserSymbols::locate(UserImage image, uint64_t address) {
  const Region *region = find_region(image, process(image.pid), address);
  if (region == nullptr || region->object == nullptr) return {};
  return {region->object->name(), {}, 0, address - region->object_base};
}

CodeMapping UserSymbols::mapping(UserImage image, uint64_t address) {
  const Region *region = find_region(image, process(image.pid), address);
  if (region == nullptr) return {};
  CodeMapping mapping{region->start, region->end, region->offset, {}, {}};
  if (region->object == nullptr) return mapping;
  mapping.file = printable(region->object->path());
  if (const ElfSymbols *symbols = objects_.symbols(region->object))
    mapping.build_id = hexadecimal_text(symbols->build_id());
  return mapping;
}

std::optional<uint64_t> UserSymbols::shared_address(UserImage image, uint64_t address) {
  const Region *region = find_region(image, process(image.pid), address);
  if (region == nullptr || region->object == nullptr || !region->executable) return std::nullopt;
  CachedObject &object = *region->object;
  if (!object.is_shared_base_known) {
    if (const std::optional<std::string> identity = objects_.identity_text(region->object))
      object.shared_base = file_space_.base_of(*identity);
    object.is_shared_base_known = true;
  }
  const uint64_t length = region->end - region->start;
  if (!object.shared_base || length > FileSpace::kFileBytes || region->offset > FileSpace::kFileBytes - length)
    return std::nullopt;
  const uint64_t start = *object.shared_base + region->offset, shared = start + (address - region->start);
  if (find_region(shared_, shared) != nullptr) return shared;
  // A piece that is new, without what is known already of it.
  const auto next = std::ranges::upper_bound(shared_.regions, shared, {}, &Region::start);
  Region piece{start, start + length, region->offset, start - (region->start - region->object_base), region->object,
               true};
  if (next != shared_.regions.end()) piece.end = std::min(piece.end, next->start);
  if (next != shared_.regions.begin() && std::prev(next)->end > piece.start) {
    piece.offset += std::prev(next)->end - piece.start;
    piece.start = std::prev(next)->end;
  }
  shared_.regions.insert(next, std::move(piece));
  return shared;
}

std::optional<FileAddress> UserSymbols::file_address(UserImage image, uint64_t address) {
  const Region *region = find_region(image, process(image.pid), address);
  if (region == nullptr || region->object == nullptr) return std::nullopt;
  return FileAddress{region->object, address - region->start + region->offset, address - region->object_base,
                     region->executable};
}

UserLocation UserSymbols::resolve(UserImage image, uint64_t address) {
  Process &p = process(image.pid);
  const Region *region = find_region(image, p, address);
  if (region == nullptr) return {};

  UserLocation location;
  if (region->object != nullptr) {
    location.object = region->object->name();
    location.object_offset = address - region->object_base;
    if (const ElfSymbols *symbols = objects_.symbols(region->object)) {
      const uint64_t file_offset = address - region->start + region->offset;
      const std::optional<uint64_t> in_file = symbols->address_of_offset(file_offset, region->executable);
      const std::optional<ElfLocation> found = in_file ? symbols->by_address(*in_file) : std::nullopt;
      if (found) {
        location.symbol = found->symbol.name;
        location.symbol_offset = found->offset;
      }
      return location;
    }
  }
  // Code that is in no ELF file: a JIT compiler's, whose memory may be anonymous or a memfd.
  if (!region->executable || image.pid == kFileSpacePid) return location;
  // The map describes the newest program.
  if (image.mark != 0 && !is_of(p.snapshots.front(), image.mark) && !may_be_of(p.snapshots.front(), image.mark))
    return location;
  PerfMap *map = perf_map(image.pid, p);
  if (map == nullptr) return location;
  map->refresh();
  const std::optional<PerfMap::Hit> hit = map->by_address(address);
  if (!hit) return location;
  return {map->name(), hit->name, hit->offset, 0};
}

std::string_view UserSymbols::naming_option(UserImage image, uint64_t address) {
  if (image.pid == kFileSpacePid) return {};
  Process &p = process(image.pid);
  const Region *region = find_region(image, p, address);
  const bool is_made = region != nullptr && region->executable &&
                       (region->object == nullptr || region->object->path().starts_with("/memfd:"));
  if (!is_made) return {};
  const auto in = std::ranges::find_if(
      p.snapshots, [address](const Snapshot &snapshot) { return find_region(snapshot, address) != nullptr; });
  if (in == p.snapshots.end()) return {};
  std::vector<std::string_view> objects;
  for (const Region &other : in->regions)
    if (other.object != nullptr && other.executable) objects.push_back(other.object->name());
  const std::string_view option = runtime::naming_option(objects);
  return option.empty() || !resolve(image, address).symbol.empty() ? std::string_view() : option;
}

const SourceFrames *UserSymbols::source(UserImage image, uint64_t address) {
  const Region *region = find_region(image, process(image.pid), address);
  if (region == nullptr || region->object == nullptr || !region->executable) return nullptr;
  const ElfSymbols *symbols = objects_.symbols(region->object);
  if (symbols == nullptr) return nullptr;
  const std::optional<uint64_t> in_file = symbols->address_of_offset(address - region->start + region->offset, true);
  SourceInfo *source = in_file ? objects_.source(region->object) : nullptr;
  return source == nullptr ? nullptr : &source->at(*in_file);
}

/// The map of the process. Those that were opened first are closed when there are too many, and read again when they
/// are wanted again.
PerfMap *UserSymbols::perf_map(pid_t pid, Process &process) {
  if (process.perf_map) return &*process.perf_map;
  process.perf_map = PerfMap::open(pid);
  if (!process.perf_map && process.jit_dump) process.perf_map = PerfMap::open_dump(pid, *process.jit_dump);
  if (!process.perf_map) return nullptr;
  perf_maps_.push_back(pid);
  if (perf_maps_.size() > limits::kMaxPerfMaps) {
    processes_[perf_maps_.front()].perf_map.reset();
    perf_maps_.pop_front();
  }
  return &*process.perf_map;
}

}  // namespace dtrace::runtime
