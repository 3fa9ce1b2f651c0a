// SPDX-License-Identifier: Apache-2.0
// Parser and checker on one text after another, over a made-up kernel: types from a small BTF, probes from a table,
// symbols from a list. `Check c; c.program("BEGIN { x = 1; }")`, then c.tag(), c.message(), c.dump().
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/check/front_end.h"
#include "frontend/check/prototype.h"
#include "frontend/text/glob.h"
#include "test/unit/frontend/btf_builder.h"

namespace dtrace::test {

/// Ids are positions in the list, from 1.
class FakeCatalog : public ProbeCatalog {
 public:
  struct Row {
    Probe probe;
    std::vector<std::pair<std::string, std::string>> args;  ///< native and translated type texts; "userland " may lead
    bool reversed = false;                                  ///< args[n] comes from the last raw argument on
    ArgPlace place = ArgPlace::kWord;
  };

  FakeCatalog() {
    add("dtrace", "", "", "BEGIN");
    add("dtrace", "", "", "END");
    add("dtrace", "", "", "ERROR");
    add("syscall", "vmlinux", "read", "entry",
        {{"int", "int"}, {"userland char *", "userland char *"}, {"size_t", "size_t"}});
    add("syscall", "vmlinux", "write", "entry",
        {{"int", "int"}, {"userland char *", "userland char *"}, {"size_t", "size_t"}});
    add("syscall", "vmlinux", "read", "return", {{"long", "long"}});
    add("io", "vmlinux", "", "start", {{"struct request *", "bufinfo_t *"}, {"long", "int"}});
    add("sdt", "vmlinux", "", "untyped", {{"", ""}});
    add("sdt", "vmlinux", "", "lost", {{"int", "int"}, {"int", "int"}});
    add("sdt", "vmlinux", "", "record", {{"struct request", "struct request"}});
    add("fbt", "vmlinux", "words", "entry", {{"struct request", "struct request"}}, false, ArgPlace::kWords);
    add("fbt", "vmlinux", "stack", "entry", {{"struct request", "struct request"}}, false, ArgPlace::kStack);
    add("fbt", "vmlinux", "pointed", "return", {{"struct request", "struct request"}}, false, ArgPlace::kPointed);
    add("profile", "", "", "tick-1s");
    add("sdt", "vmlinux", "", "thread", {{"struct task_struct *", "struct task_struct *"}});
  }
  void add(std::string provider, std::string module, std::string function, std::string name,
           std::vector<std::pair<std::string, std::string>> args = {}, bool reversed = false,
           ArgPlace place = ArgPlace::kWord) {
    const ProbeId id{static_cast<uint32_t>(rows_.size() + 1)};
    rows_.push_back({{id, std::move(provider), std::move(module), std::move(function), std::move(name)},
                     std::move(args),
                     reversed,
                     place});
  }

  Result<std::vector<ProbeId>> match(const ProbeDesc &desc) override {
    if (desc.name == "refused") return Error("the provider refuses");
    std::vector<ProbeId> ids;
    for (const Row &row : rows_) {
      const Probe &p = row.probe;
      if (fits(desc.provider, p.provider) && fits(desc.module, p.module) && fits(desc.function, p.function) &&
          fits(desc.name, p.name)) {
        ids.push_back(p.id);
      }
    }
    return ids;
  }
  std::optional<ProbeId> by_number(uint64_t number) override {
    if (number == 0 || number > rows_.size()) return std::nullopt;
    return ProbeId{static_cast<uint32_t>(number)};
  }
  const Probe &probe(ProbeId id) override { return rows_[id.value - 1].probe; }
  Result<std::vector<ProbeArg>> args(ProbeId id, TypeTable &types) override {
    std::vector<ProbeArg> result;
    const Row &row = rows_[id.value - 1];
    for (size_t i = 0; i < row.args.size(); ++i) {
      const size_t source = row.reversed ? row.args.size() - 1 - i : i;
      result.push_back({type(row.args[i].first, types),
                        type(row.args[i].second, types),
                        static_cast<unsigned>(source),
                        {},
                        row.place});
    }
    return result;
  }
  /// Probes of sdt have variables `n`, `gone` (without a value) and `differs`.
  Result<ProbeArg> local(ProbeId id, std::string_view name, TypeTable &types) override {
    if (probe(id).provider != "sdt") return ProbeCatalog::local(id, name, types);
    const bool is_long = name == "differs" && probe(id).name == "lost";
    const TypeId type_id = is_long ? types.long_type() : types.int_type();
    ProbeArg arg{type_id, type_id, 10};
    if (name == "gone") arg.missing = "it was optimised out";
    if (name != "n" && name != "gone" && name != "differs")
      return Error("no such variable is in scope").tagged("D_LOCALS_NAME");
    return arg;
  }
  std::string missing_argument(ProbeId id, unsigned n, TypeTable &) override {
    return probe(id).name == "lost" && n == 1 ? "the compiler did not keep it" : "";
  }
  ProviderAttributes attributes(std::string_view provider) override {
    const Attributes stable{Stability::kStable, Stability::kStable, DependencyClass::kCommon};
    const Attributes evolving{Stability::kEvolving, Stability::kEvolving, DependencyClass::kIsa};
    if (provider == "syscall") return {evolving, evolving, evolving, evolving, evolving};
    if (provider == "dtrace") return {stable, stable, stable, stable, stable};
    const Attributes unstable{Stability::kUnstable, Stability::kUnstable, DependencyClass::kCommon};
    return {unstable, unstable, unstable, unstable, unstable};
  }

