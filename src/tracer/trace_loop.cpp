// SPDX-License-Identifier: Apache-2.0
#include "tracer/trace_loop.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>

#include <algorithm>
#include <cerrno>
#include <new>

#include "arch/machine.h"
#include "base/deadline.h"
#include "runtime/load/program_costs.h"
#include "runtime/print/messages.h"
#include "runtime/usdt/process_files.h"
#include "tracer/enable.h"

namespace dtrace::tracer {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

/// After a pass the consumer rests this long before it listens to the rings again: while data flows, a ring then wakes
/// us once per pass and not once per record.
constexpr milliseconds kRest{5};
/// How often we look at buffers that do not wake us: of policy fill, and under a switchrate.
constexpr milliseconds kLooks{50};
/// How long one turn notes processes that ran before tracing: what comes meanwhile waits for it.
constexpr milliseconds kNotesTake{1};
constexpr milliseconds kUntilNextNotes{5};
/// How often files of processes that have ended are closed.
constexpr milliseconds kUntilNextClose{2000};
/// Rates have bounds; a rate outside them is changed, and that is said.
struct RateRow {
  Opt option;
  std::string_view what;
  int64_t shortest_ns, longest_ns;
};
constexpr int64_t kSecond = 1'000'000'000;
constexpr RateRow kRateRows[] = {
    {Opt::cleanrate, "cleaning rate", kSecond / 5000, 60 * kSecond},
    {Opt::statusrate, "status rate", 1'000'000, 10 * kSecond},
};

/// After so many programs have begun, the stacks of those that have ended become stacks of files.
constexpr size_t kProgramsBetweenDrains = 512;
constexpr int64_t kShortestPushRate = kSecond / 10;

}  // namespace

TraceLoop::TraceLoop(Compiler &compiler, runtime::Enabling &enabling, runtime::Sink &sink, Client &client, Talk talk)
    : compiler_(compiler),
      enabling_(enabling),
      sink_(sink),
      client_(client),
      talk_(talk),
      options_(compiler.options()),
      aggregations_(enabling.plan(), compiler.catalog(), enabling.possible_cpus(), options_.flag(Opt::aggpercpu),
                    &compiler.budget()),
      aggregator_(enabling, aggregations_),
      ledger_(enabling.plan(), enabling.possible_cpus()),
      walks_(enabling),
      late_(compiler.catalog(), enabling, compiler.followed()),
      consumer_({enabling, compiler.catalog(), compiler.types(), options_, aggregator_, compiler.symbolizer(), sink,
                 compiler.targets().first_pid(),
                 // Where programs begin always at the same addresses, those of a process that has become another
                 // program would be taken for the old one's.
                 [this] {
                   note_mappings();
                   if (cgroups_) cgroups_->update();
                 },
                 [this](std::string_view text) { client_.report(text); },
                 [this](std::string_view text) { client_.note(text); },
                 [this](nanoseconds waiting) { return client_.give_up(waiting).has_value(); },
                 [this] { return client_.end_abandoned(); }, &compiler_.cgroups(),
                 [this](size_t done, size_t total) { client_.progress("frames named", done, total); },
                 [this](uint32_t clause) {
                   return client_.wants_positions() ? compiler_.position_of(clause) : std::string();
                 }}) {
  if (const std::string &by = options_.string(Opt::stackkeys); by != "process")
    aggregations_.share_stacks({.shared_address =
                                    [this](runtime::UserImage image, uint64_t address) {
                                      return compiler_.symbolizer().user().shared_address(image, address);
                                    },
                                .has_ended = [](pid_t pid) { return kill(pid, 0) != 0 && errno == ESRCH; },
                                .note = [this](pid_t pid) { compiler_.symbolizer().note_process(pid); },
                                .of_all = by == "file"});
  // A record may be of a process whose mappings we have not heard of yet, and which is gone.
  compiler_.symbolizer().on_miss([this] { note_mappings(); });
}

TraceLoop::~TraceLoop() {
  compiler_.symbolizer().on_miss({});
  compiler_.symbolizer().set_pool({});
}

