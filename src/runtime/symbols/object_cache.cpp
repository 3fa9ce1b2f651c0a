// SPDX-License-Identifier: Apache-2.0
#include "runtime/symbols/object_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/clock.h"
#include "base/exhausted.h"
#include "base/file_limit.h"
#include "base/hexadecimal.h"
#include "base/printable.h"
#include "base/read_file.h"
#include "runtime/foreign/debug_file.h"
#include "runtime/foreign/open.h"

namespace dtrace::runtime {

namespace {

constexpr uint64_t kAskAgainNs = 10'000'000'000;  // for memory that there was not

bool may_ask_again(uint64_t refused_ns) { return monotonic_ns() - refused_ns > kAskAgainNs; }

/// Our own mapping of the vDSO: every 64-bit process of this kernel has the same image.
Result<std::span<const std::byte>> own_vdso() {
  const uint64_t start = ::getauxval(AT_SYSINFO_EHDR);
  if (start == 0) return Error("the kernel gives no vDSO");
  Result<std::string> text = read_file("/proc/self/maps");
  if (!text) return std::move(text).error();
  const std::vector<MapEntry> maps = parse_maps(*text);
  const MapEntry *map = find_map(maps, start);
  if (map == nullptr || map->start != start) return Error("the vDSO is not mapped");
  return std::span(reinterpret_cast<const std::byte *>(map->start), map->end - map->start);
}

}  // namespace

ObjectCache::ObjectCache(ElfOptions options, ObjectCacheLimits limits)
    : options_(std::move(options)), limits_(limits), sweep_at_(limits.objects * 2) {
  constexpr size_t kShare = 8;
  limits_.held_files = std::min(limits_.held_files, file_limit() / kShare);
  if (limits_.budget != nullptr)
    options_.may_take = [budget = limits_.budget](uint64_t bytes) { return budget->admits(bytes); };
}

bool ObjectCache::identify(int fd, FileIdentity *identity) {
  struct stat st{};
  if (::fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) return false;
  *identity = {st.st_dev, st.st_ino, st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec};
  return true;
}

template <typename Key>
ObjectRef ObjectCache::find_or_make(std::map<Key, std::weak_ptr<CachedObject>> &known, const Key &key,
                                    const std::string &path) {
  if (const auto found = known.find(key); found != known.end())
    if (ObjectRef object = found->second.lock()) {
      use(object);
      return object;
    }
  forget_unused();
  auto object = std::make_shared<CachedObject>();
  object->path_ = path;
  object->name_ = printable(object_name(path));
  known[key] = object;
  use(object);
  return object;
}

/// Puts the object at the front of those that are remembered.
void ObjectCache::use(const ObjectRef &object) {
  if (object->is_recent_) {
    recent_.splice(recent_.begin(), recent_, object->recent_place_);
    return;
  }
  recent_.push_front(object);
  object->recent_place_ = recent_.begin();
  object->is_recent_ = true;
  if (recent_.size() <= limits_.objects) return;
  recent_.back()->is_recent_ = false;
  recent_.pop_back();
}

/// Is it in memory only for what was read of it? `object` is the reference of the list that it was found in.
bool ObjectCache::is_unused(const ObjectRef &object) {
  const long own = (object->symbols_ != nullptr ? 1 : 0) + (object->source_ != nullptr ? 1 : 0) +
                   (object->file_ ? 1 : 0) + (object->source_file_ ? 1 : 0);
  return !object->is_recent_ && object.use_count() == own;
}

/// Drops what was read of files that nobody refers to any more, and takes them out of the indexes. A sweep is paid for
/// by the objects that were made since the last.
void ObjectCache::forget_unused() {
  if (object_count() < sweep_at_) return;
  const auto drop_from = [](std::list<ObjectRef> &list, const auto &drop) {
    for (auto next = list.begin(); next != list.end();)
      if (const ObjectRef &object = *next++; is_unused(object)) drop(*object);
  };
  drop_from(read_, [this](CachedObject &object) { drop_symbols(object); });
  drop_from(sources_, [this](CachedObject &object) { drop_source(object); });
  const auto is_gone = [](const auto &entry) { return entry.second.expired(); };
  std::erase_if(by_identity_, is_gone);
  std::erase_if(by_name_, is_gone);
  sweep_at_ = object_count() + limits_.objects;
}

ObjectRef ObjectCache::add_name(const std::string &path) {
  ObjectRef object = find_or_make(by_name_, path, path);
  object->is_read_ = true;
  if (object->why_.empty()) object->why_ = path + ": not read";
  return object;
}

ObjectRef ObjectCache::add_vdso() {
  if (vdso_ == nullptr) {
    vdso_ = std::make_shared<CachedObject>();
    vdso_->path_ = "[vdso]";
    vdso_->name_ = "[vdso]";
    vdso_->is_vdso_ = true;
  }
  return vdso_;
}

ObjectRef ObjectCache::add(pid_t pid, const MapEntry &map, bool wants_symbols) {
  if (!wants_symbols || !map.is_file()) return add_name(map.path);

  Result<Fd> file = open_mapped_file(pid, map);
  FileIdentity identity;
  if (!file || !identify(file->get(), &identity)) {
    ObjectRef object = add_name(map.path);
    if (!file) object->why_ = file.error().text();
    if (!file && is_exhausted(file.error().errno_value())) ++unopened_;
    return object;
  }
  ObjectRef object = find_or_make(by_identity_, identity, map.path);
  object->identity_ = identity;
  if (!object->is_read_ && !object->file_) hold(object, std::move(*file));
  return object;
}

void ObjectCache::hold(const ObjectRef &object, Fd file) {
  if (!may_close_others_ && held_.size() >= limits_.held_files) return;
  object->file_ = std::move(file);
  held_.push_back(object);
  while (held_.size() > limits_.held_files) {
    held_.front()->file_.reset();
    held_.pop_front();
  }
}

namespace {

/// Is the file on a file system that is there as long as we are, the root's or our own program's, and not deleted?
bool is_lasting(const FileIdentity &identity, const Fd &file) {
  struct stat own{}, root{}, now{};
  const bool is_on_ours = (::stat("/proc/self/exe", &own) == 0 && own.st_dev == identity.device) ||
                          (::stat("/", &root) == 0 && root.st_dev == identity.device);
  return is_on_ours && ::fstat(file.get(), &now) == 0 && now.st_nlink != 0;
}

}  // namespace

void ObjectCache::close_source(const ObjectRef &object) {
  if (object->source_file_) (void)source(object);  // what of it stays in memory
  object->source_file_.reset();
  std::erase(source_held_, object);
}

void ObjectCache::close_unless(const std::function<bool(const CachedObject &object)> &is_mapped) {
  const std::deque<ObjectRef> held = held_, source_held = source_held_;
  for (const ObjectRef &object : held) {
    if (!object->file_ || is_mapped(*object) || is_lasting(object->identity_, object->file_)) continue;
    (void)symbols(object);
    object->file_.reset();
    std::erase(held_, object);
  }
  for (const ObjectRef &object : source_held)
    if (object->source_file_ && !is_mapped(*object) && !is_lasting(object->identity_, object->source_file_))
      close_source(object);
}

const ElfSymbols *ObjectCache::symbols(const ObjectRef &object) {
  if (object->symbols_ != nullptr && object->symbols_->lacks_memory() && may_ask_again(object->refused_ns_)) {
    object->refused_ns_ = monotonic_ns();
    if (object->is_vdso_ || reopen(*object)) drop_symbols(*object);
  }
  if (object->symbols_ != nullptr) {
    read_.splice(read_.begin(), read_, object->read_place_);
    return object->symbols_.get();
  }
  if (object->is_read_) return nullptr;
  object->is_read_ = true;
  in_use_ = object.get();
  read(object);
  in_use_ = nullptr;
  if (object->file_) {
    object->file_.reset();
    held_.erase(std::find(held_.begin(), held_.end(), object));
  }
  if (object->symbols_ == nullptr) return nullptr;
  if (object->symbols_->lacks_memory()) refuse(*object);
  read_.push_front(object);
  object->read_place_ = read_.begin();
  symbol_bytes_ += object->symbols_->memory_bytes();
  drop_symbols_beyond_limit();
  return object->symbols_.get();
}

void ObjectCache::refuse(CachedObject &object) {
  object.refused_ns_ = monotonic_ns();
  if (!std::exchange(object.is_counted_, true)) ++nr_refused_;
}

/// Their file is read again when they are wanted again. Out: how many bytes that was.
uint64_t ObjectCache::drop_symbols(CachedObject &object) {
  const uint64_t bytes = object.symbols_->memory_bytes();
  symbol_bytes_ -= bytes;
  object.symbols_.reset();
  object.is_read_ = false;
  object.was_dropped_ = true;
  read_.erase(object.read_place_);  // with the object, if nobody else refers to it
  return bytes;
}

void ObjectCache::drop_symbols_beyond_limit() {
  while (symbol_bytes_ > limits_.symbol_bytes && read_.size() > 1) drop_symbols(*read_.back());
}

/// It is read again when it is wanted again, if its file is still open. Out: how many bytes that was.
uint64_t ObjectCache::drop_source(CachedObject &object) {
  const uint64_t bytes = object.source_->memory_bytes();
  source_bytes_ -= std::min(source_bytes_, bytes);
  object.source_.reset();
  sources_.erase(object.source_place_);  // with the object, if nobody else refers to it
  return bytes;
}

uint64_t ObjectCache::drop_last_source() {
  CachedObject &last = *sources_.back();
  if (!last.source_file_) refuse(last);
  return drop_source(last);
}

uint64_t ObjectCache::give_up(uint64_t bytes) {
  uint64_t given = 0;
  const auto may_go = [this](const std::list<ObjectRef> &list) {
    return !list.empty() && (list.size() > 1 || list.front().get() != in_use_);
  };
  while (given < bytes && may_go(sources_)) given += drop_last_source();
  while (given < bytes && may_go(read_)) given += drop_symbols(*read_.back());
  return given;
}

void ObjectCache::read(const ObjectRef &of) {
  CachedObject &object = *of;
  const auto keep = [&object](Result<ElfSymbols> symbols) {
    if (symbols) {
      object.symbols_ = std::make_unique<ElfSymbols>(std::move(*symbols));
    } else {
      object.why_ = symbols.error().text();
    }
  };
  if (object.is_vdso_) {
    const Result<std::span<const std::byte>> image = own_vdso();
    if (!image) {
      object.why_ = image.error().text();
    } else {
      keep(ElfSymbols::read_image(*image, object.path_, options_));
    }
    return;
  }
  if (object.file_) {
    keep(ElfSymbols::read(object.file_.get(), object.path_, options_));
    hold_source(of, object.file_);
    return;
  }

  // Its descriptor was given up.
  const Fd again = reopen(object);
  if (!again) {
    object.why_ = object.path_ + ": no longer the file that was mapped";
    if (object.was_dropped_) refuse(object);
    return;
  }
  keep(ElfSymbols::read(again.get(), object.path_, options_));
  hold_source(of, again);
}

Fd ObjectCache::reopen(const CachedObject &object) {
  const Result<Fd> root = root_of(::getpid());
  if (!root) return {};
  Result<Fd> again = open_in_root(*root, object.path_);
  FileIdentity identity;
  if (!again || !identify(again->get(), &identity) || identity != object.identity_) return {};
  return std::move(*again);
}

std::optional<std::string> ObjectCache::identity_text(const ObjectRef &of) {
  const CachedObject &object = *of;
  if (object.is_vdso_) return object.name_;
  const FileIdentity &file = object.identity_;
  if (file == FileIdentity{}) return std::nullopt;
  std::string layout;
  const auto add_segment = [&layout](const auto &segment) {
    layout += fmt::format("/{:x}:{:x}:{:x}", segment.offset, segment.address, segment.file_bytes);
  };
  std::vector<uint8_t> build_id;
  if (object.symbols_ != nullptr) {
    std::ranges::for_each(object.symbols_->segments(), add_segment);
    build_id = object.symbols_->build_id();
  } else {
    const Fd again = object.file_ ? Fd() : reopen(object);
    const usdt::FileSource source(object.file_ ? object.file_.get() : again.get());
    const Result<usdt::ElfFile> elf = usdt::ElfFile::open_any(source);
    if (!elf) return std::nullopt;
    for (const usdt::Segment &segment : elf->segments())
      if (segment.type == PT_LOAD) add_segment(segment);
    build_id = elf->build_id();
  }
  if (!build_id.empty()) return hexadecimal_text(build_id) + '/' + object.name_ + layout;
  return fmt::format("{}/{}/{}/{}.{}/{}", file.device, file.inode, file.size_bytes, file.modified_s, file.modified_ns,
                     object.path_);
}

/// Keeps the file open that has debug information: this one, or the separate one of its build ID.
void ObjectCache::hold_source(const ObjectRef &object, const Fd &file) {
  if (!wants_source_ || object->source_file_ || object->symbols_ == nullptr) return;
  const auto has_information = [](const Fd &fd) {
    const usdt::FileSource source(fd.get());
    const Result<usdt::ElfFile> elf = usdt::ElfFile::open_any(source);
    return elf && (elf->section(".debug_info") != nullptr || elf->section(".zdebug_info") != nullptr);
  };
  Fd found;
  if (has_information(file)) {
    found = Fd(::fcntl(file.get(), F_DUPFD_CLOEXEC, 0));
  } else if (!options_.debug_root.empty()) {
    const Result<Fd> root = root_of(::getpid());
    if (root) found = open_debug_file_of(object->symbols_->build_id(), *root, options_.debug_root);
    if (found && !has_information(found)) found.reset();
  }
  if (!found) return;
  object->source_file_ = std::move(found);
  source_held_.push_back(object);
  while (source_held_.size() > limits_.held_files) {
    source_held_.front()->source_file_.reset();
    source_held_.pop_front();
  }
}

SourceInfo *ObjectCache::source(const ObjectRef &object) {
  if (object->source_ != nullptr) {
    sources_.splice(sources_.begin(), sources_, object->source_place_);
    return object->source_.get();
  }
  if (!object->source_file_ || (object->refused_ns_ != 0 && !may_ask_again(object->refused_ns_))) return nullptr;
  const usdt::FileSource bytes(object->source_file_.get());
  const Result<usdt::ElfFile> elf = usdt::ElfFile::open_any(bytes);
  in_use_ = object.get();
  const bool may_read = !elf || !options_.may_take || options_.may_take(SourceInfo::needed_bytes(*elf, wants_lines_));
  in_use_ = nullptr;
  if (!may_read) {
    refuse(*object);
    return nullptr;
  }
  Result<std::unique_ptr<SourceInfo>> source =
      elf ? SourceInfo::read(*elf, wants_lines_) : Result<std::unique_ptr<SourceInfo>>(Error(elf.error().text()));
  if (!source) {
    object->source_file_.reset();
    std::erase(source_held_, object);
    return nullptr;
  }
  object->source_ = std::move(*source);
  sources_.push_front(object);
  object->source_place_ = sources_.begin();
  source_bytes_ += object->source_->memory_bytes();
  while (source_bytes_ > limits_.symbol_bytes && sources_.size() > 1) drop_last_source();
  return object->source_.get();
}

}  // namespace dtrace::runtime
