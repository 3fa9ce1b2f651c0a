// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernel/tracing_trial.h"

#include <bpf/bpf.h>
#include <linux/bpf.h>

#include <cerrno>
#include <iterator>

#include "base/owned.h"

namespace dtrace::runtime {

int try_to_load() {
  constexpr int kWordBytes = 8;
  // dt_reads() { uint64_t word; bpf_probe_read_kernel(&word, sizeof word, NULL); return 0; }
  const bpf_insn instructions[] = {
      {.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 1, .src_reg = 10, .off = 0, .imm = 0},
      {.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = 1, .src_reg = 0, .off = 0, .imm = -kWordBytes},
      {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 2, .src_reg = 0, .off = 0, .imm = kWordBytes},
      {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 3, .src_reg = 0, .off = 0, .imm = 0},
      {.code = BPF_JMP | BPF_CALL, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = BPF_FUNC_probe_read_kernel},
      {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0},
      {.code = BPF_JMP | BPF_EXIT, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0},
  };
  LIBBPF_OPTS(bpf_prog_load_opts, opts);
  const Fd program(
      bpf_prog_load(BPF_PROG_TYPE_TRACEPOINT, "dt_reads", "GPL", instructions, std::size(instructions), &opts));
  return program ? 0 : errno;
}

}  // namespace dtrace::runtime
