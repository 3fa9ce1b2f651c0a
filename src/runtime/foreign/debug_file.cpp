// SPDX-License-Identifier: Apache-2.0
#include "runtime/foreign/debug_file.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "runtime/foreign/open.h"
#include "usdt/elf_file.h"

namespace dtrace::runtime {

std::vector<uint8_t> build_id_of(int fd) {
  const usdt::FileSource source(fd);
  const Result<usdt::ElfFile> elf = usdt::ElfFile::open_any(source);
  return elf ? elf->build_id() : std::vector<uint8_t>();
}

Fd open_debug_file_of(const std::vector<uint8_t> &build_id, const Fd &root, std::string_view folder) {
  if (build_id.size() < 2 || !root) return Fd();
  std::string path = fmt::format("{}/.build-id/{:02x}/", folder, build_id[0]);
  for (size_t i = 1; i < build_id.size(); ++i) path += fmt::format("{:02x}", build_id[i]);
  Result<Fd> fd = open_in_root(root, path + ".debug");
  return fd && build_id_of(fd->get()) == build_id ? std::move(*fd) : Fd();
}

}  // namespace dtrace::runtime
