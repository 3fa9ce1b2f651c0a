// SPDX-License-Identifier: Apache-2.0
#include "main/default_leaves.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "frontend/tree/leaves.h"

namespace dtrace::command {
namespace {

using Texts = std::vector<std::string>;

constexpr unsigned kRawArguments = 10;
constexpr unsigned kUntyped = 6;  // arguments of a function that nobody knows the types of

struct StackRow {
  std::string_view word, text;
};
constexpr StackRow kStacks[] = {{"user", "ustack()"}, {"kernel", "stack()"}};

class DefaultLeaves {
 public:
  explicit DefaultLeaves(tracer::Compiler &compiler) : compiler_(compiler), types_(compiler.types()) {}

  std::vector<tree::Clause> clauses() {
    std::vector<tree::Clause> clauses;
    for (const tree::Program &program : compiler_.unit().programs)
      for (const tree::Clause &clause : program.clauses)
        if (clause.default_action && clause.body.empty()) divide(clause, clauses);
    return clauses;
  }

 private:
  ProbeCatalog &probes() { return compiler_.front_end().probes(); }

  /// A clause for the probes that have the same to record.
  void divide(const tree::Clause &clause, std::vector<tree::Clause> &clauses) {
    std::map<Texts, std::vector<ProbeId>> alike;
    for (const ProbeId id : clause.probes) alike[wanted(id)].push_back(id);
    for (const auto &[texts, probes] : alike) {
      tree::Clause part;
      part.span = clause.span;
      part.desc_span = clause.desc_span;
      part.desc = clause.desc;
      part.predicate = clause.predicate;
      part.statement_attributes = clause.statement_attributes;
      part.desc_attributes = clause.desc_attributes;
      part.probes = probes;
      part.body = statements(texts, probes.front());
      part.default_action = part.body.empty();
      clauses.push_back(std::move(part));
    }
  }

  Texts wanted(ProbeId id) {
    Texts texts = {"execname", "errno", "uid", "container"};
    for (const StackRow &row : kStacks)
      if (std::ranges::find(compiler_.options().list(Opt::recordstacks), row.word) !=
          compiler_.options().list(Opt::recordstacks).end())
        texts.emplace_back(row.text);
    if (probes().probe(id).provider == "proc") texts.emplace_back("curpsinfo->pr_psargs");
    const Result<std::vector<ProbeArg>> args = probes().args(id, types_);
    if (args)
      for (unsigned n = 0; n < args->size(); n++) add_argument(id, n, (*args)[n], texts);
    if (!args || args->empty())
      for (unsigned n = 0; n < kUntyped; n++) add_raw(id, n, texts);
    return texts;
  }

  void add_raw(ProbeId id, unsigned n, Texts &texts) {
    if (probes().missing_argument(id, n, types_).empty()) texts.push_back(fmt::format("arg{}", n));
  }

  void add_argument(ProbeId id, unsigned n, const ProbeArg &arg, Texts &texts) {
    if (!arg.missing.empty()) return;
    const TypeId type = arg.translated;
    const std::string whole = fmt::format("args[{}]", n);
    if (types_.is_string(type)) return texts.push_back(whole);
    if (!types_.is_scalar(type)) return;
    if (arg.source < kRawArguments)
      add_raw(id, arg.source, texts);
    else
      texts.push_back(whole);
    if (types_.is_char_pointer(type)) return texts.push_back(text_of(arg, n));
    if (types_.is_pointer(type) && !(arg.native == arg.translated))
      add_members(whole, types_.resolved(type).target, texts);
  }

  /// As programs ask for it.
  std::string text_of(const ProbeArg &arg, unsigned n) const {
    const bool is_users = types_.is_userland(arg.translated) && arg.source < kRawArguments;
    return is_users ? fmt::format("copyinstr(arg{})", arg.source) : fmt::format("stringof(args[{}])", n);
  }

  void add_members(const std::string &pointer, TypeId structure, Texts &texts) {
    if (!types_.is_struct_or_union(structure)) return;
    for (const Member &member : types_.members(types_.resolve(structure)))
      if (!member.name.empty() && (types_.is_scalar(member.type) || types_.is_string(member.type)))
        texts.push_back(fmt::format("{}->{}", pointer, member.name));
  }

  std::vector<tree::Stmt> statements(const Texts &texts, ProbeId probe) {
    if (std::optional<std::vector<tree::Stmt>> all = checked(texts, probe)) return std::move(*all);
    std::vector<tree::Stmt> each;
    for (const std::string &text : texts)
      if (std::optional<std::vector<tree::Stmt>> one = checked({text}, probe)) each.push_back(std::move(one->front()));
    return each;
  }

  /// Nothing: some of it cannot be had at the probe.
  std::optional<std::vector<tree::Stmt>> checked(const Texts &texts, ProbeId probe) {
    std::string text = fmt::format("{} {{", probe.value);
    for (const std::string &leaf : texts) text += fmt::format(" trace({});", leaf);
    text += " }";
    std::optional<tree::Program> program;
    if (compiler_.check_program({tracer::ProgramText::Kind::kId, text}, {}, program) || !program ||
        program->clauses.size() != 1)
      return std::nullopt;
    const auto leaves = tree::leaves_of(compiler_.unit(), types_, program->clauses.front());
    if (std::ranges::any_of(leaves, &tree::LeafUse::depends_on_program)) return std::nullopt;
    return std::move(program->clauses.front().body);
  }

  tracer::Compiler &compiler_;
  TypeTable &types_;
};

}  // namespace

Result<Unit> check_recordstacks(const Options &options) {
  for (const std::string &word : options.list(Opt::recordstacks))
    if (std::ranges::find(kStacks, word, &StackRow::word) == std::end(kStacks))
      return Error(fmt::format("option recordstacks: there are no stacks '{}': write user or kernel", word));
  return ok();
}

std::vector<tree::Clause> default_leaves(tracer::Compiler &compiler) { return DefaultLeaves(compiler).clauses(); }

}  // namespace dtrace::command
