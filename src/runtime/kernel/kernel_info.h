// SPDX-License-Identifier: Apache-2.0
// The running kernel as the providers see it: BTF, tracefs, CPUs. Everything is read on first use and kept.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/owned.h"
#include "base/result.h"
#include "frontend/types/btf.h"
#include "runtime/kernel/kernel_btf.h"
#include "runtime/kernel/kernel_features.h"
#include "runtime/kernel/kernel_functions.h"

namespace dtrace::runtime {

/// A kernel tracepoint: its BTF prototype and, where tracefs lists it, its subsystem.
struct Tracepoint {
  std::string_view name;
  std::string_view subsystem;     ///< "tp" for hooks known to BTF only
  uint32_t btf_typedef = 0;       ///< `typedef btf_trace_<name>`, 0 if BTF has none
  const BtfIndex *btf = nullptr;  ///< that has the typedef: the kernel's or a module's
};

class KernelInfo {
 public:
  /// `btf_path`: an alternative to /sys/kernel/btf/vmlinux, "none" for no BTF, empty for the default.
  explicit KernelInfo(std::string btf_path = {});
  ~KernelInfo();
  KernelInfo(const KernelInfo &) = delete;
  KernelInfo &operator=(const KernelInfo &) = delete;

  /// vmlinux BTF, or null with the reason in btf_error().
  const BtfIndex *btf();
  /// The kernel's and its modules' BTF; null as btf() is.
  KernelBtf *kernel_btf();
  const std::string &btf_error() const { return btf_error_; }

  /// Every tracepoint of the core kernel, sorted by name. Reads tracefs for the subsystems.
  const std::vector<Tracepoint> &tracepoints();
  /// Likewise those of the modules that are loaded now. Reads the BTF of all of them.
  const std::vector<Tracepoint> &module_tracepoints();
  /// Is there one of that name? Reads neither tracefs nor, if nothing else has, all names of BTF.
  bool has_tracepoint(std::string_view name);
  /// BTF id of `typedef btf_trace_<name>`, 0 if unknown. Needs no tracefs.
  uint32_t btf_trace_typedef(std::string_view name);
  /// How many arguments a tracepoint has; nothing if BTF does not know it. `module`: that it is in, if the module is
  /// not built into the kernel; empty: none.
  std::optional<unsigned> tracepoint_args(std::string_view name, std::string_view module = {});
  /// The BTF of a module; null: it is not loaded, or has none.
  const BtfIndex *module_btf(std::string_view module);

  /// What the kernel can do, by trial.
  KernelFeatures &features() { return features_; }

  /// The functions that probes can be set in. Errors: the kernel has no means to, or does not tell where they are.
  Result<const KernelFunctions *> functions();
  /// Modules came or went: looks again. Returns those whose functions went or lie elsewhere now.
  std::set<std::string, std::less<>> refresh_functions();

  /// Directory of tracefs, empty if there is none that answers.
  const std::string &tracefs();

  const std::vector<int> &online_cpus();
  /// Number of possible CPUs: the size of per-CPU tables.
  unsigned possible_cpus();

 private:
  Result<KernelFunctions> read_functions();
  std::vector<Tracepoint> with_subsystems(std::map<std::string_view, Tracepoint> by_name);

  std::string btf_path_;
  std::string btf_error_;
  std::unique_ptr<KernelBtf> btf_;
  KernelFeatures features_;
  std::optional<Result<KernelFunctions>> functions_;
  bool btf_tried_ = false;
  std::optional<std::vector<Tracepoint>> tracepoints_;
  std::optional<std::vector<Tracepoint>> module_tracepoints_;
  std::optional<std::pair<std::string, bool>> asked_tracepoint_;  // several providers ask for the same one
  std::optional<std::string> tracefs_;
  std::vector<int> online_cpus_;
  unsigned possible_cpus_ = 0;
  std::deque<std::string> names_;  // what Tracepoint's views point to when BTF does not hold the name
};

/// "0-3,8" -> {0,1,2,3,8}. Empty on malformed text.
std::vector<int> parse_cpu_list(std::string_view text);

}  // namespace dtrace::runtime
