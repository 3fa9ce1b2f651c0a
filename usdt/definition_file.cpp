// SPDX-License-Identifier: Apache-2.0
#include "usdt/definition_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "frontend/lang/stability.h"
#include "frontend/text/lexer_literal.h"
#include "usdt/declaration.h"

namespace dtrace::usdt {
namespace {

/// What a provider's note says about types at most. Headers hold it as text, four times as long.
constexpr size_t kMaxDefinitionBytes = size_t{256} << 10;
/// One definition: what fits a record with its NUL.
constexpr size_t kMaxOneDefinitionBytes = 65534;

bool operator==(const Argument &a, const Argument &b) { return a.type == b.type; }
bool same_declaration(const Probe &a, const Probe &b) {
  const auto same_translated = [](const TranslatedArgument &x, const TranslatedArgument &y) {
    return x.type == y.type && x.native == y.native;
  };
  return std::ranges::equal(a.native, b.native, [](const auto &x, const auto &y) { return x == y; }) &&
         a.is_translated == b.is_translated && std::ranges::equal(a.translated, b.translated, same_translated);
}

/// Recursive descent over the token list; stops at the first error.
class FileReader {
 public:
  FileReader(const Tokens &tokens, Diagnostics &diags)
      : tokens_(tokens.list), pragmas_(tokens.attributes), diags_(diags) {}

  DefinitionFile run() {
    while (diags_.ok() && now().kind != Token::Kind::kEnd) external();
    if (diags_.ok()) apply_attributes();
    if (diags_.ok()) {
      for (Provider &provider : file_.providers) attach_definitions(provider);
    }
    return std::move(file_);
  }

 private:
  const Token &now() const { return tokens_[at_]; }
  const Token &ahead(size_t count) const { return tokens_[std::min(at_ + count, tokens_.size() - 1)]; }
  void advance() { at_ = std::min(at_ + 1, tokens_.size() - 1); }
  bool accept(std::string_view text) {
    if (!now().is(text)) return false;
    advance();
    return true;
  }
  void fail_at(const Token &token) {
    if (!diags_.ok()) return;
    if (token.kind == Token::Kind::kEnd) {
      diags_.report(Tag::D_SYNTAX, token.span, "syntax error near end of input");
    } else {
      diags_.report(Tag::D_SYNTAX, token.span, "syntax error near \"{}\"", token.text);
    }
  }
  bool expect(std::string_view text) {
    if (accept(text)) return true;
    fail_at(now());
    return false;
  }

  void external() {
    if (accept(";")) return;
    if (now().is("provider")) return provider();
    if (now().is("dtrace") && ahead(1).is(":") && ahead(2).is("helper")) {
      diags_.report(Tag::D_SYNTAX, now().span, "helper programs (dtrace:helper:...) are not supported");
      return;
    }
    skip_external();
  }

  /// Passes over a declaration, function, clause or translator; keeps definitions of types.
  void skip_external() {
    const size_t begin = at_;
    const bool is_data = is_data_declaration();
    std::vector<const Token *> open;
    for (;; advance()) {
      const Token &token = now();
      if (token.kind == Token::Kind::kEnd) {
        // A lone description, as in `BEGIN`, is a program; anything else is torn.
        if (open.empty() && at_ == begin + 1) return;
        return fail_at(open.empty() ? token : *open.back());
      }
      if (token.is("{") || token.is("(") || token.is("[")) open.push_back(&token);
      if (open.size() == 1 && open[0]->is("{") && token.is("probe") && ahead(1).is_word() && ahead(2).is("(")) {
        return fail_at(tokens_[begin]);  // a misspelled `provider`
      }
      if (token.is("}") || token.is(")") || token.is("]")) {
        if (open.empty()) return fail_at(token);
        open.pop_back();
        const bool may_end = open.empty() && token.is("}");
        const bool goes_on = is_data && !(ahead(1).is("provider") && ahead(2).is_word() && ahead(3).is("{"));
        if (may_end && !goes_on) break;
      }
      if (open.empty() && token.is(";")) break;
    }
    advance();
    if (std::optional<Definition> definition = read_type_definition(std::span(tokens_).subspan(begin, at_ - begin))) {
      definitions_.push_back(std::move(*definition));
    }
  }

  /// Does a `}` leave the external open, as in `struct s {...} name;`?
  bool is_data_declaration() const {
    constexpr std::string_view kFirst[] = {"typedef", "struct", "union", "enum"};
    constexpr std::string_view kBefore[] = {"extern", "static", "const", "volatile", "__extension__"};
    size_t at = at_;
    while (std::ranges::find(kBefore, tokens_[at].text) != std::end(kBefore) && at + 1 < tokens_.size()) ++at;
    if (std::ranges::find(kFirst, tokens_[at].text) == std::end(kFirst)) return false;
    if (tokens_[at].is("typedef")) return true;
    // `struct s f(void) {...}` is a function: parentheses come before the brace.
    for (; at < tokens_.size() && !tokens_[at].is("{"); ++at)
      if (tokens_[at].is("(")) return false;
    return true;
  }

