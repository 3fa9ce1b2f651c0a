// SPDX-License-Identifier: Apache-2.0
// How soon the consumer runs once a buffer wants it.
#pragma once

namespace dtrace {

/// Asks the scheduler for a short slice: the calling thread is then put before others as soon as it wakes, and gets no
/// more of the CPU than before. Processes that it starts later are scheduled as ever. Does nothing on kernels without
/// slices (before 6.12), or if somebody chose a policy or a higher priority already.
void run_promptly();

}  // namespace dtrace
