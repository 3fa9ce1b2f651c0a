// SPDX-License-Identifier: Apache-2.0
#include "runtime/user/user_object.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "runtime/usdt/dwarf_layout.h"
#include "test/unit/runtime/fixture_process.h"
#include "usdt/elf_file.h"

namespace dtrace::runtime {
namespace {

TEST_CASE("user object: a file that is truncated while it is asked about is an error, not a signal", "[user]") {
  std::ifstream in(fixture_path("addresses_pie"), std::ios::binary);
  std::string good((std::istreambuf_iterator<char>(in)), {});
  REQUIRE(good.size() > 4096);
  good.resize(std::max<size_t>(good.size(), 16384));
  const int fd = ::memfd_create("truncated", MFD_CLOEXEC);
  REQUIRE(fd >= 0);
  REQUIRE(::write(fd, good.data(), good.size()) == static_cast<ssize_t>(good.size()));
  std::atomic<bool> stop = false;
  std::thread truncating([&] {
    while (!stop) {
      if (::ftruncate(fd, 4096) != 0 || ::pwrite(fd, good.data(), good.size(), 0) < 0) return;
    }
  });
  for (int i = 0; i < 3000; i++) {
    auto file = std::make_shared<UserFile>();
    file->fd = Fd(::dup(fd));
    UserObject object(file, "/program");
    (void)object.moves_stacks();
    (void)object.switches_stacks();
    (void)object.may_throw_in_handlers();
    (void)object.functions();
    const usdt::FileSource source(fd);
    if (const Result<usdt::ElfFile> elf = usdt::ElfFile::open(source))
      (void)dwarf_layout(*elf, "struct request", 0x1000);
  }
  stop = true;
  truncating.join();
  ::close(fd);
}

TEST_CASE("user object: a function without a size ends with its section", "[user]") {
  auto file = std::make_shared<UserFile>();
  const std::string path = fixture_path("addresses_nopie");
  file->fd = Fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  REQUIRE(file->fd.get() >= 0);
  const usdt::FileSource source(file->fd.get());
  const Result<usdt::ElfFile> elf = usdt::ElfFile::open(source);
  REQUIRE(elf);
  UserObject object(file, path);
  size_t found = 0;
  for (const UserFunction &function : object.functions())
    for (const std::string_view name : function.names) {
      if (name != "_init" && name != "_fini") continue;
      const usdt::Section *section = elf->section(name == "_init" ? ".init" : ".fini");
      REQUIRE(section != nullptr);
      found++;
      CHECK(function.address + function.size_bytes == section->address + section->size_bytes);
    }
  CHECK(found == 2);
}

}  // namespace
}  // namespace dtrace::runtime
