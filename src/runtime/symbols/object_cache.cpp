// SPDX-License-Identifier: Apache-2.0
#include "runtime/symbols/object_cache.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include <algorithm>
#include <span>
#include <utility>

#include "runtime/symbols/proc_file.h"

namespace dtrace {

namespace {

/// Our own mapping of the vDSO: every 64-bit process of this kernel has the same image.
Result<std::span<const std::byte>> own_vdso() {
  const uint64_t start = ::getauxval(AT_SYSINFO_EHDR);
  if (start == 0) return Error("the kernel gives no vDSO");
  Result<std::string> text = read_proc_file("/proc/self/maps");
  if (!text) return std::move(text).error();
  const std::vector<MapEntry> maps = parse_maps(*text);
  const MapEntry *map = find_map(maps, start);
  if (map == nullptr || map->start != start) return Error("the vDSO is not mapped");
  return std::span(reinterpret_cast<const std::byte *>(map->start), map->end - map->start);
}

}  // namespace

ObjectCache::ObjectCache(ElfOptions options, size_t most_held_files)
    : options_(std::move(options)), most_held_files_(most_held_files) {}

bool ObjectCache::identify(int fd, Identity *identity) {
  struct stat st{};
  if (::fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) return false;
  *identity = {st.st_dev, st.st_ino, st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec};
  return true;
}

ObjectId ObjectCache::add_name(const std::string &path) {
  const auto [it, is_new] = by_name_.try_emplace(path, static_cast<ObjectId>(objects_.size()));
  if (is_new) {
    auto object = std::make_unique<Object>();
    object->path = path;
    object->name = object_name(path);
    object->is_read = true;
    object->why = path + ": not read";
    objects_.push_back(std::move(object));
  }
  return it->second;
}

ObjectId ObjectCache::add_vdso() {
  if (vdso_ == kNoObject) {
    vdso_ = static_cast<ObjectId>(objects_.size());
    auto object = std::make_unique<Object>();
    object->path = "[vdso]";
    object->name = "[vdso]";
    object->is_vdso = true;
    objects_.push_back(std::move(object));
  }
  return vdso_;
}

ObjectId ObjectCache::add(pid_t pid, const MapEntry &map, bool wants_symbols) {
  if (!wants_symbols || !map.is_file()) return add_name(map.path);

  Result<Fd> file = open_mapped_file(pid, map);
  Identity identity;
  if (!file || !identify(file->get(), &identity)) {
    const ObjectId id = add_name(map.path);
    if (!file) objects_[id]->why = file.error().text();
    return id;
  }
  const auto [it, is_new] = by_identity_.try_emplace(identity, static_cast<ObjectId>(objects_.size()));
  if (is_new) {
    auto object = std::make_unique<Object>();
    object->path = map.path;
    object->name = object_name(map.path);
    object->identity = identity;
    objects_.push_back(std::move(object));
  }
  Object &object = *objects_[it->second];
  if (!object.is_read && !object.file) hold(it->second, std::move(*file));
  return it->second;
}

void ObjectCache::hold(ObjectId id, Fd file) {
  objects_[id]->file = std::move(file);
  held_.push_back(id);
  while (held_.size() > most_held_files_) {
    objects_[held_.front()]->file.reset();
    held_.pop_front();
  }
}

const ElfSymbols *ObjectCache::symbols(ObjectId id) {
  Object &object = *objects_[id];
  if (!object.is_read) {
    read(object);
    object.is_read = true;
    if (object.file) {
      object.file.reset();
      held_.erase(std::find(held_.begin(), held_.end(), id));
    }
  }
  return object.symbols.get();
}

void ObjectCache::read(Object &object) {
  const auto keep = [&object](Result<ElfSymbols> symbols) {
    if (symbols) {
      object.symbols = std::make_unique<ElfSymbols>(std::move(*symbols));
    } else {
      object.why = symbols.error().text();
    }
  };
  if (object.is_vdso) {
    const Result<std::span<const std::byte>> image = own_vdso();
    if (!image) {
      object.why = image.error().text();
    } else {
      keep(ElfSymbols::read_image(*image, object.path, options_));
    }
    return;
  }
  if (object.file) return keep(ElfSymbols::read(object.file.get(), object.path, options_));

  // Its descriptor was given up; the path will do if it still leads to the same file.
  const Fd again(::open(object.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  Identity identity;
  if (!again || !identify(again.get(), &identity) || identity != object.identity) {
    object.why = object.path + ": no longer the file that was mapped";
    return;
  }
  keep(ElfSymbols::read(again.get(), object.path, options_));
}

}  // namespace dtrace
