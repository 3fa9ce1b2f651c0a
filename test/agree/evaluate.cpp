// SPDX-License-Identifier: Apache-2.0
// Answers as dtrace(8) does, for programs that have clauses of BEGIN, END and ERROR only, without a program in the
// kernel: the evaluator runs the clauses, and the consumer shows what comes of them. The tests of the command are held
// against it.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "base/clock.h"
#include "command_line/command_line.h"
#include "evaluator/clause_run.h"
#include "frontend/lang/probe_part.h"
#include "runtime/consume/aggregation_store.h"
#include "runtime/consume/fault_reports.h"
#include "runtime/consume/row_actions.h"
#include "runtime/output/formats.h"
#include "tracer/compiler.h"
#include "tracer/option_setting.h"

namespace dtrace::evaluator {
namespace {

constexpr int kNotEvaluated = 77;  // DECLINED of the tests' runner

void report(std::string_view text) { fmt::print(stderr, "dtrace: {}\n", text); }

struct Client final : tracer::Client {
  void report(std::string_view text) override { evaluator::report(text); }
  void note(std::string_view) override {}
};

struct Watcher final : runtime::ProcessWatcher {
  void saw_process(pid_t) override {}
};

/// What BEGIN, END and ERROR tell: they run in this thread.
class OwnLeaves final : public Leaves {
 public:
  OwnLeaves(runtime::Catalog &catalog, const TypeTable &types) : catalog_(catalog), types_(types) {}

  void begin(ProbeId probe, std::span<const uint64_t> args) {
    probe_ = probe;
    args_.assign(args.begin(), args.end());
    time_ns_ = monotonic_ns();
  }
  uint64_t number(const tree::Expr &leaf) override {
    const auto *builtin = std::get_if<tree::BuiltinRef>(&leaf.node);
    if (builtin == nullptr) throw NotTold{&leaf};
    const auto n = static_cast<size_t>(builtin->var) - static_cast<size_t>(Variable::k_arg0);
    if (n < 10) return n < args_.size() ? args_[n] : 0;
    switch (builtin->var) {
      case Variable::k_pid:
        return static_cast<uint64_t>(getpid());
      case Variable::k_tid:
        return static_cast<uint64_t>(gettid());
      case Variable::k_ppid:
        return static_cast<uint64_t>(getppid());
      case Variable::k_uid:
        return getuid();
      case Variable::k_gid:
        return getgid();
      case Variable::k_id:
        return probe_.value;
      case Variable::k_timestamp:
        return time_ns_;
      case Variable::k_walltimestamp:
        return static_cast<uint64_t>(time(nullptr)) * 1'000'000'000;
      case Variable::k_elapsed:
        return monotonic_ns() - begun_ns_;
      default:
        throw NotTold{&leaf};
    }
  }
  MaybeText text(const tree::Expr &leaf) override {
    const auto *builtin = std::get_if<tree::BuiltinRef>(&leaf.node);
    if (builtin == nullptr) throw NotTold{&leaf};
    const Probe &probe = catalog_.probe(probe_);
    switch (builtin->var) {
      case Variable::k_execname:
        return "dtrace";  // the command that this stands for
      case Variable::k_probeprov:
        return probe.provider;
      case Variable::k_probemod:
        return probe.module;
      case Variable::k_probefunc:
        return probe.function;
      case Variable::k_probename:
        return probe.name;
      default:
        throw NotTold{&leaf};
    }
  }
  std::vector<std::byte> bytes(const tree::Expr &leaf) override { throw NotTold{&leaf}; }
  // Only the kernel can read this machine's memory.
  void read(Space, uint64_t address, std::span<std::byte>) override { unreadable(address); }
  std::string read_text(Space, uint64_t address, uint64_t) override { unreadable(address); }

 private:
  [[noreturn]] static void unreadable(uint64_t address) {
    constexpr uint64_t kSurelyNothing = 0x1000;
    if (address >= kSurelyNothing) throw NotTold{};
    throw Fault{DT_FAULT_BADADDR, address};
  }

