// SPDX-License-Identifier: Apache-2.0
// Loading: libbpf opens the object, we give its maps their sizes and load it; then the inner maps of the per-CPU tables
// are made and put in their slots. Order matters: sizes before load, slots after.
#include "runtime/load/enabling.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <map>
#include <optional>

#include "bpf/dt_abi.h"
#include "runtime/attach/attach.h"
#include "runtime/load/bpf_log.h"
#include "runtime/load/link_missed.h"
#include "runtime/load/memory_left.h"
#include "runtime/load/on_cpu.h"

namespace dtrace {
namespace {

constexpr const char *kRingsMap = "dt_rings";
constexpr const char *kLogsMap = "dt_logs";
constexpr const char *kControlMap = ".bss.dt_control";
constexpr const char *kTotalsMap = ".bss.dt_totals";
constexpr size_t kSmallRingBytes = 64 * 1024;  // programs that record now and then only
constexpr size_t kSmallestRingBytes = 4096;
constexpr uint64_t kRingHeadBytes = 8;                 // what the kernel puts before each record
constexpr size_t kLargestRingBytes = size_t{1} << 31;  // a map's size is 32 bits, and a power of two
constexpr uint32_t kElementOverheadBytes = 48;         // what the kernel adds to each hash element
constexpr uint32_t kSmallestTable = 64;
constexpr uint32_t kLargestTable = 1 << 20;  // what tables grow to by themselves
constexpr uint32_t kGrowth = 8;
constexpr uint32_t kMaxLateProbes = 1 << 20;  // that come to be known while tracing runs; they take room when they do
constexpr size_t kManyAggregations = 16;      // from here on they share the room that so many would have
constexpr unsigned kManyCpus = 16;  // from here on tables start smaller: their directories cost memory per CPU

constexpr uint64_t kRingShare = 8;   // rings take an eighth of the memory that there is: they are not swapped out
constexpr uint64_t kTableShare = 4;  // tables of aggregations a quarter

/// What the kernel takes at most, and the share of the memory that rings may have.
size_t largest_ring(size_t nr_cpus) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t memory = memory_left() / kRingShare / std::max<size_t>(nr_cpus, 1);
  return std::max(std::min(kLargestRingBytes, std::bit_floor(memory)), page);
}

/// The one value of a data section's map, for reading and writing.
Result<Mapping> map_section(const bpf_map &map) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t size = (bpf_map__value_size(&map) + page - 1) / page * page;
  void *address = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(&map), 0);
  if (address == MAP_FAILED) return Error::from_errno("mmap", errno);
  return Mapping(address, size);
}

/// Asked for in bytes, made as a power of two of pages.
size_t ring_size(int64_t asked_bytes) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return std::max(std::bit_ceil(static_cast<size_t>(std::clamp<int64_t>(asked_bytes, 1, int64_t{1} << 62))), page);
}

/// Limits of the kernel that a correct program can exceed, and what the user can make of it.
struct Verdict {
  const char *logged;
  int error;  ///< 0: any
  const char *meaning;
};

constexpr const char *kTooManyMaps =
    "what one probe runs uses more than 64 maps: aggregations, and associative arrays if there are many, share one if "
    "their keys and values have the same size";
constexpr Verdict kVerdicts[] = {
    {"The sequence of 8193 jumps is too complex", 0,
     "what one probe runs has more branches one after another than the verifier follows (8192; a statement that "
     "updates an aggregation takes two): divide it among probes"},
    {"The total number of maps per program has reached the limit", 0, kTooManyMaps},
    {"processed 0 insns", E2BIG, kTooManyMaps},  // 6.1 has no words for it
    {"BPF program is too large", 0,
     "what one probe runs is more than a million instructions to the verifier: divide it among probes"},
};

}  // namespace

Enabling::~Enabling() { detach(); }

