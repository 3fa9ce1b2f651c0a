// SPDX-License-Identifier: Apache-2.0
// Names. Order for a plain identifier: what an expansion binds, the program's and libraries' globals, built-in
// variables, libraries not loaded yet, enumerators of the kernel.
#include "frontend/check/check_names.h"

#include <algorithm>
#include <vector>

#include "frontend/check/check_args.h"
#include "frontend/check/check_convert.h"
#include "frontend/check/check_expr.h"
#include "frontend/check/check_own_names.h"
#include "frontend/check/translate.h"
#include "frontend/text/hints.h"

namespace dtrace::check {
namespace {

constexpr std::string_view kCoreKernel = "vmlinux";

constexpr size_t kMaxVariables = 65535 - 1280;
constexpr uint64_t kCommBytes = 16;  // TASK_COMM_LEN

Scope tree_scope(ast::Storage scope) {
  if (scope == ast::Storage::kSelf) return Scope::kThread;
  return scope == ast::Storage::kThis ? Scope::kClause : Scope::kGlobal;
}

/// Attributes of what probeprov and its like hold: the provider's for that part.
Attributes part_attributes(Context &cx, Variable variable) {
  if (cx.clause == nullptr || cx.clause->desc == nullptr) return kStableAttributes;
  const ProviderAttributes provider = cx.input.probes.attributes(cx.clause->provider);
  switch (variable) {
    case Variable::k_probeprov:
      return provider.provider;
    case Variable::k_probemod:
      return provider.module;
    case Variable::k_probefunc:
      return provider.function;
    case Variable::k_probename:
      return provider.name;
    case Variable::k_args:
    case Variable::k_locals:
      return provider.args;
    case Variable::k_curthread:
      return Attributes{Stability::kStable, Stability::kPrivate, DependencyClass::kCommon};
    default:
      return kStableAttributes;
  }
}

struct SymbolName {
  std::string_view module, name;
  bool is_user = false;
  bool is_valid = true;
};

/// `sym, mod`sym, mod``sym
SymbolName split_symbol(std::string_view text) {
  SymbolName result;
  const size_t quote = text.find('`');
  result.module = text.substr(0, quote);
  result.name = text.substr(quote + 1);
  if (result.name.starts_with('`')) {
    result.is_user = true;
    result.name.remove_prefix(1);
  }
  result.is_valid = !result.name.empty() && result.name.find('`') == std::string_view::npos;
  return result;
}

Operand symbol_operand(Context &cx, const SymbolSource::Found &found, std::string_view name, std::string_view text,
                       TypeId type, Span span) {
  cx.note(kKernelAttributes, text, span);
  const TypeId node_type = type ? type : cx.types.void_type();
  Operand result =
      cx.value(node_type, span,
               tree::SymbolRef{found.module, std::string(name), found.address, found.is_function, found.cpu_offsets});
  result.lvalue = result.foreign = true;
  if (!type) {
    result.kind = Operand::Kind::kUntypedSymbol;
    result.name = text;
  }
  return result;
}

/// The type that a D library declares for a variable that BTF does not describe; poison if no library does.
TypeId library_type(Context &cx, std::string_view name) {
  if (cx.session.library_fallback) cx.session.library_fallback(name);
  const auto declared = cx.session.externs.find(std::string(name));
  return declared != cx.session.externs.end() ? declared->second.type : kPoison;
}

/// The address of a thread-local variable, as a pointer of this type.
Operand thread_address(Context &cx, const std::vector<int64_t> &steps, TypeId pointer, Span span) {
  const TypeId word = cx.types.ulong_type();
  const auto number = [&](uint64_t value) { return cx.make(word, span, tree::IntConst{value}); };
  const tree::Expr *at = cx.make(word, span, tree::ThreadPointer{});
  for (size_t i = 0; i < steps.size(); ++i) {
    const bool is_last = i + 1 == steps.size();
    at = cx.make(word, span, tree::Binary{BinaryOp::kAdd, at, number(static_cast<uint64_t>(steps[i]))});
    const TypeId to = is_last ? pointer : cx.types.pointer_to(word, Space::kUser);
    at = cx.make(to, span, tree::Convert{tree::ConvertKind::kInteger, at});
    if (!is_last) at = cx.make(word, span, tree::Deref{at});
  }
  return cx.value(at);
}

/// A variable of the user program that the clause's probes are in. Nothing: the program has none of that name.
std::optional<Operand> check_user_variable(Context &cx, const SymbolName &symbol, std::string_view text, Span span) {
  UserScope *scope = cx.user_scope();
  if (scope == nullptr || (symbol.module.empty() && !symbol.is_user)) return std::nullopt;
  const Result<std::optional<UserScope::Variable>> found = scope->variable(symbol.module, symbol.name, cx.types);
  if (!found) return cx.fail(Tag::D_SYM_NOTYPES, span, "failed to resolve {}: {}", text, found.error().text());
  if (!*found) {
    const auto constant = cx.types.find_user_enumerator(fmt::format("{}`{}", symbol.module, symbol.name));
    if (!constant) return std::nullopt;
    return cx.integer(constant->first, span, static_cast<uint64_t>(constant->second));
  }
  const UserScope::Variable &variable = **found;
  const TypeId pointer = cx.types.pointer_to(variable.type, Space::kUser);
  const Operand address = variable.thread_steps.empty() ? cx.integer(pointer, span, variable.address)
                                                        : thread_address(cx, variable.thread_steps, pointer, span);
  Operand result = check_deref(cx, address, span);
  result.foreign = true;
  return result;
}

Operand check_symbol(Context &cx, std::string_view text, Span span) {
  const SymbolName symbol = split_symbol(text);
  if (!symbol.is_valid) {
    return cx.fail(Tag::D_IDENT_UNDEF, span, "failed to resolve {}: Improper use of scoping operator", text);
  }
  if (std::optional<Operand> variable = check_user_variable(cx, symbol, text, span)) return *variable;
  if (symbol.is_user) {
    auto kernel = cx.input.symbols.find(symbol.module, symbol.name, cx.types);
    if (std::holds_alternative<SymbolSource::Found>(kernel)) {
      return cx.fail(Tag::D_SYM_BADREF, span, "cannot access kernel symbol {} as a user symbol: {}", symbol.name, text);
    }
    return cx.fail(Tag::D_IDENT_UNDEF, span, "failed to resolve {}: Unknown symbol name", text);
  }
  const bool own_scope = symbol.module == "D" || symbol.module == "C";
  const auto declared = cx.session.externs.find(std::string(symbol.name));
  const bool is_declared = declared != cx.session.externs.end();
  auto answer = cx.input.symbols.find(own_scope ? std::string_view() : symbol.module, symbol.name, cx.types);
  if (const auto *found = std::get_if<SymbolSource::Found>(&answer)) {
    TypeId type = is_declared ? declared->second.type : found->type;
    if (!type && !found->is_function && found->module == kCoreKernel) type = library_type(cx, symbol.name);
    return symbol_operand(cx, *found, symbol.name, text, type, span);
  }
  if (is_declared) {
    Operand result = cx.fail(Tag::D_ASRELO, span,
                             "relocation remains against symbol {}: it is declared but not defined", symbol.name);
    cx.diags.advise("the kernel does not list it in /proc/kallsyms; data is listed with CONFIG_KALLSYMS_ALL only");
    return result;
  }
  if (UserScope *scope = cx.user_scope(); scope != nullptr && !symbol.module.empty())
    if (const Result<UserTypes *> file = scope->types(symbol.module); file && *file != nullptr)
      return cx.fail(Tag::D_IDENT_UNDEF, span, "failed to resolve {}: Unknown symbol name", text);
  const bool no_module = std::get<SymbolSource::Failure>(answer) == SymbolSource::Failure::kUnknownModule;
  return cx.fail(Tag::D_IDENT_UNDEF, span, "failed to resolve {}: {}", text,
                 no_module ? "Module is no longer loaded" : "Unknown symbol name");
}

Operand global_operand(Context &cx, const Global &global, std::string_view name, Span span) {
  Session &session = cx.session;
  if (global.attributes && global.kind != Global::Kind::kInline) cx.note(*global.attributes, name, span);
  switch (global.kind) {
    case Global::Kind::kVariable: {
      const tree::VarId var{global.index};
      if (session.unit.variables[global.index].is_associative()) {
        return cx.fail(Tag::D_IDENT_BADREF, span, "associative array {} may not be referenced as scalar", name);
      }
      return variable_place(cx, var, span);
    }
    case Global::Kind::kConstant: {
      const Constant &constant = session.constants[global.index];
      return cx.integer(constant.type, span, static_cast<uint64_t>(constant.value));
    }
    case Global::Kind::kInline:
      return expand_inline(cx, session.inlines[global.index], {}, span, global.attributes);
  }
  return {};
}

}  // namespace

std::string spelling(ast::Storage scope, std::string_view name) {
  if (scope == ast::Storage::kSelf) return "self->" + std::string(name);
  if (scope == ast::Storage::kThis) return "this->" + std::string(name);
  return std::string(name);
}

const Operand *find_binding(const Context &cx, std::string_view name) {
  if (cx.bindings == nullptr) return nullptr;
  for (const auto &[bound, operand] : cx.bindings->names) {
    if (bound == name) return &operand;
  }
  return nullptr;
}

std::optional<Variable> find_builtin_variable(const Context &cx, std::string_view name) {
  const std::optional<Variable> variable = dtrace::find_variable(name);
  if (!variable || cx.session.own_names.empty() || cx.input.is_library) return variable;
  return cx.session.own_names.contains(name) ? std::nullopt : variable;
}

const Global *find_defined(Context &cx, std::string_view name) {
  auto &globals = cx.session.globals;
  const std::string key(name);
  if (const auto found = globals.find(key); found != globals.end()) return &found->second;
  if (find_builtin_variable(cx, name) || find_builtin(name)) return nullptr;
  if (cx.session.own_names.contains(name)) return nullptr;  // until the program has made its variable
  cx.session.parse_failure.reset();
  if (!cx.session.library_fallback || !cx.session.library_fallback(name)) return nullptr;
  if (const auto found = globals.find(key); found != globals.end()) return &found->second;
  // The library says that it has the name, but its text does not parse that far.
  if (cx.session.parse_failure) cx.session.failures.try_emplace(key, Failure{*cx.session.parse_failure});
  return nullptr;
}

const Global *find_global(Context &cx, std::string_view name) {
  if (const Global *defined = find_defined(cx, name)) return defined;
  if (find_builtin_variable(cx, name) || find_builtin(name)) return nullptr;
  auto &known = cx.session.kernel_enumerators;
  const std::string key(name);
  if (const auto found = known.find(key); found != known.end()) return &found->second;
  const auto enumerator = cx.types.find_enumerator(name);
  if (!enumerator) return nullptr;
  Global global;
  global.kind = Global::Kind::kConstant;
  global.index = static_cast<uint32_t>(cx.session.constants.size());
  global.attributes = kKernelAttributes;
  cx.session.constants.push_back({enumerator->first, enumerator->second});
  return &known.emplace(key, global).first->second;
}

std::optional<tree::VarId> find_variable(Context &cx, ast::Storage scope, std::string_view name) {
  const std::string key(name);
  if (scope == ast::Storage::kThis) {
    const auto found = cx.clause_names.find(key);
    return found == cx.clause_names.end() ? std::nullopt : std::optional(found->second);
  }
  if (scope == ast::Storage::kSelf) {
    const auto found = cx.session.thread_names.find(key);
    return found == cx.session.thread_names.end() ? std::nullopt : std::optional(found->second);
  }
  const Global *global = find_defined(cx, name);
  if (global == nullptr || global->kind != Global::Kind::kVariable) return std::nullopt;
  return tree::VarId{global->index};
}

std::optional<tree::VarId> create_variable(Context &cx, ast::Storage scope, std::string_view name, TypeId type,
                                           std::vector<TypeId> keys, Span span) {
  Session &session = cx.session;
  if (session.unit.variables.size() >= kMaxVariables) {
    // Each further one would say the same.
    if (!session.has_too_many_variables)
      cx.diags.report(Tag::D_ID_OFLOW, span, "limit of {} variables exceeded", kMaxVariables);
    session.has_too_many_variables = true;
    return std::nullopt;
  }
  const tree::VarId var{static_cast<uint32_t>(session.unit.variables.size())};
  session.unit.variables.push_back({std::string(name), tree_scope(scope), type, std::move(keys)});
  session.variables.push_back({span, type});
  if (scope == ast::Storage::kThis) {
    cx.clause_names.emplace(name, var);
  } else if (scope == ast::Storage::kSelf) {
    session.thread_names.emplace(name, var);
  } else {
    session.globals.emplace(name, Global{Global::Kind::kVariable, var.value, cx.text, span, std::nullopt});
  }
  return var;
}

Operand variable_place(Context &cx, tree::VarId var, Span span) {
  Operand result = cx.value(cx.session.unit.variables[var.value].type, span, tree::VarRef{var});
  result.lvalue = result.writable = result.in_variable = true;
  result.space = Space::kScratch;
  return result;
}

TypeId builtin_type(Context &cx, Variable variable) {
  switch (variable) {
    case Variable::k_execname:
      return string_type(cx.types, kCommBytes);
    default:
      return parse_type_text(row(variable).type, cx.types);
  }
}

/// This CPU's preemption count, which says whether it is in an interrupt; none if the kernel does not tell where it is.
const tree::Expr *preemption_count(Context &cx, Span span) {
  // The variable itself, or the structure that some kernels (6.2 to 6.14) have it in.
  for (const std::string_view name : {"__preempt_count", "pcpu_hot"}) {
    const auto answer = cx.input.symbols.find("vmlinux", name, cx.types);
    const auto *found = std::get_if<SymbolSource::Found>(&answer);
    if (found == nullptr || found->cpu_offsets == 0) continue;
    uint64_t address = found->address;
    if (name == "pcpu_hot") {
      const auto member = cx.types.find_member(found->type, "preempt_count");
      if (!member) continue;
      address += member->off_bits / 8;
    }
    return cx
        .value(cx.types.int_type(), span,
               tree::SymbolRef{found->module, std::string(name), address, false, found->cpu_offsets})
        .expr;
  }
  return nullptr;
}

Operand builtin_variable(Context &cx, Variable variable, const tree::Expr *index, Span span) {
  cx.note(part_attributes(cx, variable), row(variable).name, span);
  if (variable == Variable::k_ipl) index = preemption_count(cx, span);
  Operand result = cx.value(builtin_type(cx, variable), span, tree::BuiltinRef{variable, index});
  result.lvalue = result.in_variable = result.foreign = true;
  return result;
}

bool is_taken(const Context &cx, std::string_view name) {
  return find_builtin_variable(cx, name) || find_builtin(name) || cx.session.globals.contains(std::string(name));
}

bool note_definition(Context &cx, std::string_view name) {
  const auto known = cx.session.globals.find(std::string(name));
  if (known == cx.session.globals.end() || known->second.span.end <= known->second.span.begin) return false;
  cx.diags.last().notes.push_back({known->second.span, "defined here before"});
  return true;
}

bool report_library_failure(Context &cx, const std::string &key) {
  const auto failure = cx.session.failures.find(key);
  if (failure == cx.session.failures.end()) return false;
  const Diagnostic &why = failure->second.diagnostic;
  cx.diags.add(why.tag, why.span, why.message).notes = why.notes;
  return true;
}

/// The note to a use of a variable that gets its value further below; false: it gets none.
bool note_assignment(Context &cx, ast::Storage scope, std::string_view name, Span use) {
  const std::optional<Span> assigned = assignment_of(cx.input.ast, scope, name);
  if (!assigned || assigned->source != use.source || assigned->begin <= use.begin) return false;
  cx.diags.last().notes.push_back(
      {*assigned,
       fmt::format("{} gets its type here: move this before the clause that uses it, or declare the variable "
                   "there: {}int64_t {};",
                   spelling(scope, name),
                   scope == ast::Storage::kNone   ? ""
                   : scope == ast::Storage::kSelf ? "self "
                                                  : "this ",
                   name)});
  return true;
}

Operand undefined(Context &cx, std::string_view name, Span span) {
  if (cx.has_failed(name)) return {};
  if (report_library_failure(cx, std::string(name))) return {};
  Operand result = cx.fail(Tag::D_IDENT_UNDEF, span, "failed to resolve {}: Unknown variable name", name);
  if (!cx.diags.shows_last() || note_assignment(cx, ast::Storage::kNone, name, span)) return result;
  std::vector<std::string_view> names;
#define VARIABLE(name, type) names.emplace_back(#name);
#include "frontend/lang/variables.def"
  for (const auto &[known, global] : cx.session.globals) names.emplace_back(known);
  cx.diags.suggest(hint_for_word(name), nearest_name(name, names));
  return result;
}

Operand unassigned(Context &cx, ast::Storage scope, std::string_view name, bool is_array, Span span) {
  const std::string text = spelling(scope, name);
  if (cx.has_failed(text)) return {};
  Operand result =
      cx.fail(Tag::D_VAR_UNDEF, span, "{}{} has not yet been declared or assigned", text, is_array ? "[ ]" : "");
  if (!cx.diags.shows_last() || note_assignment(cx, scope, name, span)) return result;
  std::vector<std::string> known;
  for (const auto &[other, var] : cx.session.thread_names) known.push_back(spelling(ast::Storage::kSelf, other));
  for (const auto &[other, var] : cx.clause_names) known.push_back(spelling(ast::Storage::kThis, other));
  for (const auto &[other, global] : cx.session.globals)
    if (global.kind == Global::Kind::kVariable) known.push_back(other);
  // The same name elsewhere is likelier than another name here.
  for (const std::string &other : known)
    if (std::string_view(other).substr(other.find('>') + 1) == name) return cx.diags.suggest(other), result;
  std::vector<std::string_view> same_scope;
  const std::string prefix = spelling(scope, "");
  for (const std::string &other : known)
    if (other.starts_with(prefix) && (!prefix.empty() || other.find('>') == std::string::npos))
      same_scope.push_back(std::string_view(other).substr(prefix.size()));
  const std::string_view nearest = nearest_name(name, same_scope);
  if (!nearest.empty()) cx.diags.suggest(prefix + std::string(nearest));
  return result;
}

Operand check_identifier(Context &cx, std::string_view name, Span span) {
  if (const Operand *bound = find_binding(cx, name)) {
    Operand result = *bound;
    result.span = span;
    return result;
  }
  if (name.find('`') != std::string_view::npos) return check_symbol(cx, name, span);
  const bool may_be_user = find_defined(cx, name) == nullptr && !find_builtin_variable(cx, name) &&
                           !find_builtin(name) && cx.user_scope() != nullptr;
  if (may_be_user)  // before the kernel's: the same name there may have another value
    if (const auto constant = cx.types.find_user_enumerator(name))
      return cx.integer(constant->first, span, static_cast<uint64_t>(constant->second));
  if (const Global *global = find_global(cx, name)) return global_operand(cx, *global, name, span);
  if (const std::optional<Variable> builtin = find_builtin_variable(cx, name)) {
    if (*builtin == Variable::k_locals) {
      Operand result = cx.fail(Tag::D_IDENT_BADREF, span, "{} may not be referenced as scalar", name);
      cx.diags.advise("its members are variables of the program: locals->NAME");
      return result;
    }
    if (*builtin == Variable::k_args || *builtin == Variable::k_uregs || *builtin == Variable::k_regs) {
      Operand result = cx.fail(Tag::D_IDENT_BADREF, span, "array {} may not be referenced as scalar", name);
      if (*builtin == Variable::k_args)
        cx.diags.advise("arguments have numbers: args[0], args[1]; dtrace -lv shows them");
      return result;
    }
    const bool is_argument = *builtin >= Variable::k_arg0 && *builtin <= Variable::k_arg9;
    const unsigned number = static_cast<unsigned>(*builtin) - static_cast<unsigned>(Variable::k_arg0);
    if (is_argument && !check_argument_place(cx, number, span)) return {};
    return builtin_variable(cx, *builtin, nullptr, span);
  }
  if (find_builtin(name)) {
    Operand result = cx.fail(Tag::D_IDENT_BADREF, span, "function {} may not be referenced as variable", name);
    cx.diags.suggest(fmt::format("{}()", name));
    return result;
  }
  return undefined(cx, name, span);
}

Operand check_scoped(Context &cx, const ast::ScopedIdent &ident, Span span) {
  const std::string text = spelling(ident.scope, ident.name);
  const std::optional<tree::VarId> var = find_variable(cx, ident.scope, ident.name);
  if (!var) return unassigned(cx, ident.scope, ident.name, false, span);
  if (cx.session.unit.variables[var->value].is_associative()) {
    return cx.fail(Tag::D_IDENT_BADREF, span, "associative array {} may not be referenced as scalar", text);
  }
  return variable_place(cx, *var, span);
}

}  // namespace dtrace::check
