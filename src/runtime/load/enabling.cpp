// SPDX-License-Identifier: Apache-2.0
// Loading: what is needed for each CPU is made and put in its slots, which needs the plan only; libbpf opens the
// object, we give its maps their sizes, or the maps that exist, and load it. Order matters: sizes before load.
#include "runtime/load/enabling.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <optional>
#include <ranges>

#include "base/beside.h"
#include "base/clock.h"
#include "base/exhausted.h"
#include "base/memory_left.h"
#include "bpf/dt_abi.h"
#include "bpf/dt_unwind.h"
#include "runtime/attach/attach.h"
#include "runtime/attach/attach_parts.h"
#include "runtime/load/bpf_log.h"
#include "runtime/load/link_missed.h"
#include "runtime/load/on_cpu.h"

namespace dtrace::runtime {
namespace {

constexpr const char *kRingsMap = "dt_rings";
constexpr const char *kOneRingMap = "dt_one_ring";
constexpr const char *kLogsMap = "dt_logs";
constexpr const char *kControlMap = ".bss.dt_control";
constexpr const char *kTotalsMap = ".bss.dt_totals";
constexpr const char *kUnwindPoolMap = "dt_unwind_pool";
constexpr uint32_t kMaxLateProbes = 1 << 20;  // that come to be known while tracing runs; they take room when they do

/// The one value of a data section's map, for reading and writing.
Result<Mapping> map_section(const bpf_map &map) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t size = (bpf_map__value_size(&map) + page - 1) / page * page;
  void *address = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(&map), 0);
  if (address == MAP_FAILED) return Error::from_errno("mmap", errno);
  return Mapping(address, size);
}

/// Limits of the kernel that a correct program can exceed, and what the user can make of it.
struct Verdict {
  const char *logged;
  int error;  ///< 0: any
  const char *meaning;
};

constexpr const char *kTooManyMaps =
    "the clauses of one probe use more than 64 maps: aggregations, and associative arrays if there are many, share one "
    "if their keys and values have the same size";
constexpr Verdict kVerdicts[] = {
    {"The sequence of 8193 jumps is too complex", 0,
     "the clauses of one probe have more branches one after another than the verifier follows (8192; a statement that "
     "updates an aggregation takes two, in each round of a loop): divide them among probes, or lower looplimit"},
    {"The total number of maps per program has reached the limit", 0, kTooManyMaps},
    {"processed 0 insns", E2BIG, kTooManyMaps},  // 6.1 has no words for it
    {"BPF program is too large", 0,
     "the clauses of one probe are more than a million instructions to the verifier, which follows each round of a "
     "loop: divide them among probes, or lower looplimit"},
};

}  // namespace

Enabling::~Enabling() {
  detach();
  for (const AttachedWalk &walk : attached_.walks) bpf_link__destroy(walk.link);
}

Enabling::Enabling(const Plan &plan, const Options &options, unsigned possible_cpus, std::vector<int> online_cpus)
    : plan_(plan),
      options_(options),
      possible_cpus_(possible_cpus),
      online_cpus_(std::move(online_cpus)),
      banks_({plan, options, filler_, [this](const std::string &map) { return map_fd(map); }, [this] { return room(); },
              possible_cpus, online_cpus_}) {}

Result<std::unique_ptr<Enabling>> Enabling::begin(const Plan &plan, const Options &options, unsigned possible_cpus,
                                                  const std::vector<int> &online_cpus) {
  std::unique_ptr<Enabling> enabling(new Enabling(plan, options, possible_cpus, online_cpus));
  if (Result<Unit> r = enabling->make_slot_arrays(); !r) return std::move(r).error();
  if (Result<Unit> r = enabling->make_buffers(); !r) return std::move(r).error();
  if (Result<Unit> r = enabling->banks_.make_first(); !r) return std::move(r).error();
  return enabling;
}

