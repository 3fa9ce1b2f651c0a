// SPDX-License-Identifier: Apache-2.0
#include "usdt/header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "frontend/text/lexer_literal.h"
#include "usdt/declaration.h"
#include "usdt/definition_file.h"
#include "usdt/note_dtrace.h"

namespace dtrace::usdt {
namespace {

using Out = std::back_insert_iterator<std::string>;

/// Registers for arguments, as far as clang can be asked for them without running short of others.
constexpr size_t kFewArguments = 5;

/// Compilers, targets and readers of C that cannot or need not have probes.
constexpr std::string_view kNoProbes =
    "#if defined DTRACE_PROBES_DISABLED || !defined __GNUC__ || !defined __ELF__ || defined __ASSEMBLER__ || \\\n"
    "\tdefined CMINUSMINUS || defined __clang_analyzer__ || defined __bpf__ || defined __TINYC__";

/// Names like ours, casts that change nothing and long strings are what users ask to be warned of in their own code.
constexpr std::string_view kSystemHeader = "#pragma GCC system_header\n";

/// Assembler directives, each a C string on a line of its own.
class DirectiveSink : public NoteSink {
 public:
  void u8(uint8_t value) override {
    if (bytes_on_line_ == kBytesPerLine) end_line();
    text_ += bytes_on_line_++ == 0 ? "\t\".byte " : ",";
    fmt::format_to(Out(text_), "{}", value);
  }
  void u16(uint16_t value) override { directive(".2byte", value); }
  void u32(uint32_t value) override { directive(".4byte", value); }
  void string(std::string_view text) override {
    bytes(text);
    u8(0);
  }
  void bytes(std::string_view raw) override {
    for (char c : raw) u8(static_cast<uint8_t>(c));
  }
  std::string take() {
    end_line();
    return std::move(text_);
  }

 private:
  static constexpr int kBytesPerLine = 24;

  void end_line() {
    if (bytes_on_line_ > 0) text_ += "\\n\"\n";
    bytes_on_line_ = 0;
  }
  void directive(std::string_view name, uint32_t value) {
    end_line();
    fmt::format_to(Out(text_), "\t\"{} {}\\n\"\n", name, value);
  }