  void provider() {
    advance();
    const Token name = now();
    if (!name.is_word()) return fail_at(name);
    advance();
    if (!expect("{")) return;
    if (name.text.size() > kMaxNameLength) {
      diags_.report(Tag::D_PROV_BADNAME, name.span, "invalid provider name {}: longer than {} characters", name.text,
                    kMaxNameLength);
      return;
    }
    if (is_digit(name.text.back())) {
      file_.warnings.push_back({Tag::D_PROV_BADNAME,
                                name.span,
                                Region::kNone,
                                fmt::format("provider {} ends in a digit, and process IDs follow it", name.text),
                                true,
                                {}});
    }
    auto at = std::ranges::find(file_.providers, name.text, &Provider::name);
    if (at == file_.providers.end()) {
      file_.providers.push_back({});
      at = std::prev(file_.providers.end());
      at->name = name.text;
    }
    while (diags_.ok() && !now().is("}")) {
      if (accept(";")) continue;
      probe(*at);
    }
    advance();
    accept(";");
  }

  /// `foo`, or `foo-bar` for foo__bar.
  std::string probe_name() {
    std::string name(now().text);
    advance();
    while (now().is("-") && ahead(1).is_word()) {
      advance();
      name += "__";
      name += now().text;
      advance();
    }
    return name;
  }

  void probe(Provider &provider) {
    if (!expect("probe")) return;
    const Token start = now();
    if (!start.is_word()) return fail_at(start);
    Probe probe;
    probe.name = probe_name();
    probe.native = parameters();
    if (diags_.ok() && accept(":")) {
      probe.is_translated = true;
      const Token where = now();
      map_translated(probe, parameters(), where);
    }
    if (!diags_.ok() || !expect(";")) return;
    if (probe.name.size() > kMaxNameLength) {
      diags_.report(Tag::D_PROV_BADNAME, start.span, "invalid probe name {}: longer than {} characters", probe.name,
                    kMaxNameLength);
    } else if (probe.native.size() > kMaxProbeArguments) {
      diags_.report(Tag::D_PROV_PRARGLEN, start.span, "probe {} has {} arguments: more than {}", probe.name,
                    probe.native.size(), kMaxProbeArguments);
    } else {
      add(provider, std::move(probe), start);
    }
  }

  void add(Provider &provider, Probe probe, const Token &where) {
    const auto same = std::ranges::find(provider.probes, probe.name, &Probe::name);
    if (same != provider.probes.end()) {
      if (!same_declaration(*same, probe)) {
        diags_.report(Tag::D_PROV_PRDUP, where.span, "probe redeclared: {}:{}", provider.name, probe.name);
      }
      return;
    }
    const std::string macro = macro_name(provider.name, probe.name);
    for (const std::string &taken : {macro, macro + "_ENABLED"}) {
      const auto [at, is_new] = macros_.try_emplace(taken, probe.name);
      if (is_new) continue;
      diags_.report(Tag::D_PROV_PRDUP, where.span, "probes {} and {} have the same macro: {}", at->second, probe.name,
                    taken);
      return;
    }
    provider.probes.push_back(std::move(probe));
  }

  /// From the `(` to after the `)`.
  std::vector<Argument> parameters() {
    std::vector<Argument> result;
    if (!expect("(")) return result;
    if (accept(")")) return result;
    if (now().is("void") && ahead(1).is(")")) {
      advance();
      advance();
      return result;
    }
    for (;;) {
      const size_t begin = at_;
      int depth = 0;
      int template_depth = 0;  // commas within `<>` belong to a type of C++
      for (; depth > 0 || template_depth > 0 || !(now().is(",") || now().is(")")); advance()) {
        if (now().kind == Token::Kind::kEnd || now().is(";") || now().is("{")) {
          fail_at(now());
          return result;
        }
        if (now().is("(") || now().is("[")) ++depth;
        if (now().is(")") || now().is("]")) --depth;
        if (depth == 0 && now().is("<")) ++template_depth;
        if (depth == 0 && now().is(">")) --template_depth;
      }
      const Token *wrong = nullptr;
      const std::span<const Token> tokens = std::span(tokens_).subspan(begin, at_ - begin);
      std::optional<Argument> argument = read_parameter(tokens, wrong);
      if (!argument) {
        fail_at(tokens.empty() ? now() : *wrong);
        return result;
      }
      result.push_back(std::move(*argument));
      if (accept(")")) return result;
      advance();
    }
  }

