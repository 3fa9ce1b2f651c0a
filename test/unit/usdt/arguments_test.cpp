// SPDX-License-Identifier: Apache-2.0
// SiteArgument strings: how they divide, what each form of an operand means, and the strings that real programs ship.
#include "usdt/arguments.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "test/unit/usdt/elf_builder.h"
#include "usdt/registers.h"

using namespace dtrace;
using namespace dtrace::usdt;
using test::ElfBuilder;

namespace {

constexpr uint64_t kPc = ElfBuilder::kCode + 0x10;

/// What a register at that offset is called, for readable expectations.
std::string register_name(Machine machine, uint16_t offset) {
  constexpr std::string_view kX86[] = {"r15", "r14", "r13", "r12", "rbp", "rbx", "r11", "r10", "r9", "r8",
                                       "rax", "rcx", "rdx", "rsi", "rdi", "?",   "ip",  "?",   "?",  "rsp"};
  if (machine == Machine::kAarch64) {
    if (offset == 31 * 8) return "sp";
    if (offset == 32 * 8) return "pc";
    return fmt::format("x{}", offset / 8);
  }
  return offset / 8 < 20 ? std::string(kX86[offset / 8]) : "?";
}

/// "-4@[rbp-57]", "8@rdi", "4@$1", "4@fs:[16]", "8@&[ip+12]", "?REASON".
std::string shown(const UserOperand &o, Machine machine) {
  using Kind = UserOperand::Kind;
  if (o.kind == Kind::kUnavailable) return "?" + o.reason;
  std::string out = fmt::format("{}{}{}@", o.is_signed ? "-" : "", o.size_bytes, o.is_float ? "f" : "");
  if (o.kind == Kind::kConstant) return out + fmt::format("${}", o.displacement);
  if (o.kind == Kind::kRegister)
    return out + register_name(machine, o.base) + (o.shift_bits != 0 ? fmt::format(">>{}", o.shift_bits) : "");
  if (o.kind == Kind::kRegisterPair)
    return out + register_name(machine, o.index) + ":" + register_name(machine, o.base);
  if (o.kind == Kind::kAddress) out += '&';
  if (o.kind == Kind::kThreadMemory) out += "fs:";
  out += '[';
  std::string sum;
  if (o.base != UserOperand::kNoRegister) sum += register_name(machine, o.base);
  if (o.index != UserOperand::kNoRegister) {
    sum += (sum.empty() ? "" : "+") + register_name(machine, o.index);
    if (o.is_index_narrow) sum += o.is_index_signed ? ".sw" : ".uw";
    if (o.scale != 1) sum += fmt::format("*{}", o.scale);
  }
  if (o.displacement != 0 || sum.empty())
    sum += sum.empty() ? fmt::format("{}", o.displacement) : fmt::format("{:+}", o.displacement);
  return out + sum + "]";
}

std::vector<std::string> resolved(const ElfFile &file, std::string_view text) {
  const std::vector<SiteArgument> arguments = parse_arguments(text, file.machine());
  ArgumentSymbols symbols;
  symbols.want(arguments);
  symbols.find(file, nullptr);
  std::vector<std::string> out;
  for (const UserOperand &operand : symbols.resolve(arguments, file, kPc))
    out.push_back(shown(operand, file.machine()));
  return out;
}

/// A file with the symbols that the strings below name.
ElfBuilder with_symbols(uint16_t type = ET_DYN, uint16_t machine = EM_X86_64) {
  ElfBuilder builder(type, machine);
  builder.symbol("NBuffers", 0x3100);
  builder.symbol("CheckpointStats", 0x3200);
  builder.symbol("table", 0x3300);
  builder.symbol("near", kPc + 100);
  builder.symbol("tvar", 8, STT_TLS);
  builder.symbol("elsewhere", 0, STT_OBJECT, SHN_UNDEF);
  builder.got_slot(0x3050);
  builder.thread_block(20, 16);
  builder.got_address(0x3040);
  return builder;
}

std::vector<std::string> x86(std::string_view text) {
  const test::BuiltFile built(with_symbols().build());
  return resolved(built.file(), text);
}
std::vector<std::string> x86_fixed(std::string_view text) {
  const test::BuiltFile built(with_symbols(ET_EXEC).build());
  return resolved(built.file(), text);
}
std::vector<std::string> i386(std::string_view text) {
  const test::BuiltFile built(with_symbols(ET_EXEC, EM_386).build());
  return resolved(built.file(), text);
}
std::vector<std::string> arm(std::string_view text) {
  const test::BuiltFile built(with_symbols(ET_DYN, EM_AARCH64).build());
  return resolved(built.file(), text);
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("arguments: division", "[arguments]") {
  CHECK(x86("").empty());
  CHECK(x86("   ").empty());
  CHECK(x86("8@%rdi") == Texts{"8@rdi"});
  CHECK(x86(" 8@%rdi   -4@%esi ") == Texts{"8@rdi", "-4@rsi"});
  CHECK(arm("8@[sp, 16] -4@w1 4@[x0, x1, lsl 2]") == Texts{"8@[sp+16]", "-4@x1", "4@[x0+x1*4]"});
  CHECK(x86("4@elsewhere@GOTPCREL(%rip) 1@%dil").size() == 2);
  CHECK(parse_arguments("8@%rax 8@what is this? 4@%eax", Machine::kX86_64).size() == 3);
  CHECK(x86("%rdi")[0].starts_with("?"));
  CHECK(x86("@%rdi")[0].starts_with("?"));
  CHECK(x86("8@")[0].starts_with("?"));
  CHECK(x86("8@%rdi 8@ 4@%eax") == Texts{"8@rdi", "?the note has no location for it", "4@rax"});
  std::string many;
  for (int i = 0; i < 200; ++i) many += "8@%rdi ";
  CHECK(x86(many).size() == kMaxArguments);
}

TEST_CASE("arguments: registers of x86-64", "[arguments]") {
  CHECK(x86("8@%rdi 4@%edi -2@%di 1@%dil") == Texts{"8@rdi", "4@rdi", "-2@rdi", "1@rdi"});
  CHECK(x86("8@%r8 4@%r8d 2@%r8w 1@%r8b -1@%r15b") == Texts{"8@r8", "4@r8", "2@r8", "1@r8", "-1@r15"});
  CHECK(x86("1@%ah 1@%bh 1@%ch 1@%dh 1@%bpl") == Texts{"1@rax>>8", "1@rbx>>8", "1@rcx>>8", "1@rdx>>8", "1@rbp"});
  CHECK(x86("-4@%rax") == Texts{"-4@rax"});  // the size governs, the name may be wider
  CHECK(x86("-16@%rax") == Texts{"-8@rax"});
  CHECK(x86("8f@%rdx 4f@%edx 8f@-8(%rsp)") == Texts{"8f@rdx", "4f@rdx", "8f@[rsp-8]"});
  CHECK(x86("16f@(%rsp)") == Texts{"?it is a floating-point number of 16 bytes"});
  CHECK(x86("8f@%xmm0") == Texts{"?it is in the register %xmm0, which a probe cannot see"});
  CHECK(x86("10f@%st(0) 4@%eax") == Texts{"?it is in the register %st, which a probe cannot see", "4@rax"});
  CHECK(x86("8@%rzx")[0].starts_with("?"));
}

TEST_CASE("arguments: constants", "[arguments]") {
  CHECK(x86("-4@$42 8@$0x10 -4@$-1 4@$-1 1@$300 8@$0") ==
        Texts{"-4@$42", "8@$16", "-4@$-1", "4@$4294967295", "1@$44", "8@$0"});
  CHECK(x86("8@$010 4@-010(%rsp) 8@0x20(%rsp) 8@$0377 8@$-017") ==
        Texts{"8@$8", "4@[rsp-8]", "8@[rsp+32]", "8@$255", "8@$-15"});
  CHECK(x86("8@$08")[0].starts_with("?"));
  CHECK(x86("8@$18446744073709551615") == Texts{"8@$-1"});
  CHECK(x86("8@$near") == Texts{"8@&[ip+100]"});
  CHECK(x86("8@$99999999999999999999")[0].starts_with("?"));
}

TEST_CASE("arguments: memory of x86-64", "[arguments]") {
  CHECK(x86("8@(%rdi) 8@8(%rsp) -4@-144(%rbp) 8@0(%r13)") == Texts{"8@[rdi]", "8@[rsp+8]", "-4@[rbp-144]", "8@[r13]"});
  CHECK(x86("8@(%rax,%rbx,4) 8@8(%rdx,%rbx,4) 8@(%rax,%rbx)") ==
        Texts{"8@[rax+rbx*4]", "8@[rdx+rbx*4+8]", "8@[rax+rbx]"});
  CHECK(x86("8@(,%rdi,4)") == Texts{"8@[rdi*4]"});
  CHECK(x86("8@(%rax,%rbx,1) 8@(%rax,%rbx,2) 8@16(%rax,%rbx,8)") ==
        Texts{"8@[rax+rbx]", "8@[rax+rbx*2]", "8@[rax+rbx*8+16]"});
  CHECK(x86("8@(%rax,%rbx,3)")[0].starts_with("?"));
  CHECK(x86("8@8(%rsp")[0].starts_with("?"));
  CHECK(x86("24@8(%rsp)") == Texts{"?it is a structure of 24 bytes"});
  CHECK(x86("8@DWORD PTR [rbp-4]") == Texts{"?it is written in Intel syntax"});
}

TEST_CASE("arguments: symbols are distances from the site", "[arguments]") {
  CHECK(x86("-4@NBuffers(%rip)") == Texts{fmt::format("-4@[ip{:+}]", 0x3100 - static_cast<int64_t>(kPc))});
  CHECK(x86("-4@40+CheckpointStats(%rip)") == Texts{fmt::format("-4@[ip{:+}]", 0x3228 - static_cast<int64_t>(kPc))});
  CHECK(x86("-4@CheckpointStats+12(%rip)") == Texts{fmt::format("-4@[ip{:+}]", 0x320c - static_cast<int64_t>(kPc))});
  CHECK(x86("-4@CheckpointStats-4+16(%rip)") == Texts{fmt::format("-4@[ip{:+}]", 0x320c - static_cast<int64_t>(kPc))});
  CHECK(x86("-4@(near+4)(%rip)") == Texts{"-4@[ip+104]"});
  CHECK(x86("8@near") == Texts{"8@[ip+100]"});
  CHECK(x86("8@8(%rip)")[0].starts_with("?"));
  CHECK(x86("8f@.LC0(%rip)") == Texts{"?the compiler's label .LC0 is not kept in the file"});
  CHECK(x86("-4@72+mp_(%rip)") == Texts{"?the file has no symbol mp_ (its debugging information may have)"});
}

TEST_CASE("arguments: symbols with registers", "[arguments]") {
  const auto near = static_cast<int64_t>(kPc + 100);
  CHECK(x86_fixed("4@near(,%rdi,4)") == Texts{"4@[ip+rdi*4+100]"});
  CHECK(x86_fixed("4@near+8(,%rdi,4)") == Texts{"4@[ip+rdi*4+108]"});
  CHECK(x86_fixed("4@near+4(%rax)") == Texts{"4@[rax+ip+104]"});
  CHECK(x86_fixed("4@near(%rax,%rdi,4)") == Texts{fmt::format("4@[rax+rdi*4{:+}]", near)});
  CHECK(x86("4@near(%rax,%rdi,4)")[0].starts_with("?"));
}

TEST_CASE("arguments: the global offset table", "[arguments]") {
  // The slot is in the file; what the loader put there is the value.
  CHECK(x86("8@elsewhere@GOTPCREL(%rip)") == Texts{fmt::format("8@[ip{:+}]", 0x3050 - static_cast<int64_t>(kPc))});
  // No slot: the linker knew the address.
  CHECK(x86("8@near@GOTPCREL(%rip)") == Texts{"8@&[ip+100]"});
  CHECK(x86("8@near@BOGUS(%rip)")[0].starts_with("?"));
  CHECK(x86("8@%eax") == Texts{"8@rax"});
}

TEST_CASE("arguments: thread-local variables", "[arguments]") {
  // 20 bytes aligned to 16 end at the thread pointer; the variable is the third word of them.
  CHECK(x86("-4@%fs:tvar@tpoff") == Texts{"-4@fs:[-24]"});
  CHECK(x86("-4@%fs:tvar@tpoff+4") == Texts{"-4@fs:[-20]"});
  CHECK(x86("8@%fs:16") == Texts{"8@fs:[16]"});
  CHECK(x86("-4@%fs:near@tpoff")[0].starts_with("?"));
  CHECK(x86("-4@tvar(%rip)")[0].starts_with("?"));
  CHECK(x86("8@%gs:16")[0].starts_with("?"));
}

TEST_CASE("arguments: i386", "[arguments]") {
  // The builder's tables are 64-bit; here only the machine matters.
  CHECK(i386("-4@%eax 2@%cx 1@%dh -4@8(%ebp) 4@$5") == Texts{"-4@rax", "2@rcx", "1@rdx>>8", "-4@[rbp+8]", "4@$5"});
  CHECK(i386("8@%eax 8@%edx 8@%ecx 8@%ebx 8@%esi 8@%edi") ==
        Texts{"8@rdx:rax", "8@rcx:rdx", "8@rbx:rcx", "8@rsi:rbx", "8@rdi:rsi", "8@rbp:rdi"});
  CHECK(i386("8@%rax")[0].starts_with("?"));
  CHECK(i386("-4@near") == Texts{"-4@[ip+100]"});
  CHECK(i386("-4@near+4") == Texts{"-4@[ip+104]"});
  CHECK(i386("-4@near@GOTOFF(%ebx)") == Texts{fmt::format("-4@[rbx{:+}]", static_cast<int64_t>(kPc + 100) - 0x3040)});
  CHECK(i386("-4@%gs:tvar@ntpoff") == Texts{"-4@fs:[-24]"});
  const test::BuiltFile built(with_symbols(ET_EXEC, EM_386).build());
  const auto arguments = parse_arguments("4@%eax", Machine::kI386);
  CHECK(ArgumentSymbols().resolve(arguments, built.file(), kPc)[0].is_narrow);
}

TEST_CASE("arguments: aarch64", "[arguments]") {
  CHECK(arm("8@x0 -4@w19 8@x30 8@sp 8@xzr 4@wzr") == Texts{"8@x0", "-4@x19", "8@x30", "8@sp", "8@$0", "4@$0"});
  CHECK(arm("-4@42 -4@-1 8@0 8@#7") == Texts{"-4@$42", "-4@$-1", "8@$0", "8@$7"});
  CHECK(arm("8@[sp, 16] -4@[x29, -20] 8@[x0] 8@[x19, #8]") == Texts{"8@[sp+16]", "-4@[x29-20]", "8@[x0]", "8@[x19+8]"});
  CHECK(arm("8@[x0, x1] 4@[x0, w1, sxtw 2] 8@[x0, x1, lsl 3] 4@[x0, w1, uxtw]") ==
        Texts{"8@[x0+x1]", "4@[x0+x1.sw*4]", "8@[x0+x1*8]", "4@[x0+x1.uw]"});
  CHECK(arm("8@[x0, :lo12:NBuffers]") == Texts{"8@[x0+256]"});
  CHECK(arm("-4@near") == Texts{"-4@[pc+100]"});
  CHECK(arm("8f@d0 4f@s1")[0] == "?it is in the register d0, which a probe cannot see");
  CHECK(arm("8@x31")[0].starts_with("?"));
}

// One row per string of the programs that distributions ship.
TEST_CASE("arguments: strings of installed programs", "[arguments]") {
  const auto at = [](int64_t address) { return fmt::format("ip{:+}", address - static_cast<int64_t>(kPc)); };
  struct Row {
    std::string_view what, text;
    Texts wanted;
  };
  const std::string unknown_mp = "?the file has no symbol mp_ (its debugging information may have)";
  const Row rows[] = {
      {"postgres query-start", "8@%rbx", {"8@rbx"}},
      {"postgres query-done", "8@-144(%rbp)", {"8@[rbp-144]"}},
      {"postgres sort-start",
       "-4@$1 1@-57(%rbp) -4@%edx -4@%ebx 1@-58(%rbp) -4@$0",
       {"-4@$1", "1@[rbp-57]", "-4@rdx", "-4@rbx", "1@[rbp-58]", "-4@$0"}},
      {"postgres buffer-read-done",
       "-4@%r12d 4@%ebx 4@%eax 4@%edx 4@%ecx -4@$-1 1@$0 1@$1",
       {"-4@r12", "4@rbx", "4@rax", "4@rdx", "4@rcx", "-4@$-1", "1@$0", "1@$1"}},
      {"postgres lock-wait-start",
       "4@(%r12) 4@4(%r12) 4@8(%r12) 2@12(%r12) 1@14(%r12) -4@%r13d",
       {"4@[r12]", "4@[r12+4]", "4@[r12+8]", "2@[r12+12]", "1@[r12+14]", "-4@r13"}},
      {"postgres checkpoint-done",
       "-4@40+CheckpointStats(%rip) -4@NBuffers(%rip) -4@44+CheckpointStats(%rip)",
       {"-4@[" + at(0x3228) + "]", "-4@[" + at(0x3100) + "]", "-4@[" + at(0x322c) + "]"}},
      {"postgres wal-insert", "1@%dil 1@%sil", {"1@rdi", "1@rsi"}},
      {"postgres transaction-commit", "4@60(%rax)", {"4@[rax+60]"}},
      {"python function-entry", "8@%rbp 8@%r12 -4@%eax", {"8@rbp", "8@r12", "-4@rax"}},
      {"python gc-start", "-4@112(%rsp)", {"-4@[rsp+112]"}},
      {"python gc-done", "-8@%r12", {"-8@r12"}},
      {"ruby method-entry",
       "8@(%rsp) 8@8(%rsp) 8@16(%rsp) -4@24(%rsp)",
       {"8@[rsp]", "8@[rsp+8]", "8@[rsp+16]", "-4@[rsp+24]"}},
      {"ruby array-create", "-4@$0 8@%rax -4@4(%rsp)", {"-4@$0", "8@rax", "-4@[rsp+4]"}},
      {"ruby array-create, elsewhere", "-8@%rbx 8@%rax -4@4(%rsp)", {"-8@rbx", "8@rax", "-4@[rsp+4]"}},
      {"ruby parse-begin", "8@200(%r13) -4@196(%r13)", {"8@[r13+200]", "-4@[r13+196]"}},
      {"ruby gc-mark-begin", "", {}},
      {"php function-entry",
       "8@%rax 8@%r14 -4@%r13d 8@(%rsp) 8@16(%rsp)",
       {"8@rax", "8@r14", "-4@r13", "8@[rsp]", "8@[rsp+16]"}},
      {"php exception-thrown", "8@$0", {"8@$0"}},
      {"hotspot method-entry",
       "-8@%rax 8@%rdx -4@%ecx 8@%rsi -4@%edi 8@%r8 -4@%r9d",
       {"-8@rax", "8@rdx", "-4@rcx", "8@rsi", "-4@rdi", "8@r8", "-4@r9"}},
      {"hotspot class-loaded", "8@%rdx -4@%eax 8@152(%rdi) 1@%cl", {"8@rdx", "-4@rax", "8@[rdi+152]", "1@rcx"}},
      {"libvirt rpc_server_client_auth_deny", "8@%rbx -4@%eax 8@$1", {"8@rbx", "-4@rax", "8@$1"}},
      {"libstdc++ throw", "8@%rdi 8@%rsi", {"8@rdi", "8@rsi"}},
      {"libstdc++ catch", "8@%rdx 8@-80(%rbx)", {"8@rdx", "8@[rbx-80]"}},
      {"staprun stap_system-spawn", "-4@%ebx -4@-360(%rbp)", {"-4@rbx", "-4@[rbp-360]"}},
      {"glibc longjmp", "8@%rdi -4@%esi 8@%rdx", {"8@rdi", "-4@rsi", "8@rdx"}},
      {"glibc pthread_create", "8@%rax 8@%r12 8@(%rsp) 8@8(%rsp)", {"8@rax", "8@r12", "8@[rsp]", "8@[rsp+8]"}},
      {"glibc memory_mallopt_mmap_max", "-4@%eax -4@72+mp_(%rip) -4@80+mp_(%rip)", {"-4@rax", unknown_mp, unknown_mp}},
  };
  for (const Row &row : rows) {
    INFO(row.what);
    CHECK(x86(row.text) == row.wanted);
  }
}
