// SPDX-License-Identifier: Apache-2.0
#include "main/recording.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <functional>

#include "base/clock.h"
#include "base/redact_option.h"
#include "frontend/types/btf_without_functions.h"
#include "main/default_leaves.h"
#include "main/rejection.h"
#include "main/terminal.h"

namespace dtrace::command {
namespace {

uint64_t real_ns() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

std::string chars(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

/// The program that a diagnostic is about, by the name of its source.
size_t program_of(const tracer::Rejection &rejection, const CommandLine &line, const Sources &sources) {
  const uint32_t source = rejection.diagnostics.list().front().span.source;
  for (size_t i = 0; i < line.programs.size(); i++)
    if (source < sources.size() && sources[source].name == line.programs[i].text) return i;
  return 0;
}

}  // namespace

bool Recording::take_programs(tracer::Compiler &compiler, const CommandLine &line) {
  if (!line.outputs.empty() && !compiler.options().flag(Opt::recordrun)) {
    report("--record prints nothing, so -o has no effect: with -x recordrun the programs run as well");
    return false;
  }
  if (compiler.unit().programs.empty()) return true;  // which is said later
  if (const Result<Unit> stacks = check_recordstacks(compiler.options()); !stacks) {
    report(stacks.error().text());
    return false;
  }
  tracer::Rejection rejection;
  const std::vector<tree::Clause> defaults = default_leaves(compiler);
  leaves_ =
      recorder::record_leaves(compiler.front_end().unit(), defaults, compiler.types(), compiler.front_end().sources(),
                              compiler.options(), compiler.front_end().probes(), rejection.diagnostics);
  if (rejection.diagnostics.ok()) return true;
  const size_t index = program_of(rejection, line, compiler.front_end().sources());
  report_rejection(rejection, line.programs[index], {index + 1, line.programs.size()}, compiler.front_end().sources(),
                   compiler.options(), line.dump);
  return false;
}

Result<Unit> Recording::open(const Options &options) {
  if (const RedactedKinds kinds = redacted_kinds(options.list(Opt::redact)); kinds.any()) {
    Result<recorder::Redaction> made = recorder::Redaction::make(kinds);
    if (!made) return std::move(made.error()).during("option redact");
    redaction_.emplace(std::move(*made));
  }
  const Result<runtime::Rotation> rotation = runtime::rotation_of(options);
  if (!rotation) return rotation.error();
  if (rotation->is_wanted()) rotation_.emplace(*rotation);
  Result<Fd> file = make_file();
  if (!file) return std::move(file.error());
  file_ = std::move(*file);
  return ok();
}

Result<Fd> Recording::make_file() const {
  struct stat known{};
  if (lstat(path_.c_str(), &known) == 0) {
    if (!S_ISREG(known.st_mode)) return Error(fmt::format("--record {}: it is there, and no regular file", path_));
    if (unlink(path_.c_str()) != 0) return Error::from_errno(fmt::format("--record {}", path_), errno);
  }
  constexpr mode_t kOwnerOnly = 0600;  // it has what processes read and write
  Fd file(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kOwnerOnly));
  if (!file) return Error::from_errno(fmt::format("--record {}", path_), errno);
  return file;
}

Result<Unit> Recording::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Error::from_errno(fmt::format("failed to write to {}", path_), errno);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return ok();
}

void Recording::define_facts() {
  tracer::Compiler &compiler = *compiler_;
  utsname system{};
  uname(&system);
  const uint64_t monotonic = monotonic_ns();
  const uint64_t real = real_ns();
  const recording::Fact facts[] = {
      {"dtrace.version", DTRACE_VERSION},
      {"kernel.release", system.release},
      {"kernel.version", system.version},
      {"machine", system.machine},
      {"cpus", std::to_string(compiler.kernel().possible_cpus())},
      {"page.size", std::to_string(sysconf(_SC_PAGESIZE))},
      {"strsize", std::to_string(compiler.types().strsize())},
      {"clock.monotonic_ns", std::to_string(monotonic)},
      {"clock.realtime_ns", std::to_string(real)},
      {"dtrace.pid", std::to_string(getpid())},
      {"target.pid", std::to_string(compiler.targets().first_pid())},
  };
  for (const recording::Fact &fact : facts) writer_->define(fact);
  if (const std::optional<uint64_t> frames = compiler.max_kernel_frames())
    writer_->define(recording::Fact{"kernel.frames", std::to_string(*frames)});
  if (redaction_)
    writer_->define(recording::Fact{"redacted", redaction_->names_of_kinds()});
  else
    writer_->define(recording::Fact{"host", system.nodename});
  if (types_) writer_->define(*types_);
}

void Recording::begin_file() {
  writer_.emplace([this](std::string_view bytes) { return write(bytes); });
  define_facts();
  head_bytes_ = writer_->nr_bytes();
  if (rotation_) rotation_->begin_file();
}

void Recording::after_row() {
  // The head does not count: the kernel's types alone can be larger than a file is to be.
  const uint64_t bytes = writer_->nr_bytes() - head_bytes_;
  if (!rotation_->is_due(bytes) || writer_->failure()) return;
  if (!runtime::is_same_file(path_, file_.get())) return reopen();  // somebody else has renamed it
  Result<Fd> next = runtime::replace_file(path_, file_.get(), rotation_->keep());
  if (next) return continue_in(std::move(*next));
  report(fmt::format("'{}' is not rotated, and goes on: {}", path_, next.error().text()));
  rotation_->put_off(bytes);
}

void Recording::reopen() {
  if (writer_->failure() || runtime::is_same_file(path_, file_.get())) return;
  Result<Fd> next = make_file();
  if (next) return continue_in(std::move(*next));
  report(next.error().text() + "; the file that is open goes on");
  if (rotation_) rotation_->put_off(writer_->nr_bytes() - head_bytes_);
}

void Recording::continue_in(Fd file) {
  sink_->end_file();
  if (!writer_->finish()) return;  // the sink's failure() has the reason
  file_ = std::move(file);
  begin_file();
  sink_->begin_file();
}

std::unique_ptr<runtime::Sink> Recording::make_sink(tracer::Compiler &compiler, const Plan &plan,
                                                    std::unique_ptr<runtime::Sink> shown) {
  compiler_ = &compiler;
  if (const BtfIndex *kernel = compiler.kernel().btf(); kernel != nullptr) {
    // No program asks a recording for the types of functions: those of probes are with the probes.
    const Result<std::string> smaller = btf_without_functions(*kernel);
    Result<recording::PackedBlob> types =
        recording::PackedBlob::of({"btf:vmlinux", smaller ? *smaller : chars(kernel->bytes())});
    if (types) types_ = std::move(*types);
  }
  begin_file();
  std::function<void()> after_row;
  if (rotation_) after_row = [this] { this->after_row(); };
  std::unique_ptr<recorder::RecordingSink> sink = recorder::make_recording_sink(
      {.writer = *writer_,
       .leaves = leaves_,
       .types = compiler.types(),
       .probes = compiler.front_end().probes(),
       .plan = plan,
       .symbolizer = compiler.symbolizer(),
       .cgroups = &compiler.cgroups(),
       .shown_function = [&compiler](ProbeId id) { return compiler.catalog().shown_function(id); },
       .after_row = std::move(after_row),
       .redaction = redaction_ ? &*redaction_ : nullptr,
       .report = report},
      std::move(shown));
  sink_ = sink.get();
  return sink;
}

Result<Unit> Recording::finish() { return writer_->finish(); }

}  // namespace dtrace::command
