// SPDX-License-Identifier: Apache-2.0
// A dtrace_hdl_t: a tracer as C programs see it. Methods are the functions of <dtrace.h>; what went wrong is kept.
//
// What a reader would get wrong: dtrace_*_compile() checks a program, dtrace_program_exec() makes it part of what is
// traced. Rows wait in a queue from the time they are consumed until dtrace_work() or dtrace_consume() hands them over,
// so that functions of the caller run while nothing of the tracer does, and may call into it.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capi/aggregation_walk.h"
#include "capi/delivery.h"
#include "capi/errors.h"
#include "capi/events.h"
#include "capi/gate.h"
#include "capi/row_sink.h"
#include "codegen/compile.h"
#include "tracer/client.h"
#include "tracer/compiler.h"
#include "tracer/trace_loop.h"

/// Opaque to callers.
struct dtrace_prog {
  std::optional<dtrace::tree::Program> program;  ///< nothing: it takes part
  dtrace_proginfo_t info{};
};
struct ps_prochandle {
  pid_t pid = 0;
};

namespace dtrace::capi {

class Handle final : public tracer::Client {
 public:
  explicit Handle(dtrace_hdl_t *self) : self_(self), delivery_(self, handlers_) {}

  /// Errors: this process may not trace.
  Failed open(int flags, const dtrace_vector_t *vector, void *arg);

  /// Every function of the interface goes through it.
  Gate &gate() { return gate_; }
  /// A handler for messages runs, in the midst of another function: only dtrace_getopt() is safe.
  bool is_reporting() const { return is_reporting_; }

  const Failure &last() const { return last_; }
  /// Keeps what went wrong. False: nothing did.
  bool keep(Failed failure);

  Failed set_option(const char *name, const char *value);
  Failed get_option(const char *name, dtrace_optval_t &value);

  Failed compile(tracer::ProgramText text, unsigned flags, int argc, char *const argv[], dtrace_prog_t *&made);
  Failed execute(dtrace_prog_t &program);

  Failed go();
  Failed stop();
  void sleep();
  Failed poll_fd(int &fd);
  Failed status(int &status);
  /// `done`: tracing has stopped. With `may_stop`, it is stopped when it is to end.
  Failed work(const Receivers &to, bool may_stop, bool &done);

  Failed snapshot();
  Failed clear();
  Failed walk(WalkOrder order, dtrace_aggregate_f *function, void *arg);
  Failed print(FILE *file, dtrace_aggregate_walk_f *walk);

  Handlers &handlers() { return handlers_; }

  Failed create(const char *file, char *const argv[], ps_prochandle *&made);
  Failed grab(pid_t pid, ps_prochandle *&made);
  Failed resume(const ps_prochandle &process);
  Failed release(ps_prochandle &process);

  Failed look_up(GElf_Addr address, GElf_Sym *symbol, dtrace_syminfo_t *info);
  /// Name of a process's address, or of the kernel's with pid 0.
  Failed name(pid_t pid, uint64_t address, std::string &text);
  Failed iterate(const dtrace_probedesc_t *pattern, dtrace_probe_f *function, void *arg, int &returned);
  Failed describe_id(dtrace_id_t id, dtrace_probedesc_t &probe);

  // --- as the tracer's client

  void report(std::string_view text) override;
  void debug(std::string_view step) override { report(step); }
  void log(std::string_view text) override { report(text); }
  bool end_requested() const override { return stop_requested_; }

 private:
  Failed open_compiler();
  Failed rejected(const tracer::Rejection &rejection, bool tags) const;
  Failed take_process(bool is_command, const std::string &text, ps_prochandle *&made);
  std::unique_ptr<RowSink> make_row_sink();
  bool is_tracing() const { return loop_ && !is_stopped_; }
  /// Removes the probes and takes the rest in.
  Failed finish();
  Failed hand_over();
  void hand_over_while_tracing(const std::vector<std::shared_ptr<Row>> &open);
  Failed visit(const runtime::AggregationVisitor &visitor);

  dtrace_hdl_t *self_;
  Gate gate_;
  Failure last_;
  Handlers handlers_;
  Events events_;
  Delivery delivery_;
  const dtrace_vector_t *vector_ = nullptr;
  void *vector_arg_ = nullptr;

  // The order of members is that of their construction: what comes later uses what comes before.
  Options options_;  // until there is a compiler
  std::unique_ptr<tracer::Compiler> compiler_;
  std::deque<dtrace_prog> programs_;
  std::deque<ps_prochandle> processes_;
  codegen::CompiledObject object_;
  std::unique_ptr<runtime::Enabling> enabling_;
  std::unique_ptr<RowSink> sink_;
  std::optional<tracer::TraceLoop> loop_;
  bool is_stopped_ = false;
  bool is_filled_ = false;              // that is why
  std::optional<Failure> end_failure_;  // why tracing ended early; reported once

  bool is_busy_ = false;  // the tracer runs
  bool is_handing_over_ = false;
  bool is_reporting_ = false;
  bool stop_requested_ = false;  // while it ran
  bool is_polled_ = false;       // by the caller's own loop
  std::optional<Receivers> receivers_;
  Failed failed_inside_;  // of what was handed over while the tracer ran

  /// A walk that goes on: what its data is a copy of.
  struct Walked {
    const dtrace_aggdata_t *data;
    const runtime::AggregationView *view;
    const runtime::AggregationEntry *entry;
  };
  std::optional<Walked> walked_;
  std::set<std::string, std::less<>> names_;  // of symbols
};

}  // namespace dtrace::capi

struct dtrace_hdl {
  dtrace::capi::Handle handle{this};
};
