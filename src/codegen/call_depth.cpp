// SPDX-License-Identifier: Apache-2.0
#include "codegen/call_depth.h"

#include <gelf.h>
#include <linux/bpf.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dtrace::codegen {
namespace {

constexpr uint32_t kFrameBytes = 32;

/// A function is where it begins: the section and the offset in it.
using FunctionPlace = std::pair<size_t, uint64_t>;

struct CalledFunction {
  uint32_t stack_bytes = 0;
  std::vector<FunctionPlace> calls;
  std::vector<std::string> others;  ///< names of functions that the object does not have
};

struct CallGraph {
  std::map<FunctionPlace, CalledFunction> functions;
  std::map<std::string, FunctionPlace, std::less<>> by_name;
};

/// What an instruction does with the frame pointer, in a row of instructions.
class FrameUse {
 public:
  void see(const bpf_insn &insn) {
    constexpr uint8_t kMove = BPF_ALU64 | BPF_MOV | BPF_X, kAdd = BPF_ALU64 | BPF_ADD | BPF_K;
    const uint8_t kind = BPF_CLASS(insn.code);
    if (kind == BPF_LDX && insn.src_reg == BPF_REG_10) reach(insn.off);
    if ((kind == BPF_ST || kind == BPF_STX) && insn.dst_reg == BPF_REG_10) reach(insn.off);
    if (insn.code == kAdd && copies_[insn.dst_reg]) reach(insn.imm);
    if (kind == BPF_ALU64 || kind == BPF_ALU || kind == BPF_LDX || kind == BPF_LD)
      copies_[insn.dst_reg] = insn.code == kMove && insn.src_reg == BPF_REG_10;
  }
  uint32_t deepest() const { return deepest_; }

 private:
  void reach(int32_t offset) {
    if (offset < 0) deepest_ = std::max(deepest_, static_cast<uint32_t>(-int64_t{offset}));
  }

  bool copies_[16] = {};
  uint32_t deepest_ = 0;
};

class CallGraphReader {
 public:
  explicit CallGraphReader(Elf *elf) : elf_(elf) {}

  CallGraph read() {
    find_symbols();
    CallGraph object;
    if (symbols_ == nullptr) return object;
    for (size_t i = 0; i < nr_symbols_; i++) {
      const GElf_Sym symbol = this->symbol(i);
      if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
      const FunctionPlace place(symbol.st_shndx, symbol.st_value);
      object.by_name.emplace(name(symbol), place);
      object.functions.emplace(place, function(symbol));
    }
    return object;
  }