Result<std::unique_ptr<Enabling>> Enabling::load(const std::vector<char> &elf, const Plan &plan, const Options &options,
                                                 unsigned possible_cpus, const std::vector<int> &online_cpus,
                                                 ShowLog show_log) {
  std::unique_ptr<Enabling> enabling(new Enabling(plan, options));
  enabling->possible_cpus_ = possible_cpus;
  enabling->online_cpus_ = online_cpus;
  if (Result<Unit> r = enabling->open(elf, std::move(show_log)); !r) return std::move(r).error();
  if (Result<Unit> r = enabling->size_maps(); !r) return std::move(r).error();
  if (Result<Unit> r = enabling->load_object(); !r) return std::move(r).error();
  if (Result<Unit> r = enabling->make_buffers(online_cpus); !r) return std::move(r).error();
  for (const AggregationPlan &aggregation : plan.aggregations)
    if (Result<Unit> r = enabling->begin_bank(aggregation.index, 0); !r) return std::move(r).error();
  return enabling;
}

Result<Unit> Enabling::open(const std::vector<char> &elf, ShowLog show_log) {
  BpfLog::install(options_.flag(Opt::bpflog) ? std::move(show_log) : nullptr);
  LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "dtrace",
              .kernel_log_level = options_.flag(Opt::bpflog) ? 1u : 0u);
  bpf_object *object = bpf_object__open_mem(elf.data(), elf.size(), &opts);
  if (object == nullptr) return Error::from_errno("cannot open the compiled program", errno).during(BpfLog::take());
  object_ = {object, bpf_object__close};
  return ok();
}

bpf_map *Enabling::find_map(const std::string &name) const {
  return bpf_object__find_map_by_name(object_.get(), name.c_str());
}

int Enabling::map_fd(const std::string &name) const {
  bpf_map *map = find_map(name);
  return map != nullptr ? bpf_map__fd(map) : -1;
}

Result<Unit> Enabling::size_maps() {
  for (const char *name : {kRingsMap, kLogsMap})
    if (bpf_map *map = find_map(name)) bpf_map__set_max_entries(map, possible_cpus_);

  for (const AggregationPlan &aggregation : plan_.aggregations) {
    bpf_map *map = find_map(aggregation.map);
    const uint32_t element_bytes =
        aggregation.table_key_bytes() + aggregation.table_value_bytes() + kElementOverheadBytes;
    const bool roomy = !options_.is_set(Opt::aggsize) && possible_cpus_ < kManyCpus;
    const int64_t share = std::max<int64_t>(1, static_cast<int64_t>(plan_.aggregations.size() / kManyAggregations));
    const int64_t asked = options_.number(Opt::aggsize) / element_bytes * (roomy ? 4 : 1) / share;
    const auto affordable = static_cast<int64_t>(std::min<uint64_t>(affordable_entries(aggregation), 1 << 24));
    tables_.emplace_back().wanted =
        static_cast<uint32_t>(std::max<int64_t>(std::min(asked, affordable), kSmallestTable));
    if (map == nullptr) continue;  // never updated by any program
    // Places ascend among those that share the map: the last one decides.
    bpf_map__set_max_entries(map, aggregation.set(2) * possible_cpus_);
  }
  if (bpf_map *names = find_map("dt_names")) {
    size_t probes = 0;
    for (const ProgramPlan &program : plan_.programs) probes += program.probes.size();
    bpf_map__set_max_entries(names, static_cast<uint32_t>(probes + kMaxLateProbes));
  }
  std::map<bpf_map *, int64_t> arrays;  // how many share each map: each has the room that it would have alone
  for (const VariablePlan &variable : plan_.variables) {
    bpf_map *map = variable.map.empty() ? nullptr : find_map(variable.map);
    if (map == nullptr) continue;
    const uint32_t element_bytes = variable.key_bytes + variable.size_bytes + kElementOverheadBytes;
    const int64_t room = options_.number(Opt::dynvarsize) / element_bytes * ++arrays[map];
    bpf_map__set_max_entries(map, static_cast<uint32_t>(std::clamp<int64_t>(room, kSmallestTable, 1 << 24)));
  }
  return ok();
}

