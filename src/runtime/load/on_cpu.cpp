// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/on_cpu.h"

#include <sched.h>

#include <climits>

namespace dtrace::runtime {
namespace {

constexpr size_t kWordBits = sizeof(unsigned long) * CHAR_BIT;
constexpr size_t kWords = 8192 / kWordBits;  // the kernel's greatest number of CPUs

bool set_mask(const std::vector<unsigned long> &mask) {
  return sched_setaffinity(0, mask.size() * sizeof(unsigned long), reinterpret_cast<const cpu_set_t *>(mask.data())) ==
         0;
}

}  // namespace

OnCpu::OnCpu(int cpu) {
  std::vector<unsigned long> before(kWords), wanted(kWords);
  const auto bit = static_cast<size_t>(cpu);
  if (bit >= kWords * kWordBits) return;
  wanted[bit / kWordBits] = 1UL << bit % kWordBits;
  if (sched_getaffinity(0, before.size() * sizeof(unsigned long), reinterpret_cast<cpu_set_t *>(before.data())) != 0)
    return;
  if (set_mask(wanted)) before_ = before;
}

OnCpu::~OnCpu() {
  if (moved()) (void)set_mask(before_);
}

}  // namespace dtrace::runtime
