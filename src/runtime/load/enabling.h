// SPDX-License-Identifier: Apache-2.0
// A compiled D program in the kernel: object loaded, maps made to size, probes attached. Everything it holds in the
// kernel lives in file descriptors, so it is gone when the process is, however that ends.
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/options.h"
#include "base/owned.h"
#include "base/progress.h"
#include "base/result.h"
#include "plan/plan.h"
#include "runtime/attach/attach.h"
#include "runtime/load/banks.h"
#include "runtime/load/buffers.h"
#include "runtime/load/loss_counters.h"
#include "runtime/load/managed_programs.h"
#include "runtime/load/sizes.h"
#include "runtime/load/slot_arrays.h"
#include "runtime/load/slot_filler.h"

struct bpf_object;
struct bpf_map;
struct bpf_link;
struct bpf_program;
struct dt_control;

namespace dtrace::runtime {

/// What a start had to make smaller than asked: "buffer size lowered to 2m".
struct Reduction {
  std::string what;
  int64_t size_bytes;
};

/// A program of the plan, or a copy of one.
struct LoadedProgram {
  std::string name;  ///< several copies may have one name
  int fd;
};

class Enabling {
 public:
  /// Takes what the kernel's verifier says of a program (option bpflog), as it is.
  using ShowLog = std::function<void(std::string_view)>;

  /// Makes what is needed for each CPU, sized by `options`, and begins to let programs find it: the code need not be
  /// known. `plan` must outlive the enabling.
  static Result<std::unique_ptr<Enabling>> begin(const Plan &plan, const Options &options, unsigned possible_cpus,
                                                 const std::vector<int> &online_cpus);
  /// Loads the plan's code. Comes before all that follows.
  Result<Unit> load(const std::vector<char> &elf, ShowLog show_log = {});
  ~Enabling();
  Enabling(const Enabling &) = delete;
  Enabling &operator=(const Enabling &) = delete;

  /// Attaches every program that has a kernel hook. Nothing is recorded before activate(). `progress`: of single probes
  /// of kernel functions, and of probes of user programs.
  Result<Unit> attach(const TellProgress &progress = {});
  /// Places in user programs where no probe was set, each said once: for the user and the ledger.
  SitesLeftOut take_left_out() { return std::exchange(attached_.left_out, {}); }
  /// Messages for the user: probes whose is-enabled tests stay false.
  std::vector<std::string> take_unanswered() { return attached_.tests.take_problems(); }
  /// Is-enabled tests so far that should have been true and were false.
  uint64_t nr_unanswered() const { return attached_.tests.nr_unanswered(); }
  /// Attaches a program of the plan to sites that came to be known later.
  Result<Unit> attach_more(uint32_t program, std::span<const SitePlan> sites);
  /// Begins to remove the probes of some files; it may take as long as functions with return probes are running.
  /// `done` is called in another thread. Once at a time.
  void detach_from(const std::set<const UserFile *> &files, std::function<void()> done);
  /// Runs BEGIN's program on one CPU; nothing if there is none.
  Result<Unit> run_begin();
  /// From here on probes fire (unless BEGIN called exit()).
  void activate();
  /// No probe but END fires after this.
  void stop();
  /// Programs that the consumer makes run (Walks); good after attach().
  const std::vector<AttachedWalk> &walks() const { return attached_.walks; }
  /// Runs a program that is attached to nothing.
  Result<Unit> run(const ProgramPlan &plan, std::string_view what);
  /// Runs END's program.
  Result<Unit> run_end();
  /// Removes the probes from the kernel.
  void detach();

  /// How programs came to be attached, in their order; good after attach().
  const std::vector<AttachReport> &attach_reports() const { return attach_reports_; }

  const Plan &plan() const { return plan_; }
  dt_control &control() { return *control_; }
  bool exited() const;  ///< exit() was called or stop()
  /// When stop() was called; until then, now. CLOCK_MONOTONIC.
  uint64_t stopped_ns() const;
  /// Some program other than BEGIN's and END's may have run: until then nothing has to be waited for.
  bool was_active() const { return activated_; }
  Buffers &buffers() { return buffers_; }
  const Buffers &buffers() const { return buffers_; }
  Banks &banks() { return banks_; }
  const std::vector<Reduction> &reductions() const { return reductions_; }
  unsigned possible_cpus() const { return possible_cpus_; }

  /// Programs of functions that interpreters and virtual machines run, between the native frames of user stacks.
  ManagedPrograms &managed() { return managed_; }

  /// Map of the object by name; null if it has none.
  bpf_map *find_map(const std::string &name) const;
  int map_fd(const std::string &name) const;            ///< -1 if there is none
  uint32_t map_entries(const std::string &name) const;  ///< 0 if there is none

  std::vector<LoadedProgram> programs() const;

  /// Summed over programs and links.
  std::vector<MissedFirings> missed() const;
  /// Firings that the kernel does not run from here on are not counted; stop() implies it.
  void end_of_firings();

 private:
  std::map<std::string, uint64_t> missed_since_load() const;
  Enabling(const Plan &plan, const Options &options, unsigned possible_cpus, std::vector<int> online_cpus);
  Result<Unit> open(const std::vector<char> &elf, ShowLog show_log);
  void size_maps();
  Result<Unit> load_object();
  Result<Unit> map_sections();
  Result<Unit> make_slot_arrays();
  Result<Unit> make_buffers();
  Result<Unit> make_logs();
  std::span<uint64_t> totals() const;
  Room room() const;
  Result<Unit> attach_at(const ProgramPlan &plan, std::span<const SitePlan> sites, AttachReport &report);
  Result<Unit> tell_own_memory();
  Result<Unit> test_run(std::string_view probe_name);

  const Plan &plan_;
  const Options &options_;
  unsigned possible_cpus_;
  std::vector<int> online_cpus_;
  BpfObject object_{nullptr, nullptr};
  ManagedPrograms managed_;
  Mapping control_mapping_, totals_mapping_;
  dt_control *control_ = nullptr;  // in control_mapping_
  SlotArrays slot_arrays_;
  BufferSizes sizes_;
  Buffers buffers_;
  Banks banks_;
  SlotFiller filler_;  // after those whose descriptors it works on
  uint64_t stopped_ns_ = 0;
  bool activated_ = false;
  Attachments attached_;
  std::future<void> closing_;                      // links that attached_ no longer has
  std::map<std::string, uint64_t> missed_before_;  // by program, when tracing began
  std::optional<std::map<std::string, uint64_t>> missed_at_end_;
  std::vector<AttachReport> attach_reports_;
  std::vector<Reduction> reductions_;
};

}  // namespace dtrace::runtime
