// SPDX-License-Identifier: Apache-2.0
// proc:vmlinux::NAME: processes and threads that come and go, and the signals that they get.
#include "runtime/probes/providers/stable_provider.h"

// What became of a signal: enum trace_signal_result of the kernel. By number, because a program may give the names
// another meaning.
#define DELIVERED "0"
#define IGNORED "1"
#define LOST_INFO "4"

// Not PF_IO_WORKER, PF_USER_WORKER or PF_KTHREAD.
#define IS_USER_THREAD "(curthread->flags & 0x204010) == 0"

namespace dtrace::runtime {
namespace {

constexpr StableProbe kProbes[] = {
    // In the parent. The kernel makes threads and processes alike: a process is what leads a group of its own.
    {"create", "psinfo_t *", "rawtp:::sched_process_fork /args[1]->pid == args[1]->tgid/ { args[1]; }",
     "sched_process_fork"},
    // In the child, before its own code runs: on x86-64 fork and clone also return in the child, with 0. On arm64 the
    // child begins behind the tracepoint.
    {"start",
     "",
     "syscall::fork:return, syscall::vfork:return, syscall::clone:return, syscall::clone3:return"
     " /arg1 == 0 && curthread->pid == curthread->tgid/ {}",
     {},
     0,
     0,
     {},
     true},
    {"start",
     "",
     "rawfbt:vmlinux:schedule_tail:entry /" IS_USER_THREAD " && curthread->pid == curthread->tgid/ {}",
     {},
     0,
     0,
     "schedule_tail"},
    {"lwp-create", "lwpsinfo_t *, psinfo_t *", "rawtp:::sched_process_fork { args[1]; args[1]; }",
     "sched_process_fork"},
    {"lwp-start",
     "",
     "syscall::fork:return, syscall::vfork:return, syscall::clone:return, syscall::clone3:return /arg1 == 0/ {}",
     {},
     0,
     0,
     {},
     true},
    {"lwp-start", "", "rawfbt:vmlinux:schedule_tail:entry /" IS_USER_THREAD "/ {}", {}, 0, 0, "schedule_tail"},
    // If the call succeeds, exec fires before the process has changed, and the path is the kernel's copy. If it fails,
    // exec fires right before exec-failure, and the path is the caller's: the call has brought in its page, which a
    // forked child often lacks at first. Kernels before 6.10 have only the function, not the tracepoint.
    {"exec", "string",
     "rawtp:::sched_prepare_exec { stringof(args[1]->filename); }"
     " syscall::execve:return /errno != 0/ { copyinstr(__dt_syscall_arg0); }"
     " syscall::execveat:return /errno != 0/ { copyinstr(__dt_syscall_arg1); }",
     "sched_prepare_exec", 2},
    {"exec", "string",
     "fbt:vmlinux:begin_new_exec:entry { stringof(args[0]->filename); }"
     " syscall::execve:return /errno != 0/ { copyinstr(__dt_syscall_arg0); }"
     " syscall::execveat:return /errno != 0/ { copyinstr(__dt_syscall_arg1); }"},
    {"exec-success", "", "rawtp:::sched_process_exec {}", "sched_process_exec"},
    {"exec-failure", "int", "syscall::execve:return, syscall::execveat:return /errno != 0/ { errno; }"},
    {"lwp-exit", "", "rawtp:::sched_process_exit {}", "sched_process_exit"},
    // With the last thread of a process. From 6.16 on the kernel says which that is; before, its end alone takes the
    // terminal away.
    {"exit", "int", "rawtp:::sched_process_exit /args[1]/ { __dt_exit_why[args[0]]; }", "sched_process_exit", 2},
    {"exit", "int", "fbt:vmlinux:disassociate_ctty:entry /args[0] == 1/ { __dt_exit_why[curthread]; }"},
    // signal-send: delivered, if necessary without its siginfo (no memory). signal-discard: ignored.
    {"signal-send", "lwpsinfo_t *, psinfo_t *, int",
     "rawtp:::signal_generate /args[4] == " DELIVERED " || args[4] == " LOST_INFO "/ { args[2]; args[2]; args[0]; }",
     "signal_generate"},
    {"signal-discard", "lwpsinfo_t *, psinfo_t *, int",
     "rawtp:::signal_generate /args[4] == " IGNORED "/ { args[2]; args[2]; args[0]; }", "signal_generate"},
    // A signal that ends the process comes to its threads as SIGKILL, without what came with it.
    {"signal-handle", "int, siginfo_t *, ",
     "rawtp:::signal_deliver { __dt_signal_of[args[0]]; __dt_siginfo_of[args[1]]; (uintptr_t)args[2]->sa.sa_handler; }",
     "signal_deliver"},
    {"signal-clear", "int", "syscall::rt_sigtimedwait*:return /arg1 > 0/ { (int)arg1; }"},
    // What the kernel raises at the thread that runs: its codes are positive. 0 and 1 stand for no information.
    {"fault", "int, siginfo_t *",
     "rawtp:::signal_generate /(uintptr_t)args[1] > 1 && args[2] == curthread && args[1]->si_code > 0 &&"
     " __dt_fault_of[args[0], args[1]->si_code] != 0/"
     " { __dt_fault_of[args[0], args[1]->si_code]; __dt_siginfo_of[args[1]]; }",
     "signal_generate"},
};

}  // namespace

std::unique_ptr<Provider> make_proc_provider(KernelInfo &kernel) {
  return std::make_unique<StableProvider>("proc", kProbes, kernel);
}

}  // namespace dtrace::runtime
