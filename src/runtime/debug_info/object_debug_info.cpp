// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/object_debug_info.h"

#include <unistd.h>

#include <utility>

namespace dtrace::runtime {

ObjectDebugInfo::ObjectDebugInfo(std::unique_ptr<DwarfFile> file, const UserObject &object)
    : file_(std::move(file)),
      types_(*file_, std::string(object.name())),
      functions_(*file_),
      lines_(*file_),
      inlined_(*file_, lines_),
      frames_(object.file()),
      call_values_(*file_, object.file(), frames_) {}

Result<std::unique_ptr<ObjectDebugInfo>> ObjectDebugInfo::open(const UserObject &object, pid_t pid,
                                                               const DebugSources &sources) {
  Result<std::unique_ptr<DwarfFile>> file = DwarfFile::open(*object.file(), pid, sources);
  if (!file) return std::move(file).error();
  return std::unique_ptr<ObjectDebugInfo>(new ObjectDebugInfo(std::move(*file), object));
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

Result<ObjectDebugInfo *> DebugInfoCache::of(const std::shared_ptr<UserObject> &object, pid_t pid) {
  const auto [place, is_new] = entries_.try_emplace(object.get());
  Entry &entry = place->second;
  if (is_new) {
    entry.object = object;
    Result<std::unique_ptr<ObjectDebugInfo>> opened =
        ObjectDebugInfo::open(*object, pid != 0 ? pid : getpid(), sources_);
    if (opened)
      entry.info = std::move(*opened);
    else
      entry.failure = opened.error().text();
  }
  if (entry.info == nullptr) return Error(entry.failure);
  return entry.info.get();
}

}  // namespace dtrace::runtime