  std::string text_;
  int bytes_on_line_ = 0;
};

/// The words of a type, without `const` and `volatile`.
std::vector<std::string_view> unqualified_words(std::string_view type) {
  std::vector<std::string_view> words;
  while (!type.empty()) {
    const std::string_view word = type.substr(0, std::min(type.find(' '), type.size()));
    if (word != "const" && word != "volatile") words.push_back(word);
    type.remove_prefix(std::min(word.size() + 1, type.size()));
  }
  return words;
}

/// Types of less than eight bytes, and floats: no address fits. `long` and `uint64_t` may hold one, as may a type that
/// only the program knows.
bool is_small_number(std::string_view type) {
  constexpr std::array<std::string_view, 17> kWords = {
      "signed", "unsigned", "char",    "short",   "int",      "_Bool",    "bool",    "float",   "double",
      "int8_t", "int16_t",  "int32_t", "uint8_t", "uint16_t", "uint32_t", "uchar_t", "ushort_t"};
  return std::ranges::all_of(unqualified_words(type),
                             [&](std::string_view word) { return std::ranges::find(kWords, word) != kWords.end(); });
}

/// How an argument reaches its asm operands.
enum class Passing : uint8_t { kAsIs, kFloat, kDouble };

Passing passing(const Argument &argument) {
  const std::vector<std::string_view> words = unqualified_words(argument.type);
  if (words == std::vector<std::string_view>{"float"}) return Passing::kFloat;
  const bool is_double = words == std::vector<std::string_view>{"double"} ||
                         words == std::vector<std::string_view>{"long", "double"} ||
                         words == std::vector<std::string_view>{"double", "long"};
  return is_double ? Passing::kDouble : Passing::kAsIs;
}

/// A structure by value or a 128-bit integer: no register holds it.
bool is_wide(const Argument &argument) {
  const bool is_pointer = argument.type.find_first_of("*&[(") != std::string::npos;
  const std::vector<std::string> names = names_used(argument.type);
  const bool is_structure = std::ranges::any_of(
      names, [](const std::string &name) { return name.starts_with("struct ") || name.starts_with("union "); });
  return !is_pointer && (is_structure || argument.type.find("__int128") != std::string::npos);
}

std::string parameter_list(const Probe &probe) {
  std::string list;
  for (size_t i = 0; i < probe.native.size(); ++i) fmt::format_to(Out(list), "{}arg{}", i > 0 ? ", " : "", i + 1);
  return list;
}

/// The C strings that make the note's argument text, and the operands they number.
struct Operands {
  std::string format;
  std::string list;
};

Operands operands(const Probe &probe) {
  const bool few = probe.native.size() <= kFewArguments && std::ranges::none_of(probe.native, is_wide);
  Operands result{"\"", {}};
  unsigned number = 0;
  for (size_t i = 0; i < probe.native.size(); ++i) {
    const std::string_view blank = i > 0 ? " " : "";
    std::string how;
    const std::string_view registers = few ? "few" : "many";
    switch (passing(probe.native[i])) {
      case Passing::kAsIs:
        fmt::format_to(Out(result.format), "{}%n{}@%\" __usdt2_k \"{}", blank, number, number + 1);
        how = registers;
        number += 2;
        break;
      case Passing::kFloat:
        fmt::format_to(Out(result.format), "{}4f@%\" __usdt2_k \"{}", blank, number++);
        how = fmt::format("{}4", registers);
        break;
      case Passing::kDouble:
        fmt::format_to(Out(result.format), "{}8f@%\" __usdt2_k \"{}", blank, number++);
        how = fmt::format("{}8", registers);
        break;
    }
    // A reference of C++ is passed as the address of what it refers to, as in a call.
    const bool is_reference = probe.native[i].type.ends_with('&');
    const std::string value = is_reference ? fmt::format("&(arg{})", i + 1) : fmt::format("arg{}", i + 1);
    fmt::format_to(Out(result.list), "{} \\\n\t\t__usdt2_{} ({})", i > 0 ? "," : "", how, value);
  }
  result.format += '"';
  return result;
}

void write_disabled(const Provider &provider, std::string &text) {
  for (const Probe &probe : provider.probes) {
    const std::string name = macro_name(provider.name, probe.name);
    fmt::format_to(Out(text), "#define {}({}) ((void) 0)\n#define {}_ENABLED() (0)\n", name, parameter_list(probe),
                   name);
  }
}

/// Names that cannot clash with the program's: the semaphores' own may be declared there already.
std::string counter_name(const Provider &provider, const Probe &probe) {
  return fmt::format("__usdt_counter_{}__{}", provider.name, probe.name);
}
std::string check_name(const Provider &provider, const Probe &probe) {
  return fmt::format("__usdt_check_{}__{}", provider.name, probe.name);
}

void write_declarations(const Provider &provider, std::string &text) {
  for (const Probe &probe : provider.probes) {
    fmt::format_to(
        Out(text),
        "extern volatile unsigned short {}\n\t__asm__ (\"{}\") __attribute__ ((__visibility__ (\"hidden\")));\n",
        counter_name(provider, probe), semaphore_name(provider.name, probe.name));
  }
}

/// `string` is D's word for what C calls a pointer to characters.
std::string c_type(const std::string &type) {
  if (type == "string") return "const char *";
  return type;
}

/// Prototypes for the unevaluated calls of DTRACE_TYPECHECK.
void write_prototypes(const Provider &provider, std::string &text) {
  std::set<std::string> tags;
  for (const Probe &probe : provider.probes)
    for (const Argument &argument : probe.native)
      for (const std::string &name : names_used(argument.type))
        if ((name.starts_with("struct ") || name.starts_with("union ")) && name.find("::") == std::string::npos)
          tags.insert(name);
  for (const std::string &tag : tags) fmt::format_to(Out(text), "{};\n", tag);
  for (const Probe &probe : provider.probes) {
    std::string types;
    for (const Argument &argument : probe.native) {
      if (!types.empty()) types += ", ";
      types += c_type(argument.type);
    }
    fmt::format_to(Out(text), "extern void {} ({});\n", check_name(provider, probe), types.empty() ? "void" : types);
  }
}

void write_note(const Provider &provider, std::string &text) {
  const std::string signature = note_signature(provider);
  DirectiveSink directives;
  write_provider_note(provider, directives);
  fmt::format_to(Out(text),
                 "__asm__ (\n"
                 "\t\".ifndef .L{0}\\n\"\n"
                 "\t\".set .L{0},1\\n\"\n"
                 "\t\".pushsection .note.dtrace,\\\"G\\\",\\\"note\\\",{0},comdat\\n\"\n"
                 "\t\".balign 4\\n\"\n"
                 "{1}"
                 "\t\".popsection\\n\"\n"
                 "\t\".endif\\n\");\n\n",
                 signature, directives.take());
}

/// What an argument points to must be stored when the probe fires: gcc keeps stores before an asm statement only if
/// that clobbers memory. Probes that pass no address do without, for the clobber forgets what registers cache.
std::string_view clobbers(const Probe &probe) {
  const bool may_pass_pointer =
      std::ranges::any_of(probe.native, [](const Argument &argument) { return !is_small_number(argument.type); });
  return may_pass_pointer ? " __usdt2_barrier" : "";
}

void write_probe(const Provider &provider, const Probe &probe, std::string &text) {
  const std::string name = macro_name(provider.name, probe.name);
  const std::string parameters = parameter_list(probe);
  const std::string symbol = semaphore_name(provider.name, probe.name);
  const Operands ops = operands(probe);
  fmt::format_to(Out(text),
                 "#define {}({}) \\\n"
                 "\t__usdt2_begin __usdt2_check ({} ({})) \\\n"
                 "\t__usdt2_asm (__usdt2_site (\"{}\", \"{}\", \"{}\", \\\n"
                 "\t\t{}) \\\n"
                 "\t\t: : {}{}); __usdt2_end\n",
                 name, parameters, check_name(provider, probe), parameters, provider.name, probe.name, symbol,
                 ops.format, ops.list, clobbers(probe));
  fmt::format_to(Out(text), "#define {}_ENABLED() \\\n\t__usdt2_enabled (\"{}\", \"{}\", \"{}\", \"{}\", {})\n", name,
                 provider.name, probe.name, symbol, probe.native.size(), counter_name(provider, probe));
}

template <typename Write>
void for_c_linkage(const std::vector<Provider> &providers, std::string &text, Write write) {
  text += "#if defined __cplusplus\nextern \"C\" {\n#endif\n";
  for (const Provider &provider : providers) write(provider, text);
  text += "#if defined __cplusplus\n}\n#endif\n";
}

}  // namespace

std::string include_guard(std::string_view file_name) {
  std::string guard = "_";
  for (char c : file_name.substr(file_name.rfind('/') + 1)) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    guard += is_word(c) ? c : '_';
  }
  return guard;
}

