// SPDX-License-Identifier: Apache-2.0
#include "runtime/foreign/process_maps.h"

#include <sys/mman.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

namespace dtrace::runtime {
namespace {

TEST_CASE("maps: every field of a line") {
  const auto maps = parse_maps(
      "55d0c0a00000-55d0c0a21000 r-xp 00002000 fe:1f 332383                     /usr/bin/a b\n"
      "7f0000000000-7f0000001000 rw-p 00000000 00:00 0 \n"
      "7f0000001000-7f0000002000 r--s 00000000 00:05 77 /tmp/gone (deleted)\n"
      "7f0000002000-7f0000003000 r--p 00000000 00:05 78 /tmp/new\\012line\n"
      "7ffc00000000-7ffc00002000 r-xp 00000000 00:00 0                          [vdso]\n");
  REQUIRE(maps.size() == 5);
  CHECK(maps[0].start == 0x55d0c0a00000);
  CHECK(maps[0].end == 0x55d0c0a21000);
  CHECK(maps[0].offset == 0x2000);
  CHECK(maps[0].device_major == 0xfe);
  CHECK(maps[0].device_minor == 0x1f);
  CHECK(maps[0].inode == 332383);
  CHECK(maps[0].readable);
  CHECK_FALSE(maps[0].writable);
  CHECK(maps[0].executable);
  CHECK(maps[0].path == "/usr/bin/a b");
  CHECK(maps[0].is_file());
  CHECK(maps[1].path.empty());
  CHECK_FALSE(maps[1].is_file());
  CHECK(maps[2].deleted);
  CHECK(maps[2].path == "/tmp/gone");
  CHECK(maps[3].path == "/tmp/new\nline");
  CHECK(maps[4].path == "[vdso]");
  CHECK_FALSE(maps[4].is_file());

  CHECK(find_map(maps, 0x55d0c0a00000) == &maps[0]);
  CHECK(find_map(maps, 0x55d0c0a20fff) == &maps[0]);
  CHECK(find_map(maps, 0x55d0c0a21000) == nullptr);
  CHECK(find_map(maps, 0) == nullptr);
  CHECK(find_map(maps, ~0ull) == nullptr);
}

TEST_CASE("maps: nonsense is left out") {
  CHECK(parse_maps("").empty());
  CHECK(parse_maps("\n\n").empty());
  CHECK(parse_maps("1000-2000 r-xp\n2000-1000 r-xp 0 0:0 0\nzz\n-\n1000-2000 r-xp 0 0:0\n").empty());
  CHECK(parse_maps("1000-2000 r-xp 0 0:0 5 /x").size() == 1);
}

TEST_CASE("maps: identity survives a hostile command name") {
  const auto good =
      parse_identity("12 (a) S 9 (b)) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 1234 20 21 22 400 24 500\n");
  REQUIRE(good);
  CHECK(good->pid == 12);
  CHECK(good->start_ticks == 1234);
  CHECK(good->code_start == 400);
  CHECK(good->stack_start == 500);
  CHECK_FALSE(parse_identity(""));
  CHECK_FALSE(parse_identity("12 (x) S 1 2"));
}

TEST_CASE("maps: our own process") {
  const auto maps = read_process_maps(::getpid());
  REQUIRE(maps);
  CHECK(maps->identity.pid == ::getpid());
  CHECK(maps->identity.start_ticks > 0);
  const MapEntry *code = find_map(maps->maps, reinterpret_cast<uint64_t>(&parse_maps));
  REQUIRE(code != nullptr);
  CHECK(code->executable);
  CHECK(object_name(code->path) == "unit_runtime");
  CHECK(open_mapped_file(::getpid(), *code));
  CHECK_FALSE(read_process_maps(0x7fffffff));
  CHECK(*read_identity(::getpid()) == maps->identity);
}

TEST_CASE("maps: a deleted file is opened all the same") {
  char path[] = "/tmp/dtrace-maps-XXXXXX";
  const Fd fd(::mkstemp(path));
  REQUIRE(fd);
  REQUIRE(::ftruncate(fd.get(), 4096) == 0);
  const Mapping mapping(::mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, fd.get(), 0), 4096);
  REQUIRE(::unlink(path) == 0);
  const auto maps = read_process_maps(::getpid());
  REQUIRE(maps);
  const MapEntry *map = find_map(maps->maps, reinterpret_cast<uint64_t>(mapping.data()));
  REQUIRE(map != nullptr);
  CHECK(map->deleted);
  CHECK(map->path == path);
  const auto opened = open_mapped_file(::getpid(), *map);
  if (!opened && opened.error().errno_value() == EPERM) {
    WARN("skipped: " << opened.error().text());
    return;
  }
  CHECK(opened);
}

TEST_CASE("maps: object names") {
  CHECK(object_name("/usr/lib/libc.so.6") == "libc.so.6");
  CHECK(object_name("[vdso]") == "[vdso]");
  CHECK(object_name("") == "");
}

}  // namespace
}  // namespace dtrace::runtime
