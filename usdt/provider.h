// SPDX-License-Identifier: Apache-2.0
// A provider as its definition file declares it: what `dtrace -h` and `dtrace -G` read, what .note.dtrace carries, and
// what the tracer reads back from there. Types are names: only the program and the D library know what they mean.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frontend/lang/stability.h"

namespace dtrace::usdt {

/// USDT providers that say nothing about stability: Private/Private/Unknown.
inline constexpr Attributes kProviderDefault{Stability::kPrivate, Stability::kPrivate, DependencyClass::kUnknown};

/// One parameter of a probe.
struct Argument {
  /// As written, with one blank between words and none around `*`s: "const char *", "struct foo **", "int (*)(void *)",
  /// "uint8_t [16]". Never empty.
  std::string type;
  std::string name;  ///< empty if the file gives none
};

/// One args[N] that the second list of a declaration, `probe p(native) : (translated)`, gives.
struct TranslatedArgument {
  std::string type;
  std::string name;
  uint16_t native = 0;  ///< index of the native argument it is made of
};

struct Probe {
  std::string name;  ///< as in C: `__` stands for the `-` of the D name
  std::vector<Argument> native;
  /// Has the declaration a second list? If not, args[] are the native arguments.
  bool is_translated = false;
  std::vector<TranslatedArgument> translated;
};

struct Provider {
  std::string name;
  ProviderAttributes attributes{kProviderDefault, kProviderDefault, kProviderDefault, kProviderDefault,
                                kProviderDefault};
  std::vector<Probe> probes;
  /// C declarations, one each, with the `;`: the structures, unions, enumerations and type names among the arguments'
  /// types that the file itself defines. Dummies, structures of a single member, are left out.
  std::vector<std::string> definitions;
};

}  // namespace dtrace::usdt