 private:
  void find_symbols() {
    for (Elf_Scn *section = nullptr; (section = elf_nextscn(elf_, section)) != nullptr;) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) == nullptr) continue;
      if (header.sh_type == SHT_SYMTAB) {
        symbols_ = elf_getdata(section, nullptr);
        names_ = header.sh_link;
        nr_symbols_ = symbols_ == nullptr ? 0 : symbols_->d_size / sizeof(Elf64_Sym);
      }
      if (header.sh_type == SHT_REL) relocations_[header.sh_info] = elf_getdata(section, nullptr);
    }
  }

  GElf_Sym symbol(size_t index) const {
    GElf_Sym symbol{};
    gelf_getsym(symbols_, static_cast<int>(index), &symbol);
    return symbol;
  }

  std::string name(const GElf_Sym &symbol) const {
    const char *text = elf_strptr(elf_, names_, symbol.st_name);
    return text == nullptr ? "" : text;
  }

  /// The symbols that the section's instructions mention, by offset.
  const std::map<uint64_t, size_t> &mentions(size_t section) {
    auto [known, is_new] = mentions_.try_emplace(section);
    Elf_Data *data = is_new && relocations_.contains(section) ? relocations_[section] : nullptr;
    for (size_t i = 0; data != nullptr && i < data->d_size / sizeof(Elf64_Rel); i++) {
      GElf_Rel relocation{};
      if (gelf_getrel(data, static_cast<int>(i), &relocation) != nullptr)
        known->second.emplace(relocation.r_offset, GELF_R_SYM(relocation.r_info));
    }
    return known->second;
  }

  CalledFunction function(const GElf_Sym &symbol) {
    CalledFunction result;
    Elf_Data *code = elf_getdata(elf_getscn(elf_, symbol.st_shndx), nullptr);
    if (code == nullptr || symbol.st_value + symbol.st_size > code->d_size) return result;
    FrameUse frame;
    const auto *bytes = static_cast<const char *>(code->d_buf);
    for (uint64_t at = symbol.st_value; at + sizeof(bpf_insn) <= symbol.st_value + symbol.st_size;
         at += sizeof(bpf_insn)) {
      bpf_insn insn;
      std::memcpy(&insn, bytes + at, sizeof insn);
      frame.see(insn);
      const bool is_wide = insn.code == (BPF_LD | BPF_IMM | BPF_DW);
      const bool is_call = insn.code == (BPF_JMP | BPF_CALL) && insn.src_reg == BPF_PSEUDO_CALL;
      if (is_wide || is_call) note_call(result, symbol.st_shndx, at, insn, is_call);
      if (is_wide) at += sizeof insn;
    }
    result.stack_bytes = frame.deepest();
    return result;
  }

  /// A call, or the address of a function, which a helper calls.
  void note_call(CalledFunction &from, size_t section, uint64_t at, const bpf_insn &insn, bool is_call) {
    const std::map<uint64_t, size_t> &symbols = mentions(section);
    auto mention = symbols.find(at);
    if (mention == symbols.end()) {
      if (is_call) from.calls.emplace_back(section, at + (int64_t{insn.imm} + 1) * sizeof insn);
      return;
    }
    const GElf_Sym symbol = this->symbol(mention->second);
    const unsigned type = GELF_ST_TYPE(symbol.st_info);
    if (symbol.st_shndx == SHN_UNDEF) {
      if (is_call) from.others.push_back(name(symbol));
    } else if (type == STT_FUNC) {
      from.calls.emplace_back(symbol.st_shndx, symbol.st_value);
    } else if (type == STT_SECTION) {
      // Beside a section a call has the instruction in it, less one, and an address the byte.
      const int64_t offset = is_call ? (int64_t{insn.imm} + 1) * int64_t{sizeof insn} : insn.imm;
      from.calls.emplace_back(symbol.st_shndx, offset);  // of a section without functions: found nowhere
    }
  }

  Elf *elf_;
  Elf_Data *symbols_ = nullptr;
  size_t names_ = 0;
  size_t nr_symbols_ = 0;
  std::map<size_t, Elf_Data *> relocations_;
  std::map<size_t, std::map<uint64_t, size_t>> mentions_;
};

CallGraph read(const char *bytes, size_t size_bytes) {
  elf_version(EV_CURRENT);
  std::vector<char> copy(bytes, bytes + size_bytes);  // libelf wants memory that it may write
  const std::unique_ptr<Elf, int (*)(Elf *)> elf(elf_memory(copy.data(), copy.size()), elf_end);
  return elf == nullptr ? CallGraph{} : CallGraphReader(elf.get()).read();
}

class DepthWalk {
 public:
  DepthWalk(const CallGraph &object, const CallGraph *linked) : object_(object), linked_(linked) {}

  CallDepth from(FunctionPlace place) {
    auto [known, is_new] = known_.try_emplace(place);
    auto function = object_.functions.find(place);
    if (!is_new || function == object_.functions.end()) return known->second;  // in progress: it calls itself
    CallDepth below;
    const auto add = [&](const CallDepth &callee) {
      below.stack_bytes = std::max(below.stack_bytes, callee.stack_bytes);
      below.frames = std::max(below.frames, callee.frames);
    };
    for (const FunctionPlace &callee : function->second.calls) add(from(callee));
    for (const std::string &callee : function->second.others)
      if (linked_ != nullptr)
        if (auto other = linked_->by_name.find(callee); other != linked_->by_name.end())
          add(DepthWalk(*linked_, nullptr).from(other->second));
    const uint32_t own_bytes = std::max(function->second.stack_bytes, 1U);
    const CallDepth depth{below.stack_bytes + (own_bytes + kFrameBytes - 1) / kFrameBytes * kFrameBytes,
                          below.frames + 1};
    return known_[place] = depth;
  }

 private:
  const CallGraph &object_;
  const CallGraph *linked_;
  std::map<FunctionPlace, CallDepth> known_;
};

}  // namespace

CallDepth call_depth(std::span<const char> elf, std::span<const std::byte> linked) {
  const CallGraph object = read(elf.data(), elf.size());
  const CallGraph other = read(reinterpret_cast<const char *>(linked.data()), linked.size());
  DepthWalk walk(object, &other);
  CallDepth most;
  for (const auto &[place, function] : object.functions) {
    const CallDepth depth = walk.from(place);
    most.stack_bytes = std::max(most.stack_bytes, depth.stack_bytes);
    most.frames = std::max(most.frames, depth.frames);
  }
  return most;
}

}  // namespace dtrace::codegen
