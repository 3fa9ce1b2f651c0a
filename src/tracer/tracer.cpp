// SPDX-License-Identifier: Apache-2.0
#include "tracer/include/dtrace/tracer.h"

#include <fmt/format.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <iterator>

#include "runtime/kernel/privileges.h"
#include "runtime/output/formats.h"
#include "runtime/print/output.h"
#include "tracer/compiler.h"
#include "tracer/enable.h"
#include "tracer/listener_sink.h"
#include "tracer/option_setting.h"
#include "tracer/trace_loop.h"

extern char **environ;

namespace libdtrace {
namespace {

std::string json_or_size(const Object &object) {
  return object.json.empty() ? fmt::format("{} bytes", object.bytes.size()) : object.json;
}

}  // namespace

std::string text_of(const Value &value) {
  struct Visitor {
    std::string operator()(const std::string &text) const { return text; }
    std::string operator()(const Stack &stack) const { return stack.frames.empty() ? "" : stack.frames.front().symbol; }
    std::string operator()(const Symbol &symbol) const { return symbol.name; }
    std::string operator()(const Object &object) const { return json_or_size(object); }
    std::string operator()(int64_t number) const { return std::to_string(number); }
    std::string operator()(uint64_t number) const { return std::to_string(number); }
    std::string operator()(long double number) const { return fmt::format("{:g}", number); }
  };
  return std::visit(Visitor(), value);
}

// The order of members is that of their construction: what comes later uses what comes before.
struct Tracer::Impl final : dtrace::tracer::Client {
  // --- as the tracer's client

  void report(std::string_view text) override {
    if (listener_ != nullptr)
      listener_->message(text);
    else
      early_.emplace_back(text);
  }
  void debug(std::string_view step) override { report(step); }
  void log(std::string_view text) override { report(text); }
  bool end_requested() const override { return stop_requested_; }
  int end_fd() const override { return stop_event_.get(); }

  // --- phases

  /// A failure, preceded by the messages that were not delivered yet: they may say why.
  Outcome failed(const std::string &message, std::vector<Diagnostic> diagnostics = {}) const {
    std::string all;
    for (const std::string &text : early_) all += text + '\n';
    return Outcome(all + message, std::move(diagnostics));
  }

  Outcome open() {
    if (compiler_) return Outcome();
    auto compiler = std::make_unique<dtrace::tracer::Compiler>(options_, *this);
    if (const dtrace::Result<dtrace::Unit> opened = compiler->open(); !opened) return failed(opened.error().text());
    compiler_ = std::move(compiler);
    return Outcome();
  }

  Outcome take_process(bool is_command, const std::string &text) {
    if (loop_) return Outcome("processes are taken before tracing starts");
    if (Outcome opened = open(); !opened) return opened;
    const dtrace::tracer::ProcessText process{is_command, text};
    const dtrace::Result<dtrace::Unit> taken = compiler_->take_processes({&process, 1}, {}, environ);
    return taken ? Outcome() : failed(taken.error().text());
  }

  Outcome add(const dtrace::tracer::ProgramText &program, const std::vector<std::string> &arguments) {
    if (loop_) return Outcome("programs are added before tracing starts");
    if (Outcome opened = open(); !opened) return opened;
    const std::optional<dtrace::tracer::Rejection> rejection =
        compiler_->add_program(program, {"libdtrace", arguments});
    return rejection ? outcome_of(*rejection) : Outcome();
  }

  Outcome outcome_of(const dtrace::tracer::Rejection &rejection) const {
    if (!rejection.message.empty()) return failed(rejection.message);
    const dtrace::Sources &sources = compiler_->front_end().sources();
    std::string message;
    for (const std::string &text : rejection.of_libraries) message += text + '\n';
    std::vector<Diagnostic> told;
    for (const dtrace::Diagnostic *diagnostic : rejection.diagnostics.independent()) {
      const dtrace::Position position = sources.position(diagnostic->span);
      Diagnostic &made = told.emplace_back();
      made.tag = dtrace::tag_name(diagnostic->tag);
      made.message = diagnostic->message;
      made.source = position.file;
      made.line = position.line;
      made.column = position.column;
      made.text = render(*diagnostic, sources, {.tags = false, .human = true});
      message += (told.size() == 1 ? "" : "\n") + made.text;
    }
    return failed(message, std::move(told));
  }

