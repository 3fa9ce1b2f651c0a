// SPDX-License-Identifier: Apache-2.0
#include "runtime/output/stack_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/hexadecimal.h"
#include "base/printable.h"
#include "base/utf8.h"
#include "runtime/print/json.h"
#include "runtime/symbols/managed_frames.h"

namespace dtrace::runtime {
namespace {

const AggregationShape kCounted{AggregatingFunction::kCount, {}};

/// "module`function" of "module`function+0x1c": where in it does not tell functions apart.
std::string without_offset(std::string_view symbol) {
  const size_t plus = symbol.rfind("+0x");
  if (plus == std::string_view::npos || symbol.find('`') >= plus) return std::string(symbol);
  const bool is_offset = symbol.find_first_not_of("0123456789abcdef", plus + 3) == std::string_view::npos;
  return std::string(is_offset ? symbol.substr(0, plus) : symbol);
}

void append_word(std::string &out, uint64_t number) {
  for (int shift = 0; shift < 64; shift += 8) out += static_cast<char>(number >> shift);
}

FrameKind kind_of(const StackFrame &function) {
  if (function.is_inlined) return FrameKind::kInlined;
  return function.language.empty() ? FrameKind::kUser : FrameKind::kManaged;
}

std::string counted(uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace

void add_words(StackSample &into, const StackSample &from, const AggregationShape &shape) {
  into.overflows |= from.overflows;
  int64_t sum = 0;
  if (shape.function == AggregatingFunction::kSum || shape.function == AggregatingFunction::kAvg)
    into.overflows |=
        __builtin_add_overflow(static_cast<int64_t>(into.words.back()), static_cast<int64_t>(from.words.back()), &sum);
  merge_words(shape.function, into.words, from.words);
}

bool has_value(const StackSample &sample, const AggregationShape &shape) {
  const uint32_t counter = row(shape.function).counter;
  return shape.function == AggregatingFunction::kCount || counter >= sample.words.size() || sample.words[counter] != 0;
}

bool is_stack(const Value &value) {
  return std::holds_alternative<KernelStack>(value) || std::holds_alternative<UserStack>(value);
}

std::vector<SampledFrame> sampled_frames(const Value &stack, Symbolizer &symbolizer, bool with_mappings) {
  std::vector<SampledFrame> frames;
  const auto *const user = std::get_if<UserStack>(&stack);
  bool is_return = false;
  for (const uint64_t address : user != nullptr ? user->frames : std::get<KernelStack>(stack).frames) {
    if (address == 0) break;
    SampledFrame &frame = frames.emplace_back();
    frame.in_kernel = user == nullptr;
    if (with_mappings && !is_managed(address)) {
      frame.address = address;
      frame.mapping = symbolizer.mapping(user != nullptr ? UserImage(user->pid, user->image) : UserImage(0), address);
    }
    if (user == nullptr) {
      frame.functions.push_back(
          {utf8_text(without_offset(symbolizer.kernel_symbol(address, true))), {}, FrameKind::kKernel});
      continue;
    }
    for (const StackFrame &function : symbolizer.user_frames({user->pid, user->image}, address, is_return))
      frame.functions.push_back(
          {utf8_text(without_offset(function.symbol)), utf8_text(function.source), kind_of(function)});
    is_return |= !is_managed(address);
  }
  if (user == nullptr) return frames;
  if (const std::string_view end = stack_end_text(user->end); !end.empty())
    frames.emplace_back().functions.push_back({fmt::format("[cut: {}]", end), {}, FrameKind::kEnd});
  return frames;
}

void append_folded(std::string &line, std::string_view name) {
  if (!line.empty()) line += ';';
  if (name.empty()) name = "\"\"";
  std::string text = printable(name);
  std::ranges::replace(text, ';', ':');
  line += text;
}

void append_folded(std::string &line, const SampledFrame &frame) {
  for (auto function = frame.functions.rbegin(); function != frame.functions.rend(); ++function)
    append_folded(line, frame.in_kernel ? function->name + "_[k]" : function->name);
}

std::strong_ordering SampledFrame::operator<=>(const SampledFrame &other) const {
  const auto all = [](const SampledFrame &frame) {
    return std::tie(frame.address, frame.in_kernel, frame.functions, frame.mapping.start, frame.mapping.end,
                    frame.mapping.offset, frame.mapping.file, frame.mapping.build_id);
  };
  return all(*this) <=> all(other);
}

std::string SampledKey::text() const {
  if (const auto *words = std::get_if<std::string>(&value)) return *words;
  const auto &number = std::get<Integer>(value);
  if (!number.name.empty()) return std::string(number.name);
  return number.is_signed ? std::to_string(number.as_signed()) : std::to_string(number.as_unsigned());
}

StackSamples::StackSamples(const Plan &plan, Symbolizer &symbolizer, bool with_mappings)
    : plan_(plan), symbolizer_(symbolizer), with_mappings_(with_mappings) {
  context_.symbolizer = &symbolizer;
}

// ---------------------------------------------------------------- frames

void StackSamples::append_stack(const Value &stack, std::vector<uint32_t> &frames) {
  for (SampledFrame &frame : sampled_frames(stack, symbolizer_, with_mappings_)) {
    const auto [known, is_new] = frame_index_.try_emplace(std::move(frame), static_cast<uint32_t>(frames_.size()));
    if (is_new) frames_.push_back(known->first);
    frames.push_back(known->second);
  }
}

// ---------------------------------------------------------------- rows

void StackSamples::begin_row(const RowEvent &) { open_.emplace_back(); }

void StackSamples::other() { ++open_.back().others; }

void StackSamples::value(const Value &value) {
  OpenRow &row = open_.back();
  if (!is_stack(value)) return other();
  row.has_stack = true;
  append_stack(value, std::holds_alternative<KernelStack>(value) ? row.kernel : row.user);
}

uint32_t StackSamples::source_of_probe(const RowEvent &row) {
  const Probe &probe = row.probe;
  const std::string name =
      utf8_text(fmt::format("{}:{}:{}:{}", probe.provider, probe.module, row.function, probe.name));
  const auto [known, is_new] = source_index_.try_emplace(name, static_cast<uint32_t>(sources_.size()));
  if (is_new) sources_.push_back({name, true, kCounted, 1});
  return known->second;
}

void StackSamples::end_row(const RowEvent &row) {
  const OpenRow ended = std::move(open_.back());
  open_.pop_back();
  if (!ended.has_stack) {
    if (ended.others != 0) ++rows_left_out_;
    return;
  }
  values_left_out_ += ended.others;
  StackSample sample;
  sample.source = source_of_probe(row);
  sample.frames = ended.kernel;
  sample.frames.insert(sample.frames.end(), ended.user.begin(), ended.user.end());
  Entries &entries = shown_[sample.source];
  StackSample &known = entries.try_emplace(identity(sample), std::move(sample)).first->second;
  if (known.words.empty()) known.words.push_back(0);
  ++known.words[0];
}

// ---------------------------------------------------------------- aggregations

uint32_t StackSamples::source_of_aggregation(const AggregationView &view) {
  const std::string name = fmt::format("@{}", view.name == "_" ? "" : view.name);
  const auto [known, is_new] = source_index_.try_emplace(name, static_cast<uint32_t>(sources_.size()));
  if (is_new) sources_.push_back({name, false, view.shape, 1});
  sources_[known->second].normal = view.normal;
  sources_[known->second].quantity = plan_.aggregations[view.id].quantity;
  return known->second;
}

std::string StackSamples::key_text(const Value &key) const {
  struct Visitor {
    const TextContext &context;
    std::string operator()(const Integer &v) const { return SampledKey{{}, v}.text(); }
    std::string operator()(const Text &v) const { return utf8_text(v.view()); }
    std::string operator()(const Bytes &v) const {
      return hexadecimal_text({reinterpret_cast<const uint8_t *>(v.bytes.data()), v.bytes.size()});
    }
    std::string operator()(const KernelStack &) const { return {}; }
    std::string operator()(const UserStack &) const { return {}; }
    std::string operator()(const Symbol &v) const { return utf8_text(symbol_text(v, context)); }
    std::string operator()(const Floating &v) const { return fmt::format("{}", v.value); }
  };
  return std::visit(Visitor{context_}, key);
}

std::string StackSamples::identity(const StackSample &sample) {
  std::string text;
  for (const SampledKey &key : sample.keys) {
    const std::string value = key.text();
    append_word(text, value.size());
    text += value;
  }
  append_word(text, sample.keys.size());
  for (const uint32_t frame : sample.frames) append_word(text, frame);
  return text;
}

void StackSamples::merge(Entries &into, const Entries &from, const AggregationShape &shape) {
  for (const auto &[identity, sample] : from) {
    const auto [known, is_new] = into.try_emplace(identity, sample);
    if (!is_new) add_words(known->second, sample, shape);
  }
}

void StackSamples::show(AggregationViews views) {
  for (const AggregationView *view : views) {
    const std::vector<std::string> &names = plan_.aggregations[view->id].key_texts;
    const bool has_stacks = !view->entries.empty() && std::ranges::any_of(view->entries.front().keys, is_stack);
    if (!has_stacks) {
      if (!view->entries.empty())
        aggregations_left_out_.insert(fmt::format("@{}", view->name == "_" ? "" : view->name));
      if (const auto known = source_index_.find(fmt::format("@{}", view->name == "_" ? "" : view->name));
          known != source_index_.end())
        shown_[known->second].clear();
      continue;
    }
    const uint32_t source = source_of_aggregation(*view);
    Entries entries;
    for (const AggregationEntry &entry : view->entries) {
      StackSample sample;
      sample.source = source;
      std::vector<uint32_t> user;
      for (size_t i = 0; i < entry.keys.size(); ++i) {
        const Value &key = entry.keys[i];
        if (is_stack(key)) {
          append_stack(key, std::holds_alternative<KernelStack>(key) ? sample.frames : user);
        } else {
          const auto *number = std::get_if<Integer>(&key);
          const std::string name = i < names.size() ? utf8_text(names[i]) : fmt::format("key{}", i + 1);
          if (number != nullptr)
            sample.keys.push_back({name, *number});
          else
            sample.keys.push_back({name, key_text(key)});
        }
      }
      sample.frames.insert(sample.frames.end(), user.begin(), user.end());
      sample.words.assign(entry.words.begin(), entry.words.end());
      std::string name = identity(sample);
      if (const auto known = entries.find(name); known != entries.end())
        add_words(known->second, sample, view->shape);
      else
        entries.emplace(std::move(name), std::move(sample));
    }
    shown_[source] = std::move(entries);
  }
}

void StackSamples::clear(std::span<const uint32_t> aggregations) {
  for (const uint32_t index : aggregations) {
    const std::string &name = plan_.aggregations[index].name;
    const auto known = source_index_.find(fmt::format("@{}", name == "_" ? "" : name));
    if (known == source_index_.end()) continue;
    Entries &shown = shown_[known->second];
    merge(settled_[known->second], shown, sources_[known->second].shape);
    shown.clear();
  }
}

// ---------------------------------------------------------------- the end

void StackSamples::finish() {
  for (uint32_t source = 0; source < sources_.size(); ++source) {
    Entries &entries = shown_[source];
    merge(entries, settled_[source], sources_[source].shape);
    for (auto &[identity, sample] : entries) samples_.push_back(std::move(sample));
  }
  shown_.clear();
  settled_.clear();
}

std::string StackSamples::left_out() const {
  std::vector<std::string> parts;
  if (!aggregations_left_out_.empty())
    parts.push_back(fmt::format("{} (not keyed by a stack)", fmt::join(aggregations_left_out_, ", ")));
  if (rows_left_out_ != 0) parts.push_back(counted(rows_left_out_, "row without a stack", "rows without a stack"));
  if (values_left_out_ != 0) parts.push_back(counted(values_left_out_, "value beside a stack", "values beside stacks"));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace dtrace::runtime
