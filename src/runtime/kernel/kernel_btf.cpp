// SPDX-License-Identifier: Apache-2.0
// Reading BTF files. Newer kernels let vmlinux's be mapped from sysfs; modules' and
// older kernels' are copied. Other files are copied always: a mapping of a file that shrinks would kill us.
#include "runtime/kernel/kernel_btf.h"

#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

namespace dtrace::runtime {
namespace {

/// The whole of `fd` as a mapping: the file's own pages where it is safe, else a copy.
Result<Mapping> map_file(const Fd &fd, const std::string &path) {
  struct stat st{};
  if (fstat(fd.get(), &st) != 0) return Error::from_errno(path, errno);
  if (S_ISDIR(st.st_mode)) return Error::from_errno(path, EISDIR);
  const auto size = static_cast<size_t>(st.st_size);
  if (size == 0) return Error(path + ": empty file");

  struct statfs fs{};
  if (fstatfs(fd.get(), &fs) == 0 && fs.f_type == SYSFS_MAGIC) {
    void *shared = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
    if (shared != MAP_FAILED) return Mapping(shared, size);
  }

  void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) return Error::from_errno(path, errno);
  Mapping copy(memory, size);
  size_t done = 0;
  while (done < size) {
    const ssize_t n = read(fd.get(), static_cast<char *>(memory) + done, size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Error::from_errno(path, errno);
    if (n == 0) return Error(path + ": shorter than its size says");
    done += static_cast<size_t>(n);
  }
  return copy;
}

/// The .BTF section of an ELF image; the image itself if it is not ELF.
Result<std::span<const std::byte>> btf_of(const Mapping &image, const std::string &path) {
  const std::span<const std::byte> bytes = image.bytes();
  if (bytes.size() < SELFMAG || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0) return bytes;

  elf_version(EV_CURRENT);
  const std::unique_ptr<Elf, int (*)(Elf *)> elf(elf_memory(static_cast<char *>(image.data()), bytes.size()), elf_end);
  size_t names = 0;
  if (!elf || elf_getshdrstrndx(elf.get(), &names) != 0) return Error(fmt::format("{}: {}", path, elf_errmsg(-1)));
  for (Elf_Scn *section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type == SHT_NOBITS) continue;
    const char *name = elf_strptr(elf.get(), names, header.sh_name);
    if (name == nullptr || std::strcmp(name, ".BTF") != 0) continue;
    if (header.sh_offset > bytes.size() || header.sh_size > bytes.size() - header.sh_offset) {
      return Error(path + ": section .BTF lies outside of the file");
    }
    return bytes.subspan(header.sh_offset, header.sh_size);
  }
  return Error(path + ": no section .BTF");
}

bool is_directory(const std::string &path) {
  struct stat st{};
  return stat(path.c_str(), &st) == 0 && S_ISDIR(st.st_mode);
}

}  // namespace

Result<KernelBtf::Blob> KernelBtf::read_blob(const std::string &path, std::string_view name, const BtfIndex *base) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return Error::from_errno(path, errno);
  Result<Mapping> mapping = map_file(fd, path);
  if (!mapping) return std::move(mapping).error();
  Result<std::span<const std::byte>> bytes = btf_of(*mapping, path);
  if (!bytes) return std::move(bytes).error();
  Result<std::unique_ptr<BtfIndex>> index = BtfIndex::create(*bytes, std::string(name), base);
  if (!index) return std::move(index).error().during(path);
  return Blob{std::move(*mapping), std::move(*index)};
}

Result<std::unique_ptr<KernelBtf>> KernelBtf::open(const std::string &path) {
  std::unique_ptr<KernelBtf> btf(new KernelBtf);
  if (is_directory(path)) btf->directory_ = path;
  const std::string file = btf->directory_.empty() ? path : path + "/vmlinux";
  Result<Blob> blob = read_blob(file, "vmlinux", nullptr);
  if (!blob) return std::move(blob).error().during("cannot read kernel types");
  btf->vmlinux_ = std::move(*blob);
  return btf;
}

Result<const BtfIndex *> KernelBtf::module(std::string_view name) {
  if (name == "vmlinux") return &vmlinux();
  if (const auto known = modules_.find(name); known != modules_.end()) return known->second.index.get();
  // A name comes from a D program: it must not walk out of the directory.
  if (directory_.empty() || name.empty() || name.find('/') != std::string_view::npos || name.front() == '.') {
    return Error(fmt::format("module {} has no type information", name));
  }
  Result<Blob> blob = read_blob(fmt::format("{}/{}", directory_, name), name, &vmlinux());
  if (!blob) return std::move(blob).error().during("cannot read types of module");
  return modules_.emplace(std::string(name), std::move(*blob)).first->second.index.get();
}

std::vector<std::string> KernelBtf::module_names() const {
  std::vector<std::string> names;
  if (directory_.empty()) return names;
  const std::unique_ptr<DIR, int (*)(DIR *)> dir(opendir(directory_.c_str()), closedir);
  if (!dir) return names;
  while (const dirent *entry = readdir(dir.get())) {
    const std::string_view name = entry->d_name;
    if (name.front() != '.' && name != "vmlinux") names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<const BtfIndex *> KernelBtf::load(std::string_view name) {
  std::vector<const BtfIndex *> loaded;
  const std::vector<std::string> names = name.empty() ? module_names() : std::vector<std::string>{std::string(name)};
  for (const std::string &each : names) {
    if (Result<const BtfIndex *> index = module(each); index) loaded.push_back(*index);
  }
  return loaded;
}

}  // namespace dtrace::runtime
