// SPDX-License-Identifier: Apache-2.0
#include "runtime/foreign/perf_map.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <limits>
#include <utility>

#include "base/clock.h"
#include "base/foreign_limits.h"
#include "base/printable.h"
#include "base/read_file.h"
#include "runtime/foreign/open.h"

namespace dtrace::runtime {

namespace {

constexpr size_t kPieceBytes = 1 << 20;
constexpr size_t kLastBytes = 64;
// A file that is written anew is read anew only when the last reading's cost is this many times ago.
constexpr uint64_t kRestPerCost = 20;

/// Fills `out` from `offset`; the bytes that there were.
size_t read_at(int fd, uint64_t offset, char *out, size_t size_bytes) {
  size_t used = 0;
  while (used < size_bytes) {
    const ssize_t n = ::pread(fd, out + used, size_bytes - used, static_cast<off_t>(offset + used));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    used += static_cast<size_t>(n);
  }
  return used;
}

/// The pid a process has in its innermost pid namespace.
pid_t pid_in_own_namespace(pid_t pid) {
  constexpr std::string_view kKey = "\nNSpid:";
  const Result<std::string> status = read_file(fmt::format("/proc/{}/status", pid));
  if (!status) return pid;
  const size_t key = status->find(kKey);
  if (key == std::string::npos) return pid;
  const size_t start = key + kKey.size();
  const std::string_view line = std::string_view(*status).substr(start, status->find('\n', start) - start);
  const size_t last = line.find_last_of(" \t");
  pid_t inner = pid;
  if (last != std::string_view::npos) std::from_chars(line.data() + last + 1, line.data() + line.size(), inner);
  return inner;
}

bool take_hex(std::string_view *text, uint64_t *value) {
  if (text->starts_with("0x") || text->starts_with("0X")) text->remove_prefix(2);
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), *value, 16);
  if (error != std::errc() || end == text->data() + text->size() || *end != ' ') return false;
  text->remove_prefix(static_cast<size_t>(end - text->data()) + 1);
  return true;
}

}  // namespace

std::optional<PerfMap> PerfMap::open(pid_t pid) {
  struct stat process{};
  if (::stat(fmt::format("/proc/{}", pid).c_str(), &process) != 0) return std::nullopt;

  const std::string name = fmt::format("perf-{}.map", pid_in_own_namespace(pid));
  const Result<Fd> root = root_of(pid);
  if (!root) return std::nullopt;
  Result<Fd> fd = open_in_root(*root, "/tmp/" + name, LastLink::kRefuse);
  struct stat st{};
  if (!fd || ::fstat(fd->get(), &st) != 0) return std::nullopt;
  if (st.st_uid != process.st_uid && st.st_uid != 0) return std::nullopt;

  PerfMap map;
  map.fd_ = std::move(*fd);
  map.name_ = name;
  return map;
}

std::optional<PerfMap> PerfMap::open_dump(pid_t pid, const MapEntry &mapping) {
  Result<Fd> fd = open_mapped_file(pid, mapping);
  if (!fd) return std::nullopt;
  PerfMap map;
  map.fd_ = std::move(*fd);
  map.name_ = printable(object_name(mapping.path));
  map.dump_.emplace();
  return map;
}

PerfMap PerfMap::from_text(std::string_view text) {
  PerfMap map;
  map.name_ = "perf-0.map";
  Run fresh;
  map.take_text(text, fresh);
  if (!map.unfinished_.empty()) map.take_line(map.unfinished_, fresh);
  map.add_run(std::move(fresh));
  return map;
}

size_t PerfMap::line_count() const {
  size_t count = 0;
  for (const Run &run : runs_) count += run.size();
  return count;
}

bool PerfMap::was_rewritten(uint64_t size_bytes) const {
  if (size_bytes < read_bytes_) return true;
  std::string now(last_bytes_.size(), '\0');
  return read_at(fd_.get(), read_bytes_ - now.size(), now.data(), now.size()) != now.size() || now != last_bytes_;
}

void PerfMap::start_anew() {
  read_bytes_ = 0;
  last_bytes_.clear();
  unfinished_.clear();
  skips_line_ = false;
  runs_.clear();
  names_.clear();
}

bool PerfMap::refresh() {
  struct stat st{};
  if (!fd_ || ::fstat(fd_.get(), &st) != 0 || st.st_size < 0) return false;
  const auto size = static_cast<uint64_t>(st.st_size);
  if (size == read_bytes_) return false;
  if (dump_) return read_dump(size);
  const uint64_t start_ns = monotonic_ns();
  const bool is_restart = was_rewritten(size);
  if (is_restart) {
    if (start_ns < next_restart_ns_) return false;
    start_anew();
  }
  const uint64_t end = std::min(size, limits::kMaxPerfMapBytes);
  Run fresh;
  std::string piece;
  while (read_bytes_ < end) {
    piece.resize(std::min<uint64_t>(kPieceBytes, end - read_bytes_));
    piece.resize(read_at(fd_.get(), read_bytes_, piece.data(), piece.size()));
    if (piece.empty()) break;
    read_bytes_ += piece.size();
    last_bytes_.append(piece, piece.size() - std::min(piece.size(), kLastBytes));
    if (last_bytes_.size() > kLastBytes) last_bytes_.erase(0, last_bytes_.size() - kLastBytes);
    take_text(piece, fresh);
  }
  const bool is_more = !fresh.empty();
  add_run(std::move(fresh));
  if (is_restart) {
    const uint64_t now = monotonic_ns();
    next_restart_ns_ = now + (now - start_ns) * kRestPerCost;
  }
  return is_more;
}