  Outcome start(const std::function<std::unique_ptr<dtrace::runtime::Sink>()> &make_sink) {
    if (loop_) return Outcome("tracing has started already");
    if (Outcome opened = open(); !opened) return opened;
    if (const std::optional<dtrace::runtime::Denial> denial = dtrace::runtime::denial())
      return Outcome(dtrace::runtime::text(*denial));
    if (const std::string reason = compiler_->reason_not_to_run(); !reason.empty()) return Outcome(reason);
    if (!stop_event_) return Outcome("cannot make an eventfd");
    compiler_->close();
    dtrace::Result<dtrace::tracer::Enabled> enabled = dtrace::tracer::enable(*compiler_);
    if (!enabled) return Outcome(enabled.error().text());
    object_ = std::move(enabled->object);
    enabling_ = std::move(enabled->enabling);
    sink_ = make_sink();
    for (const std::string &text : std::exchange(early_, {})) report(text);
    loop_.emplace(*compiler_, *enabling_, *sink_, *this, dtrace::tracer::TraceLoop::Talk());
    if (const dtrace::Result<dtrace::Unit> started = loop_->start(); !started) {
      is_finished_ = true;
      enabling_->detach();
      return Outcome(started.error().text());
    }
    return Outcome();
  }

  Outcome stop() {
    if (!loop_ || std::exchange(is_finished_, true)) return Outcome();
    loop_->finish();
    if (loop_->failure()) return Outcome("processing aborted: " + loop_->failure()->text());
    if (const std::optional<dtrace::Error> failure = sink_->failure()) return Outcome(failure->text());
    if (loop_->is_out_of_memory())
      return Outcome("out of memory: tracing ended, and this is what there was until then");
    return Outcome();
  }

