// SPDX-License-Identifier: Apache-2.0
// What one function's code and call frame information say of its return address.
#pragma once

#include <cstdint>
#include <vector>

namespace dtrace::runtime {

/// The kernel's return probe replaces the return address when the function is entered.
enum class ReturnAddressUse : uint8_t {
  kReturns,  ///< the function returns there, and nothing else
  kUnknown,  ///< no call frame information says that a call has left a return address where the probe replaces it
  kMissing,  ///< it says that none has: the code is entered by a jump, by the kernel, or begins a thread
  kReads,    ///< it reads, keeps or moves its return address, or jumps to a function that does
};

struct ReturnAddressFacts {
  ReturnAddressUse own = ReturnAddressUse::kUnknown;  ///< other functions left aside
  std::vector<uint64_t> jumps_to;                     ///< addresses of functions of the file, each once
};

}  // namespace dtrace::runtime
