// SPDX-License-Identifier: Apache-2.0
// The functions of <dtrace.h>. No exception leaves them.
#include <cerrno>
#include <exception>
#include <new>
#include <string>
#include <utility>

#pragma GCC visibility push(default)
#include "capi/include/dtrace.h"
#pragma GCC visibility pop

#include "capi/handle.h"

using dtrace::capi::Failed;
using dtrace::capi::failed;
using dtrace::capi::WalkOrder;

namespace {

template <typename Call>
Failed guarded(Call call) {
  try {
    return call();
  } catch (const std::bad_alloc &) {
    return failed(ENOMEM);
  } catch (const std::exception &exception) {
    return failed(DTRACE_E_TRACING, exception.what());
  }
}

/// What a function of the interface may be called from, beside the program itself.
enum class Caller {
  kProgram,   ///< nothing else: it ends what the callback is called for, or would begin it again
  kCallback,  ///< a function that the library calls
  kMessage,   ///< also a handler for messages, which may be called in the midst of anything
};

Failed refusal(const dtrace_hdl_t &handle, dtrace::capi::Gate &gate, Caller caller) {
  const bool is_refused = caller == Caller::kProgram    ? gate.is_inside_callback()
                          : caller == Caller::kCallback ? handle.handle.is_reporting()
                                                        : false;
  if (is_refused) return failed(DTRACE_E_BUSY, "not possible in a function that the library calls");
  return std::nullopt;
}

/// 0 or -1, as most of these functions return.
template <typename Call>
int status_of(dtrace_hdl_t *dtp, Call call, Caller caller = Caller::kCallback) {
  dtrace::capi::Gate &gate = dtp->handle.gate();
  const dtrace::capi::Visit visit(gate);
  if (!visit) return -1;
  Failed failure = refusal(*dtp, gate, caller);
  if (!failure) failure = guarded(call);
  return dtp->handle.keep(std::move(failure)) ? -1 : 0;
}

template <typename Function>
int set_handler(dtrace_hdl_t *dtp, dtrace::capi::Handler<Function> &handler, Function *function, void *arg) {
  return status_of(dtp, [&]() -> Failed {
    if (function == nullptr) return failed(EINVAL);
    if (handler.function != nullptr) return failed(EALREADY, "there is such a handler already");
    handler = {function, arg};
    return std::nullopt;
  });
}

int walk(dtrace_hdl_t *dtp, WalkOrder order, dtrace_aggregate_f *function, void *arg) {
  return status_of(dtp, [&] { return dtp->handle.walk(order, function, arg); });
}

dtrace_prog_t *compile(dtrace_hdl_t *dtp, dtrace::tracer::ProgramText text, unsigned flags, int argc,
                       char *const argv[]) {
  dtrace_prog_t *made = nullptr;
  (void)status_of(dtp, [&] { return dtp->handle.compile(std::move(text), flags, argc, argv, made); });
  return made;
}

dtrace::tracer::ProgramText::Kind kind_of(dtrace_probespec_t spec) {
  using Kind = dtrace::tracer::ProgramText::Kind;
  switch (spec) {
    case DTRACE_PROBESPEC_PROVIDER:
      return Kind::kProvider;
    case DTRACE_PROBESPEC_MOD:
      return Kind::kModule;
    case DTRACE_PROBESPEC_FUNC:
      return Kind::kFunction;
    case DTRACE_PROBESPEC_NAME:
      return Kind::kName;
    case DTRACE_PROBESPEC_NONE:
      break;
  }
  return Kind::kScript;
}

/// All of a file; false: it cannot be read.
bool read_all(FILE *file, std::string &text) {
  char buffer[4096];
  for (size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, file)) != 0;) text.append(buffer, got);
  return std::ferror(file) == 0;
}

}  // namespace

// ---------------------------------------------------------------- handles

dtrace_hdl_t *dtrace_vopen(int version, int flags, int *error, const dtrace_vector_t *vector, void *arg) {
  dtrace_hdl_t *made = nullptr;
  const Failed failure = guarded([&]() -> Failed {
    if (version != DTRACE_VERSION) return failed(DTRACE_E_VERSION);
    auto handle = std::make_unique<dtrace_hdl_t>();
    if (Failed refused = handle->handle.open(flags, vector, arg)) return refused;
    made = handle.release();
    return std::nullopt;
  });
  if (failure && error != nullptr) *error = failure->code;
  return made;
}

dtrace_hdl_t *dtrace_open(int version, int flags, int *error) {
  return dtrace_vopen(version, flags, error, nullptr, nullptr);
}

void dtrace_close(dtrace_hdl_t *dtp) {
  if (dtp == nullptr) return;
  // The gate is closed when the handle goes: a thread that comes then has lost a race of its own.
  if (status_of(dtp, []() -> Failed { return std::nullopt; }, Caller::kProgram) == 0) delete dtp;
}

int dtrace_errno(dtrace_hdl_t *dtp) {
  return dtp->handle.gate().is_closed_to_us() ? DTRACE_E_BUSY : dtp->handle.last().code;
}

