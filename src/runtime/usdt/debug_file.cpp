// SPDX-License-Identifier: Apache-2.0
#include "runtime/usdt/debug_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <optional>
#include <string>

namespace dtrace {
namespace {

constexpr std::string_view kDebugRoot = "/usr/lib/debug";
constexpr uint64_t kMostLinkBytes = 4096;

/// .gnu_debuglink: a file's name without a folder, and the CRC-32 of its contents.
struct DebugLink {
  std::string name;
  uint32_t checksum = 0;
};

std::optional<DebugLink> debug_link(const usdt::ElfFile &elf) {
  const usdt::Section *section = elf.section(".gnu_debuglink");
  if (section == nullptr) return std::nullopt;
  const std::vector<std::byte> bytes = elf.contents(*section, kMostLinkBytes);
  usdt::Cursor cursor(bytes);
  DebugLink link;
  link.name = cursor.string();
  cursor.align(4);
  link.checksum = cursor.word();
  if (!cursor.ok() || link.name.empty() || link.name.find('/') != std::string::npos) return std::nullopt;
  return link;
}

std::optional<uint32_t> checksum(int fd) {
  std::array<unsigned char, 65536> piece;
  uLong crc = crc32(0, nullptr, 0);
  for (off_t at = 0;;) {
    const ssize_t got = pread(fd, piece.data(), piece.size(), at);
    if (got < 0) return std::nullopt;
    if (got == 0) return static_cast<uint32_t>(crc);
    crc = crc32(crc, piece.data(), static_cast<uInt>(got));
    at += got;
  }
}

/// No device and no pipe: what lies under a name beside a program may be anybody's.
Fd open_file(const std::string &path) {
  Fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status{};
  return fd && fstat(fd.get(), &status) == 0 && S_ISREG(status.st_mode) ? std::move(fd) : Fd();
}

std::vector<uint8_t> build_id_of(int fd) {
  const usdt::FileSource source(fd);
  const Result<usdt::ElfFile> elf = usdt::ElfFile::open(source);
  return elf ? elf->build_id() : std::vector<uint8_t>();
}

Fd named_by_build(const std::vector<uint8_t> &id) {
  if (id.size() < 2) return Fd();
  std::string path = fmt::format("{}/.build-id/{:02x}/", kDebugRoot, id[0]);
  for (size_t i = 1; i < id.size(); ++i) path += fmt::format("{:02x}", id[i]);
  Fd fd = open_file(path + ".debug");
  return fd && build_id_of(fd.get()) == id ? std::move(fd) : Fd();
}

/// Build IDs say the same as checksums, without the whole file being read.
bool is_linked(int fd, const std::vector<uint8_t> &id, const DebugLink &link) {
  const std::vector<uint8_t> other = build_id_of(fd);
  if (!id.empty() && !other.empty()) return id == other;
  return checksum(fd) == link.checksum;
}

}  // namespace

Fd open_debug_file(const usdt::ElfFile &elf, std::string_view path) {
  const std::vector<uint8_t> id = elf.build_id();
  if (Fd fd = named_by_build(id)) return fd;
  const std::optional<DebugLink> link = debug_link(elf);
  const size_t slash = path.rfind('/');
  if (!link || slash == std::string_view::npos) return Fd();
  const std::string_view folder = path.substr(0, slash);
  for (const std::string &candidate :
       {fmt::format("{}/{}", folder, link->name), fmt::format("{}/.debug/{}", folder, link->name),
        fmt::format("{}{}/{}", kDebugRoot, folder, link->name)}) {
    Fd fd = candidate == path ? Fd() : open_file(candidate);
    if (fd && is_linked(fd.get(), id, *link)) return fd;
  }
  return Fd();
}

}  // namespace dtrace
