// SPDX-License-Identifier: Apache-2.0
#include "capi/handle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "capi/program_info.h"
#include "runtime/kernel/privileges.h"
#include "tracer/enable.h"
#include "tracer/option_setting.h"

extern char **environ;

namespace dtrace::capi {
namespace {

/// Sets a flag while it lives.
class Raised {
 public:
  explicit Raised(bool &flag) : flag_(flag) { flag_ = true; }
  ~Raised() { flag_ = false; }
  Raised(const Raised &) = delete;
  Raised &operator=(const Raised &) = delete;

 private:
  bool &flag_;
};

/// Flags of one compilation that are options of ours.
struct FlagRow {
  unsigned flag;
  Opt option;
};
constexpr FlagRow kFlags[] = {
    {DTRACE_C_EMPTY, Opt::empty},        {DTRACE_C_ZDEFS, Opt::zdefs},   {DTRACE_C_CPP, Opt::cpp},
    {DTRACE_C_PSPEC, Opt::pspec},        {DTRACE_C_ETAGS, Opt::errtags}, {DTRACE_C_ARGREF, Opt::argref},
    {DTRACE_C_DEFARG, Opt::defaultargs},
};

class WithFlags {
 public:
  WithFlags(Options &options, unsigned flags) : options_(options) {
    for (const FlagRow &row : kFlags) {
      if ((flags & row.flag) == 0 || options.flag(row.option)) continue;
      (void)options.set(option_name(row.option), std::nullopt, OptionSource::kCommandLine);
      set_.push_back(row.option);
    }
  }
  ~WithFlags() {
    for (const Opt option : set_) {
      options_.unset(option);
      options_.set_number(option, 0);
    }
  }
  WithFlags(const WithFlags &) = delete;
  WithFlags &operator=(const WithFlags &) = delete;

