// SPDX-License-Identifier: Apache-2.0
// Provider definitions: kept as data for `dtrace -h` and `-G`. A name's `__` is a `-` on the wire.
#include <algorithm>
#include <cctype>
#include <unordered_map>
#include <unordered_set>

#include "frontend/check/check_convert.h"
#include "frontend/check/check_decl.h"
#include "frontend/check/check_define.h"
#include "frontend/check/translate.h"
#include "frontend/types/types_compat.h"

namespace dtrace::check {
namespace {

constexpr size_t kMaxNameBytes = 63;
constexpr size_t kMaxArguments = 255;

/// Errors: D_PROV_BADNAME.
bool check_name(Context &cx, std::string_view what, std::string_view name, bool may_end_in_digit, Span span) {
  std::string_view why;
  if (name.find('`') != std::string_view::npos) {
    why = "it may not contain a scoping operator";
  } else if (name.size() > kMaxNameBytes) {
    why = "it is longer than 63 characters";
  } else if (!may_end_in_digit && !name.empty() && std::isdigit(static_cast<unsigned char>(name.back())) != 0) {
    why = "it may not end in a digit";
  } else {
    return true;
  }
  cx.diags.report(Tag::D_PROV_BADNAME, span, "invalid {} name {}: {}", what, name, why);
  return false;
}

std::string wire_name(std::string_view name) {
  std::string result;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool dash = name[i] == '_' && i + 1 < name.size() && name[i + 1] == '_';
    result += dash ? '-' : name[i];
    if (dash) ++i;
  }
  return result;
}

std::optional<std::vector<tree::ProviderInfo::Param>> check_list(Context &cx, const std::vector<ast::Param> &params,
                                                                 bool variadic, Span span) {
  const auto checked = check_params(cx, params, variadic, ParamUse::kProbe, span);
  if (!checked) return std::nullopt;
  if (checked->size() > kMaxArguments) {
    cx.diags.report(Tag::D_PROV_PRARGLEN, span, "probe has more than {} arguments: {}", kMaxArguments, checked->size());
    return std::nullopt;
  }
  std::vector<tree::ProviderInfo::Param> result;
  for (const CheckedParam &param : *checked) result.push_back({std::string(param.name), param.type, 0});
  return result;
}

/// Connects the translated arguments to the native ones they name.
/// Errors: D_DECL_PROTO_NAME, D_DECL_PROTO_FORM, D_PROV_PRXLATOR.
bool map_translated(Context &cx, tree::ProviderInfo::Probe &probe, const ast::ProviderDef::ProbeDecl &decl) {
  for (size_t i = 0; i < probe.translated.size(); ++i) {
    tree::ProviderInfo::Param &out = probe.translated[i];
    const Span span = i < decl.translated.size() ? decl.translated[i].span : decl.span;
    if (out.name.empty()) {
      cx.diags.report(Tag::D_DECL_PROTO_NAME, span, "translated argument {} of probe {} needs a name", i + 1,
                      decl.name);
      return false;
    }
    const auto native =
        std::find_if(probe.native.begin(), probe.native.end(), [&](const auto &p) { return p.name == out.name; });
    if (native == probe.native.end()) {
      cx.diags.report(Tag::D_DECL_PROTO_FORM, span, "output argument name {} is not among the input arguments",
                      out.name);
      return false;
    }
    out.source = static_cast<unsigned>(native - probe.native.begin());
    if (same_type(cx.types, native->type, out.type) || can_pass(cx.types, out.type, native->type)) continue;
    const TypeId output = cx.types.is_pointer(out.type) ? cx.types.resolved(out.type).target : out.type;
    if (find_translator(cx, native->type, output) != nullptr) continue;
    cx.diags.report(Tag::D_PROV_PRXLATOR, span, "translator from {} to {} required by probe {} is not defined",
                    cx.type_name(native->type), cx.type_name(out.type), decl.name);
    return false;
  }
  return true;
}

std::optional<tree::ProviderInfo::Probe> check_probe(Context &cx, const ast::ProviderDef::ProbeDecl &decl) {
  const std::string name = wire_name(decl.name);
  if (!check_name(cx, "probe", name, true, decl.span)) return std::nullopt;
  tree::ProviderInfo::Probe probe;
  probe.name = name;
  probe.source_name = decl.name;
  probe.span = decl.span;
  auto native = check_list(cx, decl.native, decl.native_variadic, decl.span);
  if (!native) return std::nullopt;
  probe.native = std::move(*native);
  if (!decl.has_translated) {
    probe.translated = probe.native;
    for (size_t i = 0; i < probe.translated.size(); ++i) probe.translated[i].source = static_cast<unsigned>(i);
    return probe;
  }
  // The mapping may repeat an argument, so names may too: check_params would refuse that.
  for (const ast::Param &param : decl.translated) {
    auto one = check_list(cx, {param}, false, param.span);
    if (!one) return std::nullopt;
    if (one->empty() && decl.translated.size() > 1) {
      cx.diags.report(Tag::D_DECL_PROTO_VOID, param.span, "void must be the sole parameter in a probe prototype");
      return std::nullopt;
    }
    probe.translated.insert(probe.translated.end(), one->begin(), one->end());
  }
  if (decl.translated_variadic) {
    cx.diags.report(Tag::D_DECL_PROTO_VARARGS, decl.span,
                    "variable-length argument list may not be used in probe prototype");
    return std::nullopt;
  }
  if (probe.translated.size() > kMaxArguments) {
    cx.diags.report(Tag::D_PROV_PRARGLEN, decl.span, "probe has more than {} arguments: {}", kMaxArguments,
                    probe.translated.size());
    return std::nullopt;
  }
  probe.has_translated = true;
  return map_translated(cx, probe, decl) ? std::optional(std::move(probe)) : std::nullopt;
}

std::string list_text(Context &cx, const std::vector<tree::ProviderInfo::Param> &params) {
  std::string text = "(";
  for (size_t i = 0; i < params.size(); ++i) text += (i == 0 ? "" : ", ") + cx.type_name(params[i].type);
  return text + ")";
}

bool same_list(Context &cx, const std::vector<tree::ProviderInfo::Param> &a,
               const std::vector<tree::ProviderInfo::Param> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const auto &x, const auto &y) {
    return same_type(cx.types, x.type, y.type) && x.source == y.source;
  });
}

