// SPDX-License-Identifier: Apache-2.0
// D pragmas that stay in the tree: attributes, binding, depends_on. Option pragmas act while the text is parsed.
#include <charconv>
#include <iterator>

#include "frontend/check/check_define.h"
#include "frontend/check/check_names.h"

namespace dtrace::check {
namespace {

/// "1.2.3", "1.2": comparable numbers. Nothing: malformed.
std::optional<uint32_t> parse_version(std::string_view text) {
  constexpr unsigned kShifts[] = {24, 12, 0};
  constexpr uint32_t kMax[] = {0xff, 0xfff, 0xfff};
  uint32_t version = 0;
  for (size_t i = 0; i < 3; ++i) {
    uint32_t part = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), part);
    if (error != std::errc() || part > kMax[i]) return std::nullopt;
    version |= part << kShifts[i];
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    if (text.empty()) return i >= 1 ? std::optional(version) : std::nullopt;
    if (text.front() != '.') return std::nullopt;
    text.remove_prefix(1);
  }
  return std::nullopt;
}

ProviderAttributes unstable_provider() {
  return {kUnstableAttributes, kUnstableAttributes, kUnstableAttributes, kUnstableAttributes, kUnstableAttributes};
}

/// attributes A/B/C provider NAME part
void provider_attributes(Context &cx, const ast::Pragma &pragma, const Attributes &attributes) {
  Attributes ProviderAttributes::*part = provider_part(pragma.words[3]);
  if (part == nullptr) {
    cx.diags.report(Tag::D_PRAGMA_INVAL, pragma.span, "invalid provider component: {}", pragma.words[3]);
    return;
  }
  const auto [at, added] = cx.session.provider_attributes.try_emplace(pragma.words[2], unstable_provider());
  at->second.*part = attributes;
  for (tree::ProviderInfo &provider : cx.session.unit.providers) {
    if (provider.name == pragma.words[2]) provider.attributes = at->second;
  }
}

/// Applies to a name defined by this text; true if nothing is left to do. Errors: D_PRAGMA_SCOPE.
bool apply(Context &cx, const NamePragma &waiting) {
  const auto global = cx.session.globals.find(waiting.name);
  const bool is_ours = global != cx.session.globals.end() && global->second.text == cx.text;
  if (is_ours) {
    if (waiting.hides) {
      cx.session.globals.erase(global);
    } else if (waiting.attributes) {
      global->second.attributes = waiting.attributes;
    }
    return true;
  }
  if (!is_taken(cx, waiting.name)) return false;
  cx.diags.report(Tag::D_PRAGMA_SCOPE, waiting.pragma->span,
                  "pragma cannot be applied to {}: it is defined outside the program", waiting.name);
  return true;
}

void check_attributes(Context &cx, const ast::Pragma &pragma, std::vector<NamePragma> &waiting) {
  const std::optional<Attributes> attributes = parse_attributes(pragma.words[0]);
  if (!attributes) {
    cx.diags.report(Tag::D_PRAGMA_INVAL, pragma.span, "invalid attributes specified: {}", pragma.words[0]);
    return;
  }
  if (pragma.words.size() == 4) {
    if (pragma.words[1] == "provider") return provider_attributes(cx, pragma, *attributes);
    cx.diags.report(Tag::D_PRAGMA_INVAL, pragma.span, "invalid attribute class: {}", pragma.words[1]);
    return;
  }
  if (pragma.words.size() != 2) {
    cx.diags.report(Tag::D_PRAGMA_MALFORM, pragma.span, "malformed #pragma D attributes");
    return;
  }
  NamePragma entry{&pragma, pragma.words[1], attributes, false};
  if (!apply(cx, entry)) waiting.push_back(std::move(entry));
}

void check_binding(Context &cx, const ast::Pragma &pragma, std::vector<NamePragma> &waiting) {
  if (pragma.words.size() != 2) {
    cx.diags.report(Tag::D_PRAGMA_MALFORM, pragma.span, "malformed #pragma D binding");
    return;
  }
  const std::optional<uint32_t> version = parse_version(pragma.words[0]);
  if (!version) {
    cx.diags.report(Tag::D_PRAGMA_INVAL, pragma.span, "invalid version string: {}", pragma.words[0]);
    return;
  }
  const std::optional<uint32_t> wanted = parse_version(cx.options.string(Opt::version));
  const bool hides = cx.options.is_set(Opt::version) && wanted && *wanted < *version;
  NamePragma entry{&pragma, pragma.words[1], std::nullopt, hides};
  if (!apply(cx, entry)) waiting.push_back(std::move(entry));
}

bool is_met(Context &cx, std::string_view kind, const std::string &name) {
  if (kind == "module") {
    const auto answer = cx.input.symbols.find(name, "", cx.types);
    const auto *failure = std::get_if<SymbolSource::Failure>(&answer);
    return failure == nullptr || *failure != SymbolSource::Failure::kUnknownModule;
  }
  const Result<std::vector<ProbeId>> found = cx.input.probes.match({name, "", "", ""});
  return found && !found->empty();
}

PragmaOutcome check_dependency(Context &cx, const ast::Pragma &pragma) {
  if (pragma.words.size() != 2) {
    cx.diags.report(Tag::D_PRAGMA_MALFORM, pragma.span, "malformed #pragma D depends_on");
    return PragmaOutcome::kDone;
  }
  const std::string &kind = pragma.words[0];
  const std::string &name = pragma.words[1];
  if (kind == "library") {
    // Among libraries it gives the load order, which is settled before any is checked.
    if (!cx.input.is_library) {
      cx.diags.report(Tag::D_PRAGMA_DEPEND, pragma.span, "program may not depend on a library: {}", name);
    }
    return PragmaOutcome::kDone;
  }
  if (kind != "module" && kind != "provider") {
    cx.diags.report(Tag::D_PRAGMA_INVAL, pragma.span, "invalid class {} specified by #pragma depends_on", kind);
    return PragmaOutcome::kDone;
  }
  if (is_met(cx, kind, name)) return PragmaOutcome::kDone;
  if (cx.input.is_library) return PragmaOutcome::kSkipText;
  cx.diags.report(Tag::D_PRAGMA_DEPEND, pragma.span, "program requires {} {}", kind, name);
  return PragmaOutcome::kDone;
}

}  // namespace

PragmaOutcome check_pragma(Context &cx, const ast::Pragma &pragma, std::vector<NamePragma> &waiting) {
  switch (pragma.kind) {
    case ast::Pragma::Kind::kAttributes:
      check_attributes(cx, pragma, waiting);
      break;
    case ast::Pragma::Kind::kBinding:
      check_binding(cx, pragma, waiting);
      break;
    case ast::Pragma::Kind::kDependsOn:
      return check_dependency(cx, pragma);
  }
  return PragmaOutcome::kDone;
}

void apply_waiting(Context &cx, std::vector<NamePragma> &waiting) {
  std::erase_if(waiting, [&](const NamePragma &entry) { return apply(cx, entry); });
}

void report_unused(Context &cx, const std::vector<NamePragma> &waiting) {
  for (const NamePragma &entry : waiting) {
    cx.diags.report(Tag::D_PRAGMA_UNUSED, entry.pragma->span, "unused #pragma {} {}",
                    entry.attributes ? "attributes" : "binding", entry.name);
  }
}

}  // namespace dtrace::check
