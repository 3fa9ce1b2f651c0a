// SPDX-License-Identifier: Apache-2.0
// sched:vmlinux::NAME: threads that wait for a CPU, get it and give it up.
//
// DTrace's model is Solaris's: a thread that runs is on no queue. Linux's queues keep it, so that its own functions for
// queueing would count wrongly; its tracepoints say what is needed. At one switch the order is sleep or preempt,
// dequeue, enqueue (of the old thread, if it is still runnable), off-cpu, on-cpu. A migrating task
// fires dequeue on the old CPU before enqueue on the new. The rows stand in that order.
#include "runtime/probes/providers/stable_provider.h"

#define SLEEPING "3"  // TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE, of the state that a thread leaves the CPU in

namespace dtrace::runtime {
namespace {

constexpr StableProbe kProbes[] = {
    // Priority inheritance (boost, un-boost), or a thread changing its own priority.
    {"change-pri", "lwpsinfo_t *, psinfo_t *, pri_t",
     "rawtp:::sched_pi_setprio"
     " { args[0]; args[0];"
     "   (pri_t)(args[1] != NULL && args[1]->prio < args[0]->normal_prio ? args[1]->prio : args[0]->normal_prio); }"
     " syscall::setpriority:return /arg1 == 0 && __dt_syscall_arg0 == 0 && (__dt_syscall_arg1 == 0 || "
     "__dt_syscall_arg1 == tid)/"
     " { curthread; curthread; (pri_t)curthread->prio; }"
     " syscall::sched_setscheduler:return, syscall::sched_setparam:return, syscall::sched_setattr:return"
     " /arg1 == 0 && (__dt_syscall_arg0 == 0 || __dt_syscall_arg0 == tid)/ { curthread; curthread; "
     "(pri_t)curthread->prio; }",
     "sched_pi_setprio", 2},
    {"sleep", "", "rawtp:::sched_switch /!args[0] && (args[3] & " SLEEPING ") != 0 && args[1]->pid != 0/ {}",
     "sched_switch", 4},
    {"preempt", "", "rawtp:::sched_switch /(args[0] || args[3] == 0) && args[1]->pid != 0/ {}", "sched_switch", 4},
    {"dequeue", "lwpsinfo_t *, psinfo_t *, cpuinfo_t *, int",
     "rawtp:::sched_switch /args[2]->pid != 0/ { args[2]; args[2]; (processorid_t)cpu; 0; }"
     " rawtp:::sched_migrate_task /args[0]->on_rq != 0/"
     " { args[0]; args[0]; (processorid_t)args[0]->thread_info.cpu; 0; }",
     "sched_switch"},
    // A thread that is woken before it has left its CPU stays there, without being on a queue in between.
    {"enqueue", "lwpsinfo_t *, psinfo_t *, cpuinfo_t *, int",
     "rawtp:::sched_wakeup, rawtp:::sched_wakeup_new /!args[0]->on_cpu/"
     " { args[0]; args[0]; (processorid_t)args[0]->thread_info.cpu; 0; }"
     " rawtp:::sched_switch /(args[0] || args[3] == 0) && args[1]->pid != 0/"
     " { args[1]; args[1]; (processorid_t)cpu; 0; }"
     " rawtp:::sched_migrate_task /args[0]->on_rq != 0/ { args[0]; args[0]; (processorid_t)args[1]; 0; }",
     "sched_switch", 4},
    {"off-cpu", "lwpsinfo_t *, psinfo_t *", "rawtp:::sched_switch { args[2]; args[2]; }", "sched_switch"},
    // In the thread that got the CPU. A new thread does not return from schedule(); it is seen at the child's return
    // from fork or clone, or on arm64, where it passes no such tracepoint, in the first function that it runs. Kernels
    // before 6.15 have the function only, whose name the compiler has changed.
    {"on-cpu",
     "",
     "rawtp:::sched_exit_tp /args[0]/ {}"
     " syscall::fork:return, syscall::vfork:return, syscall::clone:return, syscall::clone3:return /arg1 == 0/ {}",
     "sched_exit_tp",
     0,
     0,
     {},
     true},
    {"on-cpu", "", "rawtp:::sched_exit_tp /args[0]/ {} rawfbt:vmlinux:schedule_tail:entry {}", "sched_exit_tp", 0, 0,
     "schedule_tail"},
    {"on-cpu", "", "rawfbt:vmlinux:finish_task_switch*:entry {}"},
    {"remain-cpu", "", "rawtp:::sched_exit_tp /!args[0]/ {}", "sched_exit_tp"},
    {"wakeup", "lwpsinfo_t *, psinfo_t *", "rawtp:::sched_waking { args[0]; args[0]; }", "sched_waking"},
    {"surrender", "lwpsinfo_t *, psinfo_t *",
     "rawtp:::sched_set_need_resched_tp { args[0]; args[0]; } syscall::sched_yield:entry { curthread; curthread; }",
     "sched_set_need_resched_tp"},
    {"surrender", "lwpsinfo_t *, psinfo_t *", "syscall::sched_yield:entry { curthread; curthread; }"},
    // On every CPU, at the rate of the kernel's clock interrupt.
    {"tick", "lwpsinfo_t *, psinfo_t *", "profile:::profile-100 { curthread; curthread; }", {}, 0, 100},
    {"tick", "lwpsinfo_t *, psinfo_t *", "profile:::profile-250 { curthread; curthread; }", {}, 0, 250},
    {"tick", "lwpsinfo_t *, psinfo_t *", "profile:::profile-300 { curthread; curthread; }", {}, 0, 300},
    {"tick", "lwpsinfo_t *, psinfo_t *", "profile:::profile-1000 { curthread; curthread; }"},
};

}  // namespace

std::unique_ptr<Provider> make_sched_provider(KernelInfo &kernel) {
  return std::make_unique<StableProvider>("sched", kProbes, kernel);
}

}  // namespace dtrace::runtime