const char *dtrace_errmsg(dtrace_hdl_t *dtp, int error) {
  const bool is_ours = dtp != nullptr && !dtp->handle.gate().is_closed_to_us();
  if (is_ours && error != 0 && dtp->handle.last().code == error) return dtp->handle.last().text.c_str();
  return dtrace::capi::meaning(error);
}

int dtrace_setopt(dtrace_hdl_t *dtp, const char *name, const char *value) {
  return status_of(dtp, [&] { return dtp->handle.set_option(name, value); });
}

int dtrace_getopt(dtrace_hdl_t *dtp, const char *name, dtrace_optval_t *value) {
  dtrace_optval_t got = 0;
  const int status = status_of(dtp, [&] { return dtp->handle.get_option(name, got); }, Caller::kMessage);
  if (status == 0 && value != nullptr) *value = got;
  return status;
}

// ---------------------------------------------------------------- programs

dtrace_prog_t *dtrace_program_strcompile(dtrace_hdl_t *dtp, const char *text, dtrace_probespec_t spec,
                                         unsigned int flags, int argc, char *const argv[]) {
  using dtrace::tracer::ProgramText;
  if (text == nullptr) {
    (void)status_of(dtp, [] { return failed(EINVAL); });
    return nullptr;
  }
  ProgramText program{kind_of(spec), text, {}};
  if (program.kind == ProgramText::Kind::kScript) {
    program.contents = std::move(program.text);
    program.text = argc > 0 ? argv[0] : "<string>";
  }
  return compile(dtp, std::move(program), flags, argc, argv);
}

dtrace_prog_t *dtrace_program_fcompile(dtrace_hdl_t *dtp, FILE *file, unsigned int flags, int argc,
                                       char *const argv[]) {
  using dtrace::tracer::ProgramText;
  std::string text;
  const int status = status_of(dtp, [&]() -> Failed {
    if (file == nullptr) return failed(EINVAL);
    return read_all(file, text) ? std::nullopt : failed(errno != 0 ? errno : EIO);
  });
  if (status != 0) return nullptr;
  return compile(dtp, {ProgramText::Kind::kScript, argc > 0 ? argv[0] : "<file>", std::move(text)}, flags, argc, argv);
}

int dtrace_program_exec(dtrace_hdl_t *dtp, dtrace_prog_t *program, dtrace_proginfo_t *info) {
  return status_of(dtp, [&]() -> Failed {
    if (program == nullptr) return failed(EINVAL);
    if (info != nullptr) *info = program->info;
    return dtp->handle.execute(*program);
  });
}

void dtrace_program_info(dtrace_hdl_t *, dtrace_prog_t *program, dtrace_proginfo_t *info) {
  if (program != nullptr && info != nullptr) *info = program->info;
}

// ---------------------------------------------------------------- tracing

int dtrace_go(dtrace_hdl_t *dtp) {
  return status_of(dtp, [&] { return dtp->handle.go(); }, Caller::kProgram);
}

int dtrace_stop(dtrace_hdl_t *dtp) {
  return status_of(dtp, [&] { return dtp->handle.stop(); });
}

void dtrace_sleep(dtrace_hdl_t *dtp) {
  (void)status_of(dtp, [&]() -> Failed {
    dtp->handle.sleep();
    return std::nullopt;
  });
}

int dtrace_poll_fd(dtrace_hdl_t *dtp) {
  int fd = -1;
  return status_of(dtp, [&] { return dtp->handle.poll_fd(fd); }) == 0 ? fd : -1;
}

int dtrace_status(dtrace_hdl_t *dtp) {
  int status = DTRACE_STATUS_NONE;
  return status_of(dtp, [&] { return dtp->handle.status(status); }) == 0 ? status : -1;
}

dtrace_workstatus_t dtrace_work(dtrace_hdl_t *dtp, FILE *file, dtrace_consume_probe_f *probe,
                                dtrace_consume_rec_f *record, void *arg) {
  bool done = false;
  const auto work = [&] { return dtp->handle.work({file, probe, record, arg}, true, done); };
  if (status_of(dtp, work, Caller::kProgram) != 0) return DTRACE_WORKSTATUS_ERROR;
  return done ? DTRACE_WORKSTATUS_DONE : DTRACE_WORKSTATUS_OKAY;
}

int dtrace_consume(dtrace_hdl_t *dtp, FILE *file, dtrace_consume_probe_f *probe, dtrace_consume_rec_f *record,
                   void *arg) {
  bool done = false;
  return status_of(dtp, [&] { return dtp->handle.work({file, probe, record, arg}, false, done); }, Caller::kProgram);
}

// ---------------------------------------------------------------- aggregations

int dtrace_aggregate_snap(dtrace_hdl_t *dtp) {
  return status_of(dtp, [&] { return dtp->handle.snapshot(); });
}

void dtrace_aggregate_clear(dtrace_hdl_t *dtp) {
  (void)status_of(dtp, [&] { return dtp->handle.clear(); });
}

