// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/inlined_calls.h"

#include <dwarf.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace dtrace::runtime {
namespace {

// Blocks and inlined functions in each other, and the namespaces around them.
constexpr unsigned kMaxCallNesting = 128;

bool states_code(Dwarf_Die *die) {
  return dwarf_hasattr(die, DW_AT_low_pc) != 0 || dwarf_hasattr(die, DW_AT_ranges) != 0;
}

}  // namespace

void InlinedCalls::add(Dwarf_Die die, const Around &around) {
  Dwarf_Die origin = dwarf_origin(die);
  const auto [known, is_new] = by_origin_.try_emplace(origin.addr, static_cast<uint32_t>(functions_.size()));
  if (is_new) functions_.push_back({origin, dwarf_linkage_name(&origin), {}});
  functions_[known->second].calls.push_back(static_cast<uint32_t>(calls_.size()));
  calls_.push_back({die, around.unit, around.line});
}

void InlinedCalls::read_scope(Dwarf_Die *scope, const Around &around, unsigned depth) {
  Dwarf_Die die;
  if (depth == kMaxCallNesting) {
    is_whole_ = false;
    return;
  }
  if (!first_child(scope, &die, file_.budget())) return;
  do {
    const int tag = dwarf_tag(&die);
    if (!may_hold_code(tag)) continue;
    if (tag == DW_TAG_inlined_subroutine && around.has_code) add(die, around);
    Around inside = around;
    if (tag == DW_TAG_subprogram) inside.has_code = states_code(&die);
    if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
      inside.line = dwarf_number(&die, DW_AT_decl_line).value_or(0);
    read_scope(&die, inside, depth + 1);
  } while (next_sibling(&die, file_.budget()));
}

void InlinedCalls::read() {
  if (is_read_) return;
  is_read_ = true;
  Dwarf_Die unit;
  for (Dwarf_CU *cu = nullptr;
       file_.budget().entries != 0 && dwarf_get_units(file_.get(), cu, &cu, nullptr, nullptr, &unit, nullptr) == 0;) {
    --file_.budget().entries;
    Result<Dwarf_Die> whole = file_.whole_unit(unit);
    if (whole)
      read_scope(&*whole, {.unit = dwarf_dieoffset(&unit)}, 0);
    else
      is_whole_ = false;
  }
  if (file_.budget().entries == 0) is_whole_ = false;
}

const std::vector<InlinedCalls::Function> &InlinedCalls::functions() {
  read();
  return functions_;
}

std::vector<InlinedCalls::Piece> InlinedCalls::pieces(const Call &call) {
  std::vector<Piece> result;
  Dwarf_Die die = call.die;
  Dwarf_Addr base = 0, start = 0, end = 0;
  for (ptrdiff_t at = 0; file_.budget().entries != 0 && (at = dwarf_ranges(&die, at, &base, &start, &end)) > 0;) {
    --file_.budget().entries;
    if (start < end) result.emplace_back(start, end);
  }
  std::ranges::sort(result);
  return result;
}

std::vector<uint64_t> InlinedCalls::statements(const Function &function, const Call &call) {
  Dwarf_Die die = function.die;
  const uint64_t line = dwarf_number(&die, DW_AT_decl_line).value_or(0);
  if (line == 0 || dwarf_number(&die, DW_AT_decl_column).value_or(0) == 0) return {};
  const std::vector<Piece> pieces = this->pieces(call);
  const std::string_view file = lines_.source_file(function.die);
  const uint64_t end = call.around_line > line ? call.around_line : UINT64_MAX;
  std::vector<uint64_t> found;
  const bool is_whole = lines_.each_statement(call.unit, [&](std::string_view of, uint64_t at, uint64_t address) {
    if (at < line || at >= end || of != file) return;
    const auto after = std::ranges::upper_bound(pieces, address, {}, &Piece::first);
    if (after != pieces.begin() && address < std::prev(after)->second) found.push_back(address);
  });
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return is_whole ? found : std::vector<uint64_t>();
}