  runtime::Catalog &catalog_;
  const TypeTable &types_;
  ProbeId probe_;
  std::vector<uint64_t> args_;
  uint64_t time_ns_ = 0;
  const uint64_t begun_ns_ = monotonic_ns();
};

class Run {
 public:
  Run(tracer::Compiler &compiler, codegen::Layout &layout, runtime::Sink &sink)
      : compiler_(compiler),
        layout_(layout),
        sink_(sink),
        variables_(compiler.unit(), compiler.types()),
        memory_(static_cast<uint64_t>(compiler.options().number(Opt::scratchsize))),
        leaves_(compiler.catalog(), compiler.types()),
        speculations_(layout.plan.nr_speculations, static_cast<uint64_t>(compiler.options().number(Opt::specsize))),
        store_(layout.plan, compiler.catalog(), 1, false),
        faults_(layout.plan, compiler.catalog()),
        finder_(layout.plan, compiler.catalog()),
        evaluator_({.unit = compiler.unit(),
                    .types = compiler.types(),
                    .variables = variables_,
                    .memory = memory_,
                    .leaves = leaves_,
                    .lose = [this](Cause cause) { lose(clauses_.clause(), cause); },
                    .start_speculation =
                        [this] {
                          const uint32_t id = speculations_.start();
                          if (id == 0) lose(clauses_.clause(), Cause::kSpecUnavailable);
                          return uint64_t{id};
                        }}),
        clauses_({.layout = layout,
                  .options = compiler.options(),
                  .evaluator = evaluator_,
                  .leaves = leaves_,
                  .speculations = speculations_,
                  .aggregate = [this](uint32_t index, std::span<std::byte> key,
                                      std::span<const uint64_t> words) { store_.add(index, key, words, 0); },
                  .lose = [this](uint32_t clause, Cause cause) { lose(clause, cause); }}),
        actions_({.plan = layout.plan,
                  .host = compiler.catalog(),
                  .types = compiler.types(),
                  .options = options_,
                  .store = store_,
                  .symbolizer = compiler.symbolizer(),
                  .watcher = watcher_,
                  .sink = sink,
                  .snapshot = [] {},
                  .give_up = [](std::chrono::nanoseconds) { return false; },
                  .abandoned = {}}) {}

  int run() {
    sink_.refresh(options_);
    store_.set_times(monotonic_ns(), monotonic_ns());
    fire("BEGIN");
    if (!actions_.exit_status()) throw NotTold{};  // it would go on
    fire("END");
    actions_.show_remaining();
    sink_.flush();
    std::vector<runtime::Loss> losses;
    for (const auto &[where, count] : losses_) losses.push_back({where.second, where.first, UINT32_MAX, count, {}, 0});
    sink_.lost(losses);
    sink_.ended(*actions_.exit_status(), losses);
    return *actions_.exit_status();
  }

 private:
  void lose(uint32_t clause, Cause cause) { losses_[{clause, cause}]++; }

  /// All clauses of a probe, then what they recorded.
  void fire(std::string_view name) {
    std::vector<std::vector<std::byte>> records;
    variables_.begin_firing(1);
    evaluator_.begin_firing();
    for (uint32_t i = 0; i < layout_.clauses.size(); i++)
      if (const std::optional<ProbeId> probe = enabled(i, name); probe && !exited_ && !run_clause(i, *probe, records))
        break;
    exited_ = false;
    for (const std::vector<std::byte> &bytes : records) take(bytes);
  }

  std::optional<ProbeId> enabled(uint32_t clause, std::string_view name) {
    for (const ProbeId id : layout_.clauses[clause].clause->probes)
      if (compiler_.catalog().probe(id).name == name) return id;
    return std::nullopt;
  }

  /// False: the firing ends with it.
  bool run_clause(uint32_t index, ProbeId probe, std::vector<std::vector<std::byte>> &records) {
    leaves_.begin(probe, {});
    const FiringHead head{.probe = probe.value, .time_ns = monotonic_ns()};
    ClauseRun::Outcome outcome = clauses_.run(index, head);
    if (!outcome.record.empty()) records.push_back(std::move(outcome.record));
    exited_ |= outcome.exited;
    if (outcome.fault) fail(index, probe, *outcome.fault, records);
    return !exited_;
  }

  /// What ERROR's clauses do with a fault.
  void fail(uint32_t clause, ProbeId probe, const Fault &fault, std::vector<std::vector<std::byte>> &records) {
    const dt_fault_record record{.head = {DT_RECORD_FAULT, probe.value, monotonic_ns()},
                                 .clause = clause,
                                 .kind = fault.kind,
                                 .address = fault.value,
                                 .pc = 0xffffffff,
                                 .pad = 0};
    const std::span<const std::byte> bytes = std::as_bytes(std::span(&record, 1));
    records.emplace_back(bytes.begin(), bytes.end());
    const uint64_t args[] = {0, probe.value, clause, ~uint64_t{0}, static_cast<uint64_t>(fault.kind), fault.value};
    const std::vector<Storage> saved = variables_.save_firing();
    variables_.begin_firing(1);
    for (const uint32_t index : layout_.error_clauses) {
      leaves_.begin(layout_.error_probe, args);
      ClauseRun::Outcome outcome = clauses_.run(index, {.probe = layout_.error_probe.value, .time_ns = monotonic_ns()});
      if (!outcome.record.empty()) records.push_back(std::move(outcome.record));
      if (outcome.fault) lose(index, Cause::kDoubleError);
      exited_ |= outcome.exited;
    }
    variables_.restore_firing(saved);
  }

