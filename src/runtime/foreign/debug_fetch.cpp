// SPDX-License-Identifier: Apache-2.0
#include "runtime/foreign/debug_fetch.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "runtime/foreign/debug_file.h"
#include "runtime/foreign/download_cache.h"

// As <elfutils/debuginfod.h>, which need not be there.
struct debuginfod_client;

namespace dtrace::runtime {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char *kLibrary = "libdebuginfod.so.1";
constexpr const char *kServersVariable = "DEBUGINFOD_URLS";
constexpr const char *kCacheVariable = "DEBUGINFOD_CACHE_PATH";
// The library's own folder is in a home, which may be another user's when root runs by sudo.
constexpr const char *kOwnCache = "/var/cache/dtrace/debuginfod";
constexpr const char *kCacheFolders[] = {"/var/cache", "/var/cache/dtrace", kOwnCache};

using Client = debuginfod_client;

/// One file on its way.
struct Transfer {
  const DebugFetch::User &user;
  DebugFetch::Bounds bounds;
  Clock::time_point begin = Clock::now(), told = begin;
  enum class End : uint8_t { kNone, kTime, kSize, kAsked } end = End::kNone;
  bool is_shown = false;

  bool goes_on(uint64_t done, uint64_t total) {
    constexpr std::chrono::milliseconds kInterval{200};
    const Clock::time_point now = Clock::now();
    if (now - begin > bounds.time)
      end = End::kTime;
    else if (std::max(done, total) > bounds.bytes)
      end = End::kSize;
    else if (now - told >= kInterval && user.progress) {
      told = now;
      is_shown |= total != 0;
      if (!user.progress(done, total)) end = End::kAsked;
    }
    return end == End::kNone;
  }
  void is_over() const {
    if (is_shown) (void)user.progress(1, 1);
  }
};

/// Errors: another user could change what root would read.
Result<Unit> use_own_cache() {
  if (geteuid() != 0 || secure_getenv(kCacheVariable) != nullptr) return ok();
  for (const char *folder : kCacheFolders) {
    struct stat status{};
    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
      return Error::from_errno(fmt::format("cannot create {}", folder), errno);
    if (lstat(folder, &status) != 0) return Error::from_errno(folder, errno);
    if (!S_ISDIR(status.st_mode) || status.st_uid != 0 || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
      return Error(fmt::format("{} is not a folder that only root can write", folder));
  }
  (void)setenv(kCacheVariable, kOwnCache, 1);
  return ok();
}

}  // namespace

/// Source: elfutils' debuginfod_find_debuginfo(3).
struct DebugFetch::Library {
  using ProgressFunction = int (*)(Client *, long, long);
  Client *(*begin)() = nullptr;
  void (*end)(Client *) = nullptr;
  int (*find)(Client *, const unsigned char *, int, char **) = nullptr;
  void (*set_progress)(Client *, ProgressFunction) = nullptr;
  void (*set_user_data)(Client *, void *) = nullptr;
  void *(*user_data)(Client *) = nullptr;

  void *handle = nullptr;
  Client *client = nullptr;

  ~Library() {
    if (client != nullptr) end(client);
    if (handle != nullptr) dlclose(handle);
  }
  template <typename Function>
  bool load(const char *name, Function &function) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
    return function != nullptr;
  }
};

DebugFetch::DebugFetch(std::string servers, User user, Bounds bounds)
    : servers_(std::move(servers)), user_(std::move(user)), bounds_(bounds) {}

DebugFetch::~DebugFetch() = default;

bool DebugFetch::has_servers() const {
  const char *known = secure_getenv(kServersVariable);
  return !servers_.empty() || (known != nullptr && *known != '\0');
}

