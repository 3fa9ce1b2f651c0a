// SPDX-License-Identifier: Apache-2.0
#include "runtime/symbols/user_symbols.h"

#include <time.h>

#include <algorithm>
#include <utility>

namespace dtrace {

namespace {

constexpr size_t kMostSnapshots = 4;
constexpr size_t kMostTold = 1024;
constexpr size_t kMostMissedPages = 4096;
// How long an identity is believed without a look at /proc.
constexpr uint64_t kBelievedNs = 10'000'000;
// An address that was missed before asks for a new snapshot only when the last one's cost is this many times ago.
constexpr uint64_t kRestPerCost = 20;
constexpr uint64_t kLeastRestNs = 1'000'000;
constexpr uint64_t kPageBytes = 4096;
// Below it a process is a 32-bit one, whose vDSO is not ours.
constexpr uint64_t kLeast64BitVdso = 1ull << 32;

uint64_t now_ns() {
  timespec ts{};
  ::clock_gettime(CLOCK_MONOTONIC, &ts);
  return static_cast<uint64_t>(ts.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(ts.tv_nsec);
}

bool is_same_file(const MapEntry &a, const MapEntry &b) {
  return a.inode == b.inode && a.device_major == b.device_major && a.device_minor == b.device_minor && a.path == b.path;
}

}  // namespace

UserSymbols::UserSymbols(UserSymbolsOptions options)
    : options_(std::move(options)), objects_(options_.elf, options_.most_held_files) {}

bool UserSymbols::note_process(pid_t pid) {
  Process &p = process(pid);
  revalidate(pid, p);
  return !p.snapshots.empty();
}

bool UserSymbols::remember(pid_t pid) {
  Process &p = process(pid);
  p.is_remembered = true;
  take_snapshot(pid, p);
  return !p.snapshots.empty();
}

UserSymbols::Process &UserSymbols::process(pid_t pid) {
  if (const auto it = processes_.find(pid); it != processes_.end()) return it->second;
  push_out_oldest();
  order_.push_back(pid);
  return processes_[pid];
}

void UserSymbols::push_out_oldest() {
  // Remembered ones go to the end of the queue; at most one round of it.
  for (size_t i = order_.size(); i > 0 && processes_.size() >= options_.most_processes; i--) {
    const pid_t pid = order_.front();
    order_.pop_front();
    if (processes_[pid].is_remembered) {
      order_.push_back(pid);
    } else {
      processes_.erase(pid);
    }
  }
}

/// Looks whether the pid is still the process of the newest snapshot, and takes a new one if not.
void UserSymbols::revalidate(pid_t pid, Process &process) {
  // With addresses that are not random another program may look the same.
  if (process.is_other_program) {
    process.is_other_program = false;
    take_snapshot(pid, process);
    return;
  }
  const uint64_t now = now_ns();
  if (process.checked_ns != 0 && now - process.checked_ns < kBelievedNs) return;
  process.checked_ns = now;
  const Result<ProcessIdentity> identity = read_identity(pid);
  const bool was_gone = std::exchange(process.is_gone, !identity);
  if (!identity) {  // what we have and what was told is all there will be
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
    p.told.clear();
    p.is_other_program = true;
    return;
  }
  std::erase_if(p.told, [&](const MapEntry &old) { return old.start < map.end && map.start < old.end; });
  if (p.told.size() >= kMostTold) return;
  const auto after = std::upper_bound(p.told.begin(), p.told.end(), map.start,
                                      [](uint64_t start, const MapEntry &other) { return start < other.start; });
  p.told.insert(after, std::move(map));
}

/// Makes a snapshot of what the kernel has told, if that is more than the snapshots have.
bool UserSymbols::take_told(pid_t pid, Process &process) {
  const bool is_known = std::all_of(process.told.begin(), process.told.end(), [&](const MapEntry &map) {
    const Region *region = find_region(process, map.start);
    return region != nullptr && region->start == map.start && region->end == map.end &&
           (region->object == kNoObject || objects_.name(region->object) == object_name(map.path));
  });
  if (is_known) return false;
  std::vector<Region> regions = regions_of(pid, process.told);
  for (Region &region : regions)  // mappings without code were not told of: files begin where their headers are
    if (region.object != kNoObject && region.start >= region.offset) region.object_base = region.start - region.offset;
  process.snapshots.push_front({{.pid = pid}, std::move(regions)});
  if (process.snapshots.size() > kMostSnapshots) process.snapshots.pop_back();
  process.missed_pages.clear();
  return true;
}

/// Reads the maps. Returns true if they brought something new.
bool UserSymbols::take_snapshot(pid_t pid, Process &process) {
  const uint64_t start = now_ns();
  process.checked_ns = start;
  Result<ProcessMaps> read = read_process_maps(pid);
  std::vector<Region> regions;
  // A zombie shows an empty address space; what it had before is worth more.
  if (read) regions = regions_of(pid, read->maps);
  const uint64_t end = now_ns();
  process.next_refresh_ns = end + std::max(kLeastRestNs, (end - start) * kRestPerCost);
  if (regions.empty()) return take_told(pid, process);

  if (!process.snapshots.empty() && process.snapshots.front().identity == read->identity &&
      process.snapshots.front().regions == regions) {
    return false;
  }
  const bool is_other_image = !process.snapshots.empty() && process.snapshots.front().identity != read->identity;
  process.snapshots.push_front({read->identity, std::move(regions)});
  if (process.snapshots.size() > kMostSnapshots) process.snapshots.pop_back();
  process.missed_pages.clear();

  if (is_other_image) process.perf_map.reset();
  const auto &newest = process.snapshots.front().regions;
  const bool has_jit =
      std::any_of(newest.begin(), newest.end(), [](const Region &r) { return r.executable && r.object == kNoObject; });
  if (has_jit && !process.perf_map) process.perf_map = PerfMap::open(pid);
  return true;
}

std::vector<UserSymbols::Region> UserSymbols::regions_of(pid_t pid, const std::vector<MapEntry> &maps) {
  struct Seen {
    const MapEntry *map;
    ObjectId object;
    uint64_t base;
  };
  std::vector<Region> regions;
  std::vector<Seen> seen;  // the files of this process: a dozen, so a linear search will do
  for (size_t i = 0; i < maps.size(); i++) {
    const MapEntry &map = maps[i];
    if (map.path == "[vdso]") {
      const ObjectId id = map.start < kLeast64BitVdso ? objects_.add_name(map.path) : objects_.add_vdso();
      regions.push_back({map.start, map.end, map.offset, map.start, id, map.executable});
    } else if (map.is_file()) {
      auto known = std::find_if(seen.begin(), seen.end(), [&](const Seen &s) { return is_same_file(*s.map, map); });
      if (known == seen.end()) {
        // Only files with code in them are opened: not locale archives, databases, fonts.
        const bool has_code = std::any_of(maps.begin() + static_cast<ptrdiff_t>(i), maps.end(),
                                          [&](const MapEntry &m) { return m.executable && is_same_file(m, map); });
        seen.push_back({&map, objects_.add(pid, map, has_code), map.start});
        known = std::prev(seen.end());
      }
      regions.push_back({map.start, map.end, map.offset, known->base, known->object, map.executable});
    } else if (map.path.empty() && !map.executable && !regions.empty() && regions.back().end == map.start &&
               regions.back().object != kNoObject && maps[i - 1].is_file() && maps[i - 1].writable) {
      const Region data = regions.back();  // its .bss
      regions.push_back(
          {map.start, map.end, data.offset + (data.end - data.start), data.object_base, data.object, false});
    } else if (map.path == "[vsyscall]") {
      regions.push_back({map.start, map.end, 0, map.start, objects_.add_name(map.path), map.executable});
    } else if (map.executable) {
      regions.push_back({map.start, map.end, 0, map.start, kNoObject, true});
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
  const bool was_remembered = std::exchange(process.is_remembered, true);  // the news may be of many others
  ask_();
  process.is_remembered = was_remembered;
}

bool UserSymbols::may_refresh(Process &process, uint64_t address) {
  const uint64_t page = address / kPageBytes;
  if (process.missed_pages.size() < kMostMissedPages && process.missed_pages.insert(page).second) return true;
  return now_ns() >= process.next_refresh_ns;
}

const UserSymbols::Region *UserSymbols::find_region(pid_t pid, Process &process, uint64_t address) {
  revalidate(pid, process);
  if (!process.snapshots.empty())
    if (const Region *found = find_region(process.snapshots.front(), address)) return found;
  // A library loaded since, or a program image after exec; an older snapshot may have had something else there.
  if (may_refresh(process, address)) {
    hear(process);
    take_snapshot(pid, process);
  }
  return find_region(process, address);
}

UserLocation UserSymbols::locate(pid_t pid, uint64_t address) {
  const Region *region = find_region(pid, process(pid), address);
  if (region == nullptr || region->object == kNoObject) return {};
  return {objects_.name(region->object), {}, 0, address - region->object_base};
}

UserLocation UserSymbols::resolve(pid_t pid, uint64_t address) {
  Process &p = process(pid);
  const Region *region = find_region(pid, p, address);
  if (region == nullptr) return {};

  UserLocation location;
  if (region->object != kNoObject) {
    location.object = objects_.name(region->object);
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
  if (!region->executable) return location;
  if (!p.perf_map) p.perf_map = PerfMap::open(pid);
  if (!p.perf_map) return location;
  std::optional<PerfMap::Hit> hit = p.perf_map->by_address(address);
  if (p.perf_map->refresh() || !hit) hit = p.perf_map->by_address(address);
  if (!hit) return location;
  return {p.perf_map->name(), hit->name, hit->offset, 0};
}

}  // namespace dtrace
