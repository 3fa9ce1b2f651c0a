// SPDX-License-Identifier: Apache-2.0
// Stability attributes: "Name/Data/Class". Combining takes the weaker of each component (the D language
// reference, 7.1).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "frontend/lang/probe.h"

namespace dtrace {

/// What combining begins with: Standard/Standard/Common.
inline constexpr Attributes kStrongestAttributes{Stability::kStandard, Stability::kStandard, DependencyClass::kCommon};
/// D programs' own names, built-ins.
inline constexpr Attributes kStableAttributes{Stability::kStable, Stability::kStable, DependencyClass::kCommon};
/// Kernel types and symbols.
inline constexpr Attributes kKernelAttributes{Stability::kPrivate, Stability::kPrivate, DependencyClass::kUnknown};
/// Providers that say nothing, and descriptions that name no provider.
inline constexpr Attributes kUnstableAttributes{Stability::kUnstable, Stability::kUnstable, DependencyClass::kCommon};

std::string_view text(Stability stability);
std::string_view text(DependencyClass dependency);
/// "Stable/Stable/Common"
std::string text(const Attributes &attributes);

/// Case does not matter; a missing part is the strongest. Nothing: a word is none of the names.
std::optional<Attributes> parse_attributes(std::string_view text);

/// The part of a provider that has its own attributes, by the word that pragmas have for it: provider, module,
/// function, name, args. Null: no such part.
Attributes ProviderAttributes::*provider_part(std::string_view word);

/// Component by component the weaker.
Attributes weaker(const Attributes &a, const Attributes &b);
/// Is no component of `attributes` weaker than that of `floor`?
bool reaches(const Attributes &attributes, const Attributes &floor);

/// Attributes of a probe description: those of the provider's parts that it names; no provider or a glob there:
/// unstable.
Attributes description_attributes(const ProbeDesc &desc, const ProviderAttributes &provider);

}  // namespace dtrace
