// SPDX-License-Identifier: Apache-2.0
// plockstatPID:libc.so.6::NAME, and plockstat*:::NAME of all processes: the mutexes and read-write locks of the C
// library, defined in D by the probes of its functions (pid) and by the system call futex.
//
// What a reader would get wrong:
// - A thread blocks when it calls futex() to wait at the lock's address. Nothing in the library's code can be probed
// there.
// - A return probe of a process that cancels threads, and of all processes (pid*), fires at a jump to another function
//   too, before that one has done anything, with any value. So the lock itself is asked whether the thread has it.
// - A condition may be evaluated for each clause of a firing: what it stores depends on the firing only.
//
// Needs glibc 2.34, whose libc.so.6 has the functions. Offsets are those of 64-bit programs. Other libraries keep their
// locks differently.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "frontend/text/glob.h"
#include "runtime/kernel/kernel_info.h"
#include "runtime/probes/provider.h"
#include "runtime/user/grab_process.h"

// '@' is the provider and the module of the library's functions.
#define CALLS(when, first, second, third, fourth) \
  "@" first ":" when ", @" second ":" when ", @" third ":" when ", @" fourth ":" when " "
#define MUTEX_LOCKS(when) \
  CALLS(when, "pthread_mutex_lock", "pthread_mutex_trylock", "pthread_mutex_timedlock", "pthread_mutex_clocklock")
#define COND_WAITS(when) \
  "@pthread_cond_wait:" when ", @pthread_cond_timedwait:" when ", @pthread_cond_clockwait:" when " "
#define SPINNING_LOCKS(when) \
  "@pthread_mutex_lock:" when ", @pthread_mutex_timedlock:" when ", @pthread_mutex_clocklock:" when " "
#define READ_LOCKS(when)                                                                         \
  CALLS(when, "pthread_rwlock_rdlock", "pthread_rwlock_tryrdlock", "pthread_rwlock_timedrdlock", \
        "pthread_rwlock_clockrdlock")
#define WRITE_LOCKS(when)                                                                        \
  CALLS(when, "pthread_rwlock_wrlock", "pthread_rwlock_trywrlock", "pthread_rwlock_timedwrlock", \
        "pthread_rwlock_clockwrlock")

// pthread_mutex_t and pthread_rwlock_t.
#define INT_AT(lock, offset) "(*(int *)copyin(" lock " + " offset ", 4))"
#define HELD(lock) INT_AT(lock, "0")
#define COUNT(lock) INT_AT(lock, "4")
#define OWNER(lock) INT_AT(lock, "8")
#define KIND(lock) INT_AT(lock, "16")
#define SPINS(lock) "(*(short *)copyin(" lock " + 20, 2))"
#define WRITER(lock) INT_AT(lock, "24")
#define RWLOCK_BYTES "56"

// Bits of a mutex's kind.
#define IS_RECURSIVE(lock) "(" KIND(lock) " & 3) == 1"
#define IS_ADAPTIVE(lock) "(" KIND(lock) " & 127) == 3"
#define OTHER_CODE(lock) "(" KIND(lock) " & 124)"  // robust, or with priorities: a function of their own

#define OWNER_DIED "130"
#define FAILED "((int)arg1 > 0 && (int)arg1 < 134 && (int)arg1 != " OWNER_DIED ")"

// The thread's number as the program knows it.
#define OWN_ID "curthread->thread_pid->numbers[curthread->thread_pid->level].nr"
#define OWNS(lock) OWNER(lock) " == " OWN_ID
// 110: pthread_cond_timedwait() has the mutex after its time, too.
#define GOT(lock) "((int)arg1 == " OWNER_DIED " || (((int)arg1 == 0 || (int)arg1 == 110) && " OWNS(lock) "))"

// Notes of a call: its lock, and when it began to block or to spin. Storing them is false: no firing.
#define BEGIN(notes, lock)                                                                      \
  "/((self->" notes "_lock = " lock ") | (self->" notes "_block = (uint64_t)0) | (self->" notes \
  "_spin = (uint64_t)0)) == 1/ "