Result<Unit> Enabling::load_object() {
  // What a program is attached to decides its type; libbpf derives both from the section names codegen chose. Programs
  // on a BTF tracepoint get their target's id through libbpf as well.
  if (int error = bpf_object__load(object_.get()); error != 0) {
    std::string log = BpfLog::take();
    for (const Verdict &verdict : kVerdicts)
      if (log.find(verdict.logged) != std::string::npos && (verdict.error == 0 || verdict.error == -error))
        return Error(fmt::format("the kernel refused the program: {}", verdict.meaning), -error);
    return Error(
        fmt::format("the kernel refused the program: {}{}{}", std::strerror(-error), log.empty() ? "" : "\n", log),
        -error);
  }
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

/// A record that can never fit would be dropped at each firing, exit() with it: better refused.
Result<Unit> Enabling::check_records(size_t buffer_bytes) const {
  const uint64_t longest = std::max<uint64_t>(plan_.longest_record + kRingHeadBytes, plan_.log_slot_bytes);
  if (longest >= buffer_bytes)
    return Error(
        fmt::format("Enabling exceeds size of buffer (a record has {} bytes, the buffer {})", longest, buffer_bytes));
  if (plan_.end_bytes >= buffer_bytes)
    return Error(
        fmt::format("END enablings exceed size of principal buffer ({} bytes of {})", plan_.end_bytes, buffer_bytes));
  return ok();
}

Result<Unit> Enabling::make_buffers(const std::vector<int> &online_cpus) {
  const bool may_shrink = options_.string(Opt::bufresize) == "auto";
  // What the program needs at least; a size that nobody asked for gives way to it.
  const size_t longest = std::max<size_t>(plan_.longest_record + kRingHeadBytes, plan_.log_slot_bytes);
  const size_t needed = ring_size(static_cast<int64_t>(std::max({longest, plan_.begin_bytes, plan_.end_bytes}) + 1));
  size_t asked = ring_size(options_.number(Opt::bufsize));
  if (!options_.is_set(Opt::bufsize)) asked = std::max(asked, needed);
  size_t most = std::min(asked, largest_ring(online_cpus.size()));
  if (most != asked && !may_shrink) return Error("Not enough space");
  if (Result<Unit> fits = check_records(most); !fits) return fits;

  const size_t least = std::max(kSmallRingBytes, needed);
  const bool often = (plan_.records_often && plan_.log_slot_bytes == 0) || plan_.fills_once;  // logs leave little
  size_t ring_bytes = often ? most : std::min(most, least);
  const size_t wanted = ring_bytes;
  if (Result<Unit> made = make_rings(online_cpus, ring_bytes, may_shrink); !made) return made;
  if (ring_bytes != wanted) most = ring_bytes;
  if (plan_.log_slot_bytes != 0) {
    if (Result<Unit> made = make_logs(online_cpus, most, may_shrink); !made) return made;
  }
  if (most != asked) reductions_.push_back({"buffer size", static_cast<int64_t>(most)});
  return check_records(most);
}

Result<Unit> Enabling::make_rings(const std::vector<int> &online_cpus, size_t &size_bytes, bool may_shrink) {
  int outer = map_fd(kRingsMap);
  if (outer < 0) return ok();
  epoll_ = Fd(epoll_create1(EPOLL_CLOEXEC));
  if (!epoll_) return Error::from_errno("cannot create an epoll instance", errno);
  for (int cpu : online_cpus) {
    int fd = -1;
    while ((fd = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "dt_ring", 0, 0, static_cast<uint32_t>(size_bytes), nullptr)) <
           0) {
      if (errno != ENOMEM && errno != E2BIG) return Error::from_errno("cannot create a ring buffer", errno);
      if (!may_shrink || size_bytes <= kSmallestRingBytes) return Error("Not enough space");
      size_bytes /= 2;
    }
    auto key = static_cast<uint32_t>(cpu);
    ring_fds_.resize(std::max<size_t>(ring_fds_.size(), key + 1));
    ring_fds_[key] = Fd(fd);
    Result<Ring> ring = Ring::map(fd, size_bytes, cpu);
    if (!ring) return std::move(ring).error();
    rings_.push_back(std::move(*ring));
    epoll_event event{.events = EPOLLIN, .data = {.u32 = key}};
    if (epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) != 0)
      return Error::from_errno("cannot wait for a ring buffer", errno);
  }
  filler_.fill(outer, 0, ring_fds_);
  return ok();
}

