// SPDX-License-Identifier: Apache-2.0
#include "runtime/usdt/stub_calls.h"

#include <fmt/format.h>
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/foreign_limits.h"
#include "runtime/user/function_code.h"
#include "runtime/user/user_object.h"

namespace dtrace::runtime {
namespace {

using usdt::Machine;
using usdt::SiteNote;

constexpr size_t kMaxCalls = 4096;  // of one stub that is replaced by them

/// A call or jump as its bytes look, whether they are an instruction or not.
struct Transfer {
  uint64_t target;
  bool pushes_return_address;
  bool is_conditional = false;
};

template <typename T>
T number_at(std::span<const std::byte> code) {
  T number;
  std::memcpy(&number, code.data(), sizeof number);
  return number;
}

/// The field of `bits` bits at `from`, a signed distance in instructions of four bytes.
uint64_t arm_distance(uint32_t word, int from, int bits) {
  return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(word << (32 - from - bits))) >> (32 - bits)) *
         4;
}

std::optional<Transfer> arm_transfer_at(std::span<const std::byte> code, uint64_t address) {
  if (code.size() < 4 || address % 4 != 0) return std::nullopt;
  const auto word = number_at<uint32_t>(code);
  if ((word >> 26 & 0x1f) == 5) return Transfer{address + arm_distance(word, 0, 26), false};  // B, BL
  if (word >> 24 == 0x54 || (word >> 25 & 0x3f) == 0x1a)                                      // B.cond, CBZ, CBNZ
    return Transfer{address + arm_distance(word, 5, 19), false, true};
  if ((word >> 25 & 0x3f) == 0x1b) return Transfer{address + arm_distance(word, 5, 14), false, true};  // TBZ, TBNZ
  return std::nullopt;
}

/// `code` begins at `address`.
std::optional<Transfer> transfer_at(Machine machine, std::span<const std::byte> code, uint64_t address) {
  if (machine == Machine::kAarch64) return arm_transfer_at(code, address);
  constexpr auto kCall = std::byte{0xe8}, kJump = std::byte{0xe9}, kEscape = std::byte{0x0f}, kIf = std::byte{0x80};
  const bool is_conditional = code.size() > 1 && code[0] == kEscape && (code[1] & std::byte{0xf0}) == kIf;
  const size_t opcode_bytes = is_conditional ? 2 : 1;
  if (code.size() < opcode_bytes + sizeof(int32_t)) return std::nullopt;
  if (code[0] != kCall && code[0] != kJump && !is_conditional) return std::nullopt;
  const int64_t distance = number_at<int32_t>(code.subspan(opcode_bytes));
  const uint64_t target = address + opcode_bytes + sizeof(int32_t) + static_cast<uint64_t>(distance);
  return Transfer{machine == Machine::kI386 ? static_cast<uint32_t>(target) : target, code[0] == kCall, is_conditional};
}

struct Call {
  uint64_t address = 0;
  uint64_t offset = 0;  // in the file
  bool pushes_return_address = false;
  bool is_conditional = false;
};

/// Everything in executable segments that looks like a transfer to one of the stubs, by stub. Nothing if some code
/// cannot be read: a stub whose calls are not all known sees what they would miss.
std::map<uint64_t, std::vector<Call>> transfers_to(const std::map<uint64_t, uint64_t> &stubs, Machine machine,
                                                   const ElfSymbols &elf, int fd) {
  std::map<uint64_t, std::vector<Call>> found;
  for (const ElfSegment &segment : elf.segments()) {
    if (!segment.executable) continue;
    const usdt::FileSource source(fd);
    std::byte last[1];
    const uint64_t size = segment.file_bytes;
    if (size == 0) continue;
    if (size > limits::kMaxScannedCodeBytes || segment.offset > UINT64_MAX - size ||
        !source.read(segment.offset + size - 1, last) || source.has_hole(segment.offset, size))
      return {};
    std::vector<std::byte> code(size);
    if (!source.read(segment.offset, code)) return {};
    for (size_t i = 0; i < code.size(); ++i) {
      const auto transfer = transfer_at(machine, std::span(code).subspan(i), segment.address + i);
      if (!transfer) continue;
      const auto stub = stubs.find(transfer->target);
      if (stub == stubs.end()) continue;
      std::vector<Call> &calls = found[stub->first];
      if (calls.size() <= kMaxCalls)
        calls.push_back(
            {segment.address + i, segment.offset + i, transfer->pushes_return_address, transfer->is_conditional});
    }
  }
  return found;
}

/// Is it an instruction that a probe may be set at, and that calls the stub whenever it is executed?
bool is_site(UserObject &object, const Call &call) {
  if (call.is_conditional) return false;
  const std::optional<UserFunction> function = object.function_around(call.address);
  if (!function) return false;
  const FunctionCode code(object, *function);
  const Instruction *instruction = code.at(call.address - function->address);
  return instruction != nullptr && code.hazard(*instruction).empty() &&
         (instruction->kind == Instruction::Kind::kCall || instruction->kind == Instruction::Kind::kJump);
}

}  // namespace

void replace_stubs(usdt::FileNotes &notes, Machine machine, const std::shared_ptr<const UserFile> &file) {
  std::vector<SiteNote> &sites = notes.sites;
  if (std::none_of(sites.begin(), sites.end(), [](const SiteNote &site) { return site.is_stub; })) return;
  UserObject object(file, file->path);
  const ElfSymbols *elf = object.symbols();
  if (elf == nullptr) return;
  std::map<uint64_t, uint64_t> stubs;  // first instruction: site
  for (const SiteNote &site : sites) {
    // At a call, floating-point arguments are still in vector registers.
    if (site.arguments.find("f@") != std::string::npos) continue;
    const std::optional<UserFunction> stub = site.is_stub ? object.function_around(site.pc) : std::nullopt;
    if (stub) stubs.emplace(stub->address, site.pc);
  }
  std::map<uint64_t, std::vector<Call>> calls;  // by site
  for (auto &[stub, list] : transfers_to(stubs, machine, *elf, file->fd.get()))
    if (list.size() <= kMaxCalls &&
        std::all_of(list.begin(), list.end(), [&](const Call &call) { return is_site(object, call); }))
      calls.emplace(stubs.at(stub), std::move(list));

  std::vector<SiteNote> meant;
  const int64_t word = elf->is_64bit() ? 8 : 4;
  for (SiteNote &site : sites) {
    const auto known = calls.find(site.pc);
    if (!site.is_stub || known == calls.end()) {
      meant.push_back(std::move(site));
      continue;
    }
    for (const Call &call : known->second) {
      SiteNote one = site;
      one.pc = call.address;
      one.code_offset = call.offset;
      one.stack_bytes = call.pushes_return_address ? -word : 0;
      meant.push_back(std::move(one));
    }
  }
  sites = std::move(meant);
}

}  // namespace dtrace::runtime