int dtrace_aggregate_print(dtrace_hdl_t *dtp, FILE *file, dtrace_aggregate_walk_f *walk) {
  return status_of(dtp, [&] { return dtp->handle.print(file, walk); });
}

int dtrace_aggregate_walk(dtrace_hdl_t *dtp, dtrace_aggregate_f *function, void *arg) {
  return walk(dtp, WalkOrder::kNone, function, arg);
}
int dtrace_aggregate_walk_keysorted(dtrace_hdl_t *dtp, dtrace_aggregate_f *function, void *arg) {
  return walk(dtp, WalkOrder::kKey, function, arg);
}
int dtrace_aggregate_walk_valsorted(dtrace_hdl_t *dtp, dtrace_aggregate_f *function, void *arg) {
  return walk(dtp, WalkOrder::kValue, function, arg);
}
int dtrace_aggregate_walk_keyvarsorted(dtrace_hdl_t *dtp, dtrace_aggregate_f *function, void *arg) {
  return walk(dtp, WalkOrder::kKeyBeforeVariable, function, arg);
}
int dtrace_aggregate_walk_valrevsorted(dtrace_hdl_t *dtp, dtrace_aggregate_f *function, void *arg) {
  return walk(dtp, WalkOrder::kValueReversed, function, arg);
}

// ---------------------------------------------------------------- handlers

int dtrace_handle_buffered(dtrace_hdl_t *dtp, dtrace_handle_buffered_f *handler, void *arg) {
  return set_handler(dtp, dtp->handle.handlers().buffered, handler, arg);
}
int dtrace_handle_drop(dtrace_hdl_t *dtp, dtrace_handle_drop_f *handler, void *arg) {
  return set_handler(dtp, dtp->handle.handlers().drop, handler, arg);
}
int dtrace_handle_err(dtrace_hdl_t *dtp, dtrace_handle_err_f *handler, void *arg) {
  return set_handler(dtp, dtp->handle.handlers().fault, handler, arg);
}
int dtrace_handle_message(dtrace_hdl_t *dtp, dtrace_handle_message_f *handler, void *arg) {
  return set_handler(dtp, dtp->handle.handlers().message, handler, arg);
}

// ---------------------------------------------------------------- processes

ps_prochandle *dtrace_proc_create(dtrace_hdl_t *dtp, const char *file, char *const argv[]) {
  ps_prochandle *made = nullptr;
  (void)status_of(dtp, [&] { return dtp->handle.create(file, argv, made); });
  return made;
}

ps_prochandle *dtrace_proc_grab(dtrace_hdl_t *dtp, pid_t pid, int) {
  ps_prochandle *made = nullptr;
  (void)status_of(dtp, [&] { return dtp->handle.grab(pid, made); });
  return made;
}

ps_prochandle *dtrace_proc_grab_pid(dtrace_hdl_t *dtp, pid_t pid, int flags) {
  return dtrace_proc_grab(dtp, pid, flags);
}

pid_t dtrace_proc_getpid(dtrace_hdl_t *, ps_prochandle *process) { return process != nullptr ? process->pid : -1; }

void dtrace_proc_continue(dtrace_hdl_t *dtp, ps_prochandle *process) {
  if (process != nullptr) (void)status_of(dtp, [&] { return dtp->handle.resume(*process); });
}

void dtrace_proc_release(dtrace_hdl_t *dtp, ps_prochandle *process) {
  if (process != nullptr) (void)status_of(dtp, [&] { return dtp->handle.release(*process); });
}

// ---------------------------------------------------------------- symbols and probes

int dtrace_lookup_by_addr(dtrace_hdl_t *dtp, GElf_Addr address, GElf_Sym *symbol, dtrace_syminfo_t *info) {
  return status_of(dtp, [&] { return dtp->handle.look_up(address, symbol, info); });
}

int dtrace_addr2str(dtrace_hdl_t *dtp, uint64_t address, char *text, int size) {
  return dtrace_uaddr2str(dtp, 0, address, text, size);
}

int dtrace_uaddr2str(dtrace_hdl_t *dtp, pid_t pid, uint64_t address, char *text, int size) {
  std::string name;
  if (status_of(dtp, [&] { return dtp->handle.name(pid, address, name); }) != 0) return -1;
  return std::snprintf(text, text != nullptr && size > 0 ? static_cast<size_t>(size) : 0, "%s", name.c_str());
}

int dtrace_probe_iter(dtrace_hdl_t *dtp, const dtrace_probedesc_t *pattern, dtrace_probe_f *function, void *arg) {
  int returned = 0;
  return status_of(dtp, [&] { return dtp->handle.iterate(pattern, function, arg, returned); }) == 0 ? returned : -1;
}

int dtrace_id2desc(dtrace_hdl_t *dtp, dtrace_id_t id, dtrace_probedesc_t *probe) {
  return status_of(dtp, [&]() -> Failed {
    if (probe == nullptr) return failed(EINVAL);
    return dtp->handle.describe_id(id, *probe);
  });
}