  /// A translated argument is made of the native one that has its name, else of the one at its position.
  void map_translated(Probe &probe, const std::vector<Argument> &list, const Token &where) {
    for (size_t i = 0; i < list.size() && diags_.ok(); ++i) {
      size_t native = i;
      const auto named = std::ranges::find(probe.native, list[i].name, &Argument::name);
      if (!list[i].name.empty() && named != probe.native.end()) {
        native = static_cast<size_t>(named - probe.native.begin());
      } else if (i < probe.native.size()) {
        const std::string what = list[i].name.empty()
                                     ? "has no name"
                                     : fmt::format("has a name, {}, that no native argument has", list[i].name);
        warn(where, fmt::format("translated argument {} of probe {} {}: args[{}] will be native argument {}", i,
                                probe.name, what, i, i));
      }
      if (native >= probe.native.size()) {
        diags_.report(Tag::D_PROV_PRXLATOR, where.span, "translated argument {} of probe {} has no native argument", i,
                      probe.name);
      }
      probe.translated.push_back({list[i].type, list[i].name, static_cast<uint16_t>(native)});
    }
  }

  void warn(const Token &where, std::string text) {
    file_.warnings.push_back({Tag::D_PROV_PRXLATOR, where.span, Region::kNone, std::move(text), true, {}});
  }

  void apply_attributes() {
    for (const AttributesPragma &pragma : pragmas_) {
      if (pragma.words.size() != 2 && pragma.words.size() != 4) {
        diags_.report(
            Tag::D_PRAGMA_MALFORM, pragma.span,
            "malformed #pragma D attributes\n\tusage: #pragma D attributes name/data/class provider name part");
        return;
      }
      const std::optional<Attributes> attributes = parse_attributes(pragma.words[0]);
      if (!attributes) {
        diags_.report(Tag::D_PRAGMA_INVAL, pragma.span, "invalid attributes specified: {}", pragma.words[0]);
        return;
      }
      if (pragma.words.size() == 2) continue;
      Attributes ProviderAttributes::*part = provider_part(pragma.words[3]);
      if (pragma.words[1] != "provider" || part == nullptr) {
        diags_.report(Tag::D_PRAGMA_INVAL, pragma.span, "invalid provider component: {} {}", pragma.words[1],
                      pragma.words[3]);
        return;
      }
      const auto provider = std::ranges::find(file_.providers, pragma.words[2], &Provider::name);
      if (provider != file_.providers.end()) provider->attributes.*part = *attributes;
    }
  }

  /// The file's own definitions of what the provider's arguments use, directly or through one another, in file order.
  void attach_definitions(Provider &provider) {
    std::vector<std::string> wanted;
    const auto want = [&](std::string_view type) {
      for (std::string &name : names_used(type)) wanted.push_back(std::move(name));
    };
    for (const Probe &probe : provider.probes) {
      for (const Argument &argument : probe.native) want(argument.type);
      for (const TranslatedArgument &argument : probe.translated) want(argument.type);
    }
    std::map<std::string_view, size_t> by_name;
    for (size_t i = 0; i < definitions_.size(); ++i)
      for (const std::string &name : definitions_[i].names) by_name.try_emplace(name, i);
    std::vector<bool> chosen(definitions_.size());
    while (!wanted.empty()) {
      const auto found = by_name.find(std::exchange(wanted.back(), {}));
      wanted.pop_back();
      if (found == by_name.end() || chosen[found->second]) continue;
      chosen[found->second] = true;
      const std::vector<std::string> &uses = definitions_[found->second].uses;
      wanted.insert(wanted.end(), uses.begin(), uses.end());
    }
    size_t size_bytes = 0;
    for (size_t i = 0; i < definitions_.size(); ++i) {
      if (!chosen[i]) continue;
      const std::string &text = definitions_[i].text;
      if (text.size() > kMaxOneDefinitionBytes || size_bytes + text.size() > kMaxDefinitionBytes) {
        file_.warnings.push_back(
            {Tag::D_UNKNOWN,
             tokens_.back().span,
             Region::kNone,
             fmt::format("definition of {} exceeds the note's limit; tracers will not see its layout",
                         definitions_[i].names.empty() ? text.substr(0, 32) : definitions_[i].names.front()),
             true,
             {}});
        continue;
      }
      size_bytes += text.size();
      provider.definitions.push_back(text);
    }
  }

  const std::vector<Token> &tokens_;
  const std::vector<AttributesPragma> &pragmas_;
  Diagnostics &diags_;
  size_t at_ = 0;
  DefinitionFile file_;
  std::vector<Definition> definitions_;
  std::map<std::string, std::string> macros_;  ///< macro's name -> probe
};

}  // namespace

DefinitionFile read_definition_file(uint32_t source, Sources &sources, Diagnostics &diags) {
  const Tokens tokens = read_tokens(source, sources, diags);
  if (!diags.ok()) return {};
  return FileReader(tokens, diags).run();
}

std::string macro_name(std::string_view provider, std::string_view probe) {
  std::string name = fmt::format("{}_{}", provider, probe);
  size_t from = provider.size() + 1;
  for (size_t at = 0; (at = name.find("__", from)) != std::string::npos; from = at + 1) name.erase(at, 1);
  for (char &c : name)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return name;
}

}  // namespace dtrace::usdt