#define LOCK(notes) "self->" notes "_lock"
#define IN_CALL(notes) LOCK(notes) " != 0"
#define BLOCKED(notes) "self->" notes "_block != 0"
#define NOTE_BLOCK(notes) "(self->" notes "_block = timestamp) == 0"
#define SPUN(notes) "self->" notes "_spin != 0"
#define SPINS_FOR(lock) "(" IS_ADAPTIVE(lock) " && " HELD(lock) " != 0)"
#define FIRST(note) "(self->" note " == 0 || self->" note " == timestamp) && (self->" note " = timestamp) != 0"

// futex() to wait: FUTEX_WAIT, _WAIT_BITSET, _LOCK_PI, _LOCK_PI2.
#define FUTEX_WAITS "((arg1 & 127) == 0 || (arg1 & 127) == 9 || (arg1 & 127) == 6 || (arg1 & 127) == 13)"
#define WAITS_FOR_MUTEX(notes) "syscall::futex:entry /" IN_CALL(notes) " && arg0 == " LOCK(notes) " && " FUTEX_WAITS
#define WAITS_FOR_RWLOCK(notes) \
  "syscall::futex:entry /" IN_CALL(notes) " && arg0 - " LOCK(notes) " < " RWLOCK_BYTES " && " FUTEX_WAITS

#define NOTE_MUTEX(notes, no_values) \
  MUTEX_LOCKS("entry")               \
  BEGIN(notes, "arg0") "{ " no_values " } " COND_WAITS("entry") BEGIN(notes, "arg1") "{ " no_values " } "
#define MUTEX_RETURNS MUTEX_LOCKS("return") ", " COND_WAITS("return")
#define NOTE_RWLOCK(notes, no_values) \
  READ_LOCKS("entry") ", " WRITE_LOCKS("entry") BEGIN(notes, "arg0") "{ " no_values " } "

#define ONE "(uintptr_t)0;"
#define TWO "(uintptr_t)0; 0;"
#define THREE "(uintptr_t)0; 0; 0;"
#define ADDRESS(notes) "(uintptr_t)" LOCK(notes)

