// SPDX-License-Identifier: Apache-2.0
// Probes as the front end sees them: names, stability, argument types. Where they fire and how they are attached is the
// providers' affair (runtime/probes/provider.h); this interface is how the checker asks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "frontend/lang/user_scope.h"
#include "frontend/types/types.h"

namespace dtrace {

/// Number of a probe as `-l` prints it, from 1.
struct ProbeId {
  uint32_t value = 0;
  friend bool operator==(ProbeId, ProbeId) = default;
  friend auto operator<=>(ProbeId, ProbeId) = default;
};

/// provider:module:function:name, each a glob; empty matches all.
struct ProbeDesc {
  std::string provider, module, function, name;
  /// "P:M:F:N", empty fields empty.
  std::string text() const { return provider + ':' + module + ':' + function + ':' + name; }
  friend bool operator==(const ProbeDesc &, const ProbeDesc &) = default;
};

enum class Stability : uint8_t { kInternal, kPrivate, kObsolete, kExternal, kUnstable, kEvolving, kStable, kStandard };
enum class DependencyClass : uint8_t { kUnknown, kCpu, kPlatform, kGroup, kIsa, kCommon };

/// Name/Data/Class; combined component by component with min.
struct Attributes {
  Stability name = Stability::kStable;
  Stability data = Stability::kStable;
  DependencyClass dependency = DependencyClass::kCommon;
};

/// Attributes of the five parts of a provider's interface.
struct ProviderAttributes {
  Attributes provider, module, function, name, args;
};

struct Probe {
  ProbeId id;
  std::string provider, module, function, name;
  std::string text() const { return provider + ':' + module + ':' + function + ':' + name; }
};

/// Where the value of an argument lies, by the raw arguments arg0, arg1, ...
enum class ArgPlace : uint8_t {
  kWord,     ///< in one of them
  kWords,    ///< a struct of up to 16 bytes: in one, or in two that follow one another
  kStack,    ///< a struct on the stack, where that raw argument would lie
  kPointed,  ///< a struct that the raw argument points to
};

/// One args[n]: what the kernel or program passes, and what D sees. Equal unless a translator is implied.
struct ProbeArg {
  TypeId native;
  TypeId translated;
  unsigned source = 0;  ///< which raw argument (arg0..) it comes from
  /// The type that D is to see, if nobody defines it; D then sees what is passed.
  std::string undefined = {};
  ArgPlace place = ArgPlace::kWord;
  Space space = Space::kKernel;  ///< kStack, kPointed: the memory that the struct is in
  std::string missing = {};      ///< why the value cannot be had; empty: it can
  std::string name = {};         ///< what the source of the program or kernel calls it; empty: nobody knows
  std::string where = {};        ///< in which registers or memory, for people; empty: the provider does not say
};

/// A probe defined by a D clause on other probes: the clause's predicate selects firings, its statements are the
/// arguments. Outside the compiler nothing else is known of the clause; the compiler keeps its expressions under the
/// number `derivation`.
struct ProbeOrigin {
  std::vector<ProbeId> probes;  ///< what it is derived from
  uint32_t derivation = 0;      ///< from 1
  std::vector<TypeId> args;     ///< of the statements
};

/// Why a description matches no probe; empty: nobody knows.
struct Absence {
  std::string reason;
  bool is_certain = false;  ///< what else may have been meant need not be looked for
};

/// All probes the providers offer. Calls may make probes on demand (profile-n, ...), so ids keep growing.
class ProbeCatalog {
 public:
  virtual ~ProbeCatalog() = default;
  /// Ids of all matching probes in ascending order; empty if none. An Error is a provider's refusal, with its reason.
  virtual Result<std::vector<ProbeId>> match(const ProbeDesc &desc) = 0;
  /// For a description that matches nothing.
  virtual Absence why_absent(const ProbeDesc &) { return {}; }
  virtual std::optional<ProbeId> by_number(uint64_t number) = 0;
  virtual const Probe &probe(ProbeId id) = 0;
  /// The D text of a probe that a provider defines as clauses on other probes, until derive() has been called for it.
  /// Nothing: the probe is the provider's own, or has been derived.
  virtual std::optional<std::string_view> open_definition(ProbeId) { return std::nullopt; }
  /// What the checked definition says; not empty, and all with the same number of arguments.
  virtual void derive(ProbeId, std::vector<ProbeOrigin>) {}
  /// args[0..n). Empty: none or untyped. Errors: nothing is known of them, and why.
  virtual Result<std::vector<ProbeArg>> args(ProbeId id, TypeTable &types) = 0;
  /// args[] of a description that matches no probe now (option zdefs), as far as they are known: translated types.
  virtual std::vector<ProbeArg> absent_args(const ProbeDesc &, TypeTable &) { return {}; }
  /// A variable of the program's function that is in scope where the probe fires; its source counts as those of args().
  /// Errors: D_LOCALS_NONE, D_LOCALS_NAME.
  virtual Result<ProbeArg> local(ProbeId, std::string_view name, TypeTable &) {
    (void)name;
    return Error("it is not at an instruction or a line of a user program").tagged("D_LOCALS_NONE");
  }
  /// All such variables, the innermost first; those whose values cannot be had say why. Their sources mean nothing.
  virtual std::vector<ProbeArg> locals(ProbeId, TypeTable &) { return {}; }
  /// Why the value of arg`n` is available at none of the sites where the probe fires; empty: it is available.
  virtual std::string missing_argument(ProbeId, unsigned, TypeTable &) { return {}; }
  /// What names of a user program's types and variables mean at the probe. Null: it is not in a user program whose
  /// files are known. Equal for all probes of a file in a process.
  virtual UserScope *user_scope(ProbeId) { return nullptr; }
  /// For an argument that is translated: how what it points to differs, in a program that has the probe, from what D
  /// knows of it, in words and with the program's name. Empty: not at all, or nobody can tell.
  virtual std::string layout_difference(ProbeId, const ProbeArg &, TypeTable &) { return {}; }
  /// Unstable/Unstable/Common for unknown providers.
  virtual ProviderAttributes attributes(std::string_view provider) = 0;
};

}  // namespace dtrace