/// A known provider's probe against its redeclaration. Errors: D_PROV_INCOMPAT.
bool same_probe(Context &cx, const tree::ProviderInfo::Probe &current, const tree::ProviderInfo::Probe &previous,
                std::string_view provider) {
  if (same_list(cx, current.native, previous.native) && same_list(cx, current.translated, previous.translated) &&
      current.has_translated == previous.has_translated) {
    return true;
  }
  cx.diags.report(Tag::D_PROV_INCOMPAT, current.span,
                  "provider interface mismatch\n\t current: probe {}:{}{} : {}\n\tprevious: probe {}:{}{} : {}",
                  provider, current.name, list_text(cx, current.native), list_text(cx, current.translated), provider,
                  previous.name, list_text(cx, previous.native), list_text(cx, previous.translated));
  return false;
}

}  // namespace

void define_provider(Context &cx, const ast::ProviderDef &def) {
  if (!check_name(cx, "provider", def.name, false, def.name_span)) return;
  tree::ProviderInfo provider;
  provider.name = def.name;
  provider.span = def.span;
  const auto attributes = cx.session.provider_attributes.find(def.name);
  if (attributes != cx.session.provider_attributes.end()) provider.attributes = attributes->second;
  std::unordered_set<std::string> names;
  for (const ast::ProviderDef::ProbeDecl &decl : def.probes) {
    std::optional<tree::ProviderInfo::Probe> probe = check_probe(cx, decl);
    if (!probe) return;
    if (!names.insert(probe->name).second) {
      cx.diags.report(Tag::D_PROV_PRDUP, decl.span, "probe redeclared: {}:{}", def.name, probe->name);
      return;
    }
    provider.probes.push_back(std::move(*probe));
  }
  for (const tree::ProviderInfo &known : cx.session.unit.providers) {
    if (known.name != provider.name) continue;
    std::unordered_map<std::string_view, const tree::ProviderInfo::Probe *> previous_probes;
    for (const tree::ProviderInfo::Probe &probe : known.probes) previous_probes.emplace(probe.name, &probe);
    for (const tree::ProviderInfo::Probe &probe : provider.probes) {
      const auto previous = previous_probes.find(probe.name);
      if (previous == previous_probes.end()) {
        cx.diags.report(
            Tag::D_PROV_INCOMPAT, probe.span,
            "provider interface mismatch\n\t current: probe {}:{} defined\n\tprevious: probe {}:{} not defined",
            def.name, probe.name, def.name, probe.name);
        return;
      }
      if (!same_probe(cx, probe, *previous->second, def.name)) return;
    }
    if (provider.probes.size() != known.probes.size()) {
      cx.diags.report(Tag::D_PROV_INCOMPAT, def.name_span,
                      "provider interface mismatch: {}\n\t current: {} probes defined\n\tprevious: {} probes defined",
                      def.name, provider.probes.size(), known.probes.size());
    }
    return;
  }
  cx.session.unit.providers.push_back(std::move(provider));
}

}  // namespace dtrace::check
