// SPDX-License-Identifier: Apache-2.0
// libdtrace: DTrace for Linux inside a program of yours.
//
//     libdtrace::Tracer tracer;
//     if (auto added = tracer.add_program("syscall:::entry { @[execname] = count(); } tick-5s { exit(0); }"); !added)
//       return report(added.message());
//     MyListener listener;                       // aggregation() shows what it is given
//     if (auto started = tracer.start(listener); !started) return report(started.message());
//     while (tracer.step()) {
//     }
//     if (auto stopped = tracer.stop(); !stopped) return report(stopped.message());
//
// A tracer prints nothing, installs no handlers of signals and ends nobody's process. There may be several at once.
// Each is used by one thread, always the same if it runs commands; request_stop() by any, also by a handler of a
// signal. Needs what dtrace(8) needs: Linux 6.1, and root or CAP_BPF and CAP_PERFMON.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#define LIBDTRACE_EXPORT __attribute__((visibility("default")))

namespace libdtrace {

// ---------------------------------------------------------------- what goes wrong

/// A mistake in a D program.
struct Diagnostic {
  std::string tag;      ///< "D_PROTO_LEN"; see the list of tags in the language reference
  std::string message;  ///< without location
  std::string source;   ///< a path, or the program itself
  uint32_t line = 0;    ///< from 1, as is the column, in bytes
  uint32_t column = 0;
  std::string text;  ///< as dtrace(8) shows it, with the line and marks below it
};

/// What a call came to.
class [[nodiscard]] Outcome {
 public:
  Outcome() = default;
  explicit Outcome(std::string message, std::vector<Diagnostic> diagnostics = {})
      : failed_(true), message_(std::move(message)), diagnostics_(std::move(diagnostics)) {}

  /// It was done.
  explicit operator bool() const { return !failed_; }
  /// Why it was not, for people: one line, and more where diagnostics quote the program.
  const std::string &message() const { return message_; }
  /// What is wrong with the program, if that is why.
  const std::vector<Diagnostic> &diagnostics() const { return diagnostics_; }

 private:
  bool failed_ = false;
  std::string message_;
  std::vector<Diagnostic> diagnostics_;
};

// ---------------------------------------------------------------- values

struct Frame {
  uint64_t address = 0;
  std::string symbol;       ///< "vmlinux`vfs_read+0x42", "libc.so.6`read+0x12", "0x7f0012345678"
  std::string source;       ///< "file.c:12", with the option lines and where it is known
  bool is_inlined = false;  ///< in the function of the next frame, whose address it has
  std::string language;     ///< "python": a function of an interpreter or virtual machine, whose address is 0
};
/// Innermost frame first.
struct Stack {
  pid_t pid = 0;  ///< of a user stack: process that it is of; 0: the kernel's
  std::vector<Frame> frames;
};
/// sym(), func(), mod() and their user siblings.
struct Symbol {
  pid_t pid = 0;  ///< 0: the kernel's
  uint64_t address = 0;
  std::string name;
};
/// A struct, union, array or raw memory.
struct Object {
  std::string type;  ///< "struct timespec64"; empty: raw memory
  std::string bytes;
  std::string json;  ///< its members by name; empty for raw memory
};
/// Signed and unsigned integers, floating point, text, and what has parts.
using Value = std::variant<int64_t, uint64_t, long double, std::string, Stack, Symbol, Object>;

/// In a few words, for people: a number in decimal, text as it is, a stack's innermost symbol, an object's JSON.
LIBDTRACE_EXPORT std::string text_of(const Value &value);

// ---------------------------------------------------------------- events

struct Probe {
  uint32_t id = 0;
  std::string provider, module, function, name;
};

struct Bucket {
  std::optional<int64_t> least, greatest;  ///< both within it; nothing: no bound
  int64_t count = 0;
};
struct AggregationEntry {
  std::vector<Value> keys;
  int64_t value = 0;            ///< of scalar functions, all CPUs together also with option aggpercpu
  std::vector<Bucket> buckets;  ///< of histograms: those that hold something, ascending
};
struct Aggregation {
  std::string name;                       ///< "reads" for @reads, "_" for @
  std::string function;                   ///< "count", "quantize"
  std::vector<AggregationEntry> entries;  ///< in the order of the aggsort options
};

/// What one action recorded.
struct Item {
  std::string action;                     ///< "trace", "printf", "stack", "printa"
  std::vector<Value> values;              ///< as recorded
  std::string text;                       ///< printf(): formatted; of actions that the tracer carried out: on what
  std::vector<Aggregation> aggregations;  ///< of printa()
};
/// A record of one clause at one firing.
struct Row {
  Probe probe;
  unsigned cpu = 0;
  std::optional<uint64_t> time_ns;  ///< of CLOCK_MONOTONIC, if the program's records have it (option temporal)
  std::string clause;               ///< "dt_clause_0"
  std::vector<Item> items;
};
/// A clause ended early.
struct Fault {
  Probe probe;
  std::string clause;
  std::string message;            ///< "invalid address"
  std::optional<uint64_t> value;  ///< the address
};
/// Something that was not recorded or not shown. Nothing is lost without one of these.
struct Loss {
  std::string cause;    ///< "RingFull"; doc/json-output.md lists them
  std::string message;  ///< the same in words
  uint64_t count = 0;   ///< since the last report
  std::string where;    ///< the clause, BPF program or file that lost it; empty: not known
  std::optional<unsigned> cpu;
};

/// Takes what there is to show, while step() or stop() runs.
class LIBDTRACE_EXPORT Listener {
 public:
  virtual ~Listener() = default;