int TraceLoop::status() const {
  const bool is_failure = failure_ || sink_.failure() || out_of_memory_ || consumer_.nr_abandoned() != 0 ||
                          consumer_.has_failed_command() || (metrics_ && metrics_->has_failed());
  return is_failure ? 1 : consumer_.exit_status().value_or(0);
}

void TraceLoop::export_metrics(MetricsTarget target) {
  target.max_series = static_cast<uint64_t>(options_.number(Opt::maxseries));
  target.push_rate_ns = std::max(options_.number(Opt::otlprate), kShortestPushRate);
  const auto refresh = [this] {
    // After the end everything was drained.
    if (!enabling_.exited())
      if (const Result<Unit> taken = aggregator_.snapshot(); !taken) client_.report(taken.error().text());
    check_status();
  };
  metrics_ = std::make_unique<MetricsFeed>(
      std::move(target),
      MetricsFeed::Parts{enabling_.plan(), aggregations_, compiler_.catalog(), compiler_.types(), consumer_,
                         compiler_.symbolizer(), client_, refresh, [this] { return ledger_.total(); },
                         [this] { return runtime::program_costs(enabling_); }, &compiler_.cgroups()});
}

// ---------------------------------------------------------------- the start

void TraceLoop::adjust_rates() {
  for (const RateRow &row : kRateRows) {
    const int64_t wanted = options_.number(row.option);
    const int64_t actual = std::clamp(wanted, row.shortest_ns, row.longest_ns);
    if (actual == wanted) continue;
    options_.set_number(row.option, actual);
    client_.report(runtime::rate_changed_text(row.what, static_cast<uint64_t>(wanted), static_cast<uint64_t>(actual)));
  }
}

Result<Unit> TraceLoop::start(LeftToCaller left) {
  for (const runtime::Reduction &reduction : enabling_.reductions())
    if (talk_.of_reductions && !options_.flag(Opt::quietresize))
      client_.report(runtime::size_lowered_text(reduction.what, static_cast<uint64_t>(reduction.size_bytes)));
  const Plan &plan = enabling_.plan();
  if (plan.uses_speculation && options_.number(Opt::nspec) > plan.nr_speculations)
    client_.report(fmt::format("number of speculations lowered to {}", plan.nr_speculations));
  adjust_rates();
  if (const Result<Unit> follows = start_following(); !follows) return Error(follows.error()).during(kNotEnabled);
  // Before the rest, so that nothing is mapped unseen in between.
  const std::vector<std::string> problems = late_.start(compiler_.kernel().tracefs(), compiler_.kernel().online_cpus());
  if (const Result<Unit> started = start_stack_rules(); !started) return Error(started.error()).during(kNotEnabled);
  if (const Result<Unit> started = start_cgroups(); !started) return Error(started.error()).during(kNotEnabled);
  for (const runtime::Target &target : compiler_.targets().targets())
    if (!is_met_in_linker(target)) begin_hold(target.pid());
  const Result<Unit> attached =
      enabling_.attach([this](size_t done, size_t total) { client_.progress("probes set", done, total); });
  if (!attached) return Error(attached.error()).during(kNotEnabled);
  compiler_.debug("probes attached");
  report_attachments();
  report_refused();
  if (options_.flag(Opt::destructive) && !options_.flag(Opt::quiet)) client_.report("allowing destructive actions");
  for (const std::string &problem : problems) client_.report(problem);
  for (const runtime::Target &target : compiler_.targets().targets())
    if (!is_met_in_linker(target)) end_hold(target.pid());
  if (stack_rules_) stack_rules_->complete_busy();
  options_.freeze();
  compiler_.debug("tracing begins");
  if (const Result<Unit> begun = enabling_.run_begin(); !begun) return Error(begun.error()).during(kNotEnabled);
  enabling_.activate();
  // What BEGIN prints comes before anything that a command says; a failure is kept.
  if (!left.rows_of_begin) {
    (void)pass();
    walk_at_begin();
  }
  if (!left.processes)
    if (const Result<Unit> resumed = compiler_.targets().resume_all(mapped_function()); !resumed)
      return resumed.error();
  const Clock::time_point now = Clock::now();
  walks_.start(now);
  next_pass_ = next_snapshot_ = now;
  next_status_ = after(now, nanoseconds(options_.number(Opt::statusrate)));
  if (options_.is_set(Opt::duration)) end_ = after(now, nanoseconds(options_.number(Opt::duration)));
  return ok();
}