 private:
  static bool fits(const std::string &pattern, const std::string &text) {
    return pattern.empty() || field_match(pattern, text);
  }
  static TypeId type(std::string_view text, TypeTable &types) {
    constexpr std::string_view kUser = "userland ";
    const bool user = text.starts_with(kUser);
    if (user) text.remove_prefix(kUser.size());
    const TypeId id = text.empty() ? kPoison : parse_type_text(text, types);
    return user ? types.pointer_to(types.resolved(id).target, Space::kUser) : id;
  }

  std::vector<Row> rows_;
};

class FakeSymbols : public SymbolSource {
 public:
  std::variant<Found, Failure> find(std::string_view module, std::string_view name, TypeTable &types) override {
    if (!module.empty() && module != "vmlinux" && module != "ext4") return Failure::kUnknownModule;
    if (name == "jiffies") return Found{0x1000, types.ulong_type(), false, "vmlinux"};
    if (name == "init_task") return Found{0x2000, *types.find(TagKind::kStruct, "task_struct"), false, "vmlinux"};
    if (name == "table") return Found{0x3000, types.array_of(types.int_type(), 4), false, "vmlinux"};
    if (name == "untyped") return Found{0x4000, kPoison, false, "vmlinux"};
    if (name == "nr_here") return Found{0x10, types.int_type(), false, "vmlinux", 0x6000};
    if (name == "vfs_read") return Found{0x5000, types.function(types.long_type(), {}, false), true, "vmlinux"};
    return Failure::kUnknownSymbol;
  }
};

/// struct task_struct, struct request, struct path, struct mutex, enum state, typedef kernel_t.
inline std::vector<std::byte> fake_kernel() {
  using Kind = BtfIndex::Kind;
  BtfBuilder b;
  const uint32_t int_id = b.integer("int", 4, 1);
  const uint32_t char_id = b.integer("char", 1, 1);
  const uint32_t ulong_id = b.integer("unsigned long", 8, 0);
  const uint32_t uint_id = b.integer("unsigned int", 4, 0);
  const uint32_t comm_id = b.array(char_id, 16);
  const uint32_t task_id = b.next_id() + 2;
  const uint32_t task_ptr = b.record(Kind::kPtr, "", task_id);
  const uint32_t char_ptr = b.record(Kind::kPtr, "", char_id);
  b.aggregate(Kind::kStruct, "task_struct", 64,
              {{"pid", int_id, 0},
               {"flags", uint_id, 32},
               {"comm", comm_id, 64},
               {"parent", task_ptr, 192},
               {"start_time", ulong_id, 256},
               {"path", char_ptr, 320}});
  b.aggregate(Kind::kStruct, "request", 16,
              {{"len", int_id, 0, 0}, {"low", uint_id, 32, 3}, {"high", uint_id, 35, 29}, {"data", ulong_id, 64, 0}},
              true);
  b.aggregate(Kind::kStruct, "mutex", 8, {{"owner", ulong_id, 0}});
  const uint32_t state_id = b.record(Kind::kEnum, "state", 4, 2);
  (void)state_id;
  b.words({b.name("STATE_IDLE"), 0, b.name("STATE_BUSY"), 5});
  b.record(Kind::kTypedef, "kernel_t", int_id);
  return b.blob();
}

class Check {
 public:
  Check() : btf_bytes_(fake_kernel()) {
    Result<std::unique_ptr<BtfIndex>> made = BtfIndex::create(btf_bytes_, "vmlinux");
    btf_ = std::move(*made);
    types.add_btf(btf_.get());
    option("empty");
  }
  Check(const Check &) = delete;
  Check &operator=(const Check &) = delete;

