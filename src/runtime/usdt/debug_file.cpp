// SPDX-License-Identifier: Apache-2.0
#include "runtime/usdt/debug_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <string>
#include <string_view>

#include "base/foreign_limits.h"
#include "runtime/foreign/debug_file.h"
#include "runtime/foreign/open.h"

namespace dtrace::runtime {
namespace {

/// .gnu_debuglink: a file's name without a folder, and the CRC-32 of its contents.
struct DebugLink {
  std::string name;
  uint32_t checksum = 0;
};

std::optional<DebugLink> debug_link(const usdt::ElfFile &elf) {
  const usdt::Section *section = elf.section(".gnu_debuglink");
  if (section == nullptr) return std::nullopt;
  const std::vector<std::byte> bytes = elf.contents(*section, limits::kMaxDebugLinkBytes);
  usdt::Cursor cursor(bytes);
  DebugLink link;
  link.name = cursor.string();
  cursor.align(4);
  link.checksum = cursor.word();
  if (!cursor.ok() || link.name.empty() || link.name.find('/') != std::string::npos) return std::nullopt;
  return link;
}

std::optional<uint32_t> checksum(int fd) {
  struct stat status{};
  if (fstat(fd, &status) != 0) return std::nullopt;
  const auto size = static_cast<uint64_t>(status.st_size);
  if (size > limits::kMaxChecksummedBytes || usdt::FileSource(fd).has_hole(0, size)) return std::nullopt;
  std::array<unsigned char, 65536> piece;
  uLong crc = crc32(0, nullptr, 0);
  for (uint64_t at = 0; at < size;) {
    const size_t wanted = std::min<uint64_t>(piece.size(), size - at);
    const ssize_t got = pread(fd, piece.data(), wanted, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    crc = crc32(crc, piece.data(), static_cast<uInt>(got));
    at += static_cast<uint64_t>(got);
  }
  return static_cast<uint32_t>(crc);
}

Fd or_none(Result<Fd> file) { return file ? std::move(*file) : Fd(); }

/// Build IDs say the same as checksums, without the whole file being read.
bool is_linked(int fd, const std::vector<uint8_t> &id, const DebugLink &link) {
  const std::vector<uint8_t> other = build_id_of(fd);
  if (!id.empty() && !other.empty()) return id == other;
  return checksum(fd) == link.checksum;
}

/// A path may name one file in the process's root and another in ours; the one that is meant is beside this file.
bool leads_to(const Fd &root, const UserFile &file) {
  const Fd found = or_none(open_in_root(root, file.path));
  return found && is_same_file(found.get(), file.fd.get());
}

}  // namespace

Fd open_debug_file(const usdt::ElfFile &elf, const UserFile &file, pid_t pid) {
  const std::vector<uint8_t> id = elf.build_id();
  if (Fd fd = open_debug_file_of(id, or_none(root_of(getpid())))) return fd;
  const Fd root = or_none(root_of(pid));
  if (!root) return Fd();
  if (Fd fd = open_debug_file_of(id, root)) return fd;
  const std::optional<DebugLink> link = debug_link(elf);
  const size_t slash = file.path.rfind('/');
  if (!link || slash == std::string::npos || !leads_to(root, file)) return Fd();
  const std::string_view folder = std::string_view(file.path).substr(0, slash);
  for (const std::string &candidate :
       {fmt::format("{}/{}", folder, link->name), fmt::format("{}/.debug/{}", folder, link->name),
        fmt::format("{}{}/{}", kDebugFolder, folder, link->name)}) {
    Fd fd = candidate == file.path ? Fd() : or_none(open_in_root(root, candidate));
    if (fd && is_linked(fd.get(), id, *link)) return fd;
  }
  return Fd();
}

Fd open_shared_debug_file(const SharedDebugFile &shared, const FilePlace &program) {
  if (shared.name.empty() || shared.build_id.size() < 2) return Fd();
  const auto open_if_meant = [&](const Fd &root, const std::string &path) {
    Fd fd = root ? or_none(open_in_root(root, path)) : Fd();
    return fd && build_id_of(fd.get()) == shared.build_id ? std::move(fd) : Fd();
  };
  const Fd own_root = or_none(root_of(getpid()));
  if (Fd fd = open_debug_file_of(shared.build_id, own_root)) return fd;
  constexpr std::string_view kFolder = "/.dwz/";
  if (const size_t at = shared.name.rfind(kFolder); at != std::string::npos)
    if (Fd fd = open_if_meant(own_root, fmt::format("{}{}", kDebugFolder, std::string_view(shared.name).substr(at))))
      return fd;
  if (program.pid == 0) return Fd();
  const std::string folder = program.path.substr(0, program.path.rfind('/') + 1);
  return open_if_meant(or_none(root_of(program.pid)),
                       shared.name.starts_with('/') ? shared.name : folder + shared.name);
}

}  // namespace dtrace::runtime
