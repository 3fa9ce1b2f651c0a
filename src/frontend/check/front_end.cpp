// SPDX-License-Identifier: Apache-2.0
#include "frontend/check/front_end.h"

#include <fmt/format.h>

#include <utility>

#include "frontend/tree/derivation.h"

namespace dtrace {
namespace {

/// The options while one text is parsed. A pragma applies to the rest of its text at once, and to the compilation when
/// the text has been parsed.
class PragmaOptions {
 public:
  explicit PragmaOptions(const Options &options) : options_(options) {}

  /// "" or what is wrong.
  std::string set(std::string_view name, std::string_view value, bool has_value) {
    std::optional<std::string_view> given;
    if (has_value) given = value;
    // Commands of -c start before their program is compiled, so Compiler::take_processes() has set this option already.
    if (given && name == option_name(Opt::evaltime) && options_.string(Opt::evaltime) == *given) return {};
    const OptionError error = options_.set(name, given, OptionSource::kProgram);
    if (error == OptionError::kNone) taken_.emplace_back(name, given);
    return std::string(text(error));
  }
  void apply(Options &options) const {
    for (const auto &[name, value] : taken_) options.set(name, value, OptionSource::kProgram);
  }
  const Options &now() const { return options_; }

 private:
  Options options_;
  std::vector<std::pair<std::string, std::optional<std::string>>> taken_;
};

}  // namespace

FrontEnd::FrontEnd(Options &options, TypeTable &types, ProbeCatalog &probes, SymbolSource &symbols)
    : options_(options),
      types_(types),
      probes_(probes, [this](const std::string &name, std::string_view text) { return check_definition(name, text); }),
      symbols_(symbols),
      checker_(unit_) {}

FrontEnd::~FrontEnd() { types_.set_fallback({}); }

// ---------------------------------------------------------------- texts

std::unique_ptr<ast::Ast> FrontEnd::parse_source(uint32_t source, ProbeField field, SourceKind kind, Macros &macros,
                                                 Diagnostics &diags) {
  PragmaOptions options(options_);
  ParseInput input;
  input.source = source;
  input.field = field;
  input.command_line = kind == SourceKind::kString;
  input.pspec = options_.flag(Opt::pspec) || input.command_line;
  input.allow_empty = options_.flag(Opt::empty);
  input.macros = &macros;
  input.oracle.is_type = [this](std::string_view name) {
    return types_.is_type_name(name) || (libraries_ != nullptr && libraries_->has_type(name));
  };
  input.oracle.is_global = [this](std::string_view name) { return checker_.is_global(name); };
  auto read_options = [&] {
    macros.default_arguments = options.now().flag(Opt::defaultargs);
    macros.allow_unused |= options.now().flag(Opt::argref);
  };
  read_options();
  input.set_option = [&](std::string_view name, std::string_view value, bool has_value) {
    std::string error = options.set(name, value, has_value);
    read_options();
    return error;
  };
  std::unique_ptr<ast::Ast> ast = dtrace::parse(input, sources_, diags);
  options.apply(options_);
  return ast;
}

const ast::Ast *FrontEnd::parse(Text text, Macros macros, Diagnostics &diags) {
  const uint32_t source = sources_.add(std::move(text.name), std::move(text.text), text.kind);
  std::unique_ptr<ast::Ast> ast = parse_source(source, text.field, text.kind, macros, diags);
  if (!diags.ok() || ast == nullptr) return nullptr;
  return trees_.emplace_back(std::move(ast)).get();
}

std::optional<tree::Program> FrontEnd::check(const ast::Ast &ast, Diagnostics &diags) {
  const CheckInput input{ast, sources_, types_, probes_, symbols_, options_, nr_registers_, false, max_kernel_frames_};
  std::optional<tree::Program> program = checker_.check(input, diags);
  return diags.ok() ? std::move(program) : std::nullopt;
}

Result<std::vector<ProbeOrigin>> FrontEnd::check_definition(const std::string &name, std::string_view text) {
  Options own = options_;
  own.set(option_name(Opt::zdefs), std::nullopt, OptionSource::kCommandLine);
  own.unset(Opt::amin);
  Diagnostics diags;
  Macros no_macros;
  const uint32_t source = sources_.add(name, std::string(text), SourceKind::kLibrary);
  std::unique_ptr<ast::Ast> ast = parse_source(source, ProbeField::kName, SourceKind::kLibrary, no_macros, diags);
  std::optional<tree::Program> program;
  if (diags.ok() && ast != nullptr) {
    const CheckInput input{*ast, sources_, types_, probes_, symbols_, own, nr_registers_, false, max_kernel_frames_};
    program = checker_.check(input, diags);
    trees_.push_back(std::move(ast));
  }
  if (!program) return Error(diags.ok() ? "internal error" : render(diags.list().front(), sources_, {}));
  return derive(*program, unit_);
}

// ---------------------------------------------------------------- libraries

Result<Unit> FrontEnd::use_libraries(std::vector<std::vector<LibraryFile>> directories,
                                     const LibraryEnvironment &environment) {
  Diagnostics diags;
  libraries_ = LibraryIndex::create(std::move(directories), environment, sources_, diags);
  if (!diags.ok()) return Error(render(diags.list().front(), sources_, {}));
  types_.set_fallback([this](TagKind, std::string_view name) { return load(name); });
  checker_.set_library_fallback([this](std::string_view name) {
    const bool loaded = load(name);
    const std::optional<uint32_t> file = loaded && !checker_.is_global(name) ? libraries_->file_of(name) : std::nullopt;
    const auto failed = file ? library_check_failures_.find(*file) : library_check_failures_.end();
    if (failed != library_check_failures_.end()) library_failures_.push_back(failed->second);
    return loaded;
  });
  checker_.set_translator_fallback([this](std::string_view, std::string_view output) {
    bool any = false;
    note_conflict("translator " + std::string(output));
    for (const uint32_t file : libraries_->translators_to(output)) any |= load_file(file);
    return any;
  });
  checker_.set_class_fallback([this](std::string_view class_name) {
    bool any = false;
    for (const uint32_t file : libraries_->translators_of_class(class_name)) any |= load_file(file);
    return any;
  });
  return check_asked_libraries();
}

Result<Unit> FrontEnd::check_asked_libraries() {
  for (const uint32_t file : libraries_->asked()) {
    Diagnostics syntax;
    Macros no_macros;
    no_macros.allow_unused = true;
    const Options before = options_;  // pragmas of a library apply where a program uses it
    const uint32_t source = sources_.add(libraries_->path(file), libraries_->file(file).text, SourceKind::kLibrary);
    parse_source(source, ProbeField::kName, SourceKind::kLibrary, no_macros, syntax);
    options_ = before;
    if (!syntax.ok()) return Error(render(syntax.list().front(), sources_, {options_.flag(Opt::errtags), true}));
  }
  return ok();
}

const LibraryFile *FrontEnd::file_of_provider(std::string_view name) const {
  return libraries_ == nullptr ? nullptr : libraries_->file_of_provider(name);
}

bool FrontEnd::load(std::string_view name) {
  const std::optional<uint32_t> file = libraries_->file_of(name);
  if (!file) return false;
  note_conflict(name);
  return load_file(*file);
}

std::string FrontEnd::failure_text(uint32_t file, const Diagnostics &diags) const {
  return fmt::format("failed to compile D library {}: {}", libraries_->path(file),
                     render(diags.list().front(), sources_, {options_.flag(Opt::errtags), false}));
}

bool FrontEnd::load_file(uint32_t file) {
  const std::optional<uint32_t> source = libraries_->claim(file);
  if (!source) return false;  // loaded before, or being loaded further up
  if (const std::string missing = libraries_->missing_library(file); !missing.empty()) {
    library_failures_.push_back(
        fmt::format("D library {} depends on library {}, which does not exist", libraries_->path(file), missing));
    return false;
  }
  ++nr_libraries_checked_;
  Diagnostics syntax, names;
  const bool checked = check_library_source(*source, syntax, names);
  if (!syntax.ok()) library_failures_.push_back(failure_text(file, syntax));
  // A declaration that does not fit this kernel is an error only for programs that use it.
  if (syntax.ok() && !names.ok()) library_check_failures_.emplace(file, failure_text(file, names));
  return checked;
}

bool FrontEnd::check_library_source(uint32_t source, Diagnostics &syntax, Diagnostics &names) {
  Macros no_macros;
  no_macros.allow_unused = true;
  std::unique_ptr<ast::Ast> ast = parse_source(source, ProbeField::kName, SourceKind::kLibrary, no_macros, syntax);
  if (ast == nullptr) return false;
  const CheckInput input{*ast, sources_, types_, probes_, symbols_, options_, nr_registers_, true, max_kernel_frames_};
  checker_.check(input, names);
  trees_.push_back(std::move(ast));
  return true;
}

bool FrontEnd::check_library(std::string name, std::string text) {
  Diagnostics syntax, names;
  const uint32_t source = sources_.add(std::move(name), std::move(text), SourceKind::kLibrary);
  return check_library_source(source, syntax, names) && syntax.ok() && names.ok();
}

void FrontEnd::note_conflict(std::string_view name) {
  if (std::string text = libraries_->conflict(name); !text.empty()) library_conflict_ = std::move(text);
}

}  // namespace dtrace
