// SPDX-License-Identifier: Apache-2.0
// lockstat:vmlinux::NAME: threads that wait for the kernel's locks: for which, how long, and whether they spin or
// sleep.
//
// The kernel reports where a wait begins and where it ends, at the end by the lock alone. So the beginning is noted in
// the thread: the lock, and when. Each probe has notes of its own, as a wait for one kind of lock may be inside that
// for another (a mutex has a spin lock inside). Interrupts wait for spin locks only; their notes are apart.
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
// To be had: the wait is over, and the lock taken.
#define ENDS(notes) "self->" notes "_lock == " LOCK " && args[1] == 0"
// Stores what is noted and is false: no firing.
#define NOTE(notes) "((self->" notes "_lock = " LOCK ") | (self->" notes "_since = timestamp)) == 0"
#define FORGET(notes) "(self->" notes "_lock = (uintptr_t)0) != 0"
#define WAITED(notes) "(uint64_t)(timestamp - self->" notes "_since)"

// A wait that has one beginning. `rw`: 0 for writers, 1 for readers, as scripts expect.
#define WAIT(notes, begins, values, no_values)                            \
  "rawtp:::contention_begin /" begins " && " NOTE(notes) "/ { " no_values \
                                                         " }"             \
                                                         " rawtp:::contention_end /" ENDS(notes) "/ { " values " }"
#define RW_BEGINS(which, how) "(args[1] & (" which " | " SPIN " | " MUTEX ")) == (" which " | " how ")"
#define RW_WAIT(notes_w, notes_r, how)                                                                                 \
  WAIT(notes_w, RW_BEGINS(WRITE, how), "(uintptr_t)args[0]; " WAITED(notes_w) "; 0;", "(uintptr_t)0; (uint64_t)0; 0;") \
  " " WAIT(notes_r, RW_BEGINS(READ, how), "(uintptr_t)args[0]; " WAITED(notes_r) "; 1;",                               \
           "(uintptr_t)0; (uint64_t)0; 0;")

// What a mutex is waited for. The thread spins at first; when it sleeps in between, its state is another.
#define FIRST_SPIN "args[1] == (" MUTEX " | " SPIN ") && curthread->__state == 0"
#define NOTHING "{ (struct mutex *)0; (uint64_t)0; }"
#define A_MUTEX(notes) "{ (struct mutex *)args[0]; " WAITED(notes) "; }"

namespace dtrace::runtime {
namespace {

constexpr StableProbe kProbes[] = {
    // Slept, from the first time on; a real-time mutex only ever sleeps.
    {"adaptive-block", "",
     "rawtp:::contention_begin /(" FIRST_SPIN " && " FORGET(
         "__dt_blocked") ") || ((args[1] == " RT " || (args[1] == " MUTEX " && self->__dt_blocked_lock != " LOCK
                         ")) && " NOTE("__dt_blocked") ")/ " NOTHING " rawtp:::contention_end /" ENDS(
                             "__dt_blocked") "/ " A_MUTEX("__dt_blocked"),
     "contention_end", 2},
    // Spun, and never slept.
    {"adaptive-spin", "",
     "rawtp:::contention_begin /(" FIRST_SPIN " && " NOTE("__dt_spun") ") || (args[1] == " MUTEX " && " FORGET(
         "__dt_spun") ")/ " NOTHING " rawtp:::contention_end /" ENDS("__dt_spun") "/ " A_MUTEX("__dt_spun"),
     "contention_end", 2},
    {"spin-spin", "",
     WAIT("__dt_spin", "args[1] == " SPIN " && ipl == 0", "(uintptr_t)args[0]; " WAITED("__dt_spin") ";",
          "(uintptr_t)0; (uint64_t)0;") " " WAIT("__dt_ispin", "args[1] == " SPIN " && ipl != 0",
                                                 "(uintptr_t)args[0]; " WAITED("__dt_ispin") ";",
                                                 "(uintptr_t)0; (uint64_t)0;"),
     "contention_end", 2},
    {"rw-block", "", RW_WAIT("__dt_wblock", "__dt_rblock", "0"), "contention_end", 2},
    {"rw-spin", "", RW_WAIT("__dt_wspin", "__dt_rspin", SPIN), "contention_end", 2},
};

constexpr std::string_view kUncontended =
    "the kernel reports locks only when a thread has to wait: lockstat:::adaptive-block, adaptive-spin, spin-spin, "
    "rw-block and rw-spin; where there is fbt, its functions (mutex_lock) report all";

constexpr AbsentProbe kAbsent[] = {
    {"adaptive-acquire", kUncontended},
    {"adaptive-release", kUncontended},
    {"adaptive-acquire-error", kUncontended},
    {"spin-acquire", kUncontended},
    {"spin-release", kUncontended},
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