/// Code that was moved keeps its name.
bool PerfMap::read_dump(uint64_t size_bytes) {
  Run fresh;
  dump_->read_on(
      fd_.get(), size_bytes,
      {.loaded = [&](uint64_t start, uint64_t bytes, std::string_view name) { take_code(start, bytes, name, fresh); },
       .moved =
           [&](uint64_t from, uint64_t to, uint64_t bytes) {
             add_run(std::exchange(fresh, {}));
             // Each copy of a long name costs the file few bytes.
             const std::optional<Hit> hit = by_address(from);
             if (hit && names_.size() < limits::kMaxPerfMapBytes) take_code(to, bytes, std::string(hit->name), fresh);
           }});
  read_bytes_ = size_bytes;
  const bool is_more = !fresh.empty();
  add_run(std::move(fresh));
  return is_more;
}

/// Takes the whole lines; what is behind the last one waits for its end.
void PerfMap::take_text(std::string_view text, Run &fresh) {
  for (size_t end = 0; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
    if (unfinished_.empty()) {
      if (!skips_line_) take_line(text.substr(0, end), fresh);
    } else {
      unfinished_.append(text.substr(0, end));
      take_line(unfinished_, fresh);
      unfinished_.clear();
    }
    skips_line_ = false;
  }
  if (skips_line_ || text.empty()) return;
  unfinished_.append(text);
  if (unfinished_.size() <= limits::kMaxPerfMapLineBytes) return;
  unfinished_.clear();
  skips_line_ = true;
}

/// "START SIZE NAME", hexadecimal; the name may hold blanks.
void PerfMap::take_line(std::string_view line, Run &fresh) {
  uint64_t start = 0;
  uint64_t size = 0;
  if (take_hex(&line, &start) && take_hex(&line, &size)) take_code(start, size, line, fresh);
}

void PerfMap::take_code(uint64_t start, uint64_t size, std::string_view line, Run &fresh) {
  if (line.empty() || size == 0 || size > ~start || line.size() > limits::kMaxPerfMapLineBytes) return;
  constexpr size_t kMaxGrowth = 4;  // of a byte that is made printable
  if (names_.size() + line.size() * kMaxGrowth + 1 > std::numeric_limits<uint32_t>::max()) return;
  fresh.push_back({start, start + size, 0, static_cast<uint32_t>(names_.size())});
  append_printable(names_, line);
  names_.push_back('\0');
}

/// Adds lines that are later than all there are.
void PerfMap::add_run(Run fresh) {
  if (fresh.empty()) return;
  const auto is_before = [](const Entry &a, const Entry &b) {
    return a.start != b.start ? a.start < b.start : a.name < b.name;
  };
  std::sort(fresh.begin(), fresh.end(), is_before);
  while (!runs_.empty() && runs_.back().size() < 2 * fresh.size()) {
    Run both(runs_.back().size() + fresh.size());
    std::merge(runs_.back().begin(), runs_.back().end(), fresh.begin(), fresh.end(), both.begin(), is_before);
    merged_lines_ += both.size();
    runs_.pop_back();
    fresh = std::move(both);
  }
  uint64_t reach = 0;
  for (Entry &e : fresh) e.reach = reach = std::max(reach, e.end);
  runs_.push_back(std::move(fresh));
}

/// The latest line of the run that holds the address, if it is later than `best`.
const PerfMap::Entry *PerfMap::find(const Run &run, uint64_t address, const Entry *best) {
  const auto after = std::upper_bound(run.begin(), run.end(), address,
                                      [](uint64_t wanted, const Entry &e) { return wanted < e.start; });
  // Overlaps are rare and short; the bound is for a file made to be slow.
  constexpr int kMaxSteps = 256;
  int steps = 0;
  for (auto it = after; it != run.begin() && steps < kMaxSteps; steps++) {
    --it;
    if (it->reach <= address) break;
    if (address < it->end && (best == nullptr || it->name > best->name)) best = &*it;
  }
  return best;
}

std::optional<PerfMap::Hit> PerfMap::by_address(uint64_t address) const {
  const Entry *best = nullptr;
  for (const Run &run : runs_) best = find(run, address, best);
  if (best == nullptr) return std::nullopt;
  return Hit{names_.c_str() + best->name, address - best->start};
}

}  // namespace dtrace::runtime
