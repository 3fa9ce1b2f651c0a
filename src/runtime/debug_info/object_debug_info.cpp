// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/object_debug_info.h"

#include <unistd.h>

#include <utility>

namespace dtrace::runtime {

ObjectDebugInfo::ObjectDebugInfo(std::unique_ptr<DwarfFile> file, std::string module)
    : file_(std::move(file)), types_(*file_, std::move(module)), functions_(*file_) {}

Result<std::unique_ptr<ObjectDebugInfo>> ObjectDebugInfo::open(const UserObject &object, pid_t pid) {
  Result<std::unique_ptr<DwarfFile>> file = DwarfFile::open(*object.file(), pid);
  if (!file) return std::move(file).error();
  return std::unique_ptr<ObjectDebugInfo>(new ObjectDebugInfo(std::move(*file), std::string(object.name())));
}

Result<ObjectDebugInfo *> DebugInfoCache::of(const std::shared_ptr<UserObject> &object, pid_t pid) {
  const auto [place, is_new] = entries_.try_emplace(object.get());
  Entry &entry = place->second;
  if (is_new) {
    entry.object = object;
    Result<std::unique_ptr<ObjectDebugInfo>> opened = ObjectDebugInfo::open(*object, pid != 0 ? pid : getpid());
    if (opened)
      entry.info = std::move(*opened);
    else
      entry.failure = opened.error().text();
  }
  if (entry.info == nullptr) return Error(entry.failure);
  return entry.info.get();
}

}  // namespace dtrace::runtime
