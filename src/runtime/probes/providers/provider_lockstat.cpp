// SPDX-License-Identifier: Apache-2.0
// lockstat:vmlinux::NAME: threads that wait for the kernel's locks: for which, how long, and whether they spin or
// sleep. Where the kernel's functions can be probed, also every mutex and semaphore that a thread takes and releases.
//
// The kernel reports where a wait begins and where it ends, at the end by the lock alone. So the beginning is noted in
// the thread: the lock, and when. Each probe has notes of its own, as a wait for one kind of lock may be inside that
// for another (a mutex has a spin lock inside). Interrupts wait for spin locks only; their notes are apart. A wait that
// has ended is noted, too: its note would make an end whose beginning was not seen a long wait.
//
// A condition may be evaluated for each clause of a firing: what it stores depends on the firing only.
#include "runtime/probes/providers/stable_provider.h"

// Flags of lock:contention_begin, by number: a program may give the names another meaning.
#define SPIN "1"
#define READ "2"
#define WRITE "4"
#define RT "8"
#define MUTEX "32"

#define LOCK "(uintptr_t)args[0]"
// To be had: the wait is over, and the lock taken. By the time, this firing is known from an earlier one.
#define ENDS(notes)                                                                               \
  "self->" notes "_lock == " LOCK " && args[1] == 0 && (self->" notes "_end == 0 || self->" notes \
  "_end == timestamp) && (self->" notes "_end = timestamp) != 0"
// Stores what is noted and is false: no firing.
#define NOTE(notes)                                                                          \
  "((self->" notes "_lock = " LOCK ") | (self->" notes "_since = timestamp) | (self->" notes \
  "_end = (uint64_t)0)) "                                                                    \
  "== 0"
#define FORGET(notes) "((self->" notes "_lock = (uintptr_t)0) | (self->" notes "_end = (uint64_t)0)) != 0"
#define WAITED(notes) "(uint64_t)(timestamp - self->" notes "_since)"

// A wait that has one beginning. `context`: a condition of the beginning and the end, with " && ", or "". `rw`: 0 for
// writers, 1 for readers, as scripts expect.
#define WAIT(notes, context, begins, values, no_values)                                              \
  "rawtp:::contention_begin /" context begins " && " NOTE(notes) "/ { " no_values                    \
                                                                 " }"                                \
                                                                 " rawtp:::contention_end /" context \
                                                                 ENDS(notes) "/ { " values " }"
#define RW_BEGINS(which, how) "(args[1] & (" which " | " SPIN " | " MUTEX ")) == (" which " | " how ")"
#define RW_WAIT(notes_w, notes_r, how, type)                                                \
  WAIT(notes_w, "", RW_BEGINS(WRITE, how), "(" type ")args[0]; " WAITED(notes_w) "; 0;",    \
       "(" type ")0; (uint64_t)0; 0;")                                                      \
  " " WAIT(notes_r, "", RW_BEGINS(READ, how), "(" type ")args[0]; " WAITED(notes_r) "; 1;", \
           "(" type ")0; (uint64_t)0; 0;")

// What a mutex is waited for. The thread spins at first; when it sleeps in between, its state is another.
#define FIRST_SPIN "args[1] == (" MUTEX " | " SPIN ") && curthread->__state == 0"
#define NOTHING "{ (struct mutex *)0; (uint64_t)0; }"
#define A_MUTEX(notes) "{ (struct mutex *)args[0]; " WAITED(notes) "; }"

// The functions that take locks. Each probe notes the lock in the thread at the function's entry and fires at its
// return. One note is enough: a thread within such a function takes no other lock of that kind.
// clang-format off
#define ENTERS_MUTEX \
  "fbt::mutex_lock:entry, fbt::mutex_lock_interruptible:entry, fbt::mutex_lock_killable:entry, fbt::mutex_trylock:entry "
#define ENTERS_RW \
  "fbt::down_read:entry, fbt::down_read_interruptible:entry, fbt::down_read_killable:entry, fbt::down_read_trylock:entry, " \
  "fbt::down_write:entry, fbt::down_write_killable:entry, fbt::down_write_trylock:entry "
#define NOTE_ENTRY(notes) "/(self->" notes " = (uintptr_t)args[0]) == 0/ "
// clang-format on

