// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "runtime/symbols/user_symbols.h"
#include "test/unit/runtime/fixture_process.h"
#include "test/unit/runtime/kernel_lacks.h"

namespace dtrace::runtime {
namespace {

/// No debug files: what a test finds must not depend on the packages of the machine.
UserSymbolsOptions options(size_t most_processes = 4096, size_t most_held_files = 256) {
  UserSymbolsOptions options;
  options.elf.debug_root.clear();
  options.most_processes = most_processes;
  options.objects.held_files = most_held_files;
  return options;
}

std::string text(const UserLocation &location) {
  std::string out(location.object);
  if (!location.symbol.empty())
    out += "`" + std::string(location.symbol) + "+" + std::to_string(location.symbol_offset);
  return out;
}

std::string at(UserSymbols &symbols, const AddressesProcess &process, AddressesProcess::Index index) {
  return text(symbols.resolve(process.pid(), process[index]));
}

TEST_CASE("user symbols: a live process, linked in every way") {
  SKIP_WITHOUT(kOpenInRoot);
  for (const char *name :
       {"addresses_pie", "addresses_nopie", "addresses_static", "addresses_static_pie", "addresses_separate_code"}) {
    INFO(name);
    const AddressesProcess process(fixture_path(name));
    REQUIRE(process.is_running());
    UserSymbols symbols(options());
    const std::string object = name;
    CHECK(at(symbols, process, AddressesProcess::kFunction) == object + "`fixture_alias+0");
    CHECK(at(symbols, process, AddressesProcess::kInFunction) == object + "`fixture_alias+2");
    CHECK(at(symbols, process, AddressesProcess::kStatic) == object + "`fixture_static+0");
    CHECK(at(symbols, process, AddressesProcess::kData) == object + "`fixture_data+0");
    CHECK(at(symbols, process, AddressesProcess::kBss) == object + "`fixture_bss+131072");
    CHECK(at(symbols, process, AddressesProcess::kMain) == object + "`main+0");
    CHECK(at(symbols, process, AddressesProcess::kStack).empty());
    CHECK(at(symbols, process, AddressesProcess::kNowhere).empty());
  }
}

TEST_CASE("user symbols: a process that was noted and has exited") {
  SKIP_WITHOUT(kOpenInRoot);
  UserSymbols symbols(options());
  AddressesProcess process(fixture_path("addresses_pie"));
  REQUIRE(process.is_running());
  const pid_t pid = process.pid();
  CHECK(symbols.note_process(pid));
  process.stop();
  CHECK(text(symbols.resolve(pid, process[AddressesProcess::kInFunction])) == "addresses_pie`fixture_alias+2");
  CHECK(text(symbols.locate(pid, process[AddressesProcess::kInFunction])) == "addresses_pie");
  CHECK(symbols.note_process(pid));
}

TEST_CASE("user symbols: a process that was never seen alive") {
  UserSymbols symbols(options());
  AddressesProcess process(fixture_path("addresses_pie"));
  const pid_t pid = process.pid();
  process.stop();
  CHECK_FALSE(symbols.note_process(pid));
  CHECK(text(symbols.resolve(pid, process[AddressesProcess::kFunction])).empty());
}

TEST_CASE("user symbols: the program file is gone") {
  SKIP_WITHOUT(kOpenInRoot);
  const std::string copy = fixture_path("addresses_to_delete");
  std::filesystem::copy_file(fixture_path("addresses_pie"), copy, std::filesystem::copy_options::overwrite_existing);
  UserSymbols symbols(options());
  AddressesProcess process(copy);
  REQUIRE(process.is_running());
  const pid_t pid = process.pid();

  SECTION("after the process was noted, and the process too") {
    symbols.note_process(pid);
    std::filesystem::remove(copy);
    process.stop();
  }
  SECTION("before the process was noted") {
    std::filesystem::remove(copy);
    symbols.note_process(pid);
  }
  CHECK(text(symbols.resolve(pid, process[AddressesProcess::kFunction])) == "addresses_to_delete`fixture_alias+0");
}

TEST_CASE("user symbols: descriptors are given up beyond the limit, symbols are not") {
  SKIP_WITHOUT(kOpenInRoot);
  UserSymbols symbols(options(4096, 0));
  AddressesProcess process(fixture_path("addresses_pie"));
  REQUIRE(process.is_running());
  const pid_t pid = process.pid();
  symbols.note_process(pid);
  process.stop();
  CHECK(text(symbols.resolve(pid, process[AddressesProcess::kFunction])) == "addresses_pie`fixture_alias+0");
}

TEST_CASE("user symbols: processes beyond the limit are forgotten, remembered ones are not") {
  SKIP_WITHOUT(kOpenInRoot);
  UserSymbols symbols(options(2));
  AddressesProcess a(fixture_path("addresses_pie"));
  AddressesProcess b(fixture_path("addresses_nopie"));
  AddressesProcess c(fixture_path("addresses_static"));
  const pid_t pids[] = {a.pid(), b.pid(), c.pid()};
  CHECK(symbols.remember(pids[0]));
  CHECK(symbols.note_process(pids[1]));
  CHECK(symbols.note_process(pids[2]));
  CHECK(symbols.process_count() == 2);
  a.stop();
  b.stop();
  c.stop();
  CHECK(text(symbols.resolve(pids[0], a[AddressesProcess::kMain])) == "addresses_pie`main+0");
  CHECK(text(symbols.resolve(pids[2], c[AddressesProcess::kMain])) == "addresses_static`main+0");
  CHECK(text(symbols.resolve(pids[1], b[AddressesProcess::kMain])).empty());
}

TEST_CASE("user symbols: functions of libc in this process") {
  UserSymbols symbols;
  const auto address = reinterpret_cast<uint64_t>(::dlsym(RTLD_DEFAULT, "getppid"));
  REQUIRE(address != 0);
  CHECK(text(symbols.resolve(::getpid(), address)) == "libc.so.6`getppid+0");
  CHECK(text(symbols.resolve(::getpid(), address + 3)) == "libc.so.6`getppid+3");
  CHECK(text(symbols.locate(::getpid(), address)) == "libc.so.6");
}

TEST_CASE("user symbols: the vDSO") {
  const uint64_t start = ::getauxval(AT_SYSINFO_EHDR);
  if (start == 0) {
    WARN("skipped: no vDSO");
    return;
  }
  UserSymbols symbols;
  CHECK(text(symbols.locate(::getpid(), start)) == "[vdso]");
  bool found = false;
  for (uint64_t address = start; address < start + 4096 && !found; address += 16) {
    found = symbols.resolve(::getpid(), address).symbol.find("clock_gettime") != std::string_view::npos;
  }
  CHECK(found);
}

TEST_CASE("user symbols: a library loaded after the snapshot") {
  UserSymbols symbols(options());
  symbols.note_process(::getpid());
  void *library = ::dlopen(fixture_path("liblate.so").c_str(), RTLD_NOW);
  REQUIRE(library != nullptr);
  const auto address = reinterpret_cast<uint64_t>(::dlsym(library, "late_function"));
  CHECK(text(symbols.resolve(::getpid(), address)) == "liblate.so`late_function+0");

  // And one unloaded since: old records still mention it.
  ::dlclose(library);
  CHECK(text(symbols.resolve(::getpid(), address + 1)) == "liblate.so`late_function+1");
}

TEST_CASE("user symbols: exec changes what is behind a pid") {
  SKIP_WITHOUT(kOpenInRoot);
  InheritedPipe go = InheritedPipe::create();
  InheritedPipe out = InheritedPipe::create();
  const std::string path = fixture_path("addresses_nopie");
  const std::string fd = std::to_string(out.write_end.get());
  const pid_t pid = ::fork();
  if (pid == 0) {
    char c = 0;
    ::fcntl(go.read_end.get(), F_SETFD, 0);
    if (::read(go.read_end.get(), &c, 1) != 1) ::_exit(1);
    ::dup2(go.read_end.get(), 0);
    ::close(go.write_end.get());
    ::execl(path.c_str(), path.c_str(), fd.c_str(), static_cast<char *>(nullptr));
    ::_exit(127);
  }
  UserSymbols symbols(options());
  const auto here = reinterpret_cast<uint64_t>(&text);
  CHECK(symbols.note_process(pid));
  CHECK(text(symbols.locate(pid, here)) == "unit_runtime");
  REQUIRE(::write(go.write_end.get(), "x", 1) == 1);
  uint64_t addresses[8] = {};
  REQUIRE(::read(out.read_end.get(), addresses, sizeof(addresses)) == sizeof(addresses));
  CHECK(text(symbols.resolve(pid, addresses[0])) == "addresses_nopie`fixture_alias+0");
  CHECK(text(symbols.locate(pid, here)) == "unit_runtime");  // from the older snapshot
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
}

TEST_CASE("user symbols: code of a JIT compiler") {
  SKIP_WITHOUT(kOpenInRoot);
  const Mapping code(::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096);
  const auto start = reinterpret_cast<uint64_t>(code.data());
  const std::string name = "perf-" + std::to_string(::getpid()) + ".map";
  const std::string path = "/tmp/" + name;
  UserSymbols symbols(options());
  CHECK(text(symbols.resolve(::getpid(), start + 16)).empty());
  {
    std::ofstream map(path);
    map << std::hex << start << " 20 jit one\n";
  }
  CHECK(text(symbols.resolve(::getpid(), start + 16)) == name + "`jit one+16");
  {
    std::ofstream map(path, std::ios::app);
    map << std::hex << start + 0x20 << " 20 jit two\n";
  }
  CHECK(text(symbols.resolve(::getpid(), start + 0x21)) == name + "`jit two+1");
  std::remove(path.c_str());
  CHECK(text(symbols.resolve(::getpid(), start)) == name + "`jit one+0");
}

TEST_CASE("user symbols: pids that are no processes") {
  UserSymbols symbols;
  for (const pid_t pid : {0, -1, 2, 0x7ffffffe}) {
    CHECK_FALSE(symbols.note_process(pid));
    CHECK(text(symbols.resolve(pid, 0x400000)).empty());
  }
}

}  // namespace
}  // namespace dtrace::runtime
