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
#include <string_view>
#include <vector>

namespace dtrace::runtime {

/// A function on a stack.
struct StackFrame {
  std::string symbol;           ///< as user_symbol(); of an inlined function without an offset
  std::string source;           ///< "file.c:12"; empty: not known, or not wanted
  bool is_inlined = false;      ///< it has no frame of its own: the next one's is around it
  std::string_view language{};  ///< of a managed frame, which has no address; a constant text
};

/// A process, and which of the programs that it has executed.
struct UserImage {
  UserImage(pid_t process, uint32_t program = 0) : pid(process), mark(program) {}
  pid_t pid;      ///< a thread group id as the probe saw it; the process may have exited since
  uint32_t mark;  ///< dt_image_mark(); 0: not known, the newest one that has the address
};

/// The piece of a file that an address lies in.
struct CodeMapping {
  uint64_t start = 0, end = 0;  ///< addresses; both 0: not known
  uint64_t offset = 0;          ///< of `start` in the file
  std::string file;             ///< its path; a kernel module in brackets; empty: none
  std::string build_id;         ///< hexadecimal; empty: not known
};

class Symbolizer {
 public:
  virtual ~Symbolizer() = default;

  /// "module`symbol", "module`0xaddr" or "0xaddr". With `want_offset`, "+0xoff" follows the symbol unless the offset is
  /// 0. The core kernel's module is "vmlinux".
  virtual std::string kernel_symbol(uint64_t address, bool want_offset) = 0;
  /// Name of the module that holds `address`, or "0xaddr".
  virtual std::string kernel_module(uint64_t address) = 0;

  /// "object`symbol[+0xoff]", "object+0xoff" or "0xaddr", object by its basename; "object:0xoffset" under option
  /// noresolve.
  virtual std::string user_symbol(UserImage image, uint64_t address, bool want_offset) = 0;
  /// The functions of one frame of a user stack: those that were inlined there, innermost first, and the one around
  /// them. `is_return`: the address is where a call returns to, and the call lies before.
  virtual std::vector<StackFrame> user_frames(UserImage image, uint64_t address, bool is_return) {
    (void)is_return;
    return {{user_symbol(image, address, true), {}, false, {}}};
  }
  /// Basename of the object that holds `address`, or "0xaddr".
  virtual std::string user_module(UserImage image, uint64_t address) = 0;

  /// Where the code of an address comes from, as far as that is known; pid 0: the kernel's.
  virtual CodeMapping mapping(UserImage image, uint64_t address) {
    (void)image, (void)address;
    return {};
  }
};

}  // namespace dtrace::runtime
