// SPDX-License-Identifier: Apache-2.0
#include "main/tracing.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <optional>

#include "main/signals.h"
#include "runtime/consume/aggregator.h"
#include "runtime/consume/consumer.h"
#include "runtime/consume/ledger.h"
#include "runtime/late/late_matcher.h"
#include "runtime/load/enabling.h"
#include "runtime/load/scheduling.h"
#include "runtime/output/formats.h"
#include "runtime/print/messages.h"

namespace dtrace {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

/// After a pass the consumer rests this long before it listens to the rings again: while data flows, a ring then wakes
/// us once per pass and not once per record.
constexpr milliseconds kRest{5};
/// How often we look at buffers that do not wake us: of policy fill, and under a switchrate.
constexpr milliseconds kLooks{50};
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

class Tracing {
 public:
  Tracing(Session &session, Enabling &enabling, FdOutput &output)
      : session_(session),
        enabling_(enabling),
        output_(output),
        aggregator_(enabling, session.catalog(), session.options.flag(Opt::aggpercpu)),
        ledger_(enabling),
        late_(session.catalog(), enabling),
        sink_(make_sink(session.options.string(Opt::format),
                        {output, session.symbolizer(), session.types(), enabling.plan(), session.targets().first_pid(),
                         session.line.plain, session.line.buffered, [](std::string_view text) { report(text); }})),
        consumer_({enabling, session.catalog(), session.types(), session.options, aggregator_, session.symbolizer(),
                   *sink_, session.targets().first_pid(),
                   // Where programs begin always at the same addresses, those of a process that has become another
                   // program would be taken for the old one's.
                   [this] { note_mappings(); }, [](std::string_view text) { report(text); },
                   [this](nanoseconds waiting) { return interrupts_.give_up(waiting).has_value(); },
                   [this] { return interrupts_.abandoned(); }}) {
    output_.set_patience([this](nanoseconds waiting) { return interrupts_.give_up(waiting); });
    // A record may be of a process whose mappings we have not heard of yet, and which is gone.
    session_.symbolizer().on_miss([this] { note_mappings(); });
  }

  ~Tracing() {
    session_.symbolizer().on_miss({});
    output_.set_patience({});
  }
  Tracing(const Tracing &) = delete;
  Tracing &operator=(const Tracing &) = delete;

  int run();

 private:
  bool start();
  void report_attachments();
  void work();
  void finish();
  Result<Unit> pass();
  /// Runs a step of the consumer. Memory that is not to be had ends tracing; what there is can be printed by what is
  /// kept in reserve for that.
  void guarded(const std::function<void()> &step);
  void wait(milliseconds longest, bool listen_to_rings);
  void check_status();
  int status() const;
  bool collect_exits();
  void note_mappings();
  bool is_met_in_linker(const Target &target) const;
  void note_late(bool is_end);
  void hold_at_libraries(pid_t pid);
  void match_late(std::optional<pid_t> changed = {}, std::optional<pid_t> held = {});
  void report_refused();
  bool rings_filling() const;
  /// Nobody reads our output any more. SIGPIPE ends a program then, without a word.
  bool lost_reader() const {
    return output_.failed() && output_.error()->errno_value() == EPIPE && interrupts_.dies_of_pipe();
  }
  int fail(const Error &error) {
    report(error.text());
    return 1;
  }

