// SPDX-License-Identifier: Apache-2.0
// Rules of real files, against elfutils' reader of the same sections.
#include "runtime/unwind/call_frames.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <libelf.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "base/owned.h"
#include "runtime/unwind/frame_program.h"
#include "test/unit/runtime/unwind_support.h"

using namespace dtrace;
using namespace dtrace::runtime;
using namespace dtrace::runtime::test;

namespace {

const arch::FrameRegisters kRegisters = arch::kX86_64.frame_registers;
constexpr const char *kUnknown = "unknown";

/// A rule in words: the CFA, then where return address, frame pointer and third register are.
std::string place_text(uint8_t base, int32_t offset) {
  constexpr std::array<const char *, 8> kBases{"same", "cfa", "stack", "frame", "other", "lost", "end", "register"};
  const bool has_offset = base != DT_UNWIND_NONE && base != DT_UNWIND_LOST && base != DT_UNWIND_END;
  return has_offset ? fmt::format("{}{:+}", kBases.at(base), offset) : kBases.at(base);
}
std::string text(const dt_unwind_rule &rule) {
  if (rule.return_address == DT_UNWIND_END) return "end";
  if (rule.cfa == DT_UNWIND_NONE) return "none";
  std::string cfa = place_text(rule.cfa, rule.cfa_offset);
  if (rule.cfa == DT_UNWIND_REGISTER) cfa = fmt::format("r{}{:+}", rule.cfa_register, rule.cfa_offset);
  if ((rule.flags & DT_UNWIND_DEREFERENCE) != 0) cfa = "*(" + cfa + ")";
  if ((rule.flags & DT_UNWIND_PLT) != 0) cfa += fmt::format(" plt {}", rule.plt_from);
  const bool in_register = rule.return_address == DT_UNWIND_REGISTER;
  return fmt::format(
      "{} {} {} {}{}", cfa,
      in_register ? fmt::format("r{}", rule.return_register) : place_text(rule.return_address, rule.return_offset),
      place_text(rule.frame, rule.frame_offset), place_text(rule.other, rule.other_offset),
      (rule.flags & DT_UNWIND_SIGNAL) != 0 ? " signal" : "");
}

using Texts = std::vector<std::string>;
Texts texts(const std::vector<FrameRow> &rows) {
  Texts all;
  for (const FrameRow &row : rows) all.push_back(fmt::format("{:x} {}", row.address, text(row.rule)));
  return all;
}

/// The same from elfutils, of the simple rules; empty where it knows none.
class Elfutils {
 public:
  Elfutils(const std::string &path, const arch::Machine &machine)
      : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)),
        registers_(machine.frame_registers),
        return_register_(machine.elf_machine == EM_X86_64 ? 16 : 30) {
    elf_version(EV_CURRENT);
    elf_ = elf_begin(fd_.get(), ELF_C_READ, nullptr);
    cfi_ = dwarf_getcfi_elf(elf_);
  }
  ~Elfutils() {
    dwarf_cfi_end(cfi_);
    elf_end(elf_);
  }
  Elfutils(const Elfutils &) = delete;
  Elfutils &operator=(const Elfutils &) = delete;

  std::string rule_at(uint64_t address) const {
    Dwarf_Frame *found = nullptr;
    if (cfi_ == nullptr || dwarf_cfi_addrframe(cfi_, address, &found) != 0) return {};
    const std::unique_ptr<Dwarf_Frame, decltype(&free)> frame(found, &free);
    bool is_signal = false;
    dwarf_frame_info(frame.get(), nullptr, nullptr, &is_signal);
    const std::string return_address = place(frame.get(), return_register_);
    if (return_address == "lost") return "end";
    if (return_address == kUnknown) return "none";  // setcontext() finds it in a structure
    Dwarf_Op *ops = nullptr;
    size_t count = 0;
    if (dwarf_frame_cfa(frame.get(), &ops, &count) != 0 || count == 0) return {};
    std::string cfa = based(ops[0]);
    if (count == 2 && ops[1].atom == DW_OP_deref) cfa = "*(" + cfa + ")";
    if (count > 2) cfa += fmt::format(" plt {}", ops[4].atom - DW_OP_lit0);
    // Where a file says nothing about rbx, elfutils says that its value is lost. The ABI says that functions keep it.
    std::string other = place(frame.get(), registers_.other);
    if (other == "lost") other = "same";
    // We do not follow a register into another.
    std::string frame_pointer = place(frame.get(), registers_.frame);
    if (frame_pointer.starts_with('r')) frame_pointer = "lost";
    return fmt::format("{} {} {} {}{}", cfa, return_address, frame_pointer, other, is_signal ? " signal" : "");
  }

 private:
  std::string based(const Dwarf_Op &op) const {
    const uint64_t reg = op.atom == DW_OP_bregx ? op.number : op.atom - DW_OP_breg0;
    const auto offset = static_cast<int64_t>(op.atom == DW_OP_bregx ? op.number2 : op.number);
    const char *base = reg == registers_.stack   ? "stack"
                       : reg == registers_.frame ? "frame"
                       : reg == registers_.other ? "other"
                                                 : nullptr;
    return base != nullptr ? fmt::format("{}{:+}", base, offset) : fmt::format("r{}{:+}", reg, offset);
  }
  std::string place(Dwarf_Frame *frame, int reg) const {
    std::array<Dwarf_Op, 3> space{};
    Dwarf_Op *ops = nullptr;
    size_t count = 0;
    if (dwarf_frame_register(frame, reg, space.data(), &ops, &count) != 0) return "?";
    if (count == 0) return ops == nullptr ? "same" : "lost";
    if (ops[0].atom == DW_OP_regx) return fmt::format("r{}", ops[0].number);
    if (ops[0].atom != DW_OP_call_frame_cfa) return kUnknown;
    if (count > 1 && ops[1].atom != DW_OP_plus_uconst)
      return based(ops[1]);  // an expression, which finds it on the stack
    return fmt::format("cfa{:+}", count > 1 ? static_cast<int64_t>(ops[1].number) : 0);
  }

  Fd fd_;
  arch::FrameRegisters registers_;
  int return_register_;
  Elf *elf_ = nullptr;
  Dwarf_CFI *cfi_ = nullptr;
};

