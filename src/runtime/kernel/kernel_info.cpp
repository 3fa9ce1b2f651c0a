// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernel/kernel_info.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <map>

#include "base/read_file.h"
#include "runtime/kernel/tracefs.h"

namespace dtrace::runtime {
namespace {

constexpr std::string_view kTypedefPrefix = "btf_trace_";
constexpr std::string_view kBtfOnlySubsystem = "tp";

/// Where /sys is not mounted: the lines "cpuN" of /proc/stat.
std::vector<int> cpus_of_proc_stat() {
  std::vector<int> cpus;
  Result<std::string> text = read_file("/proc/stat");
  for (size_t at = 0; text && (at = text->find("\ncpu", at)) != std::string::npos;) {
    at += 4;
    int cpu = 0;
    if (std::from_chars(text->data() + at, text->data() + text->size(), cpu).ec == std::errc()) cpus.push_back(cpu);
  }
  return cpus;
}

/// No fewer than there can be: the kernel writes a value for each of them into what we hand it.
unsigned cpus_of_affinity_mask() {
  std::vector<unsigned long> mask(1024);
  const long bytes = syscall(SYS_sched_getaffinity, 0, mask.size() * sizeof mask[0], mask.data());
  return bytes > 0 ? static_cast<unsigned>(bytes) * 8 : static_cast<unsigned>(sysconf(_SC_NPROCESSORS_CONF));
}

}  // namespace

std::vector<int> parse_cpu_list(std::string_view text) {
  std::vector<int> cpus;
  const char *at = text.data(), *end = text.data() + text.size();
  while (at < end && *at != '\n') {
    int first = 0;
    auto [after_first, error] = std::from_chars(at, end, first);
    if (error != std::errc()) return {};
    int last = first;
    at = after_first;
    if (at < end && *at == '-') {
      auto [after_last, error_last] = std::from_chars(at + 1, end, last);
      if (error_last != std::errc()) return {};
      at = after_last;
    }
    for (int cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
    if (at < end && *at == ',') ++at;
  }
  return cpus;
}

KernelInfo::KernelInfo(std::string btf_path) : btf_path_(std::move(btf_path)) {}
KernelInfo::~KernelInfo() = default;

KernelBtf *KernelInfo::kernel_btf() {
  if (std::exchange(btf_tried_, true)) return btf_.get();
  if (btf_path_ == "none") {
    btf_error_ = "option btfpath is none";
    return nullptr;
  }
  Result<std::unique_ptr<KernelBtf>> opened = KernelBtf::open(btf_path_.empty() ? kKernelBtfPath : btf_path_);
  if (opened)
    btf_ = std::move(*opened);
  else if (btf_path_.empty() && access("/sys/kernel", F_OK) != 0)
    btf_error_ = "no kernel types at /sys/kernel/btf/vmlinux: /sys is not mounted";
  else
    btf_error_ = opened.error().text();
  return btf_.get();
}

const BtfIndex *KernelInfo::btf() {
  KernelBtf *kernel = kernel_btf();
  return kernel != nullptr ? &kernel->vmlinux() : nullptr;
}

bool KernelInfo::has_tracepoint(std::string_view name) {
  if (asked_tracepoint_ && asked_tracepoint_->first == name) return asked_tracepoint_->second;
  const BtfIndex *index = btf();
  const std::string wanted = std::string(kTypedefPrefix).append(name);
  const bool has = index != nullptr && std::ranges::any_of(index->typedefs_with_prefix(wanted),
                                                           [&](const auto &found) { return found.second == wanted; });
  asked_tracepoint_.emplace(name, has);
  return has;
}

uint32_t KernelInfo::btf_trace_typedef(std::string_view name) {
  const BtfIndex *index = btf();
  if (index == nullptr) return 0;
  return index->find(std::string(kTypedefPrefix).append(name), BtfIndex::Kind::kTypedef).value_or(0);
}

std::optional<unsigned> KernelInfo::tracepoint_args(std::string_view name, std::string_view module) {
  const BtfIndex *index = module.empty() ? nullptr : module_btf(module);
  if (index == nullptr) index = btf();
  if (index == nullptr) return std::nullopt;
  const std::optional<uint32_t> id = index->find(std::string(kTypedefPrefix).append(name), BtfIndex::Kind::kTypedef);
  const std::optional<BtfIndex::Record> typedef_ = id ? index->record(*id) : std::nullopt;
  const std::optional<BtfIndex::Record> pointer = typedef_ ? index->record(typedef_->size_or_type) : std::nullopt;
  if (!pointer || pointer->kind != BtfIndex::Kind::kPtr) return std::nullopt;
  const size_t params = index->params(pointer->size_or_type).size();
  return params == 0 ? 0 : static_cast<unsigned>(params - 1);  // the first one is the tracepoint's own
}

const BtfIndex *KernelInfo::module_btf(std::string_view module) {
  KernelBtf *kernel = kernel_btf();
  const Result<const BtfIndex *> index = kernel != nullptr ? kernel->module(module) : Error(btf_error_);
  return index ? *index : nullptr;
}

Result<KernelFunctions> KernelInfo::read_functions() {
  auto described = [](void *self, std::string_view name) {
    const BtfIndex *index = static_cast<KernelInfo *>(self)->btf();
    return index != nullptr && index->find(name, BtfIndex::Kind::kFunc).has_value();
  };
  return KernelFunctions::read(tracefs(), described, this);
}

std::set<std::string, std::less<>> KernelInfo::refresh_functions() {
  if (!functions_ || !*functions_) return {};
  Result<KernelFunctions> now = read_functions();
  return now ? (*functions_)->update(*now) : std::set<std::string, std::less<>>();
}

Result<const KernelFunctions *> KernelInfo::functions() {
  if (!functions_) {
    if (features_.has(KernelFeature::kKprobeMulti) || features_.has(KernelFeature::kKprobe) ||
        features_.has(KernelFeature::kTrampoline))
      functions_ = read_functions();
    else
      functions_ = Error(
                       "this kernel cannot trace its own functions: it has neither kprobe_multi (CONFIG_FPROBE) nor "
                       "kprobes (CONFIG_KPROBES) nor BPF trampolines (CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS), or "
                       "forbids them" +
                       // Trampolines need the kernel's types, whatever the kernel has.
                       (btf() == nullptr ? fmt::format("; {}", btf_error()) : std::string()))
                       .tagged("D_KERN_LACKS");
  }
  if (!*functions_) return functions_->error();
  return &**functions_;
}

const std::string &KernelInfo::tracefs() {
  if (!tracefs_) tracefs_ = tracefs_path();
  return *tracefs_;
}

namespace {

/// The tracepoints of one BTF, which join those of others.
void add_tracepoints(const BtfIndex &index, std::map<std::string_view, Tracepoint> &by_name) {
  for (auto [id, name] : index.typedefs_with_prefix(kTypedefPrefix)) {
    const std::string_view event = name.substr(kTypedefPrefix.size());
    by_name.try_emplace(event, Tracepoint{event, kBtfOnlySubsystem, id, &index});
  }
}

}  // namespace

std::vector<Tracepoint> KernelInfo::with_subsystems(std::map<std::string_view, Tracepoint> by_name) {
  Result<std::string> events = tracefs().empty() ? Error("no tracefs") : read_file(tracefs() + "/available_events");
  if (events) {
    const std::string &text = names_.emplace_back(std::move(*events));
    for (size_t at = 0; at < text.size();) {
      size_t end = std::min(text.find('\n', at), text.size());
      std::string_view line = std::string_view(text).substr(at, end - at);
      at = end + 1;
      size_t colon = line.find(':');
      if (colon == std::string_view::npos) continue;
      std::string_view subsystem = line.substr(0, colon), event = line.substr(colon + 1);
      // System calls have their own provider, and dynamic probes belong to other tracers.
      if (subsystem == "syscalls" || subsystem == "uprobes" || subsystem == "kprobes") continue;
      // An event that shares another's tracepoint (DEFINE_EVENT_PRINT and its like) has no prototype of its own.
      auto known = by_name.find(event);
      if (known != by_name.end()) known->second.subsystem = subsystem;
    }
  }
  std::vector<Tracepoint> sorted;
  for (auto &[name, tracepoint] : by_name) sorted.push_back(tracepoint);
  return sorted;
}

const std::vector<Tracepoint> &KernelInfo::tracepoints() {
  if (tracepoints_) return *tracepoints_;
  std::map<std::string_view, Tracepoint> by_name;
  if (const BtfIndex *index = btf()) add_tracepoints(*index, by_name);
  return tracepoints_.emplace(with_subsystems(std::move(by_name)));
}

const std::vector<Tracepoint> &KernelInfo::module_tracepoints() {
  if (module_tracepoints_) return *module_tracepoints_;
  std::map<std::string_view, Tracepoint> by_name;
  if (KernelBtf *kernel = kernel_btf())
    for (const BtfIndex *index : kernel->load("")) add_tracepoints(*index, by_name);
  std::erase_if(by_name, [&](const auto &entry) { return btf_trace_typedef(entry.first) != 0; });
  if (by_name.empty()) return module_tracepoints_.emplace();
  return module_tracepoints_.emplace(with_subsystems(std::move(by_name)));
}

const std::vector<int> &KernelInfo::online_cpus() {
  if (online_cpus_.empty()) {
    if (Result<std::string> text = read_file("/sys/devices/system/cpu/online")) online_cpus_ = parse_cpu_list(*text);
    if (online_cpus_.empty()) online_cpus_ = cpus_of_proc_stat();
    if (online_cpus_.empty()) online_cpus_ = {0};
  }
  return online_cpus_;
}

unsigned KernelInfo::possible_cpus() {
  if (possible_cpus_ == 0) {
    std::vector<int> cpus;
    if (Result<std::string> text = read_file("/sys/devices/system/cpu/possible")) cpus = parse_cpu_list(*text);
    possible_cpus_ = cpus.empty() ? cpus_of_affinity_mask() : static_cast<unsigned>(cpus.back()) + 1;
  }
  return possible_cpus_;
}

}  // namespace dtrace::runtime