  std::atomic<bool> stop_requested_{false};
  dtrace::Fd stop_event_{eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  Listener *listener_ = nullptr;
  std::vector<std::string> early_;  // messages from before there is a listener
  dtrace::Options options_;
  std::unique_ptr<dtrace::tracer::Compiler> compiler_;
  dtrace::codegen::CompiledObject object_;
  std::unique_ptr<dtrace::runtime::Enabling> enabling_;
  std::unique_ptr<dtrace::runtime::FdOutput> output_;
  std::unique_ptr<dtrace::runtime::Sink> sink_;
  std::optional<dtrace::tracer::TraceLoop> loop_;
  bool is_finished_ = false;
};

Tracer::Tracer() : impl_(std::make_unique<Impl>()) {}
Tracer::~Tracer() = default;
Tracer::Tracer(Tracer &&) noexcept = default;
Tracer &Tracer::operator=(Tracer &&) noexcept = default;

Outcome Tracer::set_option(std::string_view name, std::optional<std::string_view> value) {
  if (impl_->compiler_) return Outcome("options are set before processes are taken and programs added");
  const dtrace::Result<dtrace::Unit> set =
      dtrace::tracer::set_option(impl_->options_, name, name, value, dtrace::OptionSource::kCommandLine);
  return set ? Outcome() : Outcome(set.error().text());
}

Outcome Tracer::run_command(const std::string &command) { return impl_->take_process(true, command); }
Outcome Tracer::grab_process(pid_t pid) { return impl_->take_process(false, std::to_string(pid)); }

Outcome Tracer::add_program(const std::string &text, const std::vector<std::string> &arguments) {
  return impl_->add({dtrace::tracer::ProgramText::Kind::kName, text}, arguments);
}
Outcome Tracer::add_script(const std::string &path, const std::vector<std::string> &arguments) {
  return impl_->add({dtrace::tracer::ProgramText::Kind::kScript, path}, arguments);
}
size_t Tracer::matched() const { return impl_->compiler_ ? impl_->compiler_->matched() : 0; }

Outcome Tracer::list_probes(std::string_view description, std::vector<Probe> &probes) {
  if (Outcome opened = impl_->open(); !opened) return opened;
  dtrace::ProbeDesc desc;
  std::string *const fields[] = {&desc.name, &desc.function, &desc.module, &desc.provider};
  for (size_t i = 0;; ++i) {
    if (i == std::size(fields)) return Outcome("a probe description has four fields at most");
    const size_t colon = description.rfind(':');
    *fields[i] = description.substr(colon == std::string_view::npos ? 0 : colon + 1);
    if (colon == std::string_view::npos) break;
    description.remove_suffix(description.size() - colon);
  }
  dtrace::runtime::Catalog &catalog = impl_->compiler_->catalog();
  const dtrace::Result<std::vector<dtrace::ProbeId>> ids = impl_->compiler_->front_end().probes().match(desc);
  if (!ids) return Outcome(ids.error().text());
  for (const dtrace::ProbeId id : *ids) {
    const dtrace::Probe &probe = catalog.probe(id);
    probes.push_back({id.value, probe.provider, probe.module, catalog.shown_function(id), probe.name});
  }
  return Outcome();
}

Outcome Tracer::start(Listener &listener) {
  return impl_->start([&] {
    impl_->listener_ = &listener;
    dtrace::tracer::Compiler &compiler = *impl_->compiler_;
    return dtrace::tracer::make_listener_sink(
        listener, {compiler.symbolizer(), compiler.types(), *impl_->object_.plan, compiler.targets().first_pid()});
  });
}

Outcome Tracer::start_printing(int fd, Listener &listener) {
  if (Outcome opened = impl_->open(); !opened) return opened;
  const std::string name = impl_->compiler_->options().string(dtrace::Opt::format);
  const dtrace::runtime::FormatRow *const format = dtrace::runtime::find_format(name);
  if (format == nullptr) return Outcome("there is no format '" + name + "'");
  impl_->compiler_->record({.time = dtrace::runtime::wants_time(*format),
                            .thread = dtrace::runtime::wants_thread(*format),
                            .in_order = dtrace::runtime::wants_thread(*format)});
  return impl_->start([&] {
    impl_->listener_ = &listener;
    impl_->output_ = std::make_unique<dtrace::runtime::FdOutput>(fd);
    dtrace::tracer::Compiler &compiler = *impl_->compiler_;
    Impl *impl = impl_.get();
    return format->make({*impl->output_, compiler.symbolizer(), compiler.types(), *impl->object_.plan,
                         compiler.targets().first_pid(), false, false,
                         [impl](std::string_view text) { impl->report(text); }});
  });
}

bool Tracer::step(std::optional<std::chrono::milliseconds> longest) {
  return impl_->loop_ && !impl_->is_finished_ && impl_->loop_->step(longest);
}

int Tracer::poll_fd() {
  if (!impl_->loop_) return -1;
  const dtrace::Result<int> fd = impl_->loop_->poll_fd();
  return fd ? *fd : -1;
}

Outcome Tracer::show_aggregations() {
  if (!impl_->loop_ || impl_->is_finished_) return Outcome("tracing does not run");
  const dtrace::Result<dtrace::Unit> shown = impl_->loop_->show_aggregations();
  return shown ? Outcome() : Outcome(shown.error().text());
}

void Tracer::request_stop() noexcept {
  impl_->stop_requested_ = true;
  const int saved_errno = errno;
  const uint64_t one = 1;
  const ssize_t ignored = write(impl_->stop_event_.get(), &one, sizeof one);
  (void)ignored;
  errno = saved_errno;
}

Outcome Tracer::stop() { return impl_->stop(); }
int Tracer::exit_status() const { return impl_->loop_ ? impl_->loop_->status() : 0; }

}  // namespace libdtrace
