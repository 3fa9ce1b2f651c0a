// SPDX-License-Identifier: Apache-2.0
// A BPF program reads four bytes of the kernel's code, and BPF_PROG_TEST_RUN repeats it in one system call: a socket
// filter, because that kind can be repeated and needs no capability but those for tracing.
#include "runtime/kernel/landing_marks.h"

#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "arch/machine.h"
#include "base/owned.h"

namespace dtrace::runtime {
namespace {

constexpr int32_t kWordBytes = 4;

/// What the program and we share.
struct Table {
  uint64_t next;    // of `each`, the program's
  uint64_t each[];  // an address; then the four bytes of its mark, 0 if they cannot be read
};

Mapping map_table(const Fd &map, size_t size_bytes) {
  void *address = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, map.get(), 0);
  return address == MAP_FAILED ? Mapping() : Mapping(address, size_bytes);
}

Fd load_reader(const Fd &map, size_t count) {
  constexpr int16_t kNext = offsetof(Table, next), kEach = offsetof(Table, each), kCode = -8;
  constexpr int16_t kToOut = 10;
  const auto before = static_cast<int32_t>(arch::host_machine().landing_mark.word_before_bytes);
  const bpf_insn instructions[] = {
      // r6 = table; r7 = next++; if (r7 >= count) goto out
      {.code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = 6, .src_reg = BPF_PSEUDO_MAP_VALUE, .off = 0, .imm = map.get()},
      {.code = 0, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0},
      {.code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = 7, .src_reg = 6, .off = kNext, .imm = 0},
      {.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 8, .src_reg = 7, .off = 0, .imm = 0},
      {.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = 8, .src_reg = 0, .off = 0, .imm = 1},
      {.code = BPF_STX | BPF_MEM | BPF_DW, .dst_reg = 6, .src_reg = 8, .off = kNext, .imm = 0},
      {.code = BPF_JMP | BPF_JGE | BPF_K,
       .dst_reg = 7,
       .src_reg = 0,
       .off = kToOut,
       .imm = static_cast<int32_t>(count)},
      // r6 = &each[r7]; bpf_probe_read_kernel(&code, 4, *r6 - before)
      {.code = BPF_ALU64 | BPF_LSH | BPF_K, .dst_reg = 7, .src_reg = 0, .off = 0, .imm = 3},
      {.code = BPF_ALU64 | BPF_ADD | BPF_X, .dst_reg = 6, .src_reg = 7, .off = 0, .imm = 0},
      {.code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = 3, .src_reg = 6, .off = kEach, .imm = 0},
      {.code = BPF_ALU64 | BPF_SUB | BPF_K, .dst_reg = 3, .src_reg = 0, .off = 0, .imm = before},
      {.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 1, .src_reg = 10, .off = 0, .imm = 0},
      {.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = 1, .src_reg = 0, .off = 0, .imm = kCode},
      {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 2, .src_reg = 0, .off = 0, .imm = kWordBytes},
      {.code = BPF_JMP | BPF_CALL, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = BPF_FUNC_probe_read_kernel},
      // *r6 = code
      {.code = BPF_LDX | BPF_MEM | BPF_W, .dst_reg = 1, .src_reg = 10, .off = kCode, .imm = 0},
      {.code = BPF_STX | BPF_MEM | BPF_DW, .dst_reg = 6, .src_reg = 1, .off = kEach, .imm = 0},
      // out:
      {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0},
      {.code = BPF_JMP | BPF_EXIT, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0},
  };
  return Fd(
      bpf_prog_load(BPF_PROG_TYPE_SOCKET_FILTER, "dt_marks", "GPL", instructions, std::size(instructions), nullptr));
}

}  // namespace

bool move_to_landing_marks(std::span<uint64_t> places) {
  constexpr size_t kMaxPlaces = size_t{1} << 24;
  if (places.empty() || places.size() > kMaxPlaces) return false;
  const size_t table_bytes = sizeof(Table) + places.size_bytes();
  LIBBPF_OPTS(bpf_map_create_opts, map_opts, .map_flags = BPF_F_MMAPABLE);
  const Fd map(bpf_map_create(BPF_MAP_TYPE_ARRAY, "dt_marks", sizeof(uint32_t), static_cast<uint32_t>(table_bytes), 1,
                              &map_opts));
  if (!map) return false;
  const Fd reader = load_reader(map, places.size());
  const Mapping mapping = reader ? map_table(map, table_bytes) : Mapping();
  if (!mapping) return false;
  auto *table = static_cast<Table *>(mapping.data());
  std::copy(places.begin(), places.end(), table->each);

  char packet[64] = {};  // more than an Ethernet header, which a run must have
  LIBBPF_OPTS(bpf_test_run_opts, run, .data_in = packet, .data_size_in = sizeof packet,
              .repeat = static_cast<int>(places.size()));
  if (bpf_prog_test_run_opts(reader.get(), &run) != 0 || table->next != places.size()) return false;
  for (size_t i = 0; i < places.size(); ++i)
    places[i] -= arch::host_machine().landing_mark.bytes_before(static_cast<uint32_t>(table->each[i]));
  return true;
}

}  // namespace dtrace::runtime