InlinedCalls::RowsByPlace InlinedCalls::rows_in(const Call &call, const std::function<bool(uint64_t address)> &counts) {
  const std::vector<Piece> pieces = this->pieces(call);
  RowsByPlace rows;
  const bool is_whole = lines_.each_line_row(call.unit, [&](std::string_view file, const LineRow &row) {
    const auto after = std::ranges::upper_bound(pieces, row.address, {}, &Piece::first);
    if (row.line == 0 || after == pieces.begin() || row.address >= std::prev(after)->second || !counts(row.address))
      return;
    Rows &of = rows[{file, row.line, row.column}];
    of.addresses.push_back(row.address);
    of.is_statement |= row.is_statement;
  });
  if (!is_whole) return {};
  for (auto &[place, of] : rows) {
    std::ranges::sort(of.addresses);
    of.addresses.erase(std::unique(of.addresses.begin(), of.addresses.end()), of.addresses.end());
  }
  return rows;
}

std::vector<uint64_t> InlinedCalls::repeated_rows(const Call &call, uint64_t begin,
                                                  const std::function<bool(uint64_t address)> &counts) {
  RowsByPlace rows = rows_in(call, counts);
  std::vector<uint64_t> *best = nullptr;
  for (auto &[place, of] : rows) {
    const auto distance = [&](uint64_t address) { return address >= begin ? address - begin : UINT64_MAX; };
    if (best == nullptr || of.addresses.size() < best->size() ||
        (of.addresses.size() == best->size() && distance(of.addresses.front()) < distance(best->front())))
      best = &of.addresses;
  }
  return best == nullptr ? std::vector<uint64_t>() : std::move(*best);
}

size_t InlinedCalls::fewest_expression_rows(const Call &call) {
  size_t fewest = 0;
  for (const auto &[place, of] : rows_in(call, [](uint64_t) { return true; }))
    if (!of.is_statement && (fewest == 0 || of.addresses.size() < fewest)) fewest = of.addresses.size();
  return fewest;
}

std::optional<uint64_t> InlinedCalls::stated_entry(const Call &call) {
  Dwarf_Die die = call.die;
  Dwarf_Attribute found;
  if (dwarf_attr(&die, DW_AT_entry_pc, &found) == nullptr) return std::nullopt;
  Dwarf_Addr address = 0;
  if (dwarf_formaddr(&found, &address) == 0) return address;
  // DWARF 5: or a distance from where the code begins.
  Dwarf_Word distance = 0;
  Dwarf_Addr base = 0, start = 0, end = 0;
  if (dwarf_formudata(&found, &distance) != 0) return std::nullopt;
  if (dwarf_lowpc(&die, &start) != 0 && dwarf_ranges(&die, 0, &base, &start, &end) <= 0) return std::nullopt;
  return start + distance;
}

std::optional<uint64_t> InlinedCalls::line_of(const Call &call) {
  Dwarf_Die die = call.die;
  return dwarf_number(&die, DW_AT_call_line);
}

namespace {

InlinedCalls::Marks marks_of(std::string_view producer) {
  const auto has = [&](std::string_view text) { return producer.find(text) != std::string_view::npos; };
  if (!producer.starts_with("GNU ")) return InlinedCalls::Marks::kNone;
  return producer.starts_with("GNU C") && !has("-funroll-") && !has("-flto") ? InlinedCalls::Marks::kAll
                                                                             : InlinedCalls::Marks::kSome;
}

}  // namespace

InlinedCalls::Marks InlinedCalls::marks_of_copies(const Call &call) {
  const auto [known, is_new] = marks_.try_emplace(call.unit, Marks::kNone);
  Dwarf_Die unit;
  Dwarf_Attribute found;
  if (is_new && dwarf_offdie(file_.get(), call.unit, &unit) != nullptr)
    if (Result<Dwarf_Die> whole = file_.whole_unit(unit);
        whole && dwarf_attr(&*whole, DW_AT_producer, &found) != nullptr)
      if (const char *producer = dwarf_formstring(&found); producer != nullptr) known->second = marks_of(producer);
  return known->second;
}

