// SPDX-License-Identifier: Apache-2.0
#include "runtime/probes/providers/tracepoint_provider.h"

#include <algorithm>

#include "frontend/text/glob.h"

namespace dtrace::runtime {

ProviderAttributes TracepointProvider::attributes() const {
  constexpr Attributes kEvolvingIsa{Stability::kEvolving, Stability::kEvolving, DependencyClass::kIsa};
  constexpr Attributes kPrivate{Stability::kPrivate, Stability::kPrivate, DependencyClass::kUnknown};
  constexpr Attributes kPrivateIsa{Stability::kPrivate, Stability::kPrivate, DependencyClass::kIsa};
  return {kEvolvingIsa, kPrivate, kPrivate, kPrivateIsa, kPrivateIsa};
}

Result<Unit> TracepointProvider::list(const ProbeDesc &want, ProbeSink &sink) {
  if (!field_match(want.function, "")) return ok();
  uint32_t ordinal = 0;
  const auto offer = [&](const std::vector<Tracepoint> &tracepoints) {
    for (const Tracepoint &tp : tracepoints) {
      if (field_match(want.module, tp.subsystem) && field_match(want.name, tp.name))
        sink.offer(ordinal, tp.subsystem, "", tp.name);
      ++ordinal;
    }
  };
  // A name that is no tracepoint's, as BEGIN, costs neither a list of all, which takes 2 ms to read, nor the BTF of all
  // modules.
  const bool one_name = !want.name.empty() && !is_glob(want.name);
  if (one_name && kernel_.has_tracepoint(want.name)) {
    offer(kernel_.tracepoints());
  } else if (!one_name || !want.provider.empty() || !want.module.empty()) {
    offer(kernel_.tracepoints());
    offer(kernel_.module_tracepoints());
  }
  return ok();
}

namespace {

/// The prototype's parameters after the private first one.
std::vector<BtfIndex::RawParam> prototype(const BtfIndex &btf, uint32_t typedef_id) {
  std::optional<BtfIndex::Record> typedef_ = btf.record(typedef_id);
  if (!typedef_) return {};
  std::optional<BtfIndex::Record> pointer = btf.record(typedef_->size_or_type);
  if (!pointer || pointer->kind != BtfIndex::Kind::kPtr) return {};
  std::vector<BtfIndex::RawParam> params = btf.params(pointer->size_or_type);
  if (!params.empty()) params.erase(params.begin());
  return params;
}

/// The parameters again, with names, which the prototype of a pointer lacks: those of the function that calls the
/// tracepoint's probes. Empty: the kernel does not describe it.
std::vector<BtfIndex::RawParam> named_prototype(const BtfIndex &btf, std::string_view tracepoint) {
  const std::optional<uint32_t> caller = btf.find("__traceiter_" + std::string(tracepoint), BtfIndex::Kind::kFunc);
  const std::optional<BtfIndex::Record> function = caller ? btf.record(*caller) : std::nullopt;
  if (!function) return {};
  std::vector<BtfIndex::RawParam> params = btf.params(function->size_or_type);
  if (!params.empty()) params.erase(params.begin());
  return params;
}

}  // namespace

/// The tracepoint of a probe, with its BTF; null: the kernel does not describe it.
const Tracepoint *TracepointProvider::tracepoint(const Probe &probe) {
  const auto found_in = [&](const std::vector<Tracepoint> &tracepoints) -> const Tracepoint * {
    const auto found = std::ranges::lower_bound(tracepoints, probe.name, {}, &Tracepoint::name);
    return found != tracepoints.end() && found->name == probe.name ? &*found : nullptr;
  };
  const Tracepoint *known = found_in(kernel_.tracepoints());
  return known != nullptr ? known : found_in(kernel_.module_tracepoints());
}

Result<std::vector<ProbeArg>> TracepointProvider::args(const Probe &probe, TypeTable &types) {
  std::vector<ProbeArg> args;
  const Tracepoint *tp = tracepoint(probe);
  if (tp == nullptr) return args;
  for (const BtfIndex::RawParam &param : prototype(*tp->btf, tp->btf_typedef)) {
    TypeId type = types.from_btf(*tp->btf, param.type);
    args.push_back({type, type, static_cast<unsigned>(args.size())});
  }
  const std::vector<BtfIndex::RawParam> named = named_prototype(*tp->btf, probe.name);
  for (size_t i = 0; i < args.size() && named.size() == args.size(); ++i) args[i].name = named[i].name;
  return args;
}

ProbeHook TracepointProvider::hook(const Probe &probe) {
  ProbeHook hook;
  // Typed programs are for the core kernel's: the number is one of its BTF.
  hook.hook.target = RawTracepointHook{probe.name, kernel_.btf_trace_typedef(probe.name)};
  const Tracepoint *tp = tracepoint(probe);
  const size_t nr_args = tp != nullptr ? prototype(*tp->btf, tp->btf_typedef).size() : 0;
  for (uint32_t i = 0; i < nr_args; ++i) hook.args.push_back({ArgSource::Kind::kContextWord, i, 8, false});
  return hook;
}

}  // namespace dtrace::runtime
