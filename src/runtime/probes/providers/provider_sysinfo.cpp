// SPDX-License-Identifier: Apache-2.0
// sysinfo:vmlinux::COUNTER: fires when one of the system's counters grows; arg0 is by how much.
//
// Each row counts what Linux itself counts, or what one of its events reports once for each: sysread, readch and their
// like are syscr, rchar, syscw and wchar of /proc/PID/io as far as they come from system calls; pswitch and inv_swtch
// are the context switches of /proc/PID/status. A counter that only an estimate could stand for is in kAbsent.
#include "runtime/probes/providers/stable_provider.h"

// Flags of lock:contention_begin, by number: a program may give the names another meaning.
#define LOCK_SPIN "1"
#define LOCK_READ "2"
#define LOCK_WRITE "4"
#define LOCK_MUTEX "32"

// What reads and writes files: /proc/PID/io counts these calls once they have reached a file.
#define READS                                                                                     \
  "syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return," \
  " syscall::preadv2:return, syscall::sendfile*:return, syscall::copy_file_range:return"
#define WRITES                                                                                        \
  "syscall::write:return, syscall::pwrite64:return, syscall::writev:return, syscall::pwritev:return," \
  " syscall::pwritev2:return, syscall::sendfile*:return, syscall::copy_file_range:return"
// EBADF, EINVAL and ESPIPE: the call itself is wrong, and no file sees it.
#define REACHED_FILE "/errno != 9 && errno != 22 && errno != 29/"

#define TICK(hz) "profile:::profile-" #hz

#define VFORK_FLAG "0x4000"
#define THREAD_FLAG "0x10000"

