// SPDX-License-Identifier: Apache-2.0
#include "runtime/usdt/looked_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "base/exhausted.h"
#include "base/file_limit.h"
#include "runtime/foreign/same_pages.h"

namespace dtrace::runtime {

LookedFiles::File &LookedFiles::look(const FileKey &key, const ExecutedFile &executed, bool is_mapped_now,
                                     const Wanted &wanted) {
  const auto [entry, is_new] = files_.try_emplace(key);
  File &file = entry->second;
  if (file.probes != nullptr) return file;
  const bool is_asked_for = !file.is_needless && !file.providers.empty() && file.refusal == 0 && wanted(file.providers);
  // Descriptors and memory may be free again.
  const bool may_open_now = is_exhausted(file.refusal);
  if (is_new || is_mapped_now || is_asked_for || may_open_now) read(file, key, executed, wanted);
  return file;
}

void LookedFiles::read(File &file, const FileKey &key, const ExecutedFile &executed, const Wanted &wanted) {
  // A file that cannot be opened any more has no process that could fire a probe.
  Result<Fd> fd = open_executed_file(executed);
  struct stat info{};
  const int before = std::exchange(file.refusal, fd ? 0 : fd.error().errno_value());
  if (is_exhausted(file.refusal) && !is_exhausted(before)) ++unopened_;
  if (!fd || fstat(fd->get(), &info) != 0) return;
  const uint64_t changed_ns =
      static_cast<uint64_t>(info.st_ctim.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(info.st_ctim.tv_nsec);
  const bool is_same = std::exchange(file.changed_ns, changed_ns) == changed_ns;
  if (is_same && (file.providers.empty() || !wanted(file.providers))) return;
  auto opened = std::make_shared<UserFile>();
  opened->path = executed.path;
  opened->fd = std::move(*fd);
  opened->device = uint64_t{key.device_major} << 20 | key.device_minor;
  opened->inode = key.inode;
  Result<std::unique_ptr<ProbeFile>> probes = ProbeFile::read(std::move(opened), executed.pids.front());
  if (!is_same) file.is_told = false;
  file.is_needless = false;
  file.providers.clear();
  file.problem = probes ? std::string() : probes.error().text();
  if (!probes || *probes == nullptr) return;
  file.problem = (*probes)->damage();
  file.providers = (*probes)->providers();
  if (!wanted(file.providers)) return;
  // Links to their sites need descriptors, and so does all else: what may be kept is a share.
  constexpr size_t kShare = 4;
  if (nr_open_ >= file_limit() / kShare) {
    file.refusal = EMFILE;
    if (!is_exhausted(before)) ++unopened_;
    return;
  }
  file.is_twin = has_twin(*(*probes)->file());
  file.probes = std::move(*probes);
  ++nr_open_;
  file.serial = ++last_serial_;
}

bool LookedFiles::has_twin(const UserFile &file) {
  for (const auto &[key, known] : files_) {
    if (known.probes == nullptr || known.is_twin) continue;
    const UserFile &other = *known.probes->file();
    const SamePages same = have_same_pages(file.fd.get(), other.fd.get());
    if (same == SamePages::kYes) return true;
    if (same == SamePages::kUnknown && !std::exchange(said_of_twins_, true))
      problems_.push_back(may_be_one_file(file.path, other.path));
  }
  return false;
}

void LookedFiles::tell_problem(File &file) {
  constexpr size_t kMaxTold = 100;  // anybody may make more of them
  if (file.problem.empty() || std::exchange(file.is_told, true) || nr_told_ > kMaxTold) return;
  problems_.push_back(++nr_told_ <= kMaxTold ? file.problem
                                             : "more files have damaged static probes: they are not named");
}

void LookedFiles::close_needless(const std::function<bool(const ProbeFile &file)> &is_needed) {
  for (auto &[key, file] : files_) {
    if (file.probes == nullptr || is_needed(*file.probes)) continue;
    file.probes.reset();
    --nr_open_;
    file.is_needless = true;
  }
}

void LookedFiles::forget_unless(const std::function<bool(const FileKey &key)> &is_there) {
  std::erase_if(files_, [&](const auto &entry) { return entry.second.probes == nullptr && !is_there(entry.first); });
}

std::vector<FileKey> LookedFiles::forget(const std::set<const UserFile *> &files) {
  std::vector<FileKey> forgotten;
  std::erase_if(files_, [&](const auto &entry) {
    const File &file = entry.second;
    if (file.probes == nullptr || !files.contains(file.probes->file().get())) return false;
    forgotten.push_back(entry.first);
    --nr_open_;
    return true;
  });
  return forgotten;
}

}  // namespace dtrace::runtime
