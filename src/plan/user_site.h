// SPDX-License-Identifier: Apache-2.0
// Sites: the locations in files and in kernel functions where a probe is set, and the cookie by which a program learns
// at which of them it runs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/owned.h"
#include "plan/user_operand.h"

namespace dtrace {

/// What a site's attach cookie says, packed into its 64 bits.
struct SiteCookie {
  uint32_t probe = 0;    ///< probe id
  uint16_t row = 0;      ///< 12 bits: which set of the program's clauses runs
  uint32_t variant = 0;  ///< 20 bits: where the arguments lie at this site, or the offset of a return instruction

  static constexpr unsigned kRowBits = 12, kVariantBits = 20;
  static constexpr uint32_t kMaxRows = 1 << kRowBits, kMaxVariants = 1 << kVariantBits;
  /// Variants of operands from here on are read from a table (dt_abi.h), because the program was there before them.
  static constexpr uint32_t kFirstLateVariant = kMaxVariants / 2;
  constexpr uint64_t packed() const {
    return probe | static_cast<uint64_t>(row) << 32 | static_cast<uint64_t>(variant) << (32 + kRowBits);
  }
  static constexpr SiteCookie unpacked(uint64_t cookie) {
    return {static_cast<uint32_t>(cookie), static_cast<uint16_t>(cookie >> 32 & (kMaxRows - 1)),
            static_cast<uint32_t>(cookie >> (32 + kRowBits))};
  }
};

/// A program or library file that probes are set in. Open, so that it can be attached to when it is deleted, replaced,
/// or in another mount namespace.
struct UserFile {
  std::string path;  ///< as its process names it, for messages
  mutable Fd fd;
  uint64_t device = 0, inode = 0;

  /// Once its probes are removed: plans and hooks may go on referring to it, and must not keep it open.
  void close() const { fd.reset(); }
};

/// An instruction where a program asks whether a probe is enabled, and reads the answer behind it: see usdt::TestNote.
struct EnabledTest {
  uint64_t offset = 0;   ///< in the site's file
  UserOperand variable;  ///< its address
  std::string probe;     ///< "shop:sale-done", for messages
};

/// One location where a user-land probe is set.
struct UserSite {
  std::shared_ptr<const UserFile> file;
  uint64_t offset = 0;          ///< in the file; kernel functions: the address
  uint64_t ref_ctr_offset = 0;  ///< in the file, of the 16-bit counter that says "enabled"; 0: none
  int pid = 0;                  ///< fires in this process only; 0: in all
  uint32_t variant = 0;  ///< index into ProbeHook::variants, offset of a return instruction, or widths (ArgWidths,
                         ///< ReturnWidth)
  std::shared_ptr<const std::vector<EnabledTest>> tests;  ///< to answer while the probe is set; null: none
  uint32_t btf_id = 0;  ///< of a kernel function that may call a program itself; 0: it cannot
};

}  // namespace dtrace