namespace dtrace::runtime {
namespace {

constexpr StableProbe kProbes[] = {
    {"sysread", "", READS " " REACHED_FILE " { (uint64_t)1; }"},
    {"syswrite", "", WRITES " " REACHED_FILE " { (uint64_t)1; }"},
    {"readch", "", READS " /(int64_t)arg1 > 0/ { (uint64_t)arg1; }"},
    {"writech", "", WRITES " /(int64_t)arg1 > 0/ { (uint64_t)arg1; }"},
    // Calls, whether they succeed or not.
    {"sysexec", "", "syscall::execve:entry, syscall::execveat:entry { (uint64_t)1; }"},
    // In the parent. A thread is no fork, and neither is a task of the kernel's own.
    {"sysfork", "",
     "rawtp:::task_newtask /args[0]->mm != NULL && (args[1] & (" THREAD_FLAG " | " VFORK_FLAG ")) == 0/"
     " { (uint64_t)1; }",
     "task_newtask", 2},
    {"sysvfork", "",
     "rawtp:::task_newtask /args[0]->mm != NULL && (args[1] & (" THREAD_FLAG " | " VFORK_FLAG ")) == " VFORK_FLAG
     "/ { (uint64_t)1; }",
     "task_newtask", 2},
    {"nthreads", "", "rawtp:::task_newtask { (uint64_t)1; }", "task_newtask", 2},
    {"msg", "", "syscall::msgsnd:entry, syscall::msgrcv:entry { (uint64_t)1; }"},
    {"sema", "", "syscall::semop:entry, syscall::semtimedop*:entry { (uint64_t)1; }"},
    // In the thread that leaves the CPU.
    {"pswitch", "", "rawtp:::sched_switch { (uint64_t)1; }", "sched_switch"},
    {"inv_swtch", "", "rawtp:::sched_switch /(args[0] || args[3] == 0) && args[1]->pid != 0/ { (uint64_t)1; }",
     "sched_switch", 4},
    {"idlethread", "", "rawtp:::sched_switch /args[2]->pid == 0/ { (uint64_t)1; }", "sched_switch"},
    // Functions that this CPU has another one run. Waking a thread there goes the same way and is no such call: its
    // type is CSD_TYPE_TTWU.
    {"xcalls", "", "rawtp:::csd_queue_cpu /(args[3]->node.u_flags & 0x30) != 0x30/ { (uint64_t)1; }", "csd_queue_cpu",
     4},
    // Device interrupts. All handlers of a shared interrupt are called, so only the last one is counted.
    {"intr", "", "rawtp:::irq_handler_entry /args[1]->next == NULL/ { (uint64_t)1; }", "irq_handler_entry", 2},
    // A thread that waits for a mutex spins first, and may again when it has slept; its state tells which.
    {"mutex_adenters", "",
     "rawtp:::contention_begin /args[1] == (" LOCK_MUTEX " | " LOCK_SPIN
     ") && curthread->__state == 0/ { (uint64_t)1; }",
     "contention_begin", 2},
    // Threads that sleep for a lock.
    {"rw_rdfails", "",
     "rawtp:::contention_begin /(args[1] & (" LOCK_READ " | " LOCK_SPIN ")) == " LOCK_READ "/ { (uint64_t)1; }",
     "contention_begin", 2},
    {"rw_wrfails", "",
     "rawtp:::contention_begin /(args[1] & (" LOCK_WRITE " | " LOCK_SPIN ")) == " LOCK_WRITE "/ { (uint64_t)1; }",
     "contention_begin", 2},
    {"modload", "", "rawtp:::module_load { (uint64_t)1; }", "module_load"},
    {"modunload", "", "rawtp:::module_free { (uint64_t)1; }", "module_free"},
    // Once for each tick of each CPU: in user mode, idle, or else in the kernel.
    {"cpu_ticks_user", "", TICK(100) " /arg1 != 0/ { (uint64_t)1; }", {}, 0, 100},
    {"cpu_ticks_user", "", TICK(250) " /arg1 != 0/ { (uint64_t)1; }", {}, 0, 250},
    {"cpu_ticks_user", "", TICK(300) " /arg1 != 0/ { (uint64_t)1; }", {}, 0, 300},
    {"cpu_ticks_user", "", TICK(1000) " /arg1 != 0/ { (uint64_t)1; }", {}, 0, 1000},
    {"cpu_ticks_kernel", "", TICK(100) " /arg1 == 0 && curthread->pid != 0/ { (uint64_t)1; }", {}, 0, 100},
    {"cpu_ticks_kernel", "", TICK(250) " /arg1 == 0 && curthread->pid != 0/ { (uint64_t)1; }", {}, 0, 250},
    {"cpu_ticks_kernel", "", TICK(300) " /arg1 == 0 && curthread->pid != 0/ { (uint64_t)1; }", {}, 0, 300},
    {"cpu_ticks_kernel", "", TICK(1000) " /arg1 == 0 && curthread->pid != 0/ { (uint64_t)1; }", {}, 0, 1000},
    {"cpu_ticks_idle", "", TICK(100) " /arg1 == 0 && curthread->pid == 0/ { (uint64_t)1; }", {}, 0, 100},
    {"cpu_ticks_idle", "", TICK(250) " /arg1 == 0 && curthread->pid == 0/ { (uint64_t)1; }", {}, 0, 250},
    {"cpu_ticks_idle", "", TICK(300) " /arg1 == 0 && curthread->pid == 0/ { (uint64_t)1; }", {}, 0, 300},
    {"cpu_ticks_idle", "", TICK(1000) " /arg1 == 0 && curthread->pid == 0/ { (uint64_t)1; }", {}, 0, 1000},
};

constexpr std::string_view kNoBuffers =
    "Linux has no buffers beside its page cache: io:::start counts what disks are asked";
constexpr std::string_view kNoTerminals = "no event of Linux counts the characters of terminals: trace read and write";
constexpr std::string_view kNoUfs = "it belongs to the file system UFS";

constexpr AbsentProbe kAbsent[] = {
    {"trap",
     "Linux has events for page faults only: vminfo:::as_fault, vminfo:::prot_fault, vminfo:::kernel_asflt; "
     "a fault that ends in a signal fires proc:::fault"},
    {"namei", "no event of Linux counts path lookups: trace the system calls that take a path"},
    {"intrblk", "Linux's interrupts have no threads that block: lockstat:::spin-spin reports what they wait for"},
    {"cpu_ticks_wait", "a tick in which a CPU is idle is cpu_ticks_idle, whether a thread waits for a disk or not"},
    {"wait_ticks_io", "a tick in which a CPU is idle is cpu_ticks_idle, whether a thread waits for a disk or not"},
    {"procovf",
     "Linux has no table of processes that is full: a fork that fails is syscall::fork:return with an errno"},
    {"bread", kNoBuffers},
    {"bwrite", kNoBuffers},
    {"bawrite", kNoBuffers},
    {"lread", kNoBuffers},
    {"lwrite", kNoBuffers},
    {"phread", "io:::start with B_PHYS in args[0]->b_flags is what a program reads past the page cache"},
    {"phwrite", "io:::start with B_PHYS in args[0]->b_flags is what a program writes past the page cache"},
    {"rawch", kNoTerminals},
    {"canch", kNoTerminals},
    {"outch", kNoTerminals},
    {"rcvint", kNoTerminals},
    {"xmtint", kNoTerminals},
    {"mdmint", kNoTerminals},
    {"ufsiget", kNoUfs},
    {"ufsdirblk", kNoUfs},
    {"ufsipage", kNoUfs},
    {"ufsinopage", kNoUfs},
};

}  // namespace

std::unique_ptr<Provider> make_sysinfo_provider(KernelInfo &kernel) {
  return std::make_unique<StableProvider>("sysinfo", kProbes, kernel, kAbsent);
}

}  // namespace dtrace::runtime