Result<Unit> TraceLoop::resume(pid_t pid) { return compiler_.targets().resume(pid, mapped_function()); }

runtime::MappedFunction TraceLoop::mapped_function() {
  if (late_.poll_fd() < 0) return {};
  return [this](pid_t pid, bool is_complete) {
    match_late(is_complete ? std::optional(pid) : std::nullopt, pid);
    if (!is_complete) return;
    begin_hold(pid);
    end_hold(pid);
  };
}

Result<Unit> TraceLoop::start_stack_rules() {
  Result<std::unique_ptr<runtime::StackRules>> rules =
      runtime::StackRules::start(enabling_, arch::host_machine(), compiler_.kernel().online_cpus());
  if (!rules) return std::move(rules.error());
  stack_rules_ = std::move(*rules);
  if (!stack_rules_) return ok();
  compiler_.symbolizer().set_pool(stack_rules_->pool());
  const auto complete = [this](const auto &is_wanted) {
    for (const runtime::Target &target : compiler_.targets().targets())
      if (is_wanted(target.pid())) stack_rules_->complete(target.pid());
  };
  complete([](pid_t) { return true; });
  compiler_.debug("rules of the targets' stacks compiled");
  late_.before_answer(
      [complete](const std::set<pid_t> &mapped) { complete([&](pid_t pid) { return mapped.contains(pid); }); });
  to_note_ = runtime::all_processes();
  // Without one, any process may be meant.
  if (compiler_.targets().targets().empty()) stack_rules_->complete_all();
  return ok();
}

Result<Unit> TraceLoop::start_following() {
  runtime::FollowedProcesses *followed = compiler_.followed();
  if (followed == nullptr) return ok();
  if (Result<Unit> started = followed->start(enabling_.map_fd("dt_family"), compiler_.catalog().pid_namespace());
      !started)
    return started;
  // One that ended before that left no trace in the kernel's map.
  for (const runtime::Target &target : compiler_.targets().targets())
    if (target.has_ended()) followed->ended(target.pid());
  return ok();
}

Result<Unit> TraceLoop::start_cgroups() {
  const Plan &plan = enabling_.plan();
  if (!plan.names_cgroups) return ok();
  Result<std::unique_ptr<runtime::CgroupWatch>> watch = runtime::CgroupWatch::start(
      compiler_.cgroups(), plan, options_, enabling_.map_fd(".bss.dt_cgroups"), enabling_.map_fd("dt_cgroup_names"));
  if (!watch) return std::move(watch.error());
  cgroups_ = std::move(*watch);
  if (!compiler_.cgroups().has_hierarchy())
    client_.report("the unified hierarchy of cgroups (cgroup2) is not mounted: no container, pod or unit is known");
  for (const std::string &unmet : compiler_.cgroups().unmet(options_))
    client_.report(fmt::format("{} is not there yet: waiting for it", unmet));
  compiler_.debug("cgroups and their names read");
  return ok();
}

/// A command held at its exec, whose libraries are met while they are mapped.
bool TraceLoop::is_met_in_linker(const runtime::Target &target) const {
  return late_.poll_fd() >= 0 && target.is_held() && target.held_at() == runtime::EvalTime::kExec;
}

void TraceLoop::begin_hold(pid_t pid) {
  const bool multi = compiler_.kernel().features().has(KernelFeature::kUprobeMulti);
  report_no_hold(pid, late_.hold_at_libraries(pid, multi));
}

void TraceLoop::end_hold(pid_t pid) { report_no_hold(pid, late_.end_hold()); }

void TraceLoop::report_no_hold(pid_t pid, const Result<Unit> &holds) {
  if (!holds)
    client_.report(fmt::format("the first firings of process {} in a library that it loads may be missed: {}", pid,
                               holds.error().text()));
}

