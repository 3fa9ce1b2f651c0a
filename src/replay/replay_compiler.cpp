// SPDX-License-Identifier: Apache-2.0
#include "replay/replay_compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "arch/machine.h"
#include "replay/replay.h"
#include "tracer/library_files.h"

namespace dtrace::replay {
namespace {

constexpr std::string_view kTypesOf = "btf:";
constexpr std::string_view kKernel = "vmlinux";

const arch::Machine &machine_of(const recording::Reader &recording) {
  const std::string *name = recording.fact("machine");
  for (const arch::Machine *machine : {&arch::kX86_64, &arch::kAarch64})
    if (name != nullptr && *name == machine->name) return *machine;
  return arch::host_machine();
}

}  // namespace

ReplayCompiler::ReplayCompiler(recording::Reader &recording, Options options, tracer::Client &client)
    : recording_(recording),
      client_(client),
      options_(std::move(options)),
      types_(static_cast<uint64_t>(options_.number(Opt::strsize))),
      catalog_(recording, [this](std::string_view provider) { return attributes_of(provider); }),
      symbolizer_(recording.names()),
      symbols_(recording) {}

ProviderAttributes ReplayCompiler::attributes_of(std::string_view provider) {
  if (providers_ == nullptr) providers_ = std::make_unique<runtime::Catalog>(no_kernel_);
  return providers_->attributes(provider);
}

// ---------------------------------------------------------------- the recorded system

void ReplayCompiler::read_types() {
  const auto read = [&](const recording::Blob &blob, const BtfIndex *base) {
    const std::string module = blob.name.substr(kTypesOf.size());
    Result<std::unique_ptr<BtfIndex>> index =
        BtfIndex::create(std::as_bytes(std::span(blob.bytes.data(), blob.bytes.size())), module, base);
    if (!index) {
      types_problem_ = fmt::format("the types of {} in the recording: {}", module, index.error().text());
      return false;
    }
    btf_.push_back(std::move(*index));
    modules_.push_back(module);
    return true;
  };
  const auto is_kernel = [](const recording::Blob &blob) {
    return blob.name == fmt::format("{}{}", kTypesOf, kKernel);
  };
  const auto kernel = std::ranges::find_if(recording_.blobs(), is_kernel);
  if (kernel == recording_.blobs().end()) {
    types_problem_ = "the recording does not have the types of its kernel";
    return;
  }
  if (!read(*kernel, nullptr)) return;
  for (const recording::Blob &blob : recording_.blobs())
    if (blob.name.starts_with(kTypesOf) && !is_kernel(blob)) read(blob, btf_.front().get());
  types_.add_btf(btf_.front().get());
  types_.set_module_loader([this](std::string_view module) {
    std::vector<const BtfIndex *> found;
    for (size_t i = 1; i < btf_.size(); ++i)
      if (module.empty() || module == modules_[i]) found.push_back(btf_[i].get());
    return found;
  });
}

Result<Unit> ReplayCompiler::open(bool lists) {
  if (lists) options_.set(option_name(Opt::zdefs), std::nullopt, OptionSource::kCommandLine);
  read_types();
  front_end_ = std::make_unique<FrontEnd>(options_, types_, catalog_, symbols_);
  constexpr uint64_t kRegisterBytes = 8;
  const arch::Machine &machine = machine_of(recording_);
  front_end_->set_registers(machine.registers.size_bytes / kRegisterBytes + machine.task_registers.size());
  if (const std::string *frames = recording_.fact("kernel.frames"); frames != nullptr)
    if (const unsigned long long most = std::strtoull(frames->c_str(), nullptr, 10); most != 0)
      front_end_->set_max_kernel_frames(most);
  if (lists) front_end_->probes().keep_underivable();
  if (!lists) leaves_ = std::make_unique<LeafCheck>(recording_, catalog_, types_, front_end_->sources());
  return open_libraries();
}

Result<Unit> ReplayCompiler::open_libraries() {
  tracer::LibraryMachine machine;
  machine.name = machine_of(recording_).name;
  if (const std::string *bytes = recording_.fact("page.size"))
    machine.page_bytes = std::strtol(bytes->c_str(), nullptr, 10);
  tracer::LibraryDirectories directories = tracer::library_directories(options_, machine);
  for (const std::string &problem : directories.problems) client_.report("warning: " + problem);
  if (directories.files.empty()) return ok();
  LibraryEnvironment environment;
  environment.has_module = [this](std::string_view name) {
    return name == kKernel || std::ranges::find(modules_, name) != modules_.end();
  };
  environment.has_provider = [](std::string_view name) {
    return std::ranges::find(runtime::kProviders, name, &runtime::ProviderRow::name) != std::end(runtime::kProviders);
  };
  if (Result<Unit> used = front_end_->use_libraries(std::move(directories.files), environment); !used)
    return std::move(used.error()).during("failed to initialize dtrace");
  return ok();
}

std::optional<pid_t> ReplayCompiler::pid_fact(std::string_view name) const {
  const std::string *text = recording_.fact(name);
  const long pid = text == nullptr ? 0 : std::strtol(text->c_str(), nullptr, 10);
  return pid > 0 && pid <= INT32_MAX ? std::optional(static_cast<pid_t>(pid)) : std::nullopt;
}

pid_t ReplayCompiler::target_pid() const { return pid_fact("target.pid").value_or(0); }

// ---------------------------------------------------------------- programs

std::optional<tracer::Rejection> ReplayCompiler::add_program(const tracer::ProgramText &program,
                                                             const tracer::MacroArguments &arguments) {
  tracer::Rejection rejection;
  Result<std::string> text = tracer::text_of(program, options_, client_);
  if (!text) {
    rejection.message = text.error().text();
    return rejection;
  }
  const tracer::MacroProcesses processes{pid_fact("dtrace.pid"), pid_fact("target.pid")};
  const ast::Ast *ast = tracer::parse_program(*front_end_, program, std::move(*text),
                                              tracer::macros_of(program, arguments, options_, processes), rejection);
  std::optional<tree::Program> checked = tracer::check_program(*front_end_, program, ast, types_problem_, rejection);
  if (!checked) return rejection;
  if (leaves_) leaves_->check(unit(), *checked, rejection.diagnostics);
  if (!rejection.diagnostics.ok()) return rejection;
  tracer::report_warnings(*front_end_, rejection.diagnostics, options_, client_);
  front_end_->unit().programs.push_back(std::move(*checked));
  return std::nullopt;
}

std::string ReplayCompiler::reason_not_to_run() const {
  if (std::string reason = tracer::no_probes(unit(), options_); !reason.empty()) return reason;
  if (std::ranges::any_of(unit().programs, &tree::Program::destructive))
    return "a replay changes nothing: the program has destructive actions";
  return {};
}

Result<codegen::Layout> ReplayCompiler::make_layout(bool time, bool thread) {
  return codegen::make_layout({unit(), front_end_->sources(), types_, options_, catalog_, nr_cpus_of(recording_), 0,
                               machine_of(recording_), time, thread});
}

std::string ReplayCompiler::text_of(const tree::Expr &expr) const {
  return std::string(front_end_->sources().text(expr.span));
}

}  // namespace dtrace::replay