  /// Sets an option as -x would.
  Check &option(std::string_view name, std::optional<std::string_view> value = {}) {
    options.set(name, value, OptionSource::kCommandLine);
    return *this;
  }
  /// Checks a script; false if it has an error. Texts share what they define.
  bool program(std::string_view text, SourceKind kind = SourceKind::kScript) {
    use_lazy_libraries();
    Macros macros;
    macros.arguments = {"script"};
    const std::string name = kind == SourceKind::kString ? std::string(text) : "test.d";
    const ast::Ast *tree = front.parse({name, std::string(text), kind}, macros, diags);
    if (tree == nullptr) return false;
    std::optional<tree::Program> result = front.check(*tree, diags);
    if (result) unit.programs.push_back(std::move(*result));
    return diags.ok();
  }
  /// Checks a library now.
  bool library(std::string_view text) { return front.check_library("test.d", std::string(text)); }
  /// A library that is checked when something that it declares is first needed. All of them before the first program.
  Check &lazy_library(std::string text) {
    lazy_.push_back({fmt::format("lazy{}.d", lazy_.size()), std::move(text)});
    return *this;
  }
  unsigned lazy_loads() const { return front.nr_libraries_checked(); }

  /// Tag of the first error, "" if there is none.
  std::string tag() const { return diags.ok() ? "" : std::string(tag_name(diags.list().front().tag)); }
  std::string message() const { return diags.ok() ? "" : diags.list().front().message; }
  /// Messages of all errors to print, a line each.
  std::string messages() const {
    std::string text;
    for (const Diagnostic *error : diags.independent()) text += error->message + '\n';
    return text;
  }
  /// The notes after the first error, joined by '|'.
  std::string notes() const {
    std::string text;
    if (diags.ok()) return text;
    for (const Diagnostic::Note &note : diags.list().front().notes) text += (text.empty() ? "" : "|") + note.message;
    return text;
  }
  std::string rendered() const { return diags.ok() ? "" : render(diags.list().front(), front.sources(), {}); }
  std::string dump() const { return tree::dump(unit, types); }
  /// The statements and predicates of the last program, without the lines of programs and clauses, outdented.
  std::string body() const;

  TypeTable types;
  Options options;
  FakeCatalog probes;
  FakeSymbols symbols;
  Diagnostics diags;
  FrontEnd front{options, types, probes, symbols};
  tree::Unit &unit = front.unit();

 private:
  void use_lazy_libraries() {
    if (lazy_.empty()) return;
    LibraryEnvironment environment;
    environment.has_module = [](std::string_view name) { return name == "vmlinux"; };
    environment.has_provider = [](std::string_view name) { return name == "syscall"; };
    (void)front.use_libraries({std::exchange(lazy_, {})}, environment);
  }

  std::vector<std::byte> btf_bytes_;
  std::unique_ptr<BtfIndex> btf_;
  std::vector<LibraryFile> lazy_;
};

inline std::string Check::body() const {
  const std::string text = dump();
  std::string result;
  size_t at = text.rfind("\nprogram ");
  at = at == std::string::npos ? 0 : at + 1;
  while (at < text.size()) {
    const size_t end = text.find('\n', at);
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("    ") && !line.starts_with("    attributes ")) result += line.substr(4) + '\n';
  }
  return result;
}

/// Tag of the first error of one script, "" if it is right.
inline std::string tag_of(std::string_view text) {
  Check c;
  c.program(text);
  return c.tag();
}
inline std::string message_of(std::string_view text) {
  Check c;
  c.program(text);
  return c.message();
}
/// Typed statements of one script, or "TAG: message".
inline std::string body_of(std::string_view text) {
  Check c;
  if (!c.program(text)) return c.tag() + ": " + c.message();
  return c.body();
}
/// Tag and message for the clause `BEGIN { text }`.
inline std::string tag_in(std::string_view text) { return tag_of(fmt::format("BEGIN {{ {} }}", text)); }
inline std::string message_in(std::string_view text) { return message_of(fmt::format("BEGIN {{ {} }}", text)); }
inline std::string body_in(std::string_view text) { return body_of(fmt::format("BEGIN {{ {} }}", text)); }

}  // namespace dtrace::test