namespace dtrace::runtime {
namespace {

struct LockProbe {
  std::string_view name, text;
};

// clang-format off
constexpr LockProbe kProbes[] = {
    {"mutex-acquire",
     NOTE_MUTEX("__dt_pma", THREE)
     MUTEX_RETURNS "/" IN_CALL("__dt_pma") " && " GOT(LOCK("__dt_pma")) "/ { " ADDRESS("__dt_pma") "; "
     IS_RECURSIVE(LOCK("__dt_pma")) " && " COUNT(LOCK("__dt_pma")) " > 1; "
     IS_ADAPTIVE(LOCK("__dt_pma")) " ? (int)" SPINS(LOCK("__dt_pma")) " : 0; }"},
    {"mutex-release",
     "@pthread_mutex_unlock:entry /" OWNS("arg0") " || (" KIND("arg0") " & 19) == 0/ { (uintptr_t)arg0; "
     IS_RECURSIVE("arg0") " && " COUNT("arg0") " > 1; } "
     COND_WAITS("entry") "/" OWNS("arg1") "/ { (uintptr_t)arg1; 0; }"},
    {"mutex-block",
     NOTE_MUTEX("__dt_pmb", ONE)
     WAITS_FOR_MUTEX("__dt_pmb") " && " FIRST("__dt_pmb_block") "/ { " ADDRESS("__dt_pmb") "; }"},
    {"mutex-blocked",
     NOTE_MUTEX("__dt_pmd", TWO)
     WAITS_FOR_MUTEX("__dt_pmd") " && " NOTE_BLOCK("__dt_pmd") "/ { " TWO " } "
     MUTEX_RETURNS "/" IN_CALL("__dt_pmd") " && " BLOCKED("__dt_pmd") "/ { " ADDRESS("__dt_pmd") "; (int)("
     GOT(LOCK("__dt_pmd")) "); }"},
    {"mutex-spin",
     SPINNING_LOCKS("entry") "/" SPINS_FOR("arg0") "/ { (uintptr_t)arg0; }"},
    {"mutex-spun",
     SPINNING_LOCKS("entry") "/((self->__dt_pms_lock = arg0) | (self->__dt_pms_block = (uint64_t)0) | "
     "(self->__dt_pms_spin = " SPINS_FOR("arg0") " ? timestamp : 0)) == 1/ { " THREE " } "
     COND_WAITS("entry") BEGIN("__dt_pms", "arg1") "{ " THREE " } "
     WAITS_FOR_MUTEX("__dt_pms") " && " SPUN("__dt_pms") " && " FIRST("__dt_pms_block") "/ { " ADDRESS("__dt_pms")
     "; 0; (int)" SPINS(LOCK("__dt_pms")) "; } "
     SPINNING_LOCKS("return") "/" IN_CALL("__dt_pms") " && " SPUN("__dt_pms") " && !(" BLOCKED("__dt_pms") ") && "
     OWNS(LOCK("__dt_pms")) "/ { " ADDRESS("__dt_pms") "; 1; (int)" SPINS(LOCK("__dt_pms")) "; }"},
    {"mutex-error",
     NOTE_MUTEX("__dt_pme", TWO)
     "@pthread_mutex_unlock:entry " BEGIN("__dt_pme", "arg0") "{ " TWO " } "
     "@pthread_mutex_lock:return, @pthread_mutex_trylock:return /" IN_CALL("__dt_pme") " && " FAILED
     " && (int)arg1 != " OTHER_CODE(LOCK("__dt_pme")) "/ { " ADDRESS("__dt_pme") "; (int)arg1; } "
     // Where a return is seen too early, its value can be any number, and is hardly one of these.
     "@pthread_mutex_timedlock:return, @pthread_mutex_clocklock:return /" IN_CALL("__dt_pme") " && ((int)arg1 == 110 || "
     "(int)arg1 == 22 || (int)arg1 == 35 || (int)arg1 == 11 || (int)arg1 == 131)/ { " ADDRESS("__dt_pme")
     "; (int)arg1; } "
     "@pthread_mutex_unlock:return /" IN_CALL("__dt_pme") " && (int)arg1 == 1 && (" KIND(LOCK("__dt_pme"))
     " & 19) != 0 && !(" OWNS(LOCK("__dt_pme")) ")/ { " ADDRESS("__dt_pme") "; (int)arg1; }"},
    {"rw-acquire",
     NOTE_RWLOCK("__dt_pra", TWO)
     READ_LOCKS("return") "/" IN_CALL("__dt_pra") " && (int)arg1 == 0/ { " ADDRESS("__dt_pra") "; 0; } "
     WRITE_LOCKS("return") "/" IN_CALL("__dt_pra") " && (int)arg1 == 0/ { " ADDRESS("__dt_pra") "; 1; }"},
    {"rw-release",
     "@pthread_rwlock_unlock:entry { (uintptr_t)arg0; (int)(" WRITER("arg0") " != 0); }"},
    {"rw-block",
     READ_LOCKS("entry") BEGIN("__dt_prb", "arg0") "{ " TWO " } "
     WRITE_LOCKS("entry") BEGIN("__dt_pwb", "arg0") "{ " TWO " } "
     WAITS_FOR_RWLOCK("__dt_prb") " && " FIRST("__dt_prb_block") "/ { " ADDRESS("__dt_prb") "; 0; } "
     WAITS_FOR_RWLOCK("__dt_pwb") " && " FIRST("__dt_pwb_block") "/ { " ADDRESS("__dt_pwb") "; 1; }"},
    {"rw-blocked",
     NOTE_RWLOCK("__dt_prd", THREE)
     WAITS_FOR_RWLOCK("__dt_prd") " && " NOTE_BLOCK("__dt_prd") "/ { " THREE " } "
     READ_LOCKS("return") "/" IN_CALL("__dt_prd") " && " BLOCKED("__dt_prd") "/ { " ADDRESS("__dt_prd")
     "; 0; (int)((int)arg1 == 0); } "
     WRITE_LOCKS("return") "/" IN_CALL("__dt_prd") " && " BLOCKED("__dt_prd") "/ { " ADDRESS("__dt_prd")
     "; 1; (int)((int)arg1 == 0); }"},
    {"rw-error",
     NOTE_RWLOCK("__dt_pre", THREE)
     READ_LOCKS("return") "/" IN_CALL("__dt_pre") " && " FAILED "/ { " ADDRESS("__dt_pre") "; 0; (int)arg1; } "
     WRITE_LOCKS("return") "/" IN_CALL("__dt_pre") " && " FAILED "/ { " ADDRESS("__dt_pre") "; 1; (int)arg1; }"},
};
// clang-format on

constexpr std::string_view kPlockstat = "plockstat", kLibrary = "libc.so.6";

/// What follows "plockstat" in the name of a provider: a number, "*", or nothing at all; no value: it is another one.
std::optional<std::string_view> process_of(std::string_view provider) {
  if (!provider.starts_with(kPlockstat)) return std::nullopt;
  const std::string_view process = provider.substr(kPlockstat.size());
  const bool is_number = process.find_first_not_of("0123456789") == std::string_view::npos;
  return is_number || process == "*" ? std::optional(process) : std::nullopt;
}

class PlockstatProvider final : public Provider {
 public:
  std::string_view name() const override { return kPlockstat; }
  bool claims(std::string_view pattern) const override { return process_of(pattern).has_value(); }
  ProviderAttributes attributes() const override {
    constexpr Attributes kEvolvingIsa{Stability::kEvolving, Stability::kEvolving, DependencyClass::kIsa};
    constexpr Attributes kPrivate{Stability::kPrivate, Stability::kPrivate, DependencyClass::kUnknown};
    return {kEvolvingIsa, kPrivate, kPrivate, kEvolvingIsa, kEvolvingIsa};
  }
  Result<Unit> list(const ProbeDesc &want, ProbeSink &sink) override;
  std::optional<ProbeDefinition> definition(const Probe &probe) override;
  Absence why_absent(const ProbeDesc &desc) override;
  Result<std::vector<ProbeArg>> args(const Probe &, TypeTable &) override { return std::vector<ProbeArg>{}; }
  ProbeHook hook(const Probe &) override { return {}; }