  Session &session_;
  Enabling &enabling_;
  FdOutput &output_;
  Interrupts interrupts_;
  Aggregator aggregator_;
  Ledger ledger_;
  LateMatcher late_;
  std::unique_ptr<Sink> sink_;
  Consumer consumer_;
  std::optional<Error> failure_;
  static constexpr size_t kReserveBytes = 16 << 20;  // never touched: it takes addresses only
  std::unique_ptr<std::byte[]> reserve_{new std::byte[kReserveBytes]};
  bool out_of_memory_ = false;
  uint64_t refused_keys_ = 0;  // as the ledger knows
};

/// What the command's exit status will be, as far as tracing decides it.
int Tracing::status() const {
  const bool is_failure = failure_ || output_.failed() || out_of_memory_ || consumer_.nr_abandoned() != 0;
  return is_failure ? 1 : consumer_.exit_status().value_or(0);
}

int Tracing::run() {
  if (!start()) return 1;
  if (!failure_) work();
  finish();
  if (failure_) {
    report(fmt::format("processing aborted: {}", failure_->text()));
    return 1;
  }
  if (lost_reader()) return kReaderGone;
  if (output_.failed()) {
    report(
        fmt::format("failed to write to {}: {}", session_.line.output.value_or("<stdout>"), output_.error()->text()));
    return 1;
  }
  if (out_of_memory_) {
    report("out of memory: tracing ended, and this is what there was until then");
    return 1;
  }
  if (consumer_.nr_abandoned() != 0) {
    report("output abandoned at a second interrupt");
    return 1;
  }
  return status();
}

bool Tracing::start() {
  run_promptly();
  for (const Reduction &reduction : enabling_.reductions())
    if (!session_.options.flag(Opt::quietresize) && !session_.line.plain)
      report(size_lowered_text(reduction.what, static_cast<uint64_t>(reduction.size_bytes)));
  const int64_t speculations = session_.options.number(Opt::nspec);
  if (enabling_.plan().uses_speculation && speculations > enabling_.plan().nr_speculations)
    report(fmt::format("number of speculations lowered to {}", enabling_.plan().nr_speculations));
  for (const RateRow &row : kRateRows) {
    const int64_t wanted = session_.options.number(row.option);
    const int64_t actual = std::clamp(wanted, row.shortest_ns, row.longest_ns);
    if (actual == wanted) continue;
    session_.options.set_number(row.option, actual);
    report(rate_changed_text(row.what, static_cast<uint64_t>(wanted), static_cast<uint64_t>(actual)));
  }
  if (Result<Unit> attached = enabling_.attach(); !attached) {
    report(fmt::format("could not enable tracing: {}", attached.error().text()));
    return false;
  }
  session_.debug("probes attached");
  report_attachments();
  report_refused();
  if (session_.options.flag(Opt::destructive) && !session_.options.flag(Opt::quiet))
    report("allowing destructive actions");
  // Before the rest, so that nothing is mapped unseen in between.
  for (const std::string &problem : late_.start(session_.kernel().tracefs(), session_.kernel().online_cpus()))
    report(problem);
  for (const Target &target : session_.targets().targets())
    if (!is_met_in_linker(target)) hold_at_libraries(target.pid());
  session_.options.freeze();
  session_.debug("tracing begins");
  if (Result<Unit> begun = enabling_.run_begin(); !begun) {
    report(fmt::format("could not enable tracing: {}", begun.error().text()));
    return false;
  }
  enabling_.activate();
  (void)pass();  // what BEGIN prints comes before anything that a command says; a failure is kept
  MappedFunction mapped;
  if (late_.poll_fd() >= 0)
    mapped = [this](pid_t pid, bool is_complete) {
      match_late(is_complete ? std::optional(pid) : std::nullopt, pid);
      if (is_complete) hold_at_libraries(pid);
    };
  if (Result<Unit> resumed = session_.targets().resume_all(mapped); !resumed) {
    report(resumed.error().text());
    return false;
  }
  return true;
}

/// A command held at its exec, whose libraries are met while they are mapped.
bool Tracing::is_met_in_linker(const Target &target) const {
  return late_.poll_fd() >= 0 && target.is_held() && target.held_at() == EvalTime::kExec;
}

void Tracing::note_late(bool is_end) {
  for (const auto &[file, late] : late_.take_late(is_end)) ledger_.note_late(file, late.probes, late.longest_ns);
}

void Tracing::hold_at_libraries(pid_t pid) {
  if (Result<Unit> holds = late_.hold_at_libraries(pid, session_.kernel().features().has(KernelFeature::kUprobeMulti));
      !holds)
    report(fmt::format("what process {} does first in a library that it loads may be missed: {}", pid,
                       holds.error().text()));
}

void Tracing::report_attachments() {
  for (const AttachReport &attached : enabling_.attach_reports()) {
    if (attached.mechanism.empty()) continue;
    if (session_.line.verbose > 0)
      report(fmt::format("{} kernel functions probed by {}", attached.sites, attached.mechanism));
    if (attached.refused != 0)
      report(fmt::format("{} of {} kernel functions refused a probe", attached.refused,
                         attached.sites + attached.refused));
  }
}

bool Tracing::rings_filling() const {
  return std::any_of(enabling_.rings().begin(), enabling_.rings().end(),
                     [](const Ring &ring) { return ring.pending_bytes() > ring.size_bytes() / 4; });
}

Result<Unit> Tracing::pass() {
  Result<Unit> consumed = ok();
  guarded([&] { consumed = consumer_.consume(); });
  if (!consumed) failure_ = consumed.error();
  return consumed;
}

void Tracing::guarded(const std::function<void()> &step) {
  try {
    step();
  } catch (const std::bad_alloc &) {
    out_of_memory_ = true;
    reserve_.reset();
  }
}

void Tracing::work() {
  const auto status_period =
      std::chrono::duration_cast<milliseconds>(nanoseconds(session_.options.number(Opt::statusrate)));
  const bool fills = enabling_.plan().fills_once;
  Clock::time_point next_pass = Clock::now();
  Clock::time_point next_status = Clock::now() + status_period;
  Clock::time_point next_snapshot = Clock::now();
  while (true) {
    // Without a rate, records are printed as soon as they come.
    const nanoseconds pace(session_.options.number(Opt::switchrate));
    const bool ends = enabling_.exited() || interrupts_.requested();
    if (ends) enabling_.end_of_firings();
    if (ends || pace.count() == 0 || Clock::now() >= next_pass || rings_filling()) {
      if (!pass() || output_.failed() || out_of_memory_) break;
      next_pass = Clock::now() + pace;
    } else if (Result<Unit> relieved = aggregator_.relieve(); !relieved) {  // tables do not wait for the rate
      failure_ = relieved.error();
      break;
    }
    if (consumer_.saw_exit() || enabling_.exited() || interrupts_.requested()) break;
    match_late();
    if (collect_exits()) break;
    const Clock::time_point now = Clock::now();
    if (const int64_t rate_ns = session_.options.number(Opt::aggrate); rate_ns > 0 && now >= next_snapshot) {
      if (Result<Unit> taken = aggregator_.snapshot(); !taken) report(taken.error().text());
      next_snapshot = now + nanoseconds(rate_ns);
    }
    if (now >= next_status) {
      check_status();
      next_status = now + status_period;
    }
    if (pace.count() == 0 && !fills && !rings_filling()) wait(kRest, false);
    auto until = [](Clock::time_point then) { return std::chrono::ceil<milliseconds>(then - Clock::now()); };
    milliseconds longest = until(next_status);
    if (session_.options.number(Opt::aggrate) > 0) longest = std::min(longest, until(next_snapshot));
    if (pace.count() > 0) longest = std::min({longest, until(next_pass), kLooks});
    if (fills) longest = std::min(longest, kLooks);
    // What is left in a ring would wake us for ever.
    wait(std::max(longest, milliseconds(0)), !fills && pace.count() == 0);
  }
}

void Tracing::wait(milliseconds longest, bool listen_to_rings) {
  if (consumer_.saw_exit() || interrupts_.requested()) return;
  pollfd fds[4] = {{interrupts_.fd(), POLLIN, 0},
                   {session_.targets().poll_fd(), POLLIN, 0},
                   {late_.poll_fd(), POLLIN, 0},
                   {listen_to_rings ? enabling_.epoll_fd() : -1, POLLIN, 0}};
  (void)poll(fds, std::size(fds), static_cast<int>(longest.count()));  // EINTR: the loop looks at everything again
}

bool Tracing::collect_exits() {
  while (std::optional<ExitNotice> notice = session_.targets().poll())
    if (!session_.options.flag(Opt::quiet)) report(notice->text());
  return session_.targets().all_ended();
}

void Tracing::note_mappings() {
  for (MappingWatch::Event &event : late_.hear()) session_.symbolizer().note_mapping(event.pid, std::move(event.map));
}

void Tracing::match_late(std::optional<pid_t> changed, std::optional<pid_t> held) {
  note_mappings();
  LateMatcher::Outcome outcome = late_.update(changed, held);
  for (const Target &target : session_.targets().targets())
    if (outcome.pids.erase(target.pid()) != 0) session_.symbolizer().remember(target.pid());
  if (late_.records_user_places())
    for (const pid_t pid : outcome.pids) session_.symbolizer().note_change(pid);
  note_late(false);
  for (const std::string &problem : outcome.problems) report(problem);
  report_refused();
}

void Tracing::report_refused() {
  const std::vector<std::string> refused = enabling_.take_refused();
  if (refused.empty()) return;
  report(fmt::format("the kernel cannot probe the instruction in {}{}", refused.front(),
                     refused.size() == 1 ? "" : fmt::format(" and {} more places", refused.size() - 1)));
}

void Tracing::check_status() {
  ledger_.note(Cause::kNoMemory, aggregator_.nr_refused() - std::exchange(refused_keys_, aggregator_.nr_refused()));
  consumer_.report_more_faults();
  sink_->lost(ledger_.update());
}

void Tracing::finish() {
  session_.debug("tracing ends");
  enabling_.stop();
  if (interrupts_.requested()) sink_->interrupted();
  enabling_.detach();
  session_.debug("probes removed");
  if (Result<Unit> waited = aggregator_.wait_for_programs(); !waited) report(waited.error().text());
  if (!failure_) {
    (void)pass();
    if (!interrupts_.abandoned())
      if (Result<Unit> ended = enabling_.run_end(); !ended) report(ended.error().text());
    guarded([&] {
      if (Result<Unit> finished = consumer_.finish(); !finished) failure_ = finished.error();
    });
    guarded([&] {
      consumer_.print_remaining_aggregations();
      sink_->flush();
    });
  }
  const bool abandoned = interrupts_.abandoned();
  ledger_.note(Cause::kOutputLost, abandoned ? 0 : output_.lost_rows());
  ledger_.note(Cause::kAbandoned, consumer_.nr_abandoned() + (abandoned ? output_.lost_rows() : 0));
  ledger_.note(Cause::kNoMemory, consumer_.nr_without_memory());
  ledger_.note(Cause::kCommandEnded, consumer_.nr_commands_ended());
  note_late(true);
  check_status();
  sink_->ended(status(), ledger_.total());
  const std::string &ledger = session_.options.string(Opt::ledger);
  if (ledger == "text") complain(ledger_.text());
  if (ledger == "json") complain(ledger_.json() + "\n");
}

}  // namespace

int trace(Session &session, const CompiledObject &object, FdOutput &output) {
  std::vector<int> cpus = session.kernel().online_cpus();
  if (session.options.is_set(Opt::cpu)) {
    const int64_t wanted = session.options.number(Opt::cpu);
    if (std::find(cpus.begin(), cpus.end(), wanted) == cpus.end()) {
      report(fmt::format("could not enable tracing: CPU {} is not online", wanted));
      return 1;
    }
  }
  Result<std::unique_ptr<Enabling>> enabling =
      Enabling::load(object.elf, object.plan, session.options, session.kernel().possible_cpus(), cpus);
  if (!enabling) {
    report(fmt::format("could not enable tracing: {}", enabling.error().text()));
    return 1;
  }
  session.debug(fmt::format("BPF programs loaded: {}", object.plan.programs.size()));
  return Tracing(session, **enabling, output).run();
}

}  // namespace dtrace
