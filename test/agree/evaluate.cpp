// SPDX-License-Identifier: Apache-2.0
// Answers as dtrace(8) does, for programs that have clauses of BEGIN, END and ERROR only, without a program in the
// kernel: the evaluator runs the clauses, and the consumer shows what comes of them. The tests of the command are held
// against it.
#include <fmt/format.h>
#include <unistd.h>

#include <ctime>
#include <map>

#include "base/clock.h"
#include "command_line/command_line.h"
#include "replay/firings.h"
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

/// What BEGIN, END and ERROR tell: they run in this thread.
class OwnLeaves final : public replay::FiringLeaves {
 public:
  OwnLeaves(runtime::Catalog &catalog, const TypeTable &types) : catalog_(catalog), types_(types) {}

  void begin(ProbeId probe, std::span<const uint64_t> args) {
    probe_ = probe;
    args_.assign(args.begin(), args.end());
    time_ns_ = monotonic_ns();
  }
  void begin_error(ProbeId error, std::span<const uint64_t> args) override {
    faulted_ = probe_;
    begin(error, args);
  }
  void end_error() override { begin(faulted_, {}); }
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
  ProbeId probe_, faulted_;
  std::vector<uint64_t> args_;
  uint64_t time_ns_ = 0;
  const uint64_t begun_ns_ = monotonic_ns();
};

class Run {
 public:
  Run(tracer::Compiler &compiler, codegen::Layout &layout, runtime::Sink &sink)
      : catalog_(compiler.catalog()),
        leaves_(compiler.catalog(), compiler.types()),
        firings_({.layout = layout,
                  .unit = compiler.unit(),
                  .types = compiler.types(),
                  .options = compiler.options(),
                  .host = compiler.catalog(),
                  .symbolizer = compiler.symbolizer(),
                  .sink = sink,
                  .leaves = leaves_}) {
    for (const codegen::ClauseLayout &clause : layout.clauses)
      for (const ProbeId id : clause.clause->probes) probes_[catalog_.probe(id).name] = id;
  }

  int run() {
    firings_.begin(monotonic_ns());
    fire("BEGIN");
    if (!firings_.exited()) throw NotTold{};  // it would go on
    fire("END");
    return firings_.finish();
  }

 private:
  void fire(std::string_view name) {
    const auto probe = probes_.find(name);
    if (probe == probes_.end()) return;
    leaves_.begin(probe->second, {});
    firings_.fire(probe->second, {.probe = probe->second.value, .time_ns = monotonic_ns()}, 1);
  }

  runtime::Catalog &catalog_;
  OwnLeaves leaves_;
  replay::Firings firings_;
  std::map<std::string, ProbeId, std::less<>> probes_;  // that clauses name
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
  const bool with_thread = runtime::wants_thread(*format);
  compiler.record({.time = runtime::wants_time(*format), .thread = with_thread, .in_order = with_thread});
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