Result<Unit> DebugFetch::load() {
  if (library_ != nullptr) return ok();
  auto opened = std::make_unique<Library>();
  Library &own = *opened;
  // The libraries that it loads keep memory for the life of the process.
  own.handle = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (own.handle == nullptr)
    return Error(
        fmt::format("{} cannot be loaded (install package libdebuginfod1 or elfutils-debuginfod-client)", kLibrary));
  const bool is_whole =
      own.load("debuginfod_end", own.end) && own.load("debuginfod_begin", own.begin) &&
      own.load("debuginfod_find_debuginfo", own.find) && own.load("debuginfod_set_progressfn", own.set_progress) &&
      own.load("debuginfod_set_user_data", own.set_user_data) && own.load("debuginfod_get_user_data", own.user_data);
  if (!is_whole) return Error(fmt::format("{} lacks functions: it is too old", kLibrary));
  if (!servers_.empty()) (void)setenv(kServersVariable, servers_.c_str(), 1);
  if (Result<Unit> cache = use_own_cache(); !cache) return cache;
  own.client = own.begin();
  if (own.client == nullptr) return Error(fmt::format("{} does not start", kLibrary));
  library_ = std::move(opened);
  return ok();
}

namespace {

// The library's callback has no room for more than a client.
thread_local void *(*user_data_of)(Client *) = nullptr;

int on_progress(Client *client, long a, long b) {
  auto *transfer = static_cast<Transfer *>(user_data_of(client));
  // Without a size, `a` counts rounds of waiting.
  const uint64_t total = b > 0 ? static_cast<uint64_t>(b) : 0;
  return transfer->goes_on(b > 0 && a > 0 ? static_cast<uint64_t>(a) : 0, total) ? 0 : 1;
}

}  // namespace

Fd DebugFetch::find(const std::vector<uint8_t> &build_id, std::string_view name) {
  if (is_broken_ || failed_.contains(build_id)) return {};
  if (Result<Unit> loaded = load(); !loaded) {
    is_broken_ = true;
    user_.warn(fmt::format("debuginfod: {}", loaded.error().text()));
    return {};
  }
  Result<Fd> file = fetch(build_id);
  if (file) return std::move(*file);
  failed_.emplace(build_id, true);
  user_.warn(fmt::format("debuginfod: {}: {}", name, file.error().text()));
  return {};
}

Result<Fd> DebugFetch::fetch(const std::vector<uint8_t> &build_id) {
  if (build_id.size() < 2) return Error("the file has no build ID to ask servers for");
  Library &own = *library_;
  Transfer transfer{user_, bounds_};
  user_data_of = own.user_data;
  own.set_user_data(own.client, &transfer);
  own.set_progress(own.client, &on_progress);
  char *path = nullptr;
  const int found = own.find(own.client, build_id.data(), static_cast<int>(build_id.size()), &path);
  Fd file(std::max(found, -1));
  const std::unique_ptr<char, decltype(&std::free)> owned_path(path, &std::free);
  own.set_progress(own.client, nullptr);
  own.set_user_data(own.client, nullptr);
  transfer.is_over();
  switch (transfer.end) {
    case Transfer::End::kNone:
      break;
    case Transfer::End::kTime:
      return Error(fmt::format("the servers took longer than {} s",
                               std::chrono::duration_cast<std::chrono::seconds>(bounds_.time).count()));
    case Transfer::End::kSize:
      return Error(fmt::format("the servers' file is larger than {} MiB", bounds_.bytes >> 20));
    case Transfer::End::kAsked:
      return Error("the transfer was interrupted");
  }
  if (!file) return Error(fmt::format("no server sent its debug information: {}", strerror(-found)));
  struct stat status{};
  if (fstat(file.get(), &status) != 0 || static_cast<uint64_t>(status.st_size) > bounds_.bytes)
    return Error(fmt::format("the servers' file is larger than {} MiB", bounds_.bytes >> 20));
  if (build_id_of(file.get()) == build_id) {
    const char *cache = secure_getenv(kCacheVariable);
    if (cache != nullptr && std::string_view(cache) == kOwnCache) bound_download_cache(cache, bounds_.cache_bytes);
    return file;
  }
  // Else the library would find it in its cache again.
  if (path != nullptr) (void)unlink(path);
  return Error("a server sent a file that does not have this build ID");
}

}  // namespace dtrace::runtime