struct Compared {
  size_t rows = 0, none = 0;
  std::vector<std::string> different;
};

/// What a rule means whose return address lies above the frame.
std::string taken_in(const std::string &rule) {
  int cfa = 0, above = 0, end = 0;
  if (std::sscanf(rule.c_str(), "stack%d cfa+%d same same%n", &cfa, &above, &end) != 2 || end == 0) return rule;
  return fmt::format("stack{:+} cfa-8 same same", cfa + above + 8);
}

/// All rows of the file's code, page by page, each at its first and its last address.
Compared compare(const std::string &path, const arch::Machine &machine) {
  Compared compared;
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const usdt::FileSource source(fd.get());
  Result<CallFrames> frames = CallFrames::open(source, machine.frame_registers);
  REQUIRE(frames);
  const Elfutils other(path, machine);
  Result<usdt::ElfFile> file = usdt::ElfFile::open(source);
  constexpr uint64_t kPageBytes = 4096;
  for (const usdt::Segment &segment : file->segments()) {
    if (segment.type != 1 || (segment.flags & 1) == 0) continue;  // PT_LOAD, PF_X
    const uint64_t end = segment.address + segment.memory_bytes;
    for (uint64_t page = segment.address & ~(kPageBytes - 1); page < end; page += kPageBytes) {
      const std::vector<FrameRow> rows = frames->rows(page, page + kPageBytes);
      REQUIRE(!rows.empty());
      REQUIRE(rows.front().address == page);
      for (size_t i = 0; i < rows.size(); ++i) {
        const uint64_t last = (i + 1 < rows.size() ? rows[i + 1].address : page + kPageBytes) - 1;
        for (const uint64_t address : {rows[i].address, last}) {
          std::string expected = taken_in(other.rule_at(address));
          if (expected.empty() || expected.starts_with("none")) expected = "none";
          if (expected != text(rows[i].rule))
            compared.different.push_back(fmt::format("{:#x}: {}, elfutils: {}", address, text(rows[i].rule), expected));
        }
        ++compared.rows;
        compared.none += rows[i].rule.cfa == DT_UNWIND_NONE;
      }
    }
  }
  return compared;
}

struct Named {
  std::string path;
  const arch::Machine &machine;
};
/// Files of this machine, and what the script `sysroot-aarch64` has fetched.
std::vector<Named> files() {
  std::vector<Named> files = {{"/proc/self/exe", arch::host_machine()}};
  for (const char *path : {"/lib/x86_64-linux-gnu/libc.so.6", "/lib64/ld-linux-x86-64.so.2",
                           "/usr/lib/x86_64-linux-gnu/libstdc++.so.6", "/usr/bin/python3", "/usr/bin/perl"})
    if (arch::host_machine().elf_machine == EM_X86_64) files.push_back({path, arch::kX86_64});
  for (const char *path :
       {"/lib/aarch64-linux-gnu/libc.so.6", "/lib/ld-linux-aarch64.so.1", "/lib/aarch64-linux-gnu/libstdc++.so.6"})
    for (const std::string root : {"", "../sysroot-aarch64"}) files.push_back({root + path, arch::kAarch64});
  return files;
}

}  // namespace