std::string semaphore_name(std::string_view provider, std::string_view probe) {
  return fmt::format("{}_{}_semaphore", provider, probe);
}

std::string header_text(const std::vector<Provider> &providers, std::string_view file_name) {
  const std::string guard = include_guard(file_name);
  std::string text = "/* Made by dtrace -h, which will make it anew: changes belong into the definition file. */\n";
  fmt::format_to(Out(text), "#ifndef {0}\n#define {0}\n\n", guard);
  const bool has_probes = std::ranges::any_of(providers, [](const Provider &p) { return !p.probes.empty(); });
  if (has_probes) {
    fmt::format_to(Out(text), "{}\n\n", kNoProbes);
    for (const Provider &provider : providers) write_disabled(provider, text);
    fmt::format_to(Out(text), "\n#else\n\n{}\n{}\n", kSystemHeader, kHeaderHelpers);
    for_c_linkage(providers, text, write_declarations);
    text += "#if defined DTRACE_TYPECHECK\n";
    for_c_linkage(providers, text, write_prototypes);
    text += "#endif\n\n";
    for (const Provider &provider : providers)
      if (!provider.probes.empty()) write_note(provider, text);
    for (const Provider &provider : providers)
      for (const Probe &probe : provider.probes) write_probe(provider, probe, text);
    text += "\n#endif\n";
  }
  text += "\n#endif\n";
  return text;
}

}  // namespace dtrace::usdt
