// SPDX-License-Identifier: Apache-2.0
// Recordings of made-up probes, and programs that are replayed on them.
#pragma once

#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "frontend/tree/leaves.h"
#include "replay/replay.h"
#include "replay/replay_compiler.h"
#include "runtime/output/formats.h"
#include "test/unit/recording/kept.h"
#include "test/unit/runtime/memory_output.h"

namespace dtrace::replay::test {

using recording::fault;
using recording::KeptCell;
using recording::null;
using recording::number;
using recording::text;

inline recording::Probe probe_of(uint32_t id, std::string provider, std::string module, std::string function,
                                 std::string name) {
  recording::Probe probe;
  probe.id = id;
  probe.provider = std::move(provider);
  probe.module = std::move(module);
  probe.function = std::move(function);
  probe.name = std::move(name);
  return probe;
}

inline recording::Argument argument_of(std::string native, std::string translated, uint32_t source) {
  recording::Argument argument;
  argument.native = std::move(native);
  argument.translated = std::move(translated);
  argument.source = source;
  return argument;
}

/// Keeps messages, and asks for the end if the test wants it.
struct NotingClient final : tracer::Client {
  std::vector<std::string> messages;
  bool ends = false;
  void report(std::string_view text) override { messages.emplace_back(text); }
  void note(std::string_view text) override { messages.push_back("note: " + std::string(text)); }
  bool end_requested() const override { return ends; }
};

inline Options options_of(const std::vector<std::pair<std::string, std::string>> &settings) {
  Options options;
  REQUIRE(options.set("nolibs", std::nullopt, OptionSource::kCommandLine) == OptionError::kNone);
  for (const auto &[name, value] : settings)
    REQUIRE(options.set(name, value.empty() ? std::nullopt : std::optional<std::string_view>(value),
                        OptionSource::kCommandLine) == OptionError::kNone);
  return options;
}

/// A recording in the making: probes with leaves, then rows.
class Recorded {
 public:
  /// made:up:FUNCTION:hit, with args[0] an int and args[1] a string. `leaves`: D text of what is recorded of it.
  void probe(uint32_t id, std::string function, std::vector<std::string> leaves) {
    recording::Probe probe = probe_of(id, "made", "up", std::move(function), "hit");
    probe.arguments = {argument_of("int", "int", 0), argument_of("userland char *", "userland char *", 1)};
    add(std::move(probe), std::move(leaves));
  }
  void add(recording::Probe probe, std::vector<std::string> leaves) {
    probes_.push_back(std::move(probe));
    leaves_.push_back(std::move(leaves));
  }
  void fact(std::string name, std::string value) { facts_.push_back({std::move(name), std::move(value)}); }
  void lose(recording::Loss loss) { losses_.push_back(std::move(loss)); }
  void name(recording::Name name) { names_.push_back(std::move(name)); }
  void row(uint32_t probe, uint64_t time_ns, std::vector<KeptCell> cells, uint64_t thread = uint64_t{7} << 32 | 7,
           uint32_t cpu = 0) {
    rows_.push_back({probe, cpu, time_ns, thread, std::move(cells)});
  }

  std::string bytes() const {
    recording::Written written;
    define_probes(written.writer, true);
    for (const recording::KeptRow &row : rows_) recording::add(written.writer, row);
    for (const recording::Loss &loss : losses_) written.writer.lose(loss);
    return written.finished();
  }
  std::unique_ptr<recording::Reader> reader() const { return opened(bytes()); }

  static std::unique_ptr<recording::Reader> opened(std::string bytes) {
    Result<std::unique_ptr<recording::Reader>> reader = recording::open_text(std::move(bytes));
    if (!reader) FAIL(reader.error().text());
    return std::move(*reader);
  }

 private:
  void define_probes(recording::Writer &writer, bool with_leaves) const {
    for (const recording::Fact &fact : facts_) writer.define(fact);
    std::map<std::string, uint32_t> ids;  // of leaves, by identity
    for (uint32_t i = 0; i < probes_.size(); ++i) {
      recording::Probe probe = probes_[i];
      recording::LeafSet set{.id = i + 1, .leaves = {}};
      for (const std::string &leaf : leaves_[i]) {
        if (!with_leaves) break;
        const std::string identity = identity_of(probe, leaf);
        const auto [known, is_new] = ids.try_emplace(identity, static_cast<uint32_t>(ids.size()) + 1);
        if (is_new) writer.define(recording::Leaf{known->second, identity, leaf, "int"});
        set.leaves.push_back(known->second);
      }
      writer.define(set);
      probe.leaves = set.id;
      writer.define(probe);
    }
    for (const recording::Name &name : names_) writer.define(name);
  }