TEST_CASE("call frames: the same rules as elfutils", "[unwind]") {
  size_t nr_files = 0;
  for (const auto &[path, machine] : files()) {
    if (!std::filesystem::exists(path)) continue;
    ++nr_files;
    INFO(path);
    const Compared compared = compare(path, machine);
    CHECK(compared.rows > 100);
    INFO(fmt::format("{} rows, {} without a rule", compared.rows, compared.none));
    INFO(fmt::format("{}",
                     fmt::join(compared.different.begin(),
                               compared.different.begin() + std::min<size_t>(compared.different.size(), 20), "\n")));
    CHECK(compared.different.empty());
  }
  CHECK(nr_files >= 4);
}

TEST_CASE("call frames: a file without them, or without a table of them", "[unwind]") {
  const std::vector<std::byte> none = elf_with_frames({}, {});
  CHECK_FALSE(CallFrames::open(usdt::MemorySource(none), kRegisters));

  FrameSection section;
  section.common();
  section.entry(0x1000, 0x20, {0x44, 0x0e, 16, 0x86, 2});  // push %rbp after four bytes
  section.entry(0x2000, 0x10, {});
  section.end();
  const std::vector<std::byte> file = elf_with_frames(section.bytes(), {});
  const usdt::MemorySource source(file);
  Result<CallFrames> frames = CallFrames::open(source, kRegisters);
  REQUIRE(frames);
  CHECK(frames->nr_entries() == 2);
  CHECK(texts(frames->rows(0x1000, 0x1020)) ==
        Texts{"1000 stack+8 cfa-8 same same", "1004 stack+16 cfa-8 cfa-16 same"});
  // From within a function, over what is nobody's code, into the next.
  CHECK(texts(frames->rows(0x1010, 0x3000)) ==
        Texts{"1010 stack+16 cfa-8 cfa-16 same", "1020 none", "2000 stack+8 cfa-8 same same", "2010 none"});
  CHECK(texts(frames->rows(0x5000, 0x6000)) == Texts{"5000 none"});
  CHECK(texts(frames->rows(0, 0x10)) == Texts{"0 none"});
}

TEST_CASE("call frames: operations", "[unwind]") {
  const auto rows_of = [](std::vector<uint8_t> program) {
    FrameSection section;
    section.common();
    section.entry(0x1000, 0x10, std::move(program));
    section.end();
    const std::vector<std::byte> file = elf_with_frames(section.bytes(), {});
    const usdt::MemorySource source(file);
    return texts(CallFrames::open(source, kRegisters)->rows(0x1000, 0x1010));
  };
  CHECK(rows_of({0x0c, 6, 16}) == Texts{"1000 frame+16 cfa-8 same same"});     // def_cfa rbp+16
  CHECK(rows_of({0x0d, 6}) == Texts{"1000 frame+8 cfa-8 same same"});          // def_cfa_register rbp
  CHECK(rows_of({0x0d, 10}) == Texts{"1000 r10+8 cfa-8 same same"});           // of the innermost frame only
  CHECK(rows_of({0x13, 0x7c}) == Texts{"1000 stack+32 cfa-8 same same"});      // def_cfa_offset_sf -4
  CHECK(rows_of({0x05, 3, 4}) == Texts{"1000 stack+8 cfa-8 same cfa-32"});     // offset_extended
  CHECK(rows_of({0x11, 3, 0x7e}) == Texts{"1000 stack+8 cfa-8 same cfa+16"});  // offset_extended_sf
  CHECK(rows_of({0x11, 16, 0x7f}) == Texts{"1000 stack+24 cfa-8 same same"});  // a return address above the frame
  CHECK(rows_of({0x11, 16, 0x7f, 0x11, 6, 0x7d, 0x83, 1}) == Texts{"1000 stack+24 cfa-8 cfa+8 cfa-24"});
  CHECK(rows_of({0x86, 2, 0xc6}) == Texts{"1000 stack+8 cfa-8 same same"});     // restore
  CHECK(rows_of({0x86, 2, 0x06, 6}) == Texts{"1000 stack+8 cfa-8 same same"});  // restore_extended
  CHECK(rows_of({0x07, 16}) == Texts{"1000 end"});                              // undefined
  CHECK(rows_of({0x09, 16, 5}) == Texts{"1000 stack+8 r5 same same"});          // register: vfork()
  CHECK(rows_of({0x16, 6, 1, 0x30}) == Texts{"1000 stack+8 cfa-8 lost same"});  // val_expression
  CHECK(rows_of({0x14, 3, 2}) == Texts{"1000 stack+8 cfa-8 same lost"});        // val_offset
  CHECK(rows_of({0x2e, 8}) == Texts{"1000 stack+8 cfa-8 same same"});           // GNU_args_size
  CHECK(rows_of({0x0f, 3, 0x76, 0x78, 0x06}) == Texts{"1000 *(frame-8) cfa-8 same same"});
  CHECK(rows_of({0x10, 6, 2, 0x77, 0x10}) == Texts{"1000 stack+8 cfa-8 stack+16 same"});
  CHECK(rows_of({0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22}) ==
        Texts{"1000 stack+8 plt 11 cfa-8 same same"});
  CHECK(rows_of({0x0f, 2, 0x30, 0x31}) == Texts{"1000 none"});  // some other expression
  CHECK(rows_of({0x0a, 0x42, 0x0e, 16, 0x42, 0x0b}) ==          // remember_state, restore_state
        Texts{"1000 stack+8 cfa-8 same same", "1002 stack+16 cfa-8 same same", "1004 stack+8 cfa-8 same same"});
  CHECK(rows_of({0x02, 4, 0x0e, 16, 0x03, 4, 0, 0x0e, 24, 0x04, 4, 0, 0, 0, 0x0e, 32}) ==
        Texts{"1000 stack+8 cfa-8 same same", "1004 stack+16 cfa-8 same same", "1008 stack+24 cfa-8 same same",
              "100c stack+32 cfa-8 same same"});
  // What is damaged has no rule from there on.
  CHECK(rows_of({0x44, 0x3f}) == Texts{"1000 stack+8 cfa-8 same same", "1004 none"});
  CHECK(rows_of({0x44, 0x0b}) == Texts{"1000 stack+8 cfa-8 same same", "1004 none"});
  CHECK(rows_of({0x44, 0x0f, 0x7f}) == Texts{"1000 stack+8 cfa-8 same same", "1004 none"});
  CHECK(rows_of({0x04, 0xff, 0xff, 0xff, 0xff, 0x0e, 16}) == Texts{"1000 stack+8 cfa-8 same same"});
}