namespace {

/// Calls by where their code is.
class CallsByCode {
 public:
  CallsByCode(InlinedCalls &all, const std::vector<uint32_t> &calls) {
    for (const uint32_t number : calls) {
      const InlinedCalls::Call &call = all.call(number);
      const std::vector<InlinedCalls::Piece> pieces = all.pieces(call);
      std::optional<uint64_t> entry = InlinedCalls::stated_entry(call);
      if (!entry && !pieces.empty()) entry = pieces.front().first;
      if (entry) entries_.emplace(*entry, number);
      for (const InlinedCalls::Piece &piece : pieces) code_.push_back({piece.first, piece.second, number});
    }
    std::ranges::stable_sort(code_, {}, &Code::start);
  }

  /// The calls that begin at an address, the outer ones first; else that whose code is next. Empty: it has no code.
  std::vector<uint32_t> at(uint64_t address) const {
    std::vector<uint32_t> found;
    const auto [first, last] = entries_.equal_range(address);
    for (auto entry = first; entry != last; ++entry) found.push_back(entry->second);
    if (!found.empty()) return found;
    // A function that is inlined in itself has calls in each other.
    constexpr ptrdiff_t kLookBack = 32;
    const auto after = std::ranges::upper_bound(code_, address, {}, &Code::start);
    const auto from = after - std::min<ptrdiff_t>(kLookBack, after - code_.begin());
    for (auto code = from; code != after; ++code)
      if (address < code->end) found.push_back(code->call);
    if (!found.empty() || code_.empty()) return found;
    return {after != code_.end() ? after->call : code_.back().call};
  }

 private:
  struct Code {
    uint64_t start, end;
    uint32_t call;
  };
  std::vector<Code> code_;
  std::multimap<uint64_t, uint32_t> entries_;
};

}  // namespace

std::vector<InlinedCalls::Begin> InlinedCalls::marked_begins(std::span<const Function *const> functions) {
  using Place = std::pair<uint64_t, uint64_t>;
  const auto place_of = [](const Function &function) {
    Dwarf_Die die = function.die;
    return Place(dwarf_number(&die, DW_AT_decl_line).value_or(0), dwarf_number(&die, DW_AT_decl_column).value_or(0));
  };
  std::set<Place> wanted;
  for (const Function *function : functions) wanted.insert(place_of(*function));
  // Source files that include a header have its functions each, and a template's functions are declared at one line.
  std::map<std::pair<std::string_view, Place>, std::vector<uint32_t>> calls_at;
  std::vector<Dwarf_Off> units;
  for (const Function &function : functions_) {
    const Place place = place_of(function);
    if (place.first == 0 || place.second == 0 || !wanted.contains(place)) continue;
    std::vector<uint32_t> &calls = calls_at[{lines_.source_file(function.die), place}];
    calls.insert(calls.end(), function.calls.begin(), function.calls.end());
    for (const uint32_t number : function.calls) units.push_back(calls_[number].unit);
  }
  std::ranges::sort(units);
  units.erase(std::unique(units.begin(), units.end()), units.end());
  std::vector<DwarfLines::Declaration> declarations;
  for (auto &[at, calls] : calls_at) {
    std::ranges::sort(calls);
    declarations.push_back({at.first, at.second.first, at.second.second});
  }
  std::vector<std::vector<uint64_t>> rows(declarations.size());
  const auto note = [&](size_t which, uint64_t address) { rows[which].push_back(address); };
  if (!lines_.each_row_of(declarations, units, note)) is_whole_ = false;

  std::vector<Begin> begins;
  size_t i = 0;
  for (const auto &[at, numbers] : calls_at) {
    std::vector<uint64_t> &addresses = rows[i++];
    if (addresses.empty()) continue;
    std::ranges::sort(addresses);
    const CallsByCode calls(*this, numbers);
    for (auto row = addresses.begin(); row != addresses.end();) {
      const auto next = std::find_if(row, addresses.end(), [&](uint64_t address) { return address != *row; });
      const auto count = static_cast<size_t>(next - row);
      const std::vector<uint32_t> here = calls.at(*row);
      for (size_t k = 0; k < count && !here.empty(); ++k) {
        const bool is_own = here.size() == count;
        begins.push_back({is_own ? here[k] : here.back(), *row, !is_own && count > 1});
      }
      row = next;
    }
  }
  return begins;
}

}  // namespace dtrace::runtime
