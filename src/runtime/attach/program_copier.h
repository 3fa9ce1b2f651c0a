// SPDX-License-Identifier: Apache-2.0
// Copies of a program that libbpf has loaded. A kernel function that calls a program itself needs one for itself alone;
// tracepoints that share the code of a program have one each, with a number in it (CopyNumber).
#pragma once

#include <bpf/bpf.h>
#include <linux/bpf.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/owned.h"

struct bpf_program;

namespace dtrace::runtime {

/// A copy, until its link is closed.
struct ProgramCopy {
  std::string name;  ///< for people: ProgramPlan::function, or the tracepoint
  Fd program, link;
};

class ProgramCopier {
 public:
  explicit ProgramCopier(const bpf_program &program);

  /// Puts `number` in place of the mark. False: the program has no mark.
  bool set_number(uint32_t number);
  /// Loads a copy. Not valid: errno says why.
  Fd load(bpf_prog_type type, const std::string &name, bpf_prog_load_opts &options) const;

 private:
  std::vector<bpf_insn> instructions_;  // as libbpf loaded them: maps are in them by their descriptors
  std::optional<std::vector<size_t>> marks_;
  // Types of the functions, without which the kernel loads none that gives a function to a helper (bpf_loop).
  Fd types_;
  std::vector<bpf_func_info> functions_;
};

}  // namespace dtrace::runtime