 private:
  Options &options_;
  std::vector<Opt> set_;
};

Failed option_failure(std::string_view name, std::string text) {
  const bool is_known = !option_value_text(name).empty();
  return failed(is_known ? DTRACE_E_OPTION_VALUE : DTRACE_E_OPTION_NAME, std::move(text));
}

/// A word as split_command() takes it whole.
std::string quoted(std::string_view word) {
  std::string out = "'";
  for (const char c : word)
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  return out + '\'';
}

}  // namespace

// ---------------------------------------------------------------- the handle

bool Handle::keep(Failed failure) {
  if (!failure) return false;
  last_ = std::move(*failure);
  if (last_.text.empty()) last_.text = meaning(last_.code);
  return true;
}

void Handle::report(std::string_view text) {
  if (is_busy_) {
    events_.emplace_back(Message{std::string(text)});
  } else if (handlers_.message.function != nullptr) {
    const Raised reporting(is_reporting_);
    handlers_.message.function(self_, std::string(text).c_str(), handlers_.message.arg);
  }
}

Failed Handle::open(int flags, const dtrace_vector_t *vector, void *arg) {
  if ((flags & ~DTRACE_O_MASK) != 0) return failed(EINVAL);
  if (vector != nullptr &&
      (vector->dtv_ioctl != nullptr || vector->dtv_status != nullptr || vector->dtv_sysconf != nullptr))
    return failed(ENOTSUP);
  vector_ = vector;
  vector_arg_ = arg;
  // Clients that print aggregations without taking snapshots expect current values.
  (void)options_.set(option_name(Opt::aggrate), "1hz", OptionSource::kCommandLine);
  if ((flags & DTRACE_O_NODEV) == 0 && runtime::denial()) return failed(DTRACE_E_PRIVILEGES);
  return std::nullopt;
}

Failed Handle::open_compiler() {
  if (compiler_) return std::nullopt;
  auto compiler = std::make_unique<tracer::Compiler>(options_, *this);
  if (const Result<Unit> opened = compiler->open(); !opened) return failed(DTRACE_E_SYSTEM, opened.error().text());
  compiler_ = std::move(compiler);
  return std::nullopt;
}

Failed Handle::set_option(const char *name, const char *value) {
  if (name == nullptr) return failed(EINVAL);
  std::optional<std::string_view> given;
  if (value != nullptr) given = value;
  if (loop_) {
    if (is_busy_) return failed(DTRACE_E_BUSY);
    const OptionError error = loop_->set_option(name, given);
    if (error == OptionError::kNone) return std::nullopt;
    std::string text_of_error = fmt::format("failed to set {}: {}", name, text(error));
    if (error == OptionError::kTracingActive) return failed(DTRACE_E_ACTIVE, std::move(text_of_error));
    return option_failure(name, std::move(text_of_error));
  }
  Options &options = compiler_ ? compiler_->options() : options_;
  const Result<Unit> set = tracer::set_option(options, name, name, given, OptionSource::kCommandLine);
  return set ? std::nullopt : option_failure(name, set.error().text());
}

Failed Handle::get_option(const char *name, dtrace_optval_t &value) {
  if (name == nullptr) return failed(EINVAL);
  const Options &options = loop_ ? loop_->options() : compiler_ ? std::as_const(*compiler_).options() : options_;
  const Result<std::optional<int64_t>> number = tracer::option_number(options, name);
  if (!number) return option_failure(name, number.error().text());
  value = number->value_or(DTRACEOPT_UNSET);
  if (std::string_view(name) == option_name(Opt::bufpolicy))  // "switch|fill|ring"
    value = DTRACEOPT_BUFPOLICY_SWITCH - value;
  return std::nullopt;
}

// ---------------------------------------------------------------- programs

Failed Handle::rejected(const tracer::Rejection &rejection, bool tags) const {
  if (!rejection.message.empty()) return failed(DTRACE_E_COMPILER, rejection.message);
  std::string message;
  for (const std::string &text : rejection.of_libraries) message += text + '\n';
  for (const Diagnostic *diagnostic : rejection.diagnostics.independent())
    message += render(*diagnostic, compiler_->front_end().sources(), {tags, false}) + '\n';
  if (!message.empty()) message.pop_back();
  return failed(DTRACE_E_COMPILER, std::move(message));
}

Failed Handle::compile(tracer::ProgramText text, unsigned flags, int argc, char *const argv[], dtrace_prog_t *&made) {
  if ((flags & ~unsigned{DTRACE_C_MASK}) != 0 || argc < 0 || (argc > 0 && argv == nullptr)) return failed(EINVAL);
  if (is_busy_) return failed(DTRACE_E_BUSY);
  if (loop_) return failed(DTRACE_E_ACTIVE);
  if ((flags & DTRACE_C_NOLIBS) != 0 && !compiler_)
    (void)options_.set(option_name(Opt::nolibs), std::nullopt, OptionSource::kCommandLine);
  if (Failed failure = open_compiler()) return failure;
  tracer::MacroArguments arguments{argc > 0 ? argv[0] : "libdtrace", {}};
  for (int i = 1; i < argc; ++i) arguments.rest.emplace_back(argv[i]);
  const WithFlags with_flags(compiler_->options(), flags);
  std::optional<tree::Program> checked;
  const std::optional<tracer::Rejection> rejection = compiler_->check_program(text, arguments, checked);
  if (rejection) return rejected(*rejection, compiler_->options().flag(Opt::errtags));
  dtrace_prog &program = programs_.emplace_back();
  program.info = info_of(*checked);
  program.program = std::move(*checked);
  made = &program;
  return std::nullopt;
}

Failed Handle::execute(dtrace_prog_t &program) {
  if (loop_) return failed(DTRACE_E_ACTIVE);
  if (!program.program) return failed(EALREADY);
  compiler_->enable(std::move(*program.program));
  program.program.reset();
  return std::nullopt;
}

// ---------------------------------------------------------------- tracing

std::unique_ptr<RowSink> Handle::make_row_sink() {
  return std::make_unique<RowSink>(RowSinkParts{
      self_, compiler_->symbolizer(), compiler_->types(), enabling_->plan(), compiler_->catalog(),
      static_cast<uint32_t>(std::as_const(*compiler_).options().number(Opt::strsize)), enabling_->possible_cpus(),
      compiler_->targets().first_pid(), events_,
      [this](const std::vector<std::shared_ptr<Row>> &open) { hand_over_while_tracing(open); }, &compiler_->cgroups()});
}

Failed Handle::go() {
  if (is_busy_ || is_handing_over_) return failed(DTRACE_E_BUSY);
  if (loop_) return failed(DTRACE_E_ACTIVE);
  if (!compiler_ || compiler_->unit().programs.empty()) return failed(DTRACE_E_NO_PROGRAM);
  if (const std::optional<runtime::Denial> denial = runtime::denial())
    return failed(DTRACE_E_PRIVILEGES, runtime::text(*denial));
  if (std::ranges::any_of(compiler_->unit().programs, &tree::Program::destructive) &&
      !compiler_->options().flag(Opt::destructive))
    return failed(DTRACE_E_DESTRUCTIVE);
  const Raised busy(is_busy_);
  compiler_->close();
  Result<tracer::Enabled> enabled = tracer::enable(*compiler_);
  if (!enabled) return failed(DTRACE_E_ENABLE, enabled.error().text());
  object_ = std::move(enabled->object);
  enabling_ = std::move(enabled->enabling);
  sink_ = make_row_sink();
  loop_.emplace(*compiler_, *enabling_, *sink_, *this, tracer::TraceLoop::Talk());
  if (const Result<Unit> started = loop_->start({.rows_of_begin = true, .processes = true}); !started) {
    loop_.reset();
    enabling_->detach();
    return failed(DTRACE_E_ENABLE, started.error().text());
  }
  return std::nullopt;
}

Failed Handle::finish() {
  if (!is_tracing()) return std::nullopt;
  const Raised busy(is_busy_);
  is_filled_ = enabling_->plan().fills_once && enabling_->exited() && !loop_->saw_exit() && !stop_requested_;
  is_stopped_ = true;
  loop_->finish();
  if (loop_->failure())
    end_failure_ = Failure{DTRACE_E_TRACING, "processing aborted: " + loop_->failure()->text()};
  else if (loop_->is_out_of_memory())
    end_failure_ = Failure{ENOMEM, "out of memory: tracing ended, and this is what there was until then"};
  return std::nullopt;
}

Failed Handle::stop() {
  if (!loop_) return failed(DTRACE_E_INACTIVE);
  if (!is_busy_) return finish();
  stop_requested_ = true;
  return std::nullopt;
}

void Handle::sleep() {
  if (!is_tracing() || is_busy_ || !events_.empty() || enabling_->exited()) return;
  loop_->sleep();
}

Failed Handle::poll_fd(int &fd) {
  if (!loop_) return failed(DTRACE_E_INACTIVE);
  const Result<int> made = loop_->poll_fd();
  if (!made) return failed(made.error().errno_value(), made.error().text());
  is_polled_ = true;
  fd = *made;
  return std::nullopt;
}

Failed Handle::status(int &status) {
  if (!loop_) return failed(DTRACE_E_INACTIVE);
  if (is_busy_) return failed(DTRACE_E_BUSY);
  status = DTRACE_STATUS_STOPPED;
  if (is_stopped_) return std::nullopt;
  status = DTRACE_STATUS_OKAY;
  bool goes_on = false;
  {
    const Raised busy(is_busy_);
    goes_on = loop_->turn();
  }
  if (goes_on) return std::nullopt;
  if (Failed failure = finish()) return failure;
  status = is_filled_ ? DTRACE_STATUS_FILLED : DTRACE_STATUS_EXITED;
  return std::nullopt;
}

Failed Handle::work(const Receivers &to, bool may_stop, bool &done) {
  if (!loop_) return failed(DTRACE_E_INACTIVE);
  if (is_busy_ || is_handing_over_) return failed(DTRACE_E_BUSY);
  receivers_ = to;
  if (!is_stopped_) {
    bool goes_on = false;
    {
      const Raised busy(is_busy_);
      goes_on = loop_->turn();
      if (goes_on && is_polled_) loop_->sleep(std::chrono::milliseconds(0));  // which sets the next time
    }
    if (!goes_on && (may_stop || stop_requested_)) (void)finish();
  }
  Failed failure = std::exchange(failed_inside_, std::nullopt);
  if (!failure) failure = hand_over();
  receivers_.reset();
  done = is_stopped_;
  if (!failure && end_failure_) failure = std::exchange(end_failure_, std::nullopt);
  return failure;
}

Failed Handle::hand_over() {
  const Raised handing_over(is_handing_over_);
  return delivery_.hand_over(events_, *receivers_);
}

void Handle::hand_over_while_tracing(const std::vector<std::shared_ptr<Row>> &open) {
  if (!receivers_ || failed_inside_ || is_handing_over_) return;
  const Raised handing_over(is_handing_over_);
  failed_inside_ = delivery_.hand_over(events_, *receivers_);
  if (!failed_inside_) failed_inside_ = delivery_.hand_over_open(open, *receivers_);
}

// ---------------------------------------------------------------- aggregations

Failed Handle::visit(const runtime::AggregationVisitor &visitor) {
  if (!loop_) return failed(DTRACE_E_INACTIVE);
  if (is_busy_) return failed(DTRACE_E_BUSY);
  const Raised busy(is_busy_);
  loop_->visit_aggregations(visitor);
  return std::nullopt;
}

Failed Handle::snapshot() {
  if (!loop_) return failed(DTRACE_E_INACTIVE);
  if (is_busy_) return failed(DTRACE_E_BUSY);
  if (is_stopped_) return std::nullopt;
  const Raised busy(is_busy_);
  const Result<Unit> taken = loop_->snapshot();
  return taken ? std::nullopt : failed(DTRACE_E_TRACING, taken.error().text());
}

Failed Handle::clear() {
  if (Failed failure = snapshot()) return failure;
  return visit([](runtime::AggregationViews views, runtime::AggregationChanges &changes) {
    for (const EntryRef &ref : entries_in_order(views, WalkOrder::kNone))
      changes.cleared.emplace_back(ref.view, ref.entry);
  });
}

Failed Handle::walk(WalkOrder order, dtrace_aggregate_f *function, void *arg) {
  if (function == nullptr) return failed(EINVAL);
  Failed failure;
  const auto step = [&](runtime::AggregationViews views, const EntryRef &ref, runtime::AggregationChanges &changes) {
    const runtime::AggregationView &view = *views[ref.view];
    const runtime::AggregationEntry &entry = view.entries[ref.entry];
    const std::shared_ptr<AggregationData> data = sink_->copy(view, entry);
    walked_ = Walked{&data->get(), &view, &entry};
    const int returned = function(&data->get(), arg);
    walked_.reset();
    switch (returned) {
      case DTRACE_AGGWALK_NEXT:
        return;
      case DTRACE_AGGWALK_CLEAR:
        changes.cleared.emplace_back(ref.view, ref.entry);
        return;
      case DTRACE_AGGWALK_REMOVE:
        changes.removed.emplace_back(ref.view, ref.entry);
        return;
      case DTRACE_AGGWALK_NORMALIZE:
        changes.normals[ref.view] = data->get().dtada_normal;
        return;
      case DTRACE_AGGWALK_DENORMALIZE:
        changes.normals[ref.view] = 1;
        return;
      case DTRACE_AGGWALK_ABORT:
      case DTRACE_AGGWALK_ERROR:
        failure = failed(DTRACE_E_ABORT, "the function for aggregations asked for the end");
        return;
      default:
        failure = failed(DTRACE_E_RETURN, fmt::format("the function for aggregations returned {}", returned));
    }
  };
  Failed visited = visit([&](runtime::AggregationViews views, runtime::AggregationChanges &changes) {
    for (const EntryRef &ref : entries_in_order(views, order)) {
      step(views, ref, changes);
      if (failure) return;
    }
  });
  return visited ? visited : failure;
}

Failed Handle::print(FILE *file, dtrace_aggregate_walk_f *walk) {
  Failed failure;
  if (walk == nullptr) {
    std::vector<TextPart> parts;
    failure =
        visit([&](runtime::AggregationViews views, runtime::AggregationChanges &) { parts = sink_->print(views); });
    if (!failure) failure = delivery_.show(parts, file);
  } else {
    struct Printing {
      Handle &handle;
      FILE *file;
      Failed failure;
    } printing{*this, file, {}};
    const auto print_entry = [](const dtrace_aggdata_t *data, void *arg) -> int {
      auto &to = *static_cast<Printing *>(arg);
      const std::optional<Walked> &walked = to.handle.walked_;
      if (!walked || walked->data != data) return DTRACE_AGGWALK_ERROR;
      to.failure = to.handle.delivery_.show(to.handle.sink_->print(*walked->view, *walked->entry), to.file);
      return to.failure ? DTRACE_AGGWALK_ABORT : DTRACE_AGGWALK_NEXT;
    };
    if (walk(self_, print_entry, &printing) != 0) failure = printing.failure ? printing.failure : Failed(last_);
  }
  if (!failure && file != nullptr && std::fflush(file) != 0) failure = failed(DTRACE_E_OUTPUT);
  return failure;
}

// ---------------------------------------------------------------- processes

Failed Handle::take_process(bool is_command, const std::string &text, ps_prochandle *&made) {
  if (loop_) return failed(DTRACE_E_ACTIVE);
  if (Failed failure = open_compiler()) return failure;
  const tracer::ProcessText process{is_command, text};
  const Result<Unit> taken = compiler_->take_processes({&process, 1}, {}, environ);
  if (!taken) return failed(DTRACE_E_PROCESS, taken.error().text());
  made = &processes_.emplace_back(ps_prochandle{compiler_->targets().targets().back().pid()});
  return std::nullopt;
}

Failed Handle::create(const char *file, char *const argv[], ps_prochandle *&made) {
  if (file == nullptr || argv == nullptr || argv[0] == nullptr) return failed(EINVAL);
  std::string command = quoted(file);
  for (char *const *word = argv + 1; *word != nullptr; ++word) command += ' ' + quoted(*word);
  return take_process(true, command, made);
}

Failed Handle::grab(pid_t pid, ps_prochandle *&made) { return take_process(false, std::to_string(pid), made); }

Failed Handle::resume(const ps_prochandle &process) {
  if (is_busy_) return failed(DTRACE_E_BUSY);
  const Raised busy(is_busy_);
  const Result<Unit> resumed = loop_ ? loop_->resume(process.pid) : compiler_->targets().resume(process.pid);
  return resumed ? std::nullopt : failed(DTRACE_E_PROCESS, resumed.error().text());
}

Failed Handle::release(ps_prochandle &process) {
  if (is_busy_) return failed(DTRACE_E_BUSY);
  compiler_->targets().release(process.pid);
  return std::nullopt;
}

// ---------------------------------------------------------------- symbols and probes

Failed Handle::look_up(GElf_Addr address, GElf_Sym *symbol, dtrace_syminfo_t *info) {
  if (vector_ != nullptr && vector_->dtv_lookup_by_addr != nullptr) {
    const int returned = vector_->dtv_lookup_by_addr(vector_arg_, address, symbol, info);
    return returned == 0 ? std::nullopt : failed(DTRACE_E_NO_SYMBOL);
  }
  if (Failed failure = open_compiler()) return failure;
  const std::optional<runtime::KernelLocation> found = compiler_->symbolizer().kernel().by_address(address);
  if (!found) return failed(DTRACE_E_NO_SYMBOL);
  if (symbol != nullptr) {
    *symbol = GElf_Sym{};
    symbol->st_value = found->symbol.address;
    const bool is_global = found->symbol.type >= 'A' && found->symbol.type <= 'Z';
    symbol->st_info = static_cast<unsigned char>(
        ELF64_ST_INFO(is_global ? STB_GLOBAL : STB_LOCAL, found->symbol.is_text() ? STT_FUNC : STT_OBJECT));
  }
  if (info != nullptr) {
    *info = dtrace_syminfo_t{};
    info->dts_object = names_.emplace(found->symbol.module).first->c_str();
    info->dts_name = names_.emplace(found->symbol.name).first->c_str();
  }
  return std::nullopt;
}

Failed Handle::name(pid_t pid, uint64_t address, std::string &text) {
  if (Failed failure = open_compiler()) return failure;
  runtime::SystemSymbolizer &symbolizer = compiler_->symbolizer();
  text = pid == 0 ? symbolizer.kernel_symbol(address, true) : symbolizer.user_symbol(pid, address, true);
  return std::nullopt;
}

Failed Handle::iterate(const dtrace_probedesc_t *pattern, dtrace_probe_f *function, void *arg, int &returned) {
  if (function == nullptr) return failed(EINVAL);
  if (Failed failure = open_compiler()) return failure;
  ProbeDesc desc;
  if (pattern != nullptr) {
    const auto text_of = [](const auto &field) { return std::string(field, strnlen(field, sizeof field)); };
    desc = {text_of(pattern->dtpd_provider), text_of(pattern->dtpd_mod), text_of(pattern->dtpd_func),
            text_of(pattern->dtpd_name)};
  }
  const Result<std::vector<ProbeId>> ids = compiler_->front_end().probes().match(desc);
  if (!ids) return failed(DTRACE_E_SYSTEM, ids.error().text());
  for (const ProbeId id : *ids) {
    if (pattern != nullptr && pattern->dtpd_id != DTRACE_IDNONE && pattern->dtpd_id != id.value) continue;
    dtrace_probedesc_t probe{};
    describe(probe, compiler_->catalog().probe(id), compiler_->catalog().shown_function(id));
    if ((returned = function(self_, &probe, arg)) != 0) return std::nullopt;
  }
  return std::nullopt;
}

Failed Handle::describe_id(dtrace_id_t id, dtrace_probedesc_t &probe) {
  if (Failed failure = open_compiler()) return failure;
  const std::optional<ProbeId> known = compiler_->front_end().probes().by_number(id);
  if (!known) return failed(DTRACE_E_NO_PROBE);
  probe = dtrace_probedesc_t{};
  describe(probe, compiler_->catalog().probe(*known), compiler_->catalog().shown_function(*known));
  return std::nullopt;
}

}  // namespace dtrace::capi
