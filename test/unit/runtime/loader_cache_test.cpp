// SPDX-License-Identifier: Apache-2.0
#include "runtime/foreign/loader_cache.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>

using namespace dtrace::runtime;

namespace {

void append(std::string &bytes, uint32_t value) { bytes.append(reinterpret_cast<const char *>(&value), sizeof value); }

/// A cache with two libraries, whose texts stand behind the entries: name at `text`, path at `text + 8`.
std::string cache_of(uint32_t count) {
  std::string bytes = "glibc-ld.so.cache1.1";
  append(bytes, count);
  append(bytes, 64);
  for (int i = 0; i < 5; i++) append(bytes, 0);
  const uint32_t texts = 48 + 2 * 24;
  for (uint32_t i = 0; i < 2; i++) {
    append(bytes, 0x303);
    append(bytes, texts + i * 32);
    append(bytes, texts + i * 32 + 8);
    for (int word = 0; word < 3; word++) append(bytes, 0);
  }
  std::string text = std::string("liba.so\0/lib/liba.so.1\0", 23);
  text.resize(32);
  text += std::string("libb.so\0/usr/lib/libb.so\0", 25);
  return bytes + text;
}

const std::vector<CachedLibrary> kBoth = {{"liba.so", "/lib/liba.so.1"}, {"libb.so", "/usr/lib/libb.so"}};

}  // namespace

TEST_CASE("the dynamic linker's cache: names and paths") { CHECK(parse_loader_cache(cache_of(2)) == kBoth); }

TEST_CASE("the dynamic linker's cache: behind that of the old format") {
  std::string old = "ld.so-1.7.0";
  old.resize(12);
  append(old, 3);
  old.resize(16 + 3 * 12);
  old.resize((old.size() + 7) / 8 * 8);
  CHECK(parse_loader_cache(old + cache_of(2)) == kBoth);
}

TEST_CASE("the dynamic linker's cache: cut short, or with numbers that lead out of it") {
  const std::string whole = cache_of(2);
  for (size_t bytes = 0; bytes < whole.size(); bytes++) CHECK(parse_loader_cache(whole.substr(0, bytes)).size() < 2);
  CHECK(parse_loader_cache(cache_of(UINT32_MAX)).size() <= 4);
  CHECK(parse_loader_cache("ld.so-1.7.0\0\xff\xff\xff\xff").empty());
  CHECK(parse_loader_cache("").empty());
}