namespace dtrace::runtime {
namespace {

constexpr StableProbe kProbes[] = {
    // Slept, from the first time on; a real-time mutex only ever sleeps.
    {"adaptive-block", "",
     "rawtp:::contention_begin /(" FIRST_SPIN " && " FORGET(
         "__dt_blocked") ") || ((args[1] == " RT " || (args[1] == " MUTEX " && (self->__dt_blocked_lock != " LOCK
                         " || self->__dt_blocked_end != 0))) && " NOTE(
                             "__dt_blocked") ")/ " NOTHING
                                             " rawtp:::contention_end /" ENDS("__dt_blocked") "/ " A_MUTEX(
                                                 "__dt_blocked"),
     "contention_end", 2},
    // Spun, and never slept.
    {"adaptive-spin", "",
     "rawtp:::contention_begin /(" FIRST_SPIN " && " NOTE("__dt_spun") ") || (args[1] == " MUTEX " && " FORGET(
         "__dt_spun") ")/ " NOTHING " rawtp:::contention_end /" ENDS("__dt_spun") "/ " A_MUTEX("__dt_spun"),
     "contention_end", 2},
    {"spin-spin", "",
     WAIT("__dt_spin", "ipl == 0 && ", "args[1] == " SPIN, "(spinlock_t *)args[0]; " WAITED("__dt_spin") ";",
          "(spinlock_t *)0; (uint64_t)0;") " " WAIT("__dt_ispin", "ipl != 0 && ", "args[1] == " SPIN,
                                                    "(spinlock_t *)args[0]; " WAITED("__dt_ispin") ";",
                                                    "(spinlock_t *)0; (uint64_t)0;"),
     "contention_end", 2},
    {"rw-block", "", RW_WAIT("__dt_wblock", "__dt_rblock", "0", "uintptr_t"), "contention_end", 2},
    {"rw-spin", "", RW_WAIT("__dt_wspin", "__dt_rspin", SPIN, "rwlock_t *"), "contention_end", 2},
    // clang-format off
    {.name = "adaptive-acquire", .types = "",
     .text = ENTERS_MUTEX NOTE_ENTRY("__dt_mutex") "{ (struct mutex *)0; } "
             "fbt::mutex_lock:return /self->__dt_mutex != 0/ { (struct mutex *)self->__dt_mutex; } "
             "fbt::mutex_lock_interruptible:return, fbt::mutex_lock_killable:return "
             "/self->__dt_mutex != 0 && (int)arg1 == 0/ { (struct mutex *)self->__dt_mutex; } "
             "fbt::mutex_trylock:return /self->__dt_mutex != 0 && (int)arg1 != 0/ { (struct mutex *)self->__dt_mutex; }",
     .function = "mutex_lock"},
    {.name = "adaptive-release", .types = "",
     .text = "fbt::mutex_unlock:entry { (struct mutex *)args[0]; }",
     .function = "mutex_unlock"},
    {.name = "adaptive-acquire-error", .types = "",
     .text = ENTERS_MUTEX NOTE_ENTRY("__dt_mutex_e") "{ (struct mutex *)0; 0; } "
             "fbt::mutex_lock_interruptible:return, fbt::mutex_lock_killable:return "
             "/self->__dt_mutex_e != 0 && (int)arg1 != 0/ { (struct mutex *)self->__dt_mutex_e; -(int)arg1; }",
     .function = "mutex_lock"},
    {.name = "rw-acquire", .types = "",
     .text = ENTERS_RW NOTE_ENTRY("__dt_rw") "{ (uintptr_t)0; 0; } "
             "fbt::down_read:return /self->__dt_rw != 0/ { self->__dt_rw; 1; } "
             "fbt::down_read_interruptible:return, fbt::down_read_killable:return "
             "/self->__dt_rw != 0 && (int)arg1 == 0/ { self->__dt_rw; 1; } "
             "fbt::down_read_trylock:return /self->__dt_rw != 0 && (int)arg1 != 0/ { self->__dt_rw; 1; } "
             "fbt::down_write:return /self->__dt_rw != 0/ { self->__dt_rw; 0; } "
             "fbt::down_write_killable:return /self->__dt_rw != 0 && (int)arg1 == 0/ { self->__dt_rw; 0; } "
             "fbt::down_write_trylock:return /self->__dt_rw != 0 && (int)arg1 != 0/ { self->__dt_rw; 0; }",
     .function = "down_write"},
    {.name = "rw-release", .types = "",
     .text = "fbt::up_read:entry { (uintptr_t)args[0]; 1; } fbt::up_write:entry { (uintptr_t)args[0]; 0; }",
     .function = "up_write"},
    {.name = "rw-downgrade", .types = "",
     .text = "fbt::downgrade_write:entry { (uintptr_t)args[0]; }",
     .function = "downgrade_write"},
    // clang-format on
};

constexpr std::string_view kUncontended =
    "this kernel's functions cannot be probed, and it reports locks only when a thread has to wait: "
    "lockstat:::adaptive-block, adaptive-spin, spin-spin, rw-block and rw-spin";
constexpr std::string_view kFreeSpin =
    "the programs of dtrace take spin locks themselves, so those that are free are not reported: lockstat:::spin-spin "
    "fires for those that are waited for";

constexpr AbsentProbe kAbsent[] = {
    {"adaptive-acquire", kUncontended},
    {"adaptive-release", kUncontended},
    {"adaptive-acquire-error", kUncontended},
    {"spin-acquire", kFreeSpin},
    {"spin-release", kFreeSpin},
    {"rw-acquire", kUncontended},
    {"rw-release", kUncontended},
    {"rw-upgrade", "no lock of Linux becomes a writer's from a reader's"},
    {"rw-downgrade", kUncontended},
    {"thread-spin", "Linux has no such locks: spin-spin"},
};

}  // namespace

std::unique_ptr<Provider> make_lockstat_provider(KernelInfo &kernel) {
  return std::make_unique<StableProvider>("lockstat", kProbes, kernel, kAbsent);
}

}  // namespace dtrace::runtime
