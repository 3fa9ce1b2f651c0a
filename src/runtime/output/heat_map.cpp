// SPDX-License-Identifier: Apache-2.0
#include "runtime/output/heat_map.h"

#include <algorithm>
#include <tuple>

#include "base/printable.h"

namespace dtrace::runtime {
namespace {

std::string shown_name(std::string_view name) { return name == "_" ? "@" : "@" + std::string(name); }

bool comes_before(const HeatCell &a, const HeatCell &b) {
  return std::tie(a.key, a.bucket) < std::tie(b.key, b.bucket);
}

/// The sum of two columns' cells.
std::vector<HeatCell> sum_of(const std::vector<HeatCell> &a, const std::vector<HeatCell> &b) {
  std::vector<HeatCell> all(a.size() + b.size()), sum;
  std::ranges::merge(a, b, all.begin(), comes_before);
  for (const HeatCell &cell : all) {
    if (!sum.empty() && sum.back().key == cell.key && sum.back().bucket == cell.bucket)
      sum.back().count += cell.count;
    else
      sum.push_back(cell);
  }
  std::erase_if(sum, [](const HeatCell &cell) { return cell.count == 0; });
  return sum;
}

}  // namespace

HeatMaps::Known &HeatMaps::known(const AggregationView &view) {
  const auto [found, is_new] = known_.try_emplace(view.id);
  if (is_new) {
    found->second.map = maps_.size();
    HeatMap &map = maps_.emplace_back();
    map.name = shown_name(view.name);
    map.shape = view.shape;
    map.quantity = plan_.aggregations[view.id].quantity;
    for (const std::string &text : plan_.aggregations[view.id].key_texts) map.key_names.push_back(one_line(text));
  }
  return found->second;
}

std::string HeatMaps::key_text(const AggregationPlan &plan, const AggregationEntry &entry) const {
  std::string text;
  for (size_t i = 0; i < entry.keys.size(); ++i) {
    if (i != 0) text += ", ";
    text += values_.text(entry.keys[i], i < plan.keys.size() ? plan.keys[i].type : TypeId{});
  }
  return printable(text);
}

void HeatMaps::show(AggregationViews views, uint64_t now_ns) {
  for (const AggregationView *view : views) {
    if (!view->shape.is_histogram()) {
      others_.insert(shown_name(view->name));
      continue;
    }
    Known &known = this->known(*view);
    HeatMap &map = maps_[known.map];
    HeatColumn column{map.columns.empty() ? begin_ns_ : map.columns.back().end_ns, now_ns, {}};
    std::map<uint32_t, Words> shown;
    for (const AggregationEntry &entry : view->entries) {
      const auto [found, is_new] =
          known.keys.try_emplace(key_text(plan_.aggregations[view->id], entry), static_cast<uint32_t>(map.keys.size()));
      if (is_new) map.keys.push_back(found->first);
      Words &words = shown[found->second];  // several entries may have one text
      words.resize(entry.words.size());
      for (size_t i = 0; i < words.size(); ++i) words[i] += entry.words[i];
    }
    for (const auto &[key, words] : shown) {
      const auto before = known.before.find(key);  // none: trunc() has removed it, or it is new
      for (uint32_t bucket = 0; bucket < words.size(); ++bucket) {
        const uint64_t old = before == known.before.end() ? 0 : before->second[bucket];
        const int64_t count = normalised(static_cast<int64_t>(words[bucket]), view->normal) -
                              normalised(static_cast<int64_t>(old), view->normal);
        if (count != 0) column.cells.push_back({key, bucket, count});
      }
    }
    known.before = std::move(shown);
    map.columns.push_back(std::move(column));
    if (map.columns.size() > kMaxColumns) join_columns(map);
  }
}

void HeatMaps::clear(std::span<const uint32_t> aggregations) {
  for (const uint32_t index : aggregations)
    if (const auto found = known_.find(index); found != known_.end()) found->second.before.clear();
}

void HeatMaps::join_columns(HeatMap &map) {
  size_t to = 0;
  for (size_t from = 0; from < map.columns.size(); from += 2, ++to) {
    HeatColumn joined = std::move(map.columns[from]);
    if (from + 1 < map.columns.size()) {
      joined.cells = sum_of(joined.cells, map.columns[from + 1].cells);
      joined.end_ns = map.columns[from + 1].end_ns;
    }
    map.columns[to] = std::move(joined);
  }
  map.columns.resize(to);
  map.joined *= 2;
}

}  // namespace dtrace::runtime