Result<Unit> Enabling::make_logs(const std::vector<int> &online_cpus, size_t &size_bytes, bool may_shrink) {
  const int outer = map_fd(kLogsMap);
  if (outer < 0) return ok();
  const uint32_t slot = plan_.log_slot_bytes;
  while (true) {  // all of one size: programs know how many slots there are, not whose
    logs_.clear();
    const auto slots = static_cast<uint32_t>(std::max<size_t>(size_bytes / slot, 1));
    Result<Unit> made = ok();
    for (int cpu : online_cpus) {
      Result<RecordLog> log = RecordLog::make(cpu, slot, slots);
      if (!log) made = std::move(log).error();
      if (!made) break;
      const auto key = static_cast<size_t>(cpu);
      log_fds_.resize(std::max(log_fds_.size(), key + 1));
      log_fds_[key] = log->take_fd();
      logs_.push_back(std::move(*log));
    }
    if (made) {
      control_->log_slots = slots;
      break;
    }
    if (made.error().errno_value() != ENOMEM && made.error().errno_value() != E2BIG) return made;
    if (!may_shrink || size_bytes <= kSmallestRingBytes) return Error("Not enough space");
    size_bytes /= 2;
  }
  filler_.fill(outer, 0, log_fds_);
  return ok();
}

void Enabling::close_logs() {
  for (const RecordLog &log : logs_)
    if (const uint64_t gaps = log.gaps(); gaps != 0) log_gaps_.push_back({static_cast<unsigned>(log.cpu()), gaps});
}

Result<Unit> Enabling::prepare_banks(uint32_t bank) {
  for (const AggregationPlan &aggregation : plan_.aggregations)
    if (Result<Unit> r = begin_bank(aggregation.index, bank); !r) return r;
  return filler_.settle();
}

Result<Unit> Enabling::begin_bank(uint32_t index, uint32_t bank) {
  const AggregationPlan &aggregation = plan_.aggregations[index];
  Tables &tables = tables_[index];
  Tables::Bank &made = tables.banks[bank];
  const int outer = map_fd(aggregation.map);
  if (aggregation.is_single() || outer < 0 || made.capacity >= tables.wanted) return ok();
  std::vector<Fd> fds(possible_cpus_);
  LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_NO_PREALLOC);
  for (int cpu : online_cpus_) {
    Fd &fd = fds[static_cast<size_t>(cpu)];
    while (!fd) {
      fd = Fd(bpf_map_create(BPF_MAP_TYPE_HASH, "dt_agg", aggregation.table_key_bytes(),
                             aggregation.table_value_bytes(), tables.wanted, &opts));
      if (fd) break;
      if (!made.fds.empty()) return ok();  // no memory for larger ones: the old ones serve on
      if (errno != ENOMEM || tables.wanted <= kSmallestTable)
        return Error::from_errno("cannot create an aggregation's table", errno);
      tables.wanted /= 2;
    }
  }
  filler_.fill(outer, aggregation.set(bank) * possible_cpus_, fds);
  if (!made.fds.empty())
    if (Result<Unit> filled = filler_.settle(); !filled) return filled;  // before those that they replace are closed
  made.fds = std::move(fds);
  made.capacity = tables.wanted;
  return ok();
}

void Enabling::want_more(uint32_t index) {
  uint32_t &wanted = tables_[index].wanted;
  if (options_.is_set(Opt::aggsize) || wanted >= kLargestTable) return;
  if (uint64_t{wanted} * kGrowth <= affordable_entries(plan_.aggregations[index])) wanted *= kGrowth;
}

uint64_t Enabling::affordable_entries(const AggregationPlan &aggregation) const {
  const uint64_t element_bytes =
      aggregation.table_key_bytes() + aggregation.table_value_bytes() + kElementOverheadBytes;
  const uint64_t keyed = static_cast<uint64_t>(
      std::ranges::count_if(plan_.aggregations, [](const AggregationPlan &plan) { return !plan.is_single(); }));
  const uint64_t tables = 2 * online_cpus_.size() * std::max<uint64_t>(keyed, 1);  // two banks
  return memory_left() / kTableShare / (element_bytes * std::max<uint64_t>(tables, 1));
}

