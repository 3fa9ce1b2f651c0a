// SPDX-License-Identifier: Apache-2.0
// The probes of functions in files of programs: which of a file's functions, instructions and source lines a
// description means (those of lines are in line_probes.cpp, those of inlined calls in inline_probes.cpp). Knows neither
// which files nor which processes: those are their providers' (provider_pid.cpp, provider_pid_all.cpp).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/debug_info/object_debug_info.h"
#include "runtime/probes/provider.h"
#include "runtime/user/pid_probes.h"

namespace dtrace::runtime {

/// For a function: the name is an address in the file.
inline constexpr std::string_view kAddressFunction = "-";

/// A hexadecimal number without 0x.
std::optional<uint64_t> offset_of(std::string_view name);

bool is_literal(std::string_view field);

/// Name of the probes of source lines, whose function is FILE@LINE.
inline constexpr std::string_view kLineName = "line";
/// Does the description mean source lines?
bool means_lines(const ProbeDesc &want);

/// Name of the probes of inlined calls; they are meant by this name only, and by no glob.
inline constexpr std::string_view kInlineName = "inline";

/// Whether the function field means a symbol, by its own name or by the one its author wrote, with or without the types
/// of its parameters.
bool function_matches(std::string_view field, std::string_view symbol);

/// Errors: D_PROC_NAME: the name field is neither entry, return, inline, an offset, a line's nor a glob; a line's, and
/// the function is none.
Result<Unit> check_probe_name(const ProbeDesc &want);

/// What one list() call asks of files.
struct FunctionListing {
  const ProbeDesc &want;
  std::string_view provider;  ///< as the probes' names have it
  pid_t pid = 0;              ///< in which they fire; 0: in all
  bool by_path = false;       ///< modules are named by path: two files of the same name are different modules
  StackUse stack_use;
  ProbeSink &sink;
  /// Virtual addresses of the functions that an indirect one, whose resolver is at the address, stands for.
  std::function<std::set<uint64_t>(uint64_t resolver)> resolved;
  /// They fire in all processes of the family of `pid` (runtime/user/followed_processes.h); 0: no.
  uint32_t family = 0;
  /// What debug information says of a file.
  std::function<Result<ObjectDebugInfo *>(const std::shared_ptr<UserObject> &)> debug_info = {};
};

class FunctionProbes {
 public:
  /// Offers what the description means in a file. Out: has it such functions or lines? Errors: D_PROC_CREATEFAIL,
  /// D_PROC_OFF, D_PROC_ALIGN, D_PROC_LINE, D_PROC_INLINE, if the description names one probe, and it cannot be set.
  Result<bool> list_object(const FunctionListing &listing, const std::shared_ptr<UserObject> &object);
  /// The same of the function "-": an address, as the file's symbol table counts addresses. Errors: those, and
  /// D_PROC_NAME.
  Result<Unit> list_address(const FunctionListing &listing, const std::shared_ptr<UserObject> &object);

  /// Are there sites that hook() has not returned yet?
  bool grew(const Probe &probe) const;
  ProbeHook hook(const Probe &probe);
  /// GrowingProvider::forget(). Returns the probes that lost sites, by full name.
  std::vector<std::string> forget(const std::set<const UserFile *> &files);
  /// What was offered as the probe.
  const PidProbe &of(const Probe &probe) const { return probes_.at(probe.text()); }

 private:
  Result<Unit> list_function(const FunctionListing &listing, const PidPlace &place, std::string_view function);
  Result<Unit> list_offsets(const FunctionListing &listing, const PidPlace &place, std::string_view function);
  Result<bool> list_inlined(const FunctionListing &listing, const std::shared_ptr<UserObject> &object);
  Result<bool> list_lines(const FunctionListing &listing, const std::shared_ptr<UserObject> &object);
  static void refuse(const FunctionListing &listing, const PidPlace &place, std::string_view function,
                     std::string_view name, std::string_view reason);
  /// The probe that the description names.
  static void fall_short(const FunctionListing &listing, const UserObject &object, std::string_view shortfall);
  void offer(const FunctionListing &listing, const PidPlace &place, std::string_view function, PidProbe::Kind kind,
             std::string_view name);

  std::unordered_map<std::string, PidProbe> probes_;  // by their full names
};

/// For processes of which nothing is known yet: they may unwind their stacks through any function, or leave them.
inline constexpr StackUse kAnyStackUse{.calls_interfere = true, .signals_interfere = true};

/// Whether one of the names, as a description's module field has them, means the file.
bool is_named(const std::vector<std::string> &names, const UserObject &object);

/// Hooks, without sites, of the probes that a description may come to mean in files of this width.
std::vector<ProbeHook> prototypes_of(const ProbeDesc &want, bool is_64bit, uint32_t family = 0);

ProviderAttributes function_attributes();

}  // namespace dtrace::runtime
