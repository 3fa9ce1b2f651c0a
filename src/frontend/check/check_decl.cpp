// SPDX-License-Identifier: Apache-2.0
// Specifiers and declarators. All function types are one, with parameters dropped: D cannot call through a pointer, so
// only the address matters.
#include "frontend/check/check_decl.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "frontend/check/check_convert.h"
#include "frontend/check/check_expr.h"
#include "frontend/check/check_names.h"

namespace dtrace::check {
namespace {

using ast::SpecifierKind;

/// The words of the specifiers, counted. `type` is the one that names a type by itself, other than int.
struct Words {
  const ast::Specifier *type = nullptr;
  unsigned ints = 0, shorts = 0, longs = 0, signeds = 0, unsigneds = 0;
  uint8_t qualifiers = 0;
  bool userland = false;
};

bool count_word(Words &words, const ast::Specifier &specifier) {
  switch (specifier.kind) {
    case SpecifierKind::kInt:
      return ++words.ints == 1;
    case SpecifierKind::kShort:
      return ++words.shorts == 1;
    case SpecifierKind::kLong:
      return ++words.longs <= 2;
    case SpecifierKind::kSigned:
      return ++words.signeds == 1;
    case SpecifierKind::kUnsigned:
      return ++words.unsigneds == 1;
    case SpecifierKind::kConst:
      words.qualifiers |= kConst;
      return true;
    case SpecifierKind::kVolatile:
      words.qualifiers |= kVolatile;
      return true;
    case SpecifierKind::kRestrict:
      words.qualifiers |= kRestrict;
      return true;
    case SpecifierKind::kUserland:
      words.userland = true;
      return true;
    default:
      if (words.type != nullptr) return false;
      words.type = &specifier;
      return true;
  }
}

/// Attributes of size and sign against the type they stand with.
bool check_attributes(Context &cx, const Words &words, Span span) {
  const bool sized = words.shorts != 0 || words.longs != 0;
  const bool has_sign = words.signeds != 0 || words.unsigneds != 0;
  if ((words.shorts != 0 && words.longs != 0) || (words.signeds != 0 && words.unsigneds != 0)) {
    cx.diags.report(Tag::D_DECL_COMBO, span, "invalid type combination");
    return false;
  }
  if (words.type == nullptr) return true;
  const SpecifierKind kind = words.type->kind;
  const bool is_float = kind == SpecifierKind::kFloat || kind == SpecifierKind::kDouble;
  if (kind == SpecifierKind::kVoid && (sized || has_sign)) {
    cx.diags.report(Tag::D_DECL_VOIDATTR, span, "invalid attributes for void type");
  } else if (kind == SpecifierKind::kChar && sized) {
    cx.diags.report(Tag::D_DECL_CHARATTR, span, "short and long may not be used with char");
  } else if (has_sign && kind != SpecifierKind::kChar) {
    cx.diags.report(Tag::D_DECL_SIGNINT, span, "signed and unsigned may only be used with integer types");
  } else if (sized && (!is_float || words.shorts != 0)) {
    cx.diags.report(Tag::D_DECL_LONGINT, span, "short and long may only be used with integer or floating-point types");
  } else {
    return true;
  }
  return false;
}

TypeId integer_type(const TypeTable &types, const Words &words) {
  const bool is_signed = words.unsigneds == 0;
  if (words.longs == 2) return types.long_long(is_signed);
  if (words.longs == 1) return types.integer(8, is_signed);
  return types.integer(words.shorts != 0 ? 2 : 4, is_signed);
}

TypeId char_type(const TypeTable &types, const Words &words) {
  if (words.signeds != 0) return types.find(TagKind::kOrdinary, "signed char").value_or(types.char_type());
  return words.unsigneds != 0 ? types.integer(1, false) : types.char_type();
}

TypeId named_type(Context &cx, const ast::Specifier &specifier) {
  const std::string_view name = specifier.name;
  if (std::count(name.begin(), name.end(), '`') > 1) {
    cx.diags.report(Tag::D_TYPE_ERR, specifier.span,
                    "failed to resolve type {}: Improper use of scoping operator in type name", name);
    return kPoison;
  }
  if (cx.bindings != nullptr && cx.bindings->class_type)
    if (const std::optional<TypeId> argument = cx.types.template_argument(cx.bindings->class_type, name))
      return *argument;
  const bool is_written = cx.clause != nullptr && cx.bindings == nullptr;
  const std::optional<TypeId> found =
      is_written ? cx.types.find_with_user_scope(TagKind::kOrdinary, name) : cx.types.find(TagKind::kOrdinary, name);
  if (found) return *found;
  if (!report_library_failure(cx, std::string(name))) {
    cx.diags.report(Tag::D_TYPE_ERR, specifier.span, "failed to resolve type {}: Unknown type name", name);
    if (const std::string why = cx.user_scope_failure(); !why.empty()) cx.diags.advise(why);
  }
  return kPoison;
}

TypeId base_of(Context &cx, const Words &words) {
  if (words.type == nullptr) return integer_type(cx.types, words);
  switch (words.type->kind) {
    case SpecifierKind::kVoid:
      return cx.types.void_type();
    case SpecifierKind::kChar:
      return char_type(cx.types, words);
    case SpecifierKind::kFloat:
      return cx.types.floating(4);
    case SpecifierKind::kDouble:
      return cx.types.floating(words.longs != 0 ? 16 : 8);
    case SpecifierKind::kBool:
      return cx.types.bool_type();
    case SpecifierKind::kString:
      return cx.types.string_type();
    case SpecifierKind::kTypeName:
      return named_type(cx, *words.type);
    default:
      return check_tag(cx, *words.type);
  }
}

/// Number of elements of `[count]`; nothing after an error.
std::optional<uint64_t> array_count(Context &cx, const ast::Derivation &derivation) {
  if (derivation.count == nullptr) return 0;
  const size_t before = cx.diags.list().size();
  const std::optional<int64_t> count = constant_expression(cx, *derivation.count);
  if (cx.diags.list().size() > before) return std::nullopt;
  if (!count || *count <= 0) {
    cx.diags.report(Tag::D_DECL_ARRSUB, derivation.count->span,
                    "positive integral constant expression or tuple signature expected as array declaration subscript");
    return std::nullopt;
  }
  if (*count > int64_t{std::numeric_limits<uint32_t>::max()}) {
    cx.diags.report(Tag::D_DECL_ARRBIG, derivation.count->span, "maximum array size exceeded: {}", *count);
    return std::nullopt;
  }
  return static_cast<uint64_t>(*count);
}

TypeId array_type(Context &cx, TypeId element, const ast::Derivation &derivation) {
  if (cx.types.is_void(element)) {
    cx.diags.report(Tag::D_DECL_VOIDOBJ, derivation.span, "cannot declare an array of void");
    return kPoison;
  }
  const std::optional<uint64_t> count = array_count(cx, derivation);
  if (!count) return kPoison;
  constexpr uint64_t kMaxBytes = std::numeric_limits<uint32_t>::max();
  uint64_t size_bytes = 0;
  if (__builtin_mul_overflow(*count, cx.types.size_bytes(element), &size_bytes) || size_bytes > kMaxBytes) {
    cx.diags.report(Tag::D_DECL_ARRBIG, derivation.span, "maximum array size exceeded");
    return kPoison;
  }
  return cx.types.array_of(element, *count);
}

/// Parameters decay as C's do.
TypeId param_type(Context &cx, const Declared &declared, const BaseType &base) {
  if (cx.types.is_array(declared.type)) {
    return cx.types.pointer_to(cx.types.resolved(declared.type).target, base.userland ? Space::kUser : Space::kKernel);
  }
  if (declared.is_function) return cx.types.pointer_to(declared.type);
  return declared.type;
}

}  // namespace

std::string_view scope_of(const Context &cx, Span span) {
  const Sources &sources = cx.input.sources;
  if (span.source >= sources.size() || sources[span.source].markers.empty()) return "D";
  return sources.position(span).in_include ? "C" : "D";
}

std::optional<int64_t> constant_expression(Context &cx, const ast::Expr &expr) {
  Restore<ClauseState *> outside(cx.clause, nullptr);
  const Operand operand = check_expr(cx, expr);
  if (operand.poison()) return std::nullopt;
  return narrowed_constant(cx, operand);
}

BaseType check_specifiers(Context &cx, const ast::DeclSpecs &specs) {
  Words words;
  for (const ast::Specifier &specifier : specs.specifiers) {
    if (count_word(words, specifier)) continue;
    cx.diags.report(Tag::D_DECL_COMBO, specifier.span, "invalid type combination");
    return {};
  }
  if (!check_attributes(cx, words, specs.span)) return {};
  if (words.type != nullptr && words.ints != 0) {
    const bool is_char = words.type->kind == SpecifierKind::kChar;
    cx.diags.report(Tag::D_DECL_COMBO, specs.span, "invalid type combination{}", is_char ? ": char and int" : "");
    return {};
  }
  const TypeId type = base_of(cx, words);
  if (!type) return {};
  return {words.qualifiers != 0 ? cx.types.qualified(type, words.qualifiers) : type, words.userland};
}

Declared apply_declarator(Context &cx, const BaseType &base, const ast::Declarator &declarator) {
  Declared result;
  TypeId type = base.type;
  const auto &derivations = declarator.derivations;
  for (auto at = derivations.rbegin(); at != derivations.rend() && type; ++at) {
    const bool outermost = std::next(at) == derivations.rend();
    switch (at->kind) {
      case ast::Derivation::Kind::kPointer:
        // What a user program defines lies in user memory.
        type = cx.types.pointer_to(type, base.userland || (at->qualifiers & kUserland) != 0 || cx.types.is_of_user(type)
                                             ? Space::kUser
                                             : Space::kKernel);
        type = cx.types.qualified(type, at->qualifiers & ~kUserland);
        break;
      case ast::Derivation::Kind::kArray:
        type = array_type(cx, type, *at);
        result.unsized_array = outermost && at->count == nullptr;
        break;
      case ast::Derivation::Kind::kTuple:
        if (!outermost) {
          cx.diags.report(Tag::D_DECL_DYNOBJ, at->span, "cannot declare an array or pointer of associative arrays");
          return {};
        }
        result.tuple = &*at;
        break;
      case ast::Derivation::Kind::kFunction:
        if (!check_params(cx, at->params, at->variadic, ParamUse::kFunction, at->span)) return {};
        type = cx.types.function(type, {}, true);
        result.is_function = outermost;
        break;
    }
  }
  result.type = type;
  return result;
}

TypeId type_of(Context &cx, const ast::TypeName &name) {
  const BaseType base = check_specifiers(cx, name.specs);
  if (!base.type) return kPoison;
  const Declared declared = apply_declarator(cx, base, name.declarator);
  if (declared.type && declared.tuple != nullptr) {
    cx.diags.report(Tag::D_DECL_DYNOBJ, name.span, "an associative array type is not allowed here");
    return kPoison;
  }
  return declared.type;
}

std::optional<std::vector<CheckedParam>> check_params(Context &cx, const std::vector<ast::Param> &params, bool variadic,
                                                      ParamUse use, Span span) {
  const bool is_tuple = use == ParamUse::kTuple || use == ParamUse::kInlineTuple;
  if (variadic && use != ParamUse::kFunction) {
    cx.diags.report(Tag::D_DECL_PROTO_VARARGS, span, "variable-length argument list may not be used in {} prototype",
                    is_tuple ? "associative array" : "probe");
    return std::nullopt;
  }
  std::vector<CheckedParam> result;
  std::unordered_set<std::string_view> names;
  for (const ast::Param &param : params) {
    for (const auto &[storage, storage_span] : param.specs.storage) {
      if (storage == ast::Storage::kRegister) continue;
      cx.diags.report(Tag::D_DECL_PARMCLASS, storage_span,
                      "inappropriate storage class for function or array parameter");
      return std::nullopt;
    }
    const BaseType base = check_specifiers(cx, param.specs);
    if (!base.type) return std::nullopt;
    const Declared declared = apply_declarator(cx, base, param.declarator);
    if (!declared.type) return std::nullopt;
    const std::string_view name = param.declarator.name;

    if (declared.tuple != nullptr) {
      cx.diags.report(Tag::D_DECL_PROTO_TYPE, param.span, "associative array is not an acceptable parameter type");
      return std::nullopt;
    }
    if (cx.types.is_void(declared.type)) {
      const bool sole = params.size() == 1 && !variadic;
      if (is_tuple) {
        cx.diags.report(Tag::D_DECL_PROTO_TYPE, param.span, "void is not an acceptable type for an array key");
      } else if (!sole) {
        cx.diags.report(Tag::D_DECL_PROTO_VOID, param.span, "void must be the sole parameter in a function prototype");
      } else if (!name.empty()) {
        cx.diags.report(Tag::D_DECL_PROTO_NAME, param.span, "parameter declared as void may not have a name: {}", name);
      } else {
        return result;
      }
      return std::nullopt;
    }
    if (name.empty() && use == ParamUse::kInlineTuple) {
      cx.diags.report(Tag::D_DECL_PROTO_NAME, param.span, "parameter {} needs a name", result.size() + 1);
      return std::nullopt;
    }
    if (!name.empty() && !names.insert(name).second) {
      cx.diags.report(Tag::D_DECL_PROTO_FORM, param.span, "duplicate parameter name: {}", name);
      return std::nullopt;
    }
    result.push_back({name, is_tuple ? declared.type : param_type(cx, declared, base), param.span});
  }
  return result;
}

}  // namespace dtrace::check
