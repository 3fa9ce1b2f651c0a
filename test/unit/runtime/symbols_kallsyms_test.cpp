// SPDX-License-Identifier: Apache-2.0
#include "runtime/symbols/kallsyms.h"

#include <catch2/catch.hpp>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

namespace dtrace::runtime {
namespace {

constexpr std::string_view kText =
    "0000000000000000 A fixed_percpu_data\n"
    "0000000000001000 A cpu_hot\n"
    "ffffffff81000000 T _stext\n"
    "ffffffff81000000 T _text\n"
    "ffffffff81001000 t local_alias\n"
    "ffffffff81001000 T __global_alias\n"
    "ffffffff81001000 W weak_alias\n"
    "ffffffff81001000 T global_alias\n"
    "ffffffff81002000 T vfs_read\n"
    "ffffffff81003000 t duplicate\n"
    "ffffffff81003100 t duplicate\n"
    "ffffffff81004000 T _etext\n"
    "ffffffff82000000 D jiffies\n"
    "ffffffff82000008 d some_local\n"
    "ffffffff83000000 B _end\n"
    "ffffffffc0001000 t ext4_read\t[ext4]\n"
    "ffffffffc0001200 T ext4_write\t[ext4]\n"
    "ffffffffc0002000 t duplicate\t[ext4]\n"
    "ffffffffc0003000 t ftrace_trampoline\t[__builtin__ftrace]\n"
    "ffffffffc0004000 t bpf_prog_0123456789abcdef_clause\t[bpf]\n";
constexpr std::string_view kModules =
    "ext4 16384 1 jbd2,mbcache, Live 0xffffffffc0001000\n"
    "hidden 4096 0 - Live 0x0000000000000000\n"
    "jbd2 8192 2 ext4, Live 0xffffffffc0010000 (E)\n";

std::string at(Kallsyms &table, uint64_t address) {
  const auto found = table.by_address(address);
  if (!found) return "none";
  std::ostringstream out;
  out << found->symbol.module << '`' << found->symbol.name << '+' << found->offset;
  return out.str();
}

TEST_CASE("kallsyms: data that the kernel calls text") {
  Kallsyms table = Kallsyms::from_text(
      "ffffffff81000000 T _stext\nffffffff81002000 T vfs_read\nffffffff81003000 T _etext\n"
      "ffffffff82000000 T init_task\nffffffff82001000 t counter\nffffffff83000000 T _sinittext\n"
      "ffffffff83000010 t do_early\nffffffff83001000 T _einittext\nffffffff84000000 B _end\n");
  CHECK(table.by_name("vmlinux", "vfs_read").at(0).is_text());
  CHECK_FALSE(table.by_name("vmlinux", "init_task").at(0).is_text());
  CHECK(table.by_name("vmlinux", "counter").at(0).type == 'd');
  CHECK(table.by_name("vmlinux", "do_early").at(0).is_text());
}

TEST_CASE("kallsyms: an address finds the symbol before it") {
  Kallsyms table = Kallsyms::from_text(kText, kModules);
  CHECK(table.reason().empty());
  CHECK(at(table, 0xffffffff81002000) == "vmlinux`vfs_read+0");
  CHECK(at(table, 0xffffffff81002010) == "vmlinux`vfs_read+16");
  CHECK(at(table, 0xffffffff82000004) == "vmlinux`jiffies+4");
  CHECK(at(table, 0xffffffffc0001010) == "ext4`ext4_read+16");
  CHECK(at(table, 0xffffffffc0004008) == "bpf`bpf_prog_0123456789abcdef_clause+8");
}

TEST_CASE("kallsyms: of aliases the global text symbol with the plainest name wins") {
  Kallsyms table = Kallsyms::from_text(kText);
  CHECK(at(table, 0xffffffff81001000) == "vmlinux`global_alias+0");
  CHECK(at(table, 0xffffffff81000000) == "vmlinux`_stext+0");
}

TEST_CASE("kallsyms: what lies in no symbol is not given to its neighbour") {
  Kallsyms table = Kallsyms::from_text(kText, kModules);
  CHECK(at(table, 0) == "none");
  CHECK(at(table, 0x1008) == "none");
  CHECK(at(table, 0x7fffffffffffffff) == "none");
  CHECK(at(table, 0xffffffff80ffffff) == "none");
  CHECK(at(table, 0xffffffff81004000) == "vmlinux`_etext+0");
  CHECK(at(table, 0xffffffff81004001) == "none");
  CHECK(at(table, 0xffffffff83000001) == "none");
  CHECK(at(table, 0xffffffffc0004000 + 65535) == "bpf`bpf_prog_0123456789abcdef_clause+65535");
  CHECK(at(table, 0xffffffffc0004000 + 65536) == "none");
  CHECK(at(table, ~0ull) == "none");
}

TEST_CASE("kallsyms: modules are known where symbols are not") {
  Kallsyms table = Kallsyms::from_text(kText, kModules);
  CHECK(table.module_of(0xffffffff81002001) == "vmlinux");
  CHECK(table.module_of(0xffffffff81004001) == "vmlinux");
  CHECK(table.module_of(0xffffffffc0001001) == "ext4");
  CHECK(table.module_of(0xffffffffc0010001) == "jbd2");
  CHECK(table.module_of(0xffffffffc0011fff) == "jbd2");
  CHECK(table.module_of(0xffffffffc0015000).empty());
  CHECK(table.module_of(0xfffffffff0000000).empty());
  CHECK(table.module_of(0).empty());
}

TEST_CASE("kallsyms: names, by scan and by index") {
  Kallsyms table = Kallsyms::from_text(kText);
  const int asked_before = GENERATE(0, 100);
  for (int i = 0; i < asked_before; i++) CHECK(table.by_name("", "nosuch").empty());
  REQUIRE(table.by_name("", "vfs_read").size() == 1);
  CHECK(table.by_name("", "vfs_read")[0].address == 0xffffffff81002000);
  CHECK(table.by_name("vmlinux", "vfs_read").size() == 1);
  CHECK(table.by_name("ext4", "vfs_read").empty());
  CHECK(table.by_name("", "nosuch").empty());
  const auto duplicates = table.by_name("", "duplicate");
  REQUIRE(duplicates.size() == 3);
  CHECK(duplicates[0].address == 0xffffffff81003000);
  CHECK(duplicates[1].address == 0xffffffff81003100);
  CHECK(duplicates[2].module == "ext4");
  CHECK(table.by_name("ext4", "duplicate").size() == 1);
  CHECK(table.by_name("", "cpu_hot").at(0).address == 0x1000);
  CHECK(table.by_name("", "jiffies").at(0).type == 'D');
  CHECK_FALSE(table.by_name("", "jiffies").at(0).is_text());
}

TEST_CASE("kallsyms: a kernel that lists only functions gives no data address to one") {
  Kallsyms table = Kallsyms::from_text(
      "ffffffff81000000 T _stext\nffffffff81000010 T f\nffffffff81000100 T _etext\n"
      "ffffffff82000000 D __start_once\nffffffff83000000 R __stop_BTF\n");
  CHECK(at(table, 0xffffffff82000000) == "vmlinux`__start_once+0");
  CHECK(at(table, 0xffffffff82000001) == "none");
  CHECK(table.module_of(0xffffffff82000001) == "vmlinux");
}

TEST_CASE("kallsyms: hidden addresses and absent files have a reason") {
  Kallsyms hidden = Kallsyms::from_text("0000000000000000 T _stext\n0000000000000000 T vfs_read\n");
  CHECK(hidden.reason() == "addresses are hidden (kernel.kptr_restrict)");
  CHECK_FALSE(hidden.by_address(0xffffffff81000000));
  CHECK(hidden.module_of(0xffffffff81000000).empty());
  CHECK(hidden.by_name("", "vfs_read").empty());

  Kallsyms absent("/nonexistent/kallsyms", "/nonexistent/modules");
  CHECK(absent.size() == 0);
  CHECK(absent.reason() == "/nonexistent/kallsyms: No such file or directory");
  CHECK_FALSE(absent.by_address(0xffffffff81000000));

  CHECK(Kallsyms::from_text("").reason() == "no symbols");
}

TEST_CASE("kallsyms: nonsense lines are left out") {
  Kallsyms table = Kallsyms::from_text(
      "\n\nxyz T bad\nffffffff81000000\nffffffff81000000 T\nffffffff81000000 TT two\nffffffff81000000 T good\n"
      "ffffffff81000010 T last");
  CHECK(table.size() == 2);
  CHECK(at(table, 0xffffffff81000000) == "vmlinux`good+0");
  CHECK(at(table, 0xffffffff81000011) == "vmlinux`last+1");
}

TEST_CASE("kallsyms: BPF programs are read when nothing else answers") {
  const std::string path = std::string(DTRACE_FIXTURES) + "/kallsyms";
  {
    std::ofstream out(path);
    out << kText;
    // More than a block, so that reading stops in the middle of the programs.
    for (int i = 1; i < 60000; i++) {
      char line[80];
      std::snprintf(line, sizeof(line), "ffffffffd%07x t bpf_prog_%d\t[bpf]\n", i * 0x100, i);
      out << line;
    }
  }
  Kallsyms table(path, "/nonexistent/modules");
  CHECK(table.size() == 0);
  CHECK(at(table, 0xffffffff81002000) == "vmlinux`vfs_read+0");
  const size_t first_part = table.size();
  CHECK(first_part < 60000);
  CHECK(at(table, 0xffffffffc0001010) == "ext4`ext4_read+16");
  CHECK(table.by_name("", "vfs_read").size() == 1);
  CHECK(table.size() == first_part);

  // Behind the module's last function: only the rest of the file can tell.
  CHECK(at(table, 0xffffffffd0000000 + 59999 * 0x100) == "bpf`bpf_prog_59999+0");
  CHECK(table.size() == 60019);
  CHECK(table.by_name("bpf", "bpf_prog_30000").size() == 1);

  Kallsyms by_name(path, "/nonexistent/modules");
  CHECK(by_name.by_name("", "bpf_prog_59999").size() == 1);
  std::remove(path.c_str());
}

TEST_CASE("kallsyms: the running kernel") {
  Kallsyms table;
  CHECK(table.size() == 0);
  if (!table.reason().empty()) {
    WARN("skipped: " << table.reason());
    return;
  }
  CHECK(table.size() > 10000);
  const auto vfs_read = table.by_name("vmlinux", "vfs_read");
  REQUIRE(vfs_read.size() == 1);
  CHECK(at(table, vfs_read[0].address) == "vmlinux`vfs_read+0");
  CHECK(at(table, vfs_read[0].address + 5) == "vmlinux`vfs_read+5");
  CHECK(table.module_of(vfs_read[0].address) == "vmlinux");

  // Every function is found at its own address, under a name that has this address. BPF programs come and go meanwhile.
  size_t wrong = 0;
  std::ifstream text("/proc/kallsyms");
  std::string line;
  for (size_t i = 0; std::getline(text, line); i++) {
    if (i % 97 != 0 || line.ends_with("[bpf]")) continue;
    const uint64_t address = std::stoull(line, nullptr, 16);
    const auto found = table.by_address(address);
    if (address >> 63 == 1 && (!found || found->offset != 0)) wrong++;
  }
  CHECK(wrong == 0);
}

}  // namespace
}  // namespace dtrace::runtime
