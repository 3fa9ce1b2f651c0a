// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/object_debug_info.h"

#include <elf.h>
#include <unistd.h>

#include <utility>

#include "usdt/elf_file.h"

namespace dtrace::runtime {

ObjectDebugInfo::ObjectDebugInfo(std::unique_ptr<DwarfFile> file, std::shared_ptr<UserObject> object)
    : file_(std::move(file)),
      described_(std::move(object)),
      types_(*file_, std::string(described_->name())),
      functions_(*file_),
      lines_(*file_),
      inlined_(*file_, lines_),
      frames_(described_->file()),
      call_values_(*file_, described_->file(), frames_) {}

Result<std::unique_ptr<ObjectDebugInfo>> ObjectDebugInfo::open(const std::shared_ptr<UserObject> &object, pid_t pid,
                                                               const DebugSources &sources) {
  Result<std::unique_ptr<DwarfFile>> file = DwarfFile::open(*object->file(), pid, sources);
  if (!file) return std::move(file).error();
  return std::unique_ptr<ObjectDebugInfo>(new ObjectDebugInfo(std::move(*file), object));
}

std::optional<bool> ObjectDebugInfo::is_global(uint64_t address) const {
  const std::optional<UserFunction> function = described_->function_around(address);
  return function && function->address == address ? std::optional(function->is_global) : std::nullopt;
}

std::optional<CodePoint> ObjectDebugInfo::point_at(uint64_t pc) {
  const std::optional<DwarfFunctions::Around> around = functions_.around(pc);
  if (!around) return std::nullopt;
  CodePoint point{pc, around->function, functions_.at(pc).has_value(), &frames_, around->start, around->end, {}};
  // A part that the compiler has moved away is reached from the body.
  const bool has_entry = functions_.at(around->start).has_value();
  point.body = has_entry ? lines_.body_start(around->unit, around->start, around->end) : around->start;
  return point;
}

std::optional<DebugInfoCache::Build> DebugInfoCache::build_of(const UserObject &object) {
  const usdt::FileSource source(object.file()->fd.get());
  const Result<usdt::ElfFile> elf = usdt::ElfFile::open_any(source);
  if (!elf) return std::nullopt;
  Build build{elf->build_id(), {}};
  for (const usdt::Segment &segment : elf->segments())
    if ((segment.flags & PF_X) != 0) build.code.emplace_back(segment.address, segment.memory_bytes);
  return build.id.empty() ? std::nullopt : std::optional(std::move(build));
}

Result<ObjectDebugInfo *> DebugInfoCache::of(const std::shared_ptr<UserObject> &object, pid_t pid) {
  const auto [place, is_new] = entries_.try_emplace(object.get());
  Entry &entry = place->second;
  if (is_new) {
    entry.object = object;
    std::optional<Build> build = build_of(*object);
    if (const auto copy = build ? by_build_.find(*build) : by_build_.end(); copy != by_build_.end()) {
      entry.info = copy->second;
      return entry.info;
    }
    Result<std::unique_ptr<ObjectDebugInfo>> opened =
        ObjectDebugInfo::open(object, pid != 0 ? pid : getpid(), sources_);
    if (opened) {
      entry.info = read_.emplace_back(std::move(*opened)).get();
      if (build) by_build_.emplace(std::move(*build), entry.info);
    } else {
      entry.failure = opened.error().text();
    }
  }
  if (entry.info == nullptr) return Error(entry.failure);
  return entry.info;
}

void DebugInfoCache::forget(const std::set<const UserFile *> &files) {
  std::erase_if(entries_, [&](const auto &known) {
    const Entry &entry = known.second;
    const UserFile *file = entry.object->file().get();
    return files.contains(file) && (entry.info == nullptr || entry.info->described() != file);
  });
}

}  // namespace dtrace::runtime
