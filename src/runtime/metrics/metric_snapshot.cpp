// SPDX-License-Identifier: Apache-2.0
#include "runtime/metrics/metric_snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/utf8.h"
#include "runtime/consume/aggregation_table.h"
#include "runtime/print/json.h"

namespace dtrace::runtime {
namespace {

struct LabelText {
  const TextContext &context;

  std::string operator()(const Integer &v) const {
    if (!v.name.empty()) return std::string(v.name);
    return v.is_signed ? std::to_string(v.as_signed()) : std::to_string(v.as_unsigned());
  }
  std::string operator()(const Text &v) const { return std::string(v.view()); }
  std::string operator()(const Bytes &v) const {
    std::string_view text;
    if (v.align_bytes == 1 && looks_like_text(v.bytes, text)) return std::string(text);
    std::string digits;
    for (const char c : v.bytes) digits += fmt::format("{:02x}", static_cast<unsigned char>(c));
    return digits;
  }
  std::string operator()(const KernelStack &) const { return {}; }
  std::string operator()(const UserStack &) const { return {}; }
  std::string operator()(const Symbol &v) const { return symbol_text(v, context); }
  std::string operator()(const Floating &v) const { return fmt::format("{:g}", v.value); }
};

/// Can two keys that differ have one text?
bool may_share_text(const ValuePlan &key) {
  switch (key.kind) {
    case ValuePlan::Kind::kInteger:
    case ValuePlan::Kind::kConstString:
    case ValuePlan::Kind::kProbePart:  // the store gave those of one text one identity
      return false;
    default:
      return true;
  }
}

std::string_view chars_of(std::span<const std::byte> key, const ValuePlan &plan) {
  const std::string_view all(reinterpret_cast<const char *>(key.data()), key.size());
  const std::string_view field = all.substr(std::min<size_t>(plan.offset, all.size()), plan.size_bytes);
  return field.substr(0, field.find('\0'));
}

bool texts_differ(const AggregationPlan &plan, std::span<const std::byte> key) {
  return std::ranges::all_of(plan.keys, [&](const ValuePlan &value) {
    return value.kind == ValuePlan::Kind::kString ? is_utf8(chars_of(key, value)) : !may_share_text(value);
  });
}

}  // namespace

bool has_negative_count(std::span<const uint64_t> words) {
  return std::ranges::any_of(words, [](uint64_t word) { return static_cast<int64_t>(word) < 0; });
}

std::vector<std::string> LabelTexts::of(const AggregationPlan &plan, std::span<const std::byte> key) const {
  std::vector<std::string> texts;
  texts.reserve(plan.keys.size());
  for (const ValuePlan &value : plan.keys)
    texts.push_back(utf8_text(std::visit(LabelText{context_}, decoder_.decode(value, key))));
  return texts;
}

const std::vector<uint64_t> &SeriesBudget::grant(std::span<const Want> wants) {
  granted_.resize(wants.size());
  uint64_t used = 0;
  for (size_t i = 0; i < wants.size(); ++i) {
    granted_[i] = std::min(granted_[i], wants[i].entries);
    used += granted_[i] * wants[i].series_of_entry;
  }
  uint64_t left = max_series_ > used ? max_series_ - used : 0;
  for (bool any = true; any;) {
    any = false;
    const auto hungry = static_cast<uint64_t>(std::ranges::count_if(
        wants, [&](const Want &want) { return granted_[static_cast<size_t>(&want - wants.data())] < want.entries; }));
    if (hungry == 0) break;
    const uint64_t share = left / hungry;
    for (size_t i = 0; i < wants.size(); ++i) {
      const uint64_t more = std::min(wants[i].entries - granted_[i], share / wants[i].series_of_entry);
      granted_[i] += more;
      left -= more * wants[i].series_of_entry;
      any |= more != 0;
    }
  }
  // What is left is less than a fair share of each, and may still do for an entry of some.
  for (size_t i = 0; i < wants.size(); ++i) {
    const uint64_t more = std::min(wants[i].entries - granted_[i], left / wants[i].series_of_entry);
    granted_[i] += more;
    left -= more * wants[i].series_of_entry;
  }
  return granted_;
}

MetricSnapshots::MetricSnapshots(AggregationStore &store, const std::vector<MetricFamily> &families,
                                 const LabelTexts &texts, uint64_t max_series)
    : store_(store), families_(families), texts_(texts), budget_(max_series) {
  for (const MetricFamily &family : families)
    bounds_.push_back(family.shape.is_histogram() ? histogram_bounds(family.shape) : Bounds());
}

void MetricSnapshots::copy_by_text(FamilySnapshot &snapshot, uint64_t entries) {
  const AggregationTable &table = store_.table(snapshot.family->aggregation);
  const size_t words = snapshot.plan->value_words;
  std::map<std::vector<std::string>, size_t> known;
  for (size_t i = 0; i < table.size(); ++i) {
    std::vector<std::string> labels = texts_.of(*snapshot.plan, table.key(i));
    auto found = known.find(labels);
    if (found == known.end()) {
      if (snapshot.nr_entries == entries) {
        ++snapshot.nr_left_out;
        continue;
      }
      snapshot.labels.push_back(labels);
      snapshot.words.resize(snapshot.words.size() + words);
      found = known.emplace(std::move(labels), snapshot.nr_entries++).first;
    }
    merge_words(snapshot.family->shape.function, std::span(snapshot.words).subspan(found->second * words, words),
                table.words(i));
  }
}

void MetricSnapshots::copy(FamilySnapshot &snapshot, uint64_t entries) {
  const AggregationTable &table = store_.table(snapshot.family->aggregation);
  bool by_text = false;
  for (size_t i = 0; i < entries && !by_text; ++i) by_text = !texts_differ(*snapshot.plan, table.key(i));
  if (by_text) return copy_by_text(snapshot, entries);
  snapshot.keys.reserve(entries * snapshot.plan->key_bytes);
  snapshot.words.reserve(entries * snapshot.plan->value_words);
  for (size_t i = 0; i < entries; ++i) {
    const std::span<const std::byte> key = table.key(i);
    const std::span<const uint64_t> words = table.words(i);
    snapshot.keys.insert(snapshot.keys.end(), key.begin(), key.end());
    snapshot.words.insert(snapshot.words.end(), words.begin(), words.end());
  }
  snapshot.nr_entries = entries;
  snapshot.nr_left_out = table.size() - entries;
}

std::vector<FamilySnapshot> MetricSnapshots::take() {
  std::vector<SeriesBudget::Want> wants;
  for (const MetricFamily &family : families_)
    wants.push_back({family.has_stack ? 0 : store_.table(family.aggregation).size(),
                     series_of_entry(family, bounds_[family.aggregation])});
  const std::vector<uint64_t> &granted = budget_.grant(wants);
  std::vector<FamilySnapshot> snapshots;
  for (const MetricFamily &family : families_) {
    FamilySnapshot &snapshot = snapshots.emplace_back();
    snapshot.family = &family;
    snapshot.plan = &store_.plan(family.aggregation);
    if (family.has_stack)
      snapshot.nr_left_out = store_.table(family.aggregation).size();
    else
      copy(snapshot, granted[family.aggregation]);
    for (size_t i = 0; family.shape.is_histogram() && i < snapshot.nr_entries; ++i)
      if (has_negative_count(snapshot.words_of(i))) ++snapshot.nr_negative;
  }
  return snapshots;
}

}  // namespace dtrace::runtime