void TraceLoop::report_attachments() {
  for (const runtime::AttachReport &attached : enabling_.attach_reports()) {
    if (talk_.of_mechanisms && !attached.tracepoint.empty())
      client_.report(fmt::format("system calls probed at {}, which all calls pass", attached.tracepoint));
    if (attached.mechanism.empty()) continue;
    if (talk_.of_mechanisms)
      client_.report(fmt::format("{} {} probed by {}", attached.sites,
                                 attached.is_of_calls ? "functions of system calls" : "kernel functions",
                                 attached.mechanism));
    if (attached.refused != 0)
      client_.report(fmt::format("{} of {} kernel functions refused a probe", attached.refused,
                                 attached.sites + attached.refused));
  }
}

void TraceLoop::report_managed() {
  if (!stack_rules_) return;
  if (const std::optional<std::string> failure = stack_rules_->take_failure())
    client_.report(fmt::format("user stacks show no functions of Python and Java: {}", *failure));
}

void TraceLoop::report_refused() {
  for (const std::string &unanswered : enabling_.take_unanswered()) client_.report(unanswered);
  const runtime::SitesLeftOut left_out = enabling_.take_left_out();
  const auto others = [](const std::vector<std::string> &all, std::string_view what) {
    return all.size() == 1 ? std::string() : fmt::format(" and {} more {}", all.size() - 1, what);
  };
  if (const std::vector<std::string> &refused = left_out.instructions; !refused.empty())
    client_.report(
        fmt::format("the kernel cannot probe the instruction in {}{}", refused.front(), others(refused, "places")));
  if (const std::vector<std::string> &files = left_out.files; !files.empty())
    client_.report(fmt::format("cannot set probes in {}{}", files.front(), others(files, "files")));
  ledger_.note(Cause::kFileNotOpened, left_out.unopened);
}

// ---------------------------------------------------------------- the run

bool TraceLoop::rings_filling() const {
  return std::ranges::any_of(enabling_.buffers().rings(),
                             [](const runtime::Ring &ring) { return ring.pending_bytes() > ring.size_bytes() / 4; });
}

bool TraceLoop::rings_wake() const { return !enabling_.plan().fills_once && options_.number(Opt::switchrate) == 0; }

Result<Unit> TraceLoop::pass() {
  Result<Unit> consumed = ok();
  guarded([&] { consumed = consumer_.consume(); });
  if (!consumed) failure_ = consumed.error();
  return consumed;
}

bool TraceLoop::empty_buffers() {
  if (!pass() || sink_.failure() || out_of_memory_ || client_.end_abandoned()) return false;
  if (const Result<Unit> relieved = aggregator_.relieve(); !relieved) {
    failure_ = relieved.error();
    return false;
  }
  return true;
}

/// Before processes go on, or in the first turn, if what BEGIN prints has to wait for it.
void TraceLoop::walk_at_begin() {
  walked_at_begin_ = true;
  const Result<Unit> made =
      walks_.run(WalkHook::When::kBegin, [this] { return empty_buffers() && !consumer_.saw_exit() && !is_to_end(); });
  if (!made) failure_ = made.error();
}

void TraceLoop::guarded(const std::function<void()> &step) {
  try {
    step();
  } catch (const std::bad_alloc &) {
    out_of_memory_ = true;
    reserve_.reset();
  }
}

bool TraceLoop::is_to_end() const { return enabling_.exited() || client_.end_requested() || Clock::now() >= end_; }

bool TraceLoop::turn() {
  bool goes_on = false;
  guarded([&] { goes_on = take_turn(); });
  return goes_on && !out_of_memory_;
}

