// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "runtime/symbols/file_space.h"
#include "runtime/symbols/symbolizer_impl.h"
#include "test/unit/runtime/fixture_process.h"
#include "test/unit/runtime/kernel_lacks.h"

namespace dtrace::runtime {

// Out of the anonymous namespace, for a mangled name that is known.
__attribute__((noinline, used)) int symbolizer_test_function(int x) { return x + 1; }

namespace {

SystemSymbolizer with_kernel(SymbolizerOptions options = {}) {
  return SystemSymbolizer(std::move(options),
                          Kallsyms::from_text("ffffffff81000000 T _stext\nffffffff81002000 T vfs_read\n"
                                              "ffffffff81003000 T _etext\nffffffff82000000 B _end\n"
                                              "ffffffffc0000000 t _RNvC6_123foo3bar\t[rust]\n",
                                              "ext4 16384 1 - Live 0xffffffffc0100000\n"));
}

TEST_CASE("symbolizer: kernel texts") {
  SystemSymbolizer s = with_kernel();
  CHECK(s.kernel_symbol(0xffffffff81002000, true) == "vmlinux`vfs_read");
  CHECK(s.kernel_symbol(0xffffffff81002000, false) == "vmlinux`vfs_read");
  CHECK(s.kernel_symbol(0xffffffff8100201a, true) == "vmlinux`vfs_read+0x1a");
  CHECK(s.kernel_symbol(0xffffffff8100201a, false) == "vmlinux`vfs_read");
  CHECK(s.kernel_symbol(0xffffffffc0100010, true) == "ext4`0xffffffffc0100010");
  CHECK(s.kernel_symbol(0xffffffff81003001, true) == "vmlinux`0xffffffff81003001");
  CHECK(s.kernel_symbol(0xfffffffffffffff0, true) == "0xfffffffffffffff0");
  CHECK(s.kernel_symbol(0, true) == "0x0");
  CHECK(s.kernel_module(0xffffffff81002000) == "vmlinux");
  CHECK(s.kernel_module(0xffffffffc0100010) == "ext4");
  CHECK(s.kernel_module(0x1000) == "0x1000");
  CHECK(s.kernel_symbol(0xffffffffc0000004, true) == "rust`_RNvC6_123foo3bar+0x4");
  SymbolizerOptions demangling;
  demangling.demangle = true;
  SystemSymbolizer readable = with_kernel(demangling);
  CHECK(readable.kernel_symbol(0xffffffffc0000004, true) == "rust`123foo::bar+0x4");
}

TEST_CASE("symbolizer: user texts") {
  SKIP_WITHOUT(kOpenInRoot);
  SystemSymbolizer s = with_kernel();
  const AddressesProcess process(fixture_path("addresses_pie"));
  REQUIRE(process.is_running());
  const pid_t pid = process.pid();
  CHECK(s.user_symbol(pid, process[AddressesProcess::kMain], true) == "addresses_pie`main");
  CHECK(s.user_symbol(pid, process[AddressesProcess::kInFunction], true) == "addresses_pie`fixture_alias+0x2");
  CHECK(s.user_symbol(pid, process[AddressesProcess::kInFunction], false) == "addresses_pie`fixture_alias");
  CHECK(s.user_symbol(pid, 0x10, true) == "0x10");
  CHECK(s.user_module(pid, process[AddressesProcess::kMain]) == "addresses_pie");
  CHECK(s.user_module(pid, 0x10) == "0x10");
  CHECK(s.user_symbol(0x7ffffffe, 0x401000, true) == "0x401000");
}

TEST_CASE("symbolizer: processes of one program have one address in the space of files") {
  SKIP_WITHOUT(kOpenInRoot);
  SystemSymbolizer s = with_kernel();
  const AddressesProcess first(fixture_path("addresses_pie")), second(fixture_path("addresses_pie"));
  REQUIRE((first.is_running() && second.is_running()));
  for (const auto place : {AddressesProcess::kMain, AddressesProcess::kInFunction}) {
    const std::optional<uint64_t> shared = s.user().shared_address(first.pid(), first[place]);
    REQUIRE(shared);
    CHECK(s.user().shared_address(second.pid(), second[place]) == shared);
    CHECK(s.user_symbol(kFileSpacePid, *shared, true) == s.user_symbol(first.pid(), first[place], true));
    CHECK(s.user_module(kFileSpacePid, *shared) == "addresses_pie");
    CHECK(s.mapping(kFileSpacePid, *shared).file == s.mapping(first.pid(), first[place]).file);
  }
  CHECK_FALSE(s.user().shared_address(first.pid(), 0x10));
  CHECK(s.user_symbol(kFileSpacePid, 0x10, true) == "0x10");
}

TEST_CASE("symbolizer: stacks that were prepared read as they do otherwise") {
  SKIP_WITHOUT(kOpenInRoot);
  const AddressesProcess process(fixture_path("addresses_pie"));
  REQUIRE(process.is_running());
  const std::vector<uint64_t> frames{process[AddressesProcess::kInFunction], process[AddressesProcess::kMain], 0x10};
  const UserImage image(process.pid());
  SystemSymbolizer plain = with_kernel(), prepared = with_kernel();
  const StackAddresses stack{image, frames};
  prepared.prepare({&stack, 1});
  for (size_t i = 0; i < frames.size(); i++) {
    const std::vector<StackFrame> expected = plain.user_frames(image, frames[i], i > 0);
    const std::vector<StackFrame> found = prepared.user_frames(image, frames[i], i > 0);
    REQUIRE(found.size() == expected.size());
    CHECK(found.back().symbol == expected.back().symbol);
    CHECK(found.back().source == expected.back().source);
  }
}

TEST_CASE("symbolizer: only the object is known") {
  SKIP_WITHOUT(kOpenInRoot);
  SymbolizerOptions options;
  options.user.elf.debug_root.clear();
  SystemSymbolizer s = with_kernel(options);
  const AddressesProcess process(fixture_path("addresses_debug_file"));
  REQUIRE(process.is_running());
  const uint64_t address = process[AddressesProcess::kFunction];
  const Result<ProcessMaps> maps = read_process_maps(process.pid());
  REQUIRE(maps);
  const uint64_t base = maps->maps.front().start;  // the program lies below all else
  char expected[64];
  std::snprintf(expected, sizeof(expected), "addresses_debug_file+0x%lx", static_cast<unsigned long>(address - base));
  CHECK(s.user_symbol(process.pid(), address, true) == expected);

  options.user.elf.debug_root = fixture_path("debug");
  SystemSymbolizer with_debug_files = with_kernel(options);
  CHECK(with_debug_files.user_symbol(process.pid(), address, true) == "addresses_debug_file`fixture_alias");
}

TEST_CASE("symbolizer: option noresolve") {
  SKIP_WITHOUT(kOpenInRoot);
  SymbolizerOptions options;
  options.no_resolve = true;
  SystemSymbolizer s = with_kernel(options);
  const AddressesProcess process(fixture_path("addresses_nopie"));
  REQUIRE(process.is_running());
  const uint64_t address = process[AddressesProcess::kMain];
  char expected[64];
  std::snprintf(expected, sizeof(expected), "addresses_nopie:0x%lx", static_cast<unsigned long>(address - 0x400000));
  CHECK(s.user_symbol(process.pid(), address, true) == expected);
  CHECK(s.user_symbol(process.pid(), 0x10, true) == "0x10");
}

TEST_CASE("symbolizer: C++ names as they are, readable on request") {
  const auto address = reinterpret_cast<uint64_t>(&symbolizer_test_function);
  SystemSymbolizer plain = with_kernel();
  CHECK(plain.user_symbol(::getpid(), address, true) == "unit_runtime`_ZN6dtrace7runtime24symbolizer_test_functionEi");
  SymbolizerOptions options;
  options.demangle = true;
  SystemSymbolizer readable = with_kernel(options);
  CHECK(readable.user_symbol(::getpid(), address, true) ==
        "unit_runtime`dtrace::runtime::symbolizer_test_function(int)");
  CHECK(readable.user_symbol(::getpid(), address + 1, true) ==
        "unit_runtime`dtrace::runtime::symbolizer_test_function(int)+0x1");
}

}  // namespace
}  // namespace dtrace::runtime
