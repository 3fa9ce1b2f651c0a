// SPDX-License-Identifier: Apache-2.0
// What programs must know of the Java virtual machine in a process to follow its frames (bpf/dt_hotspot.h). Read from
// the process's memory, by the machine's own tables.
//
// What a reader would get wrong: the machine makes its code cache some time after its library is mapped, so the answer
// may be "not yet".
#pragma once

#include <sys/types.h>

#include <optional>

#include "bpf/dt_hotspot.h"
#include "runtime/foreign/process_maps.h"
#include "runtime/foreign/process_memory.h"
#include "runtime/foreign/vm_structs.h"

namespace dtrace::runtime {

/// Is it the library of a Java virtual machine?
bool is_hotspot(const MapEntry &map);

class HotspotRuntime {
 public:
  /// By the tables alone. Nothing: the machine is not one that we know.
  static std::optional<HotspotRuntime> open(const VmStructs &structs);
  /// The same of a process, one of whose mappings is_hotspot(). Nothing also if its file is not of that machine (EM_*).
  static std::optional<HotspotRuntime> open(pid_t pid, const MapEntry &map, uint16_t elf_machine);

  /// The code cache now; without an interpreter (size 0) until that has been made. Nothing: it has not been made yet,
  /// or is not as it should be.
  std::optional<dt_hotspot> read(const usdt::ByteSource &memory) const;

 private:
  /// Offsets in structures that programs do not see, and addresses of variables.
  struct Layout {
    uint64_t heaps, low_bound, high_bound, interpreter;           // addresses
    uint64_t version;                                             // address; 0: it is not known
    uint64_t array_length, array_data;                            // GrowableArray
    uint64_t heap_memory, heap_segment_map, heap_segment_shift;   // CodeHeap
    uint64_t space_low_boundary, space_high_boundary, space_low;  // VirtualSpace
    uint64_t queue_buffer, queue_limit;                           // StubQueue
  };
  Layout layout_{};
  dt_hotspot known_{};
};

}  // namespace dtrace::runtime
