// SPDX-License-Identifier: Apache-2.0
// What `dtrace -G` asks of the objects it is given: for which machine they are, and which probes they call in the
// manner of Solaris, as undefined functions. They are read only, and any bytes are survived.
#pragma once

#include <compare>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "usdt/provider.h"
#include "usdt/target.h"

namespace dtrace::usdt {

/// A function that stands for a probe or its is-enabled test in code made for Solaris.
struct StubName {
  const Provider *provider;
  const Probe *probe;
  bool is_enabled_test;
  std::string symbol;  ///< "__dtrace_PROV___PROBE", "__dtraceenabled_PROV___PROBE"
};

/// All that the providers could be called by.
std::vector<StubName> stub_names(const std::vector<Provider> &providers);

/// A probe that has a site in an object.
struct SiteFact {
  std::string provider, probe;
  size_t arguments = 0;
  friend auto operator<=>(const SiteFact &, const SiteFact &) = default;
};

struct ObjectFacts {
  std::optional<Target> target;                ///< of the first ELF file in it; nothing: not ELF
  bool mixes_classes = false;                  ///< an archive of 32- and 64-bit objects
  std::set<std::string, std::less<>> calls;    ///< symbols out of `names`
  std::set<std::string, std::less<>> unknown;  ///< undefined symbols of that form that are not in `names`
  std::set<SiteFact> sites;                    ///< those of all providers
};

/// How a site contradicts the definitions: "has a site of shop:sail, which no script defines". Empty: it does not, or
/// its provider is none of these.
std::string contradiction(const SiteFact &site, const std::vector<Provider> &providers);

/// In:      the bytes of an object, an archive or anything else. If it has no symbol table that can be read
///          (compilers' intermediate code), every known name that occurs in it counts as called.
ObjectFacts scan_object(std::string_view bytes, const std::vector<StubName> &names);

}  // namespace dtrace::usdt