  void take(std::span<const std::byte> bytes) {
    if (runtime::head_of(bytes).clause == DT_RECORD_FAULT) {
      if (const std::optional<runtime::FaultEvent> event = faults_.event_of(bytes)) sink_.fault(*event);
      return;
    }
    const std::optional<runtime::RecordedRow> row = finder_.row_of({0, bytes});
    if (row && !actions_.hold(*row)) actions_.take(*row, nullptr);
  }

  tracer::Compiler &compiler_;
  codegen::Layout &layout_;
  runtime::Sink &sink_;
  Options &options_ = compiler_.options();
  Variables variables_;
  Memory memory_;
  OwnLeaves leaves_;
  SpeculationIds speculations_;
  runtime::AggregationStore store_;
  runtime::FaultReports faults_;
  runtime::RowFinder finder_;
  Watcher watcher_;
  Evaluator evaluator_;
  ClauseRun clauses_;
  runtime::RowActions actions_;
  std::map<std::pair<uint32_t, Cause>, uint64_t> losses_;
  bool exited_ = false;
};

bool is_evaluated(const tree::Unit &unit, runtime::Catalog &catalog) {
  for (const tree::Program &program : unit.programs)
    for (const tree::Clause &clause : program.clauses)
      for (const ProbeId id : clause.probes)
        if (catalog.probe(id).provider != "dtrace") return false;
  return true;
}

int evaluate(int argc, char **argv) {
  const command::CommandLine line = command::parse_command_line(argc, argv);
  const bool is_plain_run = !line.failed && line.mode == command::CommandLine::Mode::kExec && line.processes.empty() &&
                            line.stop_after.empty() && !line.compile_only && line.outputs.empty() && !line.serve &&
                            line.verbose == 0 && !line.list_intermediate;
  if (!is_plain_run) return kNotEvaluated;
  Options options;
  if (!tracer::set_options_from_environment(options, environ)) return kNotEvaluated;
  for (const auto &[name, value] : line.settings)
    if (!tracer::set_option(options, "-x " + name, name, value, OptionSource::kCommandLine)) return kNotEvaluated;
  Client client;
  tracer::Compiler compiler(std::move(options), client);
  if (!compiler.open()) return kNotEvaluated;
  for (const tracer::ProgramText &program : line.programs)
    if (compiler.add_program(program, {line.argv0, line.operands})) return kNotEvaluated;
  compiler.close();
  const runtime::FormatRow *format = runtime::find_format(compiler.options().string(Opt::format));
  if (format == nullptr || !is_evaluated(compiler.unit(), compiler.catalog())) return kNotEvaluated;
  compiler.record(runtime::wants_time(*format), runtime::wants_thread(*format));
  Result<codegen::Layout> layout = codegen::make_layout(compiler.compile_input());
  if (!layout) return kNotEvaluated;
  if (!compiler.options().flag(Opt::quiet))
    for (const tree::Program &program : compiler.unit().programs)
      report(fmt::format("{} '{}' matched {} probe{}", program.is_script ? "script" : "description", program.name,
                         program.matched, program.matched == 1 ? "" : "s"));
  runtime::FdOutput output(STDOUT_FILENO);
  const std::unique_ptr<runtime::Sink> sink = format->make({.output = output,
                                                            .symbolizer = compiler.symbolizer(),
                                                            .types = compiler.types(),
                                                            .plan = layout->plan,
                                                            .plain = line.plain,
                                                            .buffered = line.buffered,
                                                            .report = report});
  try {
    const int status = Run(compiler, *layout, *sink).run();
    return output.flush() ? status : 1;
  } catch (const NotTold &why) {
    if (why.leaf != nullptr)
      report(fmt::format("not evaluated: {}", compiler.front_end().sources().text(why.leaf->span)));
    return kNotEvaluated;
  }
}

}  // namespace
}  // namespace dtrace::evaluator

int main(int argc, char **argv) { return dtrace::evaluator::evaluate(argc, argv); }