bool TraceLoop::take_turn() {
  if (failure_) return false;
  // Without a rate, records are shown as soon as they come.
  const nanoseconds pace(options_.number(Opt::switchrate));
  const bool ends = is_to_end();
  if (ends) enabling_.end_of_firings();
  if (ends || pace.count() == 0 || Clock::now() >= next_pass_ || rings_filling()) {
    if (!pass() || sink_.failure() || out_of_memory_) return false;
    next_pass_ = after(Clock::now(), pace);
  } else if (const Result<Unit> relieved = aggregator_.relieve(); !relieved) {  // tables do not wait for the rate
    failure_ = relieved.error();
    return false;
  }
  if (consumer_.saw_exit() || is_to_end()) return false;
  if (!walked_at_begin_) walk_at_begin();
  if (failure_) return false;
  const Result<Unit> walked =
      walks_.run_due(Clock::now(), [this] { return empty_buffers() && !consumer_.saw_exit() && !is_to_end(); });
  if (!walked) {
    failure_ = walked.error();
    return false;
  }
  if (failure_ || sink_.failure() || out_of_memory_) return false;
  match_late();
  note_running();
  if (cgroups_) cgroups_->update();
  if (collect_exits()) return false;
  // Their stacks are to be drained while their mappings are remembered.
  if (aggregations_.shares_stacks() && programs_begun_ >= kProgramsBetweenDrains) {
    programs_begun_ = 0;
    if (const Result<Unit> taken = aggregator_.snapshot(); !taken) client_.report(taken.error().text());
  }
  const Clock::time_point now = Clock::now();
  if (now >= next_close_) {
    compiler_.symbolizer().user().close_files_of_ended();
    next_close_ = now + kUntilNextClose;
  }
  if (const int64_t rate_ns = options_.number(Opt::aggrate); rate_ns > 0 && now >= next_snapshot_) {
    if (const Result<Unit> taken = aggregator_.snapshot(); !taken) client_.report(taken.error().text());
    next_snapshot_ = after(now, nanoseconds(rate_ns));
  }
  if (now >= next_status_) {
    check_status();
    next_status_ = after(now, nanoseconds(options_.number(Opt::statusrate)));
  }
  if (metrics_) metrics_->turn();
  return true;
}

milliseconds TraceLoop::time_to_next(bool &listens_to_rings) const {
  const auto until = [](Clock::time_point then) { return std::chrono::ceil<milliseconds>(then - Clock::now()); };
  milliseconds longest = until(next_status_);
  if (end_ != Clock::time_point::max()) longest = std::min(longest, until(end_));
  if (walks_.next() != Clock::time_point::max()) longest = std::min(longest, until(walks_.next()));
  if (options_.number(Opt::aggrate) > 0) longest = std::min(longest, until(next_snapshot_));
  if (options_.number(Opt::switchrate) > 0) longest = std::min({longest, until(next_pass_), kLooks});
  if (enabling_.plan().fills_once) longest = std::min(longest, kLooks);
  if (!to_note_.empty()) longest = std::min(longest, kUntilNextNotes);
  if (metrics_ && metrics_->next() != Clock::time_point::max()) longest = std::min(longest, until(metrics_->next()));
  if (cgroups_ && cgroups_->next() != Clock::time_point::max()) longest = std::min(longest, until(cgroups_->next()));
  listens_to_rings = rings_wake();  // what is left in a ring would wake us for ever
  return std::max(longest, milliseconds(0));
}

bool TraceLoop::step(std::optional<milliseconds> longest) {
  if (!turn()) return false;
  sleep(longest);
  return true;
}

void TraceLoop::sleep(std::optional<milliseconds> longest) {
  const milliseconds most = longest.value_or(milliseconds::max());
  const milliseconds rest = rings_wake() && !rings_filling() ? std::min(kRest, most) : milliseconds(0);
  if (rest.count() > 0) wait(rest, false);
  bool listens_to_rings = false;
  const milliseconds next = time_to_next(listens_to_rings);
  wait(std::min(next, most - rest), listens_to_rings);
  if (timer_) arm_timer(time_to_next(listens_to_rings));
}

void TraceLoop::wait(milliseconds longest, bool listens_to_rings) {
  if (consumer_.saw_exit() || client_.end_requested()) return;
  pollfd fds[] = {{client_.end_fd(), POLLIN, 0},
                  {compiler_.targets().poll_fd(), POLLIN, 0},
                  {late_.poll_fd(), POLLIN, 0},
                  {cgroups_ ? cgroups_->poll_fd() : -1, POLLIN, 0},
                  {compiler_.followed() != nullptr ? compiler_.followed()->poll_fd() : -1, POLLIN, 0},
                  {metrics_ ? metrics_->poll_fd() : -1, POLLIN, 0},
                  {listens_to_rings ? enabling_.buffers().epoll_fd() : -1, POLLIN, 0}};
  (void)poll(fds, std::size(fds), static_cast<int>(longest.count()));  // EINTR: the next turn looks at everything again
}

