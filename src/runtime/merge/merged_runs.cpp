// SPDX-License-Identifier: Apache-2.0
#include "runtime/merge/merged_runs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "runtime/consume/aggregation_table.h"
#include "runtime/symbols/file_space.h"
#include "runtime/symbols/managed_frames.h"

namespace dtrace::runtime {
namespace {

/// Kinds that are one lookup of a symbolizer.
SymbolKind lookup_of(SymbolKind kind) {
  if (kind == SymbolKind::kFunc) return SymbolKind::kSym;
  if (kind == SymbolKind::kUfunc) return SymbolKind::kUsym;
  return kind;
}

void append_number(std::string &bytes, uint64_t number) {
  bytes.append(reinterpret_cast<const char *>(&number), sizeof number);
}

/// Bytes that are equal where keys are equal, as compare_values() has it.
std::string identity_of(const std::vector<SavedKey> &keys) {
  struct Visitor {
    std::string &bytes;
    void operator()(const Integer &v) const {
      append_number(bytes, v.is_signed ? static_cast<uint64_t>(v.as_signed()) : v.as_unsigned());
    }
    void operator()(const std::string &v) const {
      append_number(bytes, v.size());
      bytes += v;
    }
    void operator()(const SavedStack &v) const {
      append_number(bytes, v.pid ? static_cast<uint64_t>(*v.pid) : UINT64_MAX);
      append_number(bytes, v.end);
      append_number(bytes, v.frames.size());
      for (const SavedFrame &frame : v.frames) append_number(bytes, frame.address);
    }
    void operator()(const SavedSymbol &v) const {
      append_number(bytes, static_cast<uint64_t>(v.symbol.kind));
      append_number(bytes, static_cast<uint64_t>(v.symbol.pid));
      append_number(bytes, v.symbol.address);
    }
  };
  std::string bytes;
  for (const SavedKey &key : keys) std::visit(Visitor{bytes}, key);
  return bytes;
}

/// What sinks ask of a key: so that what they write can be merged again.
ValuePlan key_plan(const SavedKeyType &type) {
  static constexpr ValuePlan::Kind kKinds[] = {ValuePlan::Kind::kInteger, ValuePlan::Kind::kString,
                                               ValuePlan::Kind::kStack, ValuePlan::Kind::kKernelSymbol};
  ValuePlan plan;
  plan.kind = kKinds[static_cast<size_t>(type.kind)];
  plan.size_bytes = type.bytes;
  plan.is_signed = type.is_signed;
  plan.first_bytes = type.first_bytes;
  plan.first_is_signed = type.first_is_signed;
  return plan;
}

std::string shown(const std::string &name) { return name == "_" ? "@" : "@" + name; }

bool is_same(const AggregationShape &a, const AggregationShape &b) {
  return a.function == b.function && a.params.linear == b.params.linear && a.params.log_linear == b.params.log_linear;
}

}  // namespace

// ---------------------------------------------------------------- symbols

void SavedSymbols::note(const SavedStack &stack) {
  bool is_return = false;
  for (const SavedFrame &frame : stack.frames) {
    if (stack.pid)
      frames_.try_emplace({*stack.pid, frame.address, is_return}, frame.functions);
    else
      texts_.try_emplace({SymbolKind::kUaddr, 0, frame.address}, frame.functions.front().symbol);
    is_return |= !is_managed(frame.address);
  }
}

void SavedSymbols::note(const SavedSymbol &symbol) {
  texts_.try_emplace({lookup_of(symbol.symbol.kind), symbol.symbol.pid, symbol.symbol.address}, symbol.text);
}

std::string SavedSymbols::text_of(SymbolKind kind, pid_t pid, uint64_t address) const {
  const auto found = texts_.find({kind, pid, address});
  return found == texts_.end() ? fmt::format("0x{:x}", address) : found->second;
}

std::string SavedSymbols::kernel_symbol(uint64_t address, bool want_offset) {
  return text_of(want_offset ? SymbolKind::kUaddr : SymbolKind::kSym, 0, address);
}

std::string SavedSymbols::user_symbol(UserImage image, uint64_t address, bool want_offset) {
  return text_of(want_offset ? SymbolKind::kUaddr : SymbolKind::kUsym, image.pid, address);
}

std::vector<StackFrame> SavedSymbols::user_frames(UserImage image, uint64_t address, bool is_return) {
  const auto found = frames_.find({image.pid, address, is_return});
  if (found != frames_.end()) return found->second;
  return {{user_symbol(image, address, true), {}, false}};
}

// ---------------------------------------------------------------- machines

uint64_t BootSpaces::managed_address(const StackFrame &function) {
  constexpr uint64_t kFirst = DT_MANAGED_TAG << DT_MANAGED_TAG_SHIFT | 1;
  return managed_.try_emplace({function.language, function.symbol, function.source}, kFirst + managed_.size())
      .first->second;
}

uint64_t BootSpaces::kernel_address(size_t boot, const std::string &text, uint64_t address) {
  const auto [known, is_new] = by_text_.try_emplace(text, address);
  // Two functions of the first boot may have one name.
  if (boot == 0) return known->second >= kFirstAddress && known->second < next_address_ ? known->second : address;
  if (is_new) known->second = next_address_++;
  return known->second;
}

pid_t BootSpaces::process(size_t boot, pid_t pid) {
  if (boot == 0) return pid;
  const auto [known, is_new] = processes_.try_emplace({boot, pid}, next_process_);
  if (is_new) ++next_process_;
  return known->second;
}

uint64_t BootSpaces::file_address(const SavedFrame &frame) {
  std::string text;
  for (const StackFrame &function : frame.functions)
    text.append(function.symbol).append(1, '\n').append(function.source).append(1, '\n');
  return file_address(std::move(text));
}

uint64_t BootSpaces::file_address(std::string text) {
  return in_files_.try_emplace(std::move(text), kFirstFileAddress + in_files_.size()).first->second;
}

void BootSpaces::translate(const std::string &boot_id, SavedKey &key) {
  const size_t boot = boots_.try_emplace(boot_id, boots_.size()).first->second;
  if (auto *stack = std::get_if<SavedStack>(&key)) {
    if (stack->pid) {
      const bool is_of_files = *stack->pid == kFileSpacePid;
      if (!is_of_files) stack->pid = process(boot, *stack->pid);
      for (SavedFrame &frame : stack->frames)
        if (frame.address == 0)
          frame.address = managed_address(frame.functions.front());
        else if (is_of_files)
          frame.address = file_address(frame);
      return;
    }
    for (SavedFrame &frame : stack->frames)
      frame.address = kernel_address(boot, frame.functions.front().symbol, frame.address);
  } else if (auto *saved = std::get_if<SavedSymbol>(&key)) {
    if (saved->symbol.pid == kFileSpacePid)
      saved->symbol.address = file_address(fmt::format("{} {}", static_cast<int>(saved->symbol.kind), saved->text));
    else if (saved->symbol.pid != 0)
      saved->symbol.pid = process(boot, saved->symbol.pid);
    else
      saved->symbol.address =
          kernel_address(boot, fmt::format("{} {}", static_cast<int>(lookup_of(saved->symbol.kind)), saved->text),
                         saved->symbol.address);
  }
}

std::string BootSpaces::name() const {
  if (boots_.empty()) return {};
  if (boots_.size() == 1) return boots_.begin()->first;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return fmt::format("merged-{}-{}", std::chrono::nanoseconds(now).count(), getpid());
}

// ---------------------------------------------------------------- runs

Result<Unit> MergedRuns::add(SavedAggregation &&saved, const std::string &boot) {
  const std::string name = saved.name;
  std::vector<SavedEntry> entries = std::move(saved.entries);
  saved.entries.clear();
  const auto [found, is_new] = merged_.try_emplace(name);
  Merged &merged = found->second;
  if (is_new) {
    merged.about = std::move(saved);
  } else if (!is_same(merged.about.shape, saved.shape)) {
    return Error(fmt::format("{}: another function, or other parameters, than in the runs before", shown(name)));
  } else if (merged.about.types != saved.types) {
    return Error(fmt::format("{}: keys of other types than in the runs before", shown(name)));
  } else if (merged.about.normal != saved.normal) {
    return Error(fmt::format("{}: normalized by {}, and by {} in the runs before", shown(name), saved.normal,
                             merged.about.normal));
  }
  for (SavedEntry &entry : entries) {
    for (SavedKey &key : entry.keys) {
      spaces_.translate(boot, key);
      if (const auto *stack = std::get_if<SavedStack>(&key)) symbols_.note(*stack);
      if (const auto *symbol = std::get_if<SavedSymbol>(&key)) symbols_.note(*symbol);
    }
    const auto [known, first] = merged.by_key.try_emplace(identity_of(entry.keys), merged.entries.size());
    if (first)
      merged.entries.push_back(std::move(entry));
    else
      merge_words(merged.about.shape.function, merged.entries[known->second].words, entry.words);
  }
  return ok();
}

void MergedRuns::add_losses(const SavedRun &run) {
  for (const auto &[saved, clause] : run.losses) {
    Loss loss = saved;
    if (!clause.empty()) {
      auto known = std::ranges::find(plan_.clauses, clause, &ClausePlan::name);
      if (known == plan_.clauses.end()) {
        plan_.clauses.emplace_back();
        known = plan_.clauses.end() - 1;
        known->index = static_cast<uint32_t>(plan_.clauses.size() - 1);
        known->name = clause;
      }
      loss.clause = known->index;
    }
    const auto same = std::ranges::find_if(losses_, [&](const Loss &other) {
      return other.cause == loss.cause && other.clause == loss.clause && other.cpu == loss.cpu &&
             other.program == loss.program;
    });
    if (same == losses_.end()) {
      losses_.push_back(std::move(loss));
      continue;
    }
    same->count += loss.count;
    same->longest_ns = std::max(same->longest_ns, loss.longest_ns);
  }
}

Result<Unit> MergedRuns::add(SavedRun run) {
  programs_.insert(run.program);
  for (auto &[name, saved] : run.aggregations)
    if (Result<Unit> added = add(std::move(saved), run.boot); !added) return added;
  add_losses(run);
  status_ = std::max(status_, run.status);
  return ok();
}

Value MergedRuns::value_of(const SavedKey &key, Merged &owner) {
  struct Visitor {
    Merged &owner;
    Value operator()(const Integer &v) const { return v; }
    Value operator()(const std::string &v) const { return Text{v, true}; }
    Value operator()(const SavedSymbol &v) const { return v.symbol; }
    Value operator()(const SavedStack &v) const {
      std::vector<uint64_t> &frames = owner.frames.emplace_back();
      for (const SavedFrame &frame : v.frames) frames.push_back(frame.address);
      if (v.pid) return UserStack{*v.pid, frames, v.end};
      return KernelStack{frames};
    }
  };
  return std::visit(Visitor{owner}, key);
}

std::vector<const AggregationView *> MergedRuns::views() {
  std::vector<Merged *> order;
  for (auto &[name, merged] : merged_) order.push_back(&merged);
  std::ranges::stable_sort(order, {}, [](const Merged *merged) { return merged->about.id; });
  views_.clear();
  by_symbol_.clear();
  plan_.aggregations.clear();
  std::vector<AggregationView *> to_merge;
  for (Merged *merged : order) {
    merged->frames.clear();
    AggregationPlan &plan = plan_.aggregations.emplace_back();
    plan.name = merged->about.name;
    plan.function = dtrace::row(merged->about.shape.function).builtin;
    plan.params = merged->about.shape.params;
    plan.index = static_cast<uint32_t>(plan_.aggregations.size() - 1);
    for (const SavedKeyType &type : merged->about.types) plan.keys.push_back(key_plan(type));
    AggregationView &view = views_.emplace_back();
    view.id = plan.index;
    view.name = merged->about.name;
    view.shape = merged->about.shape;
    view.normal = merged->about.normal;
    for (const SavedEntry &entry : merged->entries) {
      AggregationEntry &shown = view.entries.emplace_back();
      for (const SavedKey &key : entry.keys) shown.keys.push_back(value_of(key, *merged));
      shown.words = entry.words;
    }
    to_merge.push_back(&view);
  }
  TextContext context;
  context.symbolizer = &symbols_;
  by_symbol_ = merge_symbol_keys(to_merge, context);
  return {to_merge.begin(), to_merge.end()};
}

}  // namespace dtrace::runtime