Result<Unit> Enabling::load(const std::vector<char> &elf, ShowLog show_log) {
  if (Result<Unit> r = open(elf, std::move(show_log)); !r) return r;
  size_maps();
  if (Result<Unit> r = slot_arrays_.give_to(*object_); !r) return r;
  if (bpf_map *ring = find_map(kOneRingMap))
    if (const int error = bpf_map__reuse_fd(ring, buffers_.one_ring_fd()); error != 0)
      return Error::from_errno("cannot use a ring buffer", -error);
  if (Result<Unit> r = load_object(); !r) return r;
  if (Result<Unit> r = map_sections(); !r) return r;
  if (Result<Unit> r = tell_own_memory(); !r) return r;
  banks_.use(*control_, totals());
  return make_logs();
}

Room Enabling::room() const {
  return {online_cpus_.size(), possible_cpus_, memory_left(), static_cast<size_t>(sysconf(_SC_PAGESIZE))};
}

Result<Unit> Enabling::open(const std::vector<char> &elf, ShowLog show_log) {
  BpfLog::install(options_.flag(Opt::bpflog) ? std::move(show_log) : nullptr);
  // Programs that cannot call others show managed frames from the beginning; then so do all.
  const bool with_managed = plan_.shows_managed;
  Result<BpfObject> object = open_object(elf, plan_, with_managed, options_.flag(Opt::bpflog) ? 1 : 0);
  if (!object) return std::move(object.error());
  object_ = std::move(*object);
  const auto calls = [](const ProgramPlan &program) { return !program.managed_map.empty(); };
  if (!with_managed && std::ranges::any_of(plan_.programs, calls))
    managed_ = ManagedPrograms(elf, plan_, object_.get());
  return ok();
}

bpf_map *Enabling::find_map(const std::string &name) const {
  if (object_ == nullptr) return nullptr;
  return bpf_object__find_map_by_name(object_.get(), name.c_str());
}

int Enabling::map_fd(const std::string &name) const {
  if (slot_arrays_.has(name)) return slot_arrays_.fd(name);
  bpf_map *map = find_map(name);
  return map != nullptr ? bpf_map__fd(map) : -1;
}

uint32_t Enabling::map_entries(const std::string &name) const {
  const bpf_map *map = find_map(name);
  return map != nullptr ? bpf_map__max_entries(map) : 0;
}

void Enabling::size_maps() {
  if (bpf_map *logs = find_map(kLogsMap)) bpf_map__set_max_entries(logs, possible_cpus_);
  if (bpf_map *names = find_map("dt_names")) {
    size_t probes = 0;
    for (const ProgramPlan &program : plan_.programs) probes += program.probes.size();
    bpf_map__set_max_entries(names, static_cast<uint32_t>(probes + kMaxLateProbes));
  }
  if (bpf_map *pool = find_map(kUnwindPoolMap)) {
    const PoolBlocks blocks = unwind_pool_blocks(options_, room());
    bpf_map__set_max_entries(pool, blocks.most);
    if (blocks.most != blocks.asked)
      reductions_.push_back({"rules of user stacks", int64_t{blocks.most} * DT_UNWIND_BLOCK_BYTES});
  }
  std::map<bpf_map *, int64_t> arrays;  // how many share each map
  for (const VariablePlan &variable : plan_.variables) {
    bpf_map *map = variable.map.empty() ? nullptr : find_map(variable.map);
    if (map != nullptr) bpf_map__set_max_entries(map, array_elements(variable, ++arrays[map], options_));
  }
}

Result<Unit> Enabling::load_object() {
  // What a program is attached to decides its type; libbpf derives both from the section names codegen chose. Programs
  // on a typed tracepoint get their type there, too (typed_tracepoints.cpp).
  if (int error = bpf_object__load(object_.get()); error != 0) {
    std::string log = BpfLog::take();
    for (const Verdict &verdict : kVerdicts)
      if (log.find(verdict.logged) != std::string::npos && (verdict.error == 0 || verdict.error == -error))
        return Error(fmt::format("the kernel refused the program: {}", verdict.meaning), -error);
    return Error(
        fmt::format("the kernel refused the program: {}{}{}", std::strerror(-error), log.empty() ? "" : "\n", log),
        -error);
  }
  return ok();
}