  virtual void row(const Row &row) { (void)row; }
  /// At the end, those that no printa() has shown; and whenever show_aggregations() asks.
  virtual void aggregation(const Aggregation &aggregation) { (void)aggregation; }
  virtual void fault(const Fault &fault) { (void)fault; }
  virtual void lost(const Loss &loss) { (void)loss; }
  /// What dtrace(8) would say on standard error, a line without newline: warnings, ends of processes.
  virtual void message(std::string_view text) { (void)text; }
};

// ---------------------------------------------------------------- the tracer

class LIBDTRACE_EXPORT Tracer {
 public:
  Tracer();
  ~Tracer();  ///< as stop(), without showing what is left; commands that still run are killed
  Tracer(Tracer &&) noexcept;
  Tracer &operator=(Tracer &&) noexcept;

  /// Options as of dtrace -x; before processes and programs.
  Outcome set_option(std::string_view name, std::optional<std::string_view> value = {});
  /// As -c: starts a command, which waits until tracing begins.
  Outcome run_command(const std::string &command);
  /// As -p. The first process of the two is $target.
  Outcome grab_process(pid_t pid);

  /// As -n and -s; $1 and so on stand for `arguments`.
  Outcome add_program(const std::string &text, const std::vector<std::string> &arguments = {});
  Outcome add_script(const std::string &path, const std::vector<std::string> &arguments = {});
  /// Probes that the programs name, each as often as it is named.
  size_t matched() const;
  /// Adds the probes that a description matches to `probes`: "syscall::open*:entry", "BEGIN". As in D, fields that are
  /// left out are the first ones, and empty ones match all.
  Outcome list_probes(std::string_view description, std::vector<Probe> &probes);

  /// Compiles the programs, sets their probes, runs BEGIN, lets processes go. `listener` outlives the tracer.
  Outcome start(Listener &listener);
  /// The same; what dtrace(8) would print goes to a file descriptor, in the layout of option format, and the listener
  /// hears messages only.
  Outcome start_printing(int fd, Listener &listener);
  /// Handles what there is, then waits for more, not longer than `longest`. False: exit() was called, all processes
  /// have ended, request_stop() was, or tracing failed, which stop() says.
  bool step(std::optional<std::chrono::milliseconds> longest = {});
  /// For loops of poll(2), epoll(7) and their like: readable when step({0}) has something to do. -1: not started, or
  /// the system refuses.
  int poll_fd();
  /// All aggregations as they are now, to the listener.
  Outcome show_aggregations();
  /// Makes step() return false. May be called by any thread and in handlers of signals.
  void request_stop() noexcept;
  /// Removes the probes, runs END, shows what is left. Nothing happens the second time.
  Outcome stop();
  /// After stop(): what exit() was given, else 0; 1: something failed.
  int exit_status() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace libdtrace