TEST_CASE("call frames: a frame of a signal", "[unwind]") {
  FrameSection section;
  section.common("zRS");
  section.entry(0x1000, 0x10, {});
  const std::vector<std::byte> file = elf_with_frames(section.bytes(), {});
  const usdt::MemorySource source(file);
  CHECK(texts(CallFrames::open(source, kRegisters)->rows(0x1000, 0x1010)) ==
        Texts{"1000 stack+8 cfa-8 same same signal"});
}

TEST_CASE("call frames: the table is checked against the entries", "[unwind]") {
  FrameSection section;
  section.common();
  const uint32_t first = section.entry(0x1000, 0x10, {});
  const uint32_t second = section.entry(0x2000, 0x10, {0x0e, 16});
  section.end();
  const auto rows_of = [&](std::vector<std::pair<uint64_t, uint32_t>> table) {
    const std::vector<std::byte> file = elf_with_frames(section.bytes(), frame_table(table));
    const usdt::MemorySource source(file);
    return texts(CallFrames::open(source, kRegisters)->rows(0x2000, 0x2010));
  };
  CHECK(rows_of({{0x1000, first}, {0x2000, second}}) == Texts{"2000 stack+16 cfa-8 same same"});
  CHECK(rows_of({{0x2000, second}, {0x1000, first}}) == Texts{"2000 stack+16 cfa-8 same same"});  // not sorted
  CHECK(rows_of({{0x1000, first}, {0x2000, first}}) == Texts{"2000 none"});
  CHECK(rows_of({{0x1000, first}, {0x2000, 0x7fffffff}}) == Texts{"2000 none"});
  CHECK(rows_of({{0x1000, first}, {0x2000, second + 4}}) == Texts{"2000 none"});
}

TEST_CASE("call frames: one page costs a bounded number of operations", "[unwind]") {
  FrameSection section;
  section.common();
  std::vector<uint8_t> endless(200'000, 0x0a);
  for (size_t i = 1; i < endless.size(); i += 2) endless[i] = 0x0b;  // remember, restore, remember ...
  section.entry(0x1000, 0x10, endless);
  section.end();
  const std::vector<std::byte> file = elf_with_frames(section.bytes(), {});
  const usdt::MemorySource source(file);
  CHECK(texts(CallFrames::open(source, kRegisters)->rows(0x1000, 0x1010)) == Texts{"1000 none"});
}