  /// As the checker makes it of the text at that probe.
  std::string identity_of(const recording::Probe &probe, const std::string &leaf) const {
    recording::Written written;
    define_probes(written.writer, false);
    const std::unique_ptr<recording::Reader> reader = opened(written.finished());
    NotingClient client;
    ReplayCompiler compiler(*reader, options_of({}), client);
    constexpr bool kAnyLeaves = true;
    REQUIRE(compiler.open(kAnyLeaves));
    const std::string program =
        probe.provider + ":" + probe.module + ":" + probe.function + ":" + probe.name + " { trace(" + leaf + "); }";
    if (const auto rejection = compiler.add_program({tracer::ProgramText::Kind::kName, program}, {}))
      FAIL(program << ": " << rejection->message
                   << (rejection->diagnostics.ok() ? "" : rejection->diagnostics.list().front().message));
    const std::vector<tree::LeafUse> uses =
        tree::leaves_of(compiler.unit(), compiler.types(), compiler.unit().programs.front().clauses.front());
    REQUIRE(uses.size() == 1);
    return uses.front().identity;
  }

  std::vector<recording::Probe> probes_;
  std::vector<std::vector<std::string>> leaves_;
  std::vector<recording::Fact> facts_;
  std::vector<recording::Loss> losses_;
  std::vector<recording::Name> names_;
  std::vector<recording::KeptRow> rows_;
};

/// What a replay printed.
struct Outcome {
  int status = 0;
  std::string printed;
  std::string error;  ///< of the compilation: "[TAG] message", or the message without a tag
  std::vector<std::string> notes;
  std::vector<std::string> messages;
  uint64_t nr_rows = 0;
};

struct How {
  std::vector<std::pair<std::string, std::string>> settings = {{"quiet", ""}};
  bool ends = false;  ///< the client asks for the end
};

inline Outcome replayed(recording::Reader &reader, const std::string &program, const How &how = {}) {
  Outcome outcome;
  NotingClient client;
  client.ends = how.ends;
  ReplayCompiler compiler(reader, options_of(how.settings), client);
  REQUIRE(compiler.open());
  if (const auto rejection = compiler.add_program({tracer::ProgramText::Kind::kName, program}, {"dtrace", {}})) {
    outcome.error = rejection->message;
    if (rejection->diagnostics.ok()) return outcome;
    const Diagnostic &first = rejection->diagnostics.list().front();
    outcome.error = "[" + std::string(tag_name(first.tag)) + "] " + first.message;
    for (const Diagnostic::Note &note : first.notes) outcome.notes.push_back(note.message);
    return outcome;
  }
  if (std::string reason = compiler.reason_not_to_run(); !reason.empty()) {
    outcome.error = std::move(reason);
    return outcome;
  }
  const runtime::FormatRow *const format = runtime::find_format(compiler.options().string(Opt::format));
  REQUIRE(format != nullptr);
  Result<codegen::Layout> layout = compiler.make_layout(runtime::wants_time(*format), runtime::wants_thread(*format));
  if (!layout) FAIL(layout.error().text());
  runtime::MemoryOutput output;
  FileTime time(reader);
  runtime::SinkParts parts{output,
                           compiler.symbolizer(),
                           compiler.types(),
                           layout->plan,
                           0,
                           true,
                           false,
                           [&](std::string_view text) { client.messages.emplace_back(text); },
                           "recorded"};
  parts.recorded_time = &time;
  const std::unique_ptr<runtime::Sink> sink = format->make(parts);
  Replay replay({.recording = reader,
                 .layout = *layout,
                 .unit = compiler.unit(),
                 .types = compiler.types(),
                 .options = compiler.options(),
                 .catalog = compiler.catalog(),
                 .symbolizer = compiler.symbolizer(),
                 .sink = *sink,
                 .client = client,
                 .time = time,
                 .position_of = {},
                 .text_of = [&](const tree::Expr &expr) { return compiler.text_of(expr); }});
  outcome.status = replay.run();
  REQUIRE(output.flush());
  outcome.printed = output.written();
  outcome.messages = client.messages;
  outcome.nr_rows = replay.nr_rows();
  if (replay.failure()) outcome.error = replay.failure()->text();
  return outcome;
}

inline Outcome replayed(const Recorded &recorded, const std::string &program, const How &how = {}) {
  return replayed(*recorded.reader(), program, how);
}

/// What a program prints that the recording has everything for, without the empty line that ends a quiet run.
inline std::string printed(const Recorded &recorded, const std::string &program, const How &how = {}) {
  Outcome outcome = replayed(recorded, program, how);
  CHECK(outcome.error == "");
  if (outcome.printed.ends_with('\n')) outcome.printed.pop_back();
  return outcome.printed;
}

}  // namespace dtrace::replay::test