Result<Unit> Enabling::attach(const AttachProgress &progress) {
  // Programs at one place run in the order in which they were attached. Of probes that are derived from one event the
  // providers' tables say what comes first: a thread ends before its process does.
  std::vector<const ProgramPlan *> programs;
  for (const ProgramPlan &program : plan_.programs)
    if (!program.hook.is<TestRunHook>() && !program.hook.is<NeverHook>()) programs.push_back(&program);
  // User return probes come last, because a process that is killed closes the newest links first (UserLinks).
  const auto rank = [](const ProgramPlan *plan) -> int64_t {
    if (plan->hook.is<UserReturnHook>()) return INT64_MAX;
    return plan->hook.derivation == 0 ? 0 : plan->probes.front().value;
  };
  std::ranges::stable_sort(programs, {}, rank);
  for (const ProgramPlan *program : programs) {
    AttachReport &report = attach_reports_.emplace_back();
    report.progress = progress;
    if (Result<Unit> r = attach_at(*program, program->sites, report); !r) return r;
  }
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
  return attach_at(plan_.programs[program], sites, report);
}

Result<Unit> Enabling::test_run(std::string_view probe_name) {
  auto plan = std::find_if(plan_.programs.begin(), plan_.programs.end(), [&](const ProgramPlan &p) {
    return p.hook.is<TestRunHook>() && p.hook.text() == probe_name;
  });
  if (plan == plan_.programs.end()) return ok();
  bpf_program *program = bpf_object__find_program_by_name(object_.get(), plan->function.c_str());
  if (program == nullptr) return Error(fmt::format("the compiled program has no function {}", plan->function));
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
    return Error::from_errno(fmt::format("cannot run {}", probe_name), -error);
  return ok();
}

Result<Unit> Enabling::run_begin() { return test_run("BEGIN"); }

void Enabling::activate() {
  const uint32_t before = __atomic_fetch_and(&control_->state, ~uint32_t{DT_STATE_SETUP}, __ATOMIC_SEQ_CST);
  activated_ = (before & DT_STATE_STOPPED) == 0;  // else BEGIN has called exit()
  if (activated_) missed_before_ = missed_since_load();
}

void Enabling::stop() {
  __atomic_fetch_or(&control_->state, DT_STATE_STOPPED, __ATOMIC_SEQ_CST);
  end_of_firings();
}

bool Enabling::exited() const { return (__atomic_load_n(&control_->state, __ATOMIC_ACQUIRE) & DT_STATE_STOPPED) != 0; }

uint32_t Enabling::active_bank() const { return __atomic_load_n(&control_->state, __ATOMIC_RELAXED) & DT_STATE_BANK; }

void Enabling::switch_bank() { __atomic_fetch_xor(&control_->state, DT_STATE_BANK, __ATOMIC_SEQ_CST); }

std::span<uint64_t> Enabling::totals(uint32_t index, uint32_t bank) const {
  if (totals_mapping_.data() == nullptr) return {};
  const AggregationPlan &aggregation = plan_.aggregations[index];
  const size_t words = size_t{aggregation.total_bytes} / 8 * possible_cpus_;
  auto *first = static_cast<uint64_t *>(totals_mapping_.data()) + aggregation.total_offset / 8;
  return {first + bank * words, words};
}

Result<Unit> Enabling::run_end() { return test_run("END"); }

void Enabling::detach() {
  for (bpf_link *link : attached_.links) bpf_link__destroy(link);
  attached_.links.clear();
  attached_.user_links.close();
  for (TrampolineCopy &copy : attached_.trampolines) copy.link = Fd();
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
  for (const ProgramPlan &plan : plan_.programs) {
    bpf_program *program = bpf_object__find_program_by_name(object_.get(), plan.function.c_str());
    if (program == nullptr) continue;
    uint64_t count = of_program(bpf_program__fd(program));
    for (const TrampolineCopy &copy : attached_.trampolines)
      if (copy.function == plan.function) count += of_program(copy.program.get());
    if (count != 0) all.emplace(plan.function, count);
  }
  return all;
}

}  // namespace dtrace