 private:
  /// Whether the process has the library in a form that is known.
  Result<bool> has_library(std::string_view pid);

  UserObjects objects_;
  std::map<std::string, std::string> texts_;  // of definitions, by the probes' full names
};

Result<bool> PlockstatProvider::has_library(std::string_view digits) {
  const Result<pid_t> pid = process_number(digits);
  if (!pid) return pid.error();
  const Result<std::vector<MappedObject>> objects = grab_process(objects_, *pid);
  if (!objects) return objects.error();
  return std::ranges::any_of(*objects, [](const MappedObject &mapped) {
    return mapped.object->name() == kLibrary && mapped.object->is_64bit();
  });
}

Result<Unit> PlockstatProvider::list(const ProbeDesc &want, ProbeSink &sink) {
  const std::optional<std::string_view> process = process_of(want.provider);
  if (!process || process->empty() || !field_match(want.module, kLibrary) || !field_match(want.function, ""))
    return ok();
  if (*process != "*") {
    const Result<bool> has = has_library(*process);
    if (!has) return has.error();
    if (!*has) return ok();
  }
  for (const LockProbe &probe : kProbes)
    if (field_match(want.name, probe.name)) sink.offer_as(want.provider, kLibrary, "", probe.name);
  return ok();
}

std::optional<ProbeDefinition> PlockstatProvider::definition(const Probe &probe) {
  const auto *known = std::ranges::find(kProbes, probe.name, &LockProbe::name);
  const std::optional<std::string_view> process = process_of(probe.provider);
  if (known == std::end(kProbes) || !process) return std::nullopt;
  const auto [made, is_new] = texts_.try_emplace(probe.text());
  if (is_new) {
    const std::string functions = fmt::format("pid{}:{}:", *process, kLibrary);
    for (const char c : known->text)
      if (c == '@')
        made->second += functions;
      else
        made->second += c;
  }
  return ProbeDefinition{made->second, {}};
}

Absence PlockstatProvider::why_absent(const ProbeDesc &desc) {
  const std::optional<std::string_view> process = process_of(desc.provider);
  if (!process) return {};
  if (process->empty()) return {"name a process, or all: plockstat$target::: with -c or -p, plockstat*:::", true};
  if (std::ranges::find(kProbes, desc.name, &LockProbe::name) == std::end(kProbes) || *process == "*") return {};
  const Result<bool> has = has_library(*process);
  if (!has || *has) return {};
  return {fmt::format("process {} has no 64-bit glibc ({}), whose locks these probes trace", *process, kLibrary), true};
}

}  // namespace

std::unique_ptr<Provider> make_plockstat_provider(KernelInfo &) { return std::make_unique<PlockstatProvider>(); }

}  // namespace dtrace::runtime
