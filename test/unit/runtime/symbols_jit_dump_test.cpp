// SPDX-License-Identifier: Apache-2.0
#include "runtime/foreign/jit_dump.h"

#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "base/owned.h"
#include "test/unit/usdt/elf_builder.h"

namespace dtrace::runtime {
namespace {

using test::put;
using test::put_text;

std::string header(uint32_t magic = 0x4a695444) {
  std::string out;
  for (const uint32_t word : {magic, 1u, 40u, 62u, 0u, 77u}) put(out, word);
  put(out, uint64_t{0});
  put(out, uint64_t{0});
  return out;
}

std::string record(uint32_t kind, const std::string &body) {
  std::string out;
  put(out, kind);
  put(out, static_cast<uint32_t>(body.size() + 16));
  put(out, uint64_t{0});
  return out + body;
}

/// Both kinds begin with: process, thread, virtual address, three numbers.
std::string numbers(uint64_t first, uint64_t second, uint64_t third) {
  std::string out;
  put(out, uint32_t{77});
  put(out, uint32_t{77});
  put(out, first);
  for (const uint64_t number : {first, second, third}) put(out, number);
  return out;
}

std::string load(uint64_t start, uint64_t size_bytes, std::string_view name, size_t code_bytes = 3) {
  std::string body = numbers(start, size_bytes, 1);
  put_text(body, name);
  return record(0, body + std::string(code_bytes, '\x90'));
}

std::string move(uint64_t from, uint64_t to, uint64_t size_bytes) {
  std::string body = numbers(from, to, size_bytes);
  put(body, uint64_t{1});
  return record(1, body);
}

class Dump {
 public:
  Dump() : fd_(memfd_create("dump", MFD_CLOEXEC)) {}
  void append(const std::string &bytes) {
    REQUIRE(::write(fd_.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
    size_bytes_ += bytes.size();
  }
  /// What the records say that are new.
  std::vector<std::string> read() {
    std::vector<std::string> found;
    dump_.read_on(fd_.get(), size_bytes_,
                  {.loaded =
                       [&](uint64_t start, uint64_t bytes, std::string_view name) {
                         found.push_back(std::to_string(start) + "+" + std::to_string(bytes) + " " + std::string(name));
                       },
                   .moved =
                       [&](uint64_t from, uint64_t to, uint64_t bytes) {
                         found.push_back(std::to_string(from) + ">" + std::to_string(to) + "+" + std::to_string(bytes));
                       }});
    return found;
  }

 private:
  Fd fd_;
  JitDump dump_;
  uint64_t size_bytes_ = 0;
};

using Strings = std::vector<std::string>;

TEST_CASE("jit dump: records as they are appended") {
  Dump dump;
  CHECK(dump.read().empty());
  const std::string first = load(4096, 64, "a function"), second = load(8192, 32, "big", 300'000);
  dump.append(header() + first.substr(0, 30));
  CHECK(dump.read().empty());
  dump.append(first.substr(30) + record(2, "debug information") + second.substr(0, 100'000));
  CHECK(dump.read() == Strings{"4096+64 a function"});
  dump.append(second.substr(100'000) + move(4096, 12288, 64) + load(1, 1, "last", 0));
  CHECK(dump.read() == Strings{"8192+32 big", "4096>12288+64", "1+1 last"});
  CHECK(dump.read().empty());
}

TEST_CASE("jit dump: what is none, or damaged, ends it") {
  Dump other;
  other.append(header(0x12345678) + load(1, 1, "x"));
  CHECK(other.read().empty());
  Dump short_record;
  std::string nothing(16, '\0');
  short_record.append(header() + load(1, 1, "x") + nothing + load(2, 1, "y"));
  CHECK(short_record.read() == Strings{"1+1 x"});
  std::mt19937 random(1);
  for (int i = 0; i < 2000; i++) {
    std::string bytes = header() + load(4096, 64, "a") + move(4096, 8192, 64) + load(4096, 64, "b");
    for (int n = 0; n < 4; n++) bytes[random() % bytes.size()] = static_cast<char>(random());
    Dump damaged;
    damaged.append(bytes);
    CHECK(damaged.read().size() <= 3);
  }
}

TEST_CASE("jit dump: by its name") {
  CHECK(is_jit_dump("/home/u/.debug/jit/llvm-IR-jit/jit-77.dump"));
  CHECK_FALSE(is_jit_dump("/tmp/perf-77.map"));
}

}  // namespace
}  // namespace dtrace::runtime
