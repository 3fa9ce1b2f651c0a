// SPDX-License-Identifier: Apache-2.0
// Setting and removing user probes where a fatal signal to dtrace cannot interrupt it.
//
// Why: a uprobe is removed by writing the original instruction into the process. The kernel reaches that page with
// get_user_pages(), which refuses a caller that has a SIGKILL pending. So a process killed while it attaches a
// uprobe_multi link cannot undo what it has set: the breakpoints stay in the target for good, and the kernel logs
// "unregister, leaking uprobe". The same holds for a process killed in close(2) of such a link. A process that is past
// its SIGKILL, in exit(2), has none pending: links that are closed there are removed completely.
//
// The process is in a session of its own, and in the root of the unified hierarchy of cgroups if the system lets us put
// it there: so neither a signal to the group nor `cgroup.kill` reaches it. A SIGKILL to itself does, as it comes at the
// end of a PID namespace; attach_sites.cpp limits what is left then.
#pragma once

#include <functional>
#include <span>

namespace dtrace::runtime {

/// Runs `work` in a child process that shares our memory and descriptors and gets no signal meant for us; returns when
/// it is done, or the child was killed meanwhile: `work` notes how far it came. If we are killed meanwhile, the child
/// goes on: the descriptors are closed when it exits. `work` must neither allocate nor take locks, because another
/// thread of ours may hold them when we are killed.
void run_shielded(const std::function<void()> &work);

/// In `work`: the process that called run_shielded() has ended.
bool is_abandoned();

/// Closes descriptors of links, many at a time: each close waits for grace periods of the kernel. In `work`, too.
void close_together(std::span<const int> fds);

}  // namespace dtrace::runtime