Result<int> TraceLoop::poll_fd() {
  if (poll_) return poll_.get();
  Fd all(epoll_create1(EPOLL_CLOEXEC));
  Fd timer(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  if (!all || !timer) return Error::from_errno("cannot watch what is traced", errno);
  const int rings = rings_wake() ? enabling_.buffers().epoll_fd() : -1;
  for (const int fd : {timer.get(), client_.end_fd(), compiler_.targets().poll_fd(), late_.poll_fd(),
                       cgroups_ ? cgroups_->poll_fd() : -1,
                       compiler_.followed() != nullptr ? compiler_.followed()->poll_fd() : -1, rings}) {
    epoll_event event{EPOLLIN, {}};
    if (fd >= 0 && epoll_ctl(all.get(), EPOLL_CTL_ADD, fd, &event) != 0)
      return Error::from_errno("cannot watch what is traced", errno);
  }
  poll_ = std::move(all);
  timer_ = std::move(timer);
  arm_timer(milliseconds(0));
  return poll_.get();
}

void TraceLoop::arm_timer(milliseconds longest) {
  const int64_t ns = std::max<int64_t>(nanoseconds(longest).count(), 1);  // 0 disarms
  const itimerspec when{{}, {ns / kSecond, ns % kSecond}};
  (void)timerfd_settime(timer_.get(), 0, &when, nullptr);
}

bool TraceLoop::collect_exits() {
  runtime::FollowedProcesses *followed = compiler_.followed();
  while (const std::optional<runtime::ExitNotice> notice = compiler_.targets().poll()) {
    if (followed != nullptr) followed->ended(notice->pid);
    if (!options_.flag(Opt::quiet)) client_.report(notice->text());
  }
  // In any case, for it takes what wakes us.
  const bool children_ended = followed == nullptr || followed->all_ended();
  return compiler_.targets().all_ended() && children_ended;
}

/// A process that ran before tracing may have ended when addresses on its stacks are named.
void TraceLoop::note_running() {
  for (const Clock::time_point end = Clock::now() + kNotesTake; !to_note_.empty() && Clock::now() < end;) {
    compiler_.symbolizer().note_running(to_note_.back());
    to_note_.pop_back();
  }
}

void TraceLoop::note_mappings() {
  for (runtime::MappingWatch::Event &event : late_.hear()) {
    if (event.map.end == 0) ++programs_begun_;
    compiler_.symbolizer().note_mapping(event.pid, std::move(event.map));
  }
}

void TraceLoop::match_late(std::optional<pid_t> changed, std::optional<pid_t> held) {
  note_mappings();
  runtime::LateMatcher::Outcome outcome = late_.update(changed, held);
  for (const runtime::Target &target : compiler_.targets().targets())
    if (outcome.pids.erase(target.pid()) != 0) compiler_.symbolizer().remember(target.pid());
  if (late_.records_user_places())
    for (const pid_t pid : outcome.pids) compiler_.symbolizer().note_change(pid);
  note_late(false);
  for (const std::string &problem : outcome.problems) client_.report(problem);
  report_refused();
}

void TraceLoop::note_late(bool is_end) {
  ledger_.note(Cause::kUnheard, late_.take_unheard());
  for (const auto &[file, late] : late_.take_late(is_end)) {
    ledger_.note_late(file, late.probes, late.longest_ns);
    // Followed processes wait for their probes, but not for ever.
    if (compiler_.followed() != nullptr)
      client_.report(
          fmt::format("probes of {} were set {:.1f} ms after a process had mapped it: firings may be missing", file,
                      static_cast<double>(late.longest_ns) / 1e6));
  }
}

void TraceLoop::check_status(bool is_end) {
  report_managed();
  if (metrics_) ledger_.note(Cause::kNotServed, metrics_->take_left_out());
  ledger_.note(Cause::kWalkSkipped, walks_.take_skipped());
  const uint64_t of_rules = stack_rules_ ? stack_rules_->take_unopened() : 0;
  ledger_.note(Cause::kFileNotOpened,
               compiler_.catalog().take_unopened() + of_rules + compiler_.symbolizer().user().take_unopened());
  ledger_.note(Cause::kNoMemory, aggregations_.nr_refused() - std::exchange(refused_keys_, aggregations_.nr_refused()));
  ledger_.note(Cause::kSymbolsNoMemory, compiler_.symbolizer().user().take_refused());
  ledger_.note(Cause::kStackKeys, aggregations_.take_kept_stacks());
  ledger_.note(Cause::kUnanswered, enabling_.nr_unanswered() - std::exchange(unanswered_, enabling_.nr_unanswered()));
  if (cgroups_) ledger_.note(Cause::kLateName, cgroups_->take_late());
  if (const uint64_t left_out = compiler_.followed() != nullptr ? compiler_.followed()->take_left_out() : 0)
    client_.report(fmt::format("{} child{} not followed: more processes than are kept", left_out,
                               left_out == 1 ? " was" : "ren were"));
  consumer_.report_more_faults();
  const std::vector<runtime::Loss> fresh = ledger_.update(runtime::read_loss_counters(enabling_));
  sink_.lost(held_losses_.due(fresh, is_end));
}

Result<Unit> TraceLoop::show_aggregations() {
  if (Result<Unit> taken = aggregator_.snapshot(); !taken) return taken;
  guarded([&] { consumer_.show_all_aggregations(); });
  return ok();
}

void TraceLoop::visit_aggregations(const runtime::AggregationVisitor &visitor) {
  guarded([&] { consumer_.visit_aggregations(visitor); });
}

OptionError TraceLoop::set_option(std::string_view name, std::optional<std::string_view> value) {
  const OptionError error = options_.set(name, value, OptionSource::kSetopt);
  if (error == OptionError::kNone) consumer_.refresh();
  return error;
}

// ---------------------------------------------------------------- the end

void TraceLoop::finish() {
  compiler_.debug("tracing ends");
  enabling_.stop();
  if (client_.end_requested()) sink_.interrupted();
  enabling_.detach();
  compiler_.debug("probes removed");
  guarded([this] {
    if (cgroups_) cgroups_->update(true);
  });
  if (const Result<Unit> waited = aggregator_.wait_for_programs(); !waited) client_.report(waited.error().text());
  if (!failure_) {
    (void)pass();
    guarded([this] {
      if (client_.end_abandoned()) return;
      if (const Result<Unit> made = walks_.run(WalkHook::When::kEnd, [this] { return empty_buffers(); }); !made)
        client_.report(made.error().text());
    });
    if (!client_.end_abandoned())
      if (const Result<Unit> ended = enabling_.run_end(); !ended) client_.report(ended.error().text());
    guarded([&] {
      if (const Result<Unit> finished = consumer_.finish(); !finished) failure_ = finished.error();
    });
    guarded([&] {
      consumer_.print_remaining_aggregations();
      sink_.flush();
    });
    for (const std::string &message : consumer_.unnamed_code().messages()) client_.report(message);
  }
  const bool abandoned = client_.end_abandoned();
  ledger_.note(Cause::kOutputLost, abandoned ? 0 : sink_.nr_lost_rows());
  ledger_.note(Cause::kAbandoned, consumer_.nr_abandoned() + (abandoned ? sink_.nr_lost_rows() : 0));
  ledger_.note(Cause::kNoMemory, consumer_.nr_without_memory());
  ledger_.note(Cause::kCommandEnded, consumer_.nr_commands_ended());
  note_late(true);
  check_status(metrics_ == nullptr);
  if (metrics_) {
    if (!abandoned) metrics_->finish();
    check_status(true);
  }
  for (const auto &[cpu, count] : consumer_.refused()) ledger_.note(Cause::kRingFull, count, cpu);
  ledger_.note(Cause::kSpecLate, consumer_.nr_too_late());
  sink_.ended(status(), ledger_.total());
}

}  // namespace dtrace::tracer