Result<Unit> Enabling::map_sections() {
  bpf_map *control = find_map(kControlMap);
  if (control == nullptr || bpf_map__value_size(control) < sizeof(dt_control))
    return Error("the compiled program has no control block");
  Result<Mapping> control_mapping = map_section(*control);
  if (!control_mapping) return std::move(control_mapping).error().during("cannot map the control block");
  control_mapping_ = std::move(*control_mapping);
  control_ = static_cast<dt_control *>(control_mapping_.data());
  if (bpf_map *totals = find_map(kTotalsMap)) {
    Result<Mapping> mapping = map_section(*totals);
    if (!mapping) return std::move(mapping).error().during("cannot map the aggregations");
    totals_mapping_ = std::move(*mapping);
  }
  timespec wall{}, mono{};
  clock_gettime(CLOCK_REALTIME, &wall);
  clock_gettime(CLOCK_MONOTONIC, &mono);
  control_->boot_wall_offset =
      static_cast<uint64_t>((wall.tv_sec - mono.tv_sec) * 1'000'000'000LL + wall.tv_nsec - mono.tv_nsec);
  control_->state = DT_STATE_SETUP;
  return ok();
}

Result<Unit> Enabling::make_slot_arrays() {
  const SlotShape ring{.type = BPF_MAP_TYPE_RINGBUF, .entries = static_cast<uint32_t>(sysconf(_SC_PAGESIZE))};
  if (!plan_.one_ring)
    if (Result<Unit> made = slot_arrays_.make(kRingsMap, ring, possible_cpus_); !made) return made;
  std::map<std::string, const AggregationPlan *> last;  // slots ascend among those that share a map
  for (const AggregationPlan &aggregation : plan_.aggregations)
    if (!aggregation.is_single()) last[aggregation.map] = &aggregation;
  for (const auto &[map, aggregation] : last) {
    const SlotShape table{.type = BPF_MAP_TYPE_HASH,
                          .key_bytes = aggregation->table_key_bytes(),
                          .value_bytes = aggregation->table_value_bytes(),
                          .flags = BPF_F_NO_PREALLOC};
    if (Result<Unit> made = slot_arrays_.make(map, table, aggregation->set(2) * possible_cpus_); !made) return made;
  }
  return ok();
}

Result<Unit> Enabling::make_buffers() {
  Result<BufferSizes> sizes = buffer_sizes(plan_, options_, room());
  if (!sizes) return std::move(sizes.error());
  sizes_ = *sizes;
  if (plan_.one_ring) return buffers_.make_one_ring(kOneRingMap, sizes_);
  return buffers_.make_rings(map_fd(kRingsMap), online_cpus_, sizes_, filler_);
}

Result<Unit> Enabling::make_logs() {
  if (plan_.log_slot_bytes != 0) {
    Result<uint32_t> slots = buffers_.make_logs(map_fd(kLogsMap), online_cpus_, plan_.log_slot_bytes, sizes_, filler_);
    if (!slots) return std::move(slots.error());
    control_->log_slots = *slots;
  }
  if (sizes_.most != sizes_.asked) reductions_.push_back({"buffer size", static_cast<int64_t>(sizes_.most)});
  return check_records(plan_, sizes_.most);
}

Result<Unit> Enabling::attach(const TellProgress &progress) {
  // Programs at one address run in the order in which they were attached. For probes that are derived from one event,
  // the providers' tables say what comes first: a thread ends before its process does.
  std::vector<const ProgramPlan *> programs;
  for (const ProgramPlan &program : plan_.programs)
    if (!program.hook.is<TestRunHook>() && !program.hook.is<NeverHook>()) programs.push_back(&program);
  // User return probes come last, because a process that is killed closes the newest links first (UserLinks). Single
  // kprobes of one function run in the opposite order, and the one that waits for the return hides the caller from
  // those behind it.
  const auto rank = [](const ProgramPlan *plan) -> int64_t {
    if (plan->hook.is<UserReturnHook>()) return INT64_MAX;
    if (plan->hook.is<KernelReturnHook>() && plan->trampoline.empty() && !plan->multi) return -1;
    return plan->hook.derivation == 0 ? 0 : plan->probes.front().value;
  };
  std::ranges::stable_sort(programs, {}, rank);
  const std::vector<uint64_t> busy = find_busy_functions(programs);
  size_t nr_sites = 0;
  for (const ProgramPlan *program : programs) nr_sites += program->sites.size();
  Progress of_all(nr_sites, progress);
  size_t nr_before = 0;
  std::vector<SiteParts> parts;
  attach_reports_.resize(programs.size());
  for (size_t i = 0; i < programs.size(); ++i) {
    AttachReport &report = attach_reports_[i];
    report.progress = [&of_all, nr_before](size_t done, size_t) { of_all.at(nr_before + done); };
    nr_before += programs[i]->sites.size();
    const SiteParts &sites = parts.emplace_back(divide_sites(*programs[i], busy));
    Result<Unit> attached = attach_at(*programs[i], sites.first, report);
    // Whether all functions were refused, the last part decides.
    if (!attached && (sites.last.empty() || report.refused != sites.first.size())) return attached;
  }
  for (size_t i = 0; i < programs.size(); ++i) {
    if (parts[i].last.empty()) continue;
    if (Result<Unit> r = attach_at(*programs[i], parts[i].last, attach_reports_[i]); !r) return r;
  }
  for (AttachReport &report : attach_reports_) report.progress = {};
  return filler_.settle();
}

Result<Unit> Enabling::attach_at(const ProgramPlan &plan, std::span<const SitePlan> sites, AttachReport &report) {
  bpf_program *program = bpf_object__find_program_by_name(object_.get(), plan.function.c_str());
  if (program == nullptr) return Error(fmt::format("the compiled program has no function {}", plan.function));
  std::optional<int> only;
  if (options_.is_set(Opt::cpu)) only = static_cast<int>(options_.number(Opt::cpu));
  return attach_hook(*program, plan, sites, AttachCpus(online_cpus_, only), attached_, report);
}

Result<Unit> Enabling::attach_more(uint32_t program, std::span<const SitePlan> sites) {
  AttachReport report;
  Result<Unit> attached = attach_at(plan_.programs[program], sites, report);
  if (attached || !is_exhausted(attached.error().errno_value())) return attached;
  ++attached_.left_out.unopened;
  return ok();
}

void Enabling::detach_from(const std::set<const UserFile *> &files, std::function<void()> done) {
  closing_ = begin_beside([links = attached_.user_links.release(files), done = std::move(done)] {
    close_links(links);
    done();
  });
}

Result<Unit> Enabling::test_run(std::string_view probe_name) {
  auto plan = std::find_if(plan_.programs.begin(), plan_.programs.end(), [&](const ProgramPlan &p) {
    return p.hook.is<TestRunHook>() && p.hook.text() == probe_name;
  });
  return plan == plan_.programs.end() ? ok() : run(*plan, probe_name);
}

Result<Unit> Enabling::run(const ProgramPlan &plan, std::string_view what) {
  bpf_program *program = bpf_object__find_program_by_name(object_.get(), plan.function.c_str());
  if (program == nullptr) return Error(fmt::format("the compiled program has no function {}", plan.function));
  uint64_t context[8] = {};
  LIBBPF_OPTS(bpf_test_run_opts, run, .ctx_in = context, .ctx_size_in = sizeof context);
  // The program runs in our own context if we are on that CPU, and within whatever is interrupted there if not.
  std::optional<OnCpu> there;
  if (options_.is_set(Opt::cpu)) {
    there.emplace(static_cast<int>(options_.number(Opt::cpu)));
    if (!there->moved()) {
      run.flags = BPF_F_TEST_RUN_ON_CPU;
      run.cpu = static_cast<uint32_t>(options_.number(Opt::cpu));
    }
  }
  if (int error = bpf_prog_test_run_opts(bpf_program__fd(program), &run); error != 0)
    return Error::from_errno(fmt::format("cannot run {}", what), -error);
  return ok();
}

/// Programs of user functions pass over us, whatever we call: we do not trace ourselves.
Result<Unit> Enabling::tell_own_memory() {
  const bpf_program *program = bpf_object__find_program_by_name(object_.get(), "own_memory");
  if (program == nullptr) return ok();
  uint64_t context[1] = {};
  LIBBPF_OPTS(bpf_test_run_opts, run, .ctx_in = context, .ctx_size_in = sizeof context);
  const int error = bpf_prog_test_run_opts(bpf_program__fd(program), &run);
  return error == 0 ? ok() : Result<Unit>(Error::from_errno("cannot tell programs which process is dtrace", -error));
}

Result<Unit> Enabling::run_begin() {
  control_->start = monotonic_ns();
  return test_run("BEGIN");
}

void Enabling::activate() {
  const uint32_t before = __atomic_fetch_and(&control_->state, ~uint32_t{DT_STATE_SETUP}, __ATOMIC_SEQ_CST);
  activated_ = (before & DT_STATE_STOPPED) == 0;  // else BEGIN has called exit()
  if (activated_) missed_before_ = missed_since_load();
}

void Enabling::stop() {
  __atomic_fetch_or(&control_->state, DT_STATE_STOPPED, __ATOMIC_SEQ_CST);
  if (stopped_ns_ == 0) stopped_ns_ = monotonic_ns();
  end_of_firings();
}

uint64_t Enabling::stopped_ns() const { return stopped_ns_ != 0 ? stopped_ns_ : monotonic_ns(); }

bool Enabling::exited() const { return (__atomic_load_n(&control_->state, __ATOMIC_ACQUIRE) & DT_STATE_STOPPED) != 0; }

std::span<uint64_t> Enabling::totals() const {
  auto *first = static_cast<uint64_t *>(totals_mapping_.data());
  return first == nullptr ? std::span<uint64_t>() : std::span(first, totals_mapping_.size_bytes() / 8);
}

std::vector<LoadedProgram> Enabling::programs() const {
  std::vector<LoadedProgram> programs;
  for (const ProgramPlan &plan : plan_.programs)
    if (const bpf_program *program = bpf_object__find_program_by_name(object_.get(), plan.function.c_str()))
      programs.push_back({plan.function, bpf_program__fd(program)});
  for (const ProgramCopy &copy : attached_.copies) programs.push_back({copy.name, copy.program.get()});
  return programs;
}

Result<Unit> Enabling::run_end() { return test_run("END"); }

void Enabling::detach() {
  // The last first: a tracepoint that loses the first of its programs, and keeps one, waits for an RCU grace period.
  // And probes of functions that the kernel runs while it removes others (attach_parts.h) are gone before those. A
  // dtrace that is killed does not come here, and was seen to gain nothing by parts.
  for (bpf_link *link : std::views::reverse(attached_.links)) bpf_link__destroy(link);
  attached_.links.clear();
  attached_.user_links.close();
  if (closing_.valid()) closing_.get();  // not before, as return probes delay it
  for (ProgramCopy &copy : std::views::reverse(attached_.copies)) copy.link = Fd();
}

/// What programs miss while they are attached, and after exit(), is no loss: they would have done nothing.
std::vector<MissedFirings> Enabling::missed() const {
  if (!activated_) return {};
  std::vector<MissedFirings> all;
  for (const auto &[program, count] : missed_at_end_ ? *missed_at_end_ : missed_since_load()) {
    const auto before = missed_before_.find(program);
    const uint64_t in_between = count - (before == missed_before_.end() ? 0 : before->second);
    if (in_between != 0) all.push_back({program, in_between});
  }
  return all;
}

void Enabling::end_of_firings() {
  if (activated_ && !missed_at_end_) missed_at_end_ = missed_since_load();
}

std::map<std::string, uint64_t> Enabling::missed_since_load() const {
  std::map<uint32_t, uint64_t> by_links;  // by program id
  for (const bpf_link *link : attached_.links)
    if (std::optional<LinkMissed> missed = link_missed(*link)) by_links[missed->program_id] += missed->count;
  std::map<std::string, uint64_t> all;
  auto of_program = [&](int fd) {
    bpf_prog_info info{};
    uint32_t size = sizeof info;
    return bpf_prog_get_info_by_fd(fd, &info, &size) == 0 ? info.recursion_misses + by_links[info.id] : 0;
  };
  for (const LoadedProgram &program : programs())
    if (const uint64_t count = of_program(program.fd); count != 0) all[program.name] += count;
  return all;
}

}  // namespace dtrace::runtime
