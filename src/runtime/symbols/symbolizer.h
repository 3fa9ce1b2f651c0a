// SPDX-License-Identifier: Apache-2.0
// From addresses to the texts that stacks and symbol values print. The printers know only this interface;
// runtime/symbols/ implements it on kallsyms and ELF.
//
// Every call answers: what cannot be resolved comes back as "module`0xaddr", "object+0xoff" or "0xaddr", never as an
// error and never empty.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace dtrace {

class Symbolizer {
 public:
  virtual ~Symbolizer() = default;

  /// "module`symbol", "module`0xaddr" or "0xaddr". With `want_offset`, "+0xoff" follows the symbol unless the offset is
  /// 0. The core kernel's module is "vmlinux".
  virtual std::string kernel_symbol(uint64_t address, bool want_offset) = 0;
  /// Name of the module that holds `address`, or "0xaddr".
  virtual std::string kernel_module(uint64_t address) = 0;

  /// "object`symbol[+0xoff]", "object+0xoff" or "0xaddr", object by its basename; "object:0xoffset" under option
  /// noresolve. `pid` is a thread group id as the probe saw it; the process may have exited since.
  virtual std::string user_symbol(pid_t pid, uint64_t address, bool want_offset) = 0;
  /// Basename of the object that holds `address`, or "0xaddr".
  virtual std::string user_module(pid_t pid, uint64_t address) = 0;
};

}  // namespace dtrace
