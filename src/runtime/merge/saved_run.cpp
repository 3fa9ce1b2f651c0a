// SPDX-License-Identifier: Apache-2.0
#include "runtime/merge/saved_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

namespace dtrace::runtime {
namespace {

using Json = nlohmann::json;

constexpr int kVersion = 1;
constexpr size_t kMaxKeys = 256, kMaxFrames = 4096;

const Json *member(const Json &object, const char *name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

std::optional<std::string> text_of(const Json *value) {
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return value->get<std::string>();
}

/// An integer within bounds.
std::optional<uint64_t> number_of(const Json *value, uint64_t most = std::numeric_limits<uint64_t>::max()) {
  if (value == nullptr || !value->is_number_unsigned()) return std::nullopt;
  const auto number = value->get<uint64_t>();
  return number <= most ? std::optional(number) : std::nullopt;
}

/// 64 bits of an integer with or without a sign.
std::optional<uint64_t> bits_of(const Json *value) {
  if (value == nullptr || !value->is_number_integer()) return std::nullopt;
  return value->is_number_unsigned() ? value->get<uint64_t>() : static_cast<uint64_t>(value->get<int64_t>());
}

std::optional<int64_t> signed_of(const Json &value, int64_t least, int64_t most) {
  const std::optional<uint64_t> bits = bits_of(&value);
  if (!bits) return std::nullopt;
  if (value.is_number_unsigned() && *bits > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
    return std::nullopt;
  const auto number = static_cast<int64_t>(*bits);
  return number >= least && number <= most ? std::optional(number) : std::nullopt;
}

/// "0x1f"
std::optional<uint64_t> address_of(const Json *value) {
  const std::optional<std::string> text = text_of(value);
  if (!text || !text->starts_with("0x")) return std::nullopt;
  uint64_t address = 0;
  const char *const end = text->data() + text->size();
  const auto [rest, error] = std::from_chars(text->data() + 2, end, address, 16);
  return error == std::errc() && rest == end ? std::optional(address) : std::nullopt;
}

std::optional<std::string> bytes_of(const Json *value) {
  const std::optional<std::string> digits = text_of(value);
  if (!digits || digits->size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (size_t i = 0; i < digits->size(); i += 2) {
    unsigned byte = 0;
    const auto [rest, error] = std::from_chars(digits->data() + i, digits->data() + i + 2, byte, 16);
    if (error != std::errc() || rest != digits->data() + i + 2) return std::nullopt;
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

// ---------------------------------------------------------------- types and parameters

/// "i4"
bool read_integer_type(std::string_view word, uint8_t &bytes, bool &is_signed) {
  if (word.size() != 2 || (word[0] != 'i' && word[0] != 'u') || std::string_view("1248").find(word[1]) == word.npos)
    return false;
  is_signed = word[0] == 'i';
  bytes = static_cast<uint8_t>(word[1] - '0');
  return true;
}

std::optional<SavedKeyType> type_of(const std::string &word) {
  SavedKeyType type;
  if (word == "text") return type;
  type.kind = SavedKeyType::Kind::kStack;
  if (word == "stack") return type;
  type.kind = SavedKeyType::Kind::kSymbol;
  if (word == "symbol") return type;
  type.kind = SavedKeyType::Kind::kInteger;
  const size_t slash = word.find('/');
  if (!read_integer_type(std::string_view(word).substr(0, slash), type.bytes, type.is_signed)) return std::nullopt;
  if (slash != std::string::npos &&
      !read_integer_type(std::string_view(word).substr(slash + 1), type.first_bytes, type.first_is_signed))
    return std::nullopt;
  return type;
}

std::optional<AggregatingFunction> function_of(const std::string &name) {
  for (size_t i = 0; i < std::size(kAggregating); ++i)
    if (dtrace::row(kAggregating[i].builtin).name == name) return static_cast<AggregatingFunction>(i);
  return std::nullopt;
}

/// The front end's conditions, which keep the arithmetic of buckets within its bounds.
bool read_linear(const Json &values, LquantizeParams &params) {
  constexpr int64_t kLeast = std::numeric_limits<int32_t>::min(), kMax = std::numeric_limits<int32_t>::max();
  if (values.size() != 3) return false;
  const auto base = signed_of(values[0], kLeast, kMax), limit = signed_of(values[1], kLeast, kMax);
  const auto step = signed_of(values[2], 1, std::numeric_limits<uint16_t>::max());
  if (!base || !limit || !step || *limit < *base) return false;
  const int64_t levels = (*limit - *base) / *step;
  params = {static_cast<int32_t>(*base), static_cast<int32_t>(*limit), static_cast<uint32_t>(*step)};
  return levels >= 1 && levels <= std::numeric_limits<uint16_t>::max();
}

bool read_log_linear(const Json &values, LlquantizeParams &params) {
  if (values.size() != 4) return false;
  uint16_t read[4];
  for (size_t i = 0; i < 4; ++i) {
    const auto value = signed_of(values[i], 0, std::numeric_limits<uint16_t>::max());
    if (!value) return false;
    read[i] = static_cast<uint16_t>(*value);
  }
  const auto [factor, low, high, steps] = read;
  if (factor < 2 || low > high || steps == 0) return false;
  int64_t bound = 1;
  for (int i = 0; i <= high; ++i)
    if (__builtin_mul_overflow(bound, int64_t{factor}, &bound)) return false;
  uint64_t power = factor;
  while (power < steps) power *= factor;
  params = {factor, low, high, steps};
  return steps < factor ? factor % steps == 0 : steps % factor == 0 && power % steps == 0;
}

bool read_parameters(const Json &line, AggregationShape &shape) {
  const Json *values = member(line, "parameters");
  const bool is_array = values != nullptr && values->is_array();
  if (shape.function == AggregatingFunction::kLquantize) return is_array && read_linear(*values, shape.params.linear);
  if (shape.function == AggregatingFunction::kLlquantize)
    return is_array && read_log_linear(*values, shape.params.log_linear);
  return true;
}

// ---------------------------------------------------------------- entries

bool read_words(const Json *values, const AggregationShape &shape, std::vector<uint64_t> &words) {
  if (values == nullptr || !values->is_array()) return false;
  words.assign(shape.words(), 0);
  if (!shape.is_histogram()) {
    if (values->size() != words.size()) return false;
    for (size_t i = 0; i < words.size(); ++i) {
      const auto word = number_of(&(*values)[i]);
      if (!word) return false;
      words[i] = *word;
    }
    return true;
  }
  for (const Json &pair : *values) {
    if (!pair.is_array() || pair.size() != 2) return false;
    const auto bucket = number_of(&pair[0], words.size() - 1);
    const auto count = bits_of(&pair[1]);
    if (!bucket || !count) return false;
    words[*bucket] = *count;
  }
  return true;
}

/// The constant text of a language: frames keep no other.
std::string_view language_of(std::string_view name) {
  static constexpr std::string_view kLanguages[] = {"python", "java"};
  const auto *const known = std::ranges::find(kLanguages, name);
  return known == std::end(kLanguages) ? "managed" : *known;
}

std::optional<SavedKey> read_stack(const Json &value, const Json *more) {
  SavedStack stack;
  if (!value.is_array() || value.size() > kMaxFrames) return std::nullopt;
  if (more != nullptr) {
    const auto pid = number_of(member(*more, "pid"), std::numeric_limits<pid_t>::max());
    const auto end = number_of(member(*more, "end"), std::numeric_limits<uint32_t>::max());
    if (!pid || !end) return std::nullopt;
    stack.pid = static_cast<pid_t>(*pid);
    stack.end = static_cast<uint32_t>(*end);
  }
  bool goes_on = false;  // what comes is around an inlined function
  for (const Json &frame : value) {
    if (member(frame, "cut") != nullptr) continue;
    const auto language = text_of(member(frame, "language"));
    const auto address = language ? std::optional<uint64_t>(0) : address_of(member(frame, "address"));
    const auto symbol = text_of(member(frame, "symbol"));
    if (!address || (*address == 0) != language.has_value() || !symbol) return std::nullopt;
    if (!goes_on) stack.frames.push_back({*address, {}});
    if (stack.frames.back().address != *address) return std::nullopt;
    const bool is_inlined = member(frame, "inlined") != nullptr;
    stack.frames.back().functions.push_back({*symbol, text_of(member(frame, "source")).value_or(""), is_inlined,
                                             language ? language_of(*language) : std::string_view()});
    goes_on = is_inlined;
  }
  return stack;
}

std::optional<SavedKey> read_key(const SavedKeyType &type, const Json &value, const Json *more) {
  if (more != nullptr && more->is_null()) more = nullptr;
  switch (type.kind) {
    case SavedKeyType::Kind::kInteger: {
      const auto bits = bits_of(&value);
      if (!bits) return std::nullopt;
      const Integer whole{*bits, type.bytes, type.is_signed};
      if (type.first_bytes == 0) return whole;
      const Integer first{*bits, type.first_bytes, type.first_is_signed};
      const uint64_t extended = first.is_signed ? static_cast<uint64_t>(first.as_signed()) : first.as_unsigned();
      return extended == *bits ? first : whole;
    }
    case SavedKeyType::Kind::kText: {
      auto text = more != nullptr ? bytes_of(member(*more, "bytes")) : text_of(&value);
      return text ? std::optional<SavedKey>(std::move(*text)) : std::nullopt;
    }
    case SavedKeyType::Kind::kStack:
      return read_stack(value, more);
    case SavedKeyType::Kind::kSymbol:
      break;
  }
  if (more == nullptr) return std::nullopt;
  const auto kind = number_of(member(*more, "kind"), static_cast<uint64_t>(SymbolKind::kUaddr));
  const auto pid = number_of(member(*more, "pid"), std::numeric_limits<pid_t>::max());
  const auto address = address_of(member(*more, "address"));
  auto text = text_of(&value);
  if (!kind || !pid || !address || !text) return std::nullopt;
  return SavedSymbol{{static_cast<SymbolKind>(*kind), static_cast<pid_t>(*pid), *address}, std::move(*text)};
}

Result<SavedAggregation> read_aggregation(const Json &line) {
  SavedAggregation saved;
  const auto name = text_of(member(line, "name")), function_name = text_of(member(line, "function"));
  const auto function = function_name ? function_of(*function_name) : std::nullopt;
  if (!name || !function) return Error("an aggregation without name or function");
  saved.name = *name;
  saved.shape.function = *function;
  const std::string shown = saved.name == "_" ? "@" : "@" + saved.name;
  const Json *types = member(line, "types");
  if (types == nullptr) return Error(shown + " has no exact values: it is from a dtrace that did not save them");
  if (!read_parameters(line, saved.shape)) return Error(shown + ": bad parameters");
  const auto id = number_of(member(line, "id"), std::numeric_limits<uint32_t>::max());
  const Json *normal = member(line, "normal");
  std::optional<int64_t> factor = 1;
  if (normal != nullptr) factor = normal->is_number_integer() ? std::optional(normal->get<int64_t>()) : std::nullopt;
  if (!id || !factor || *factor == 0 || !types->is_array() || types->size() > kMaxKeys)
    return Error(shown + ": bad id, normal or types");
  saved.id = static_cast<uint32_t>(*id);
  saved.normal = static_cast<uint64_t>(*factor);
  for (const Json &word : *types) {
    if (word.is_string() && word.get<std::string>() == "bytes")
      return Error(shown + ": keys that are structs, arrays or floating-point numbers cannot be merged");
    const auto type = word.is_string() ? type_of(word.get<std::string>()) : std::nullopt;
    if (!type) return Error(shown + ": bad type of a key");
    saved.types.push_back(*type);
  }
  const Json *entries = member(line, "entries");
  if (entries == nullptr || !entries->is_array()) return Error(shown + ": no entries");
  saved.entries.reserve(entries->size());
  for (const Json &entry : *entries) {
    SavedEntry &made = saved.entries.emplace_back();
    const Json *keys = member(entry, "keys"), *exact = member(entry, "exact");
    const bool fits = keys != nullptr && keys->is_array() && keys->size() == saved.types.size() &&
                      (exact == nullptr || (exact->is_array() && exact->size() == keys->size()));
    if (!fits) return Error(shown + ": an entry without its keys");
    for (size_t i = 0; i < keys->size(); ++i) {
      std::optional<SavedKey> key = read_key(saved.types[i], (*keys)[i], exact == nullptr ? nullptr : &(*exact)[i]);
      if (!key) return Error(fmt::format("{}: bad key {}", shown, i + 1));
      made.keys.push_back(std::move(*key));
    }
    if (!read_words(member(entry, "words"), saved.shape, made.words)) return Error(shown + ": bad words of an entry");
  }
  return saved;
}

// ---------------------------------------------------------------- runs

Result<Unit> read_end(const Json &line, SavedRun &run) {
  const auto status = number_of(member(line, "status"), 255);
  const Json *losses = member(line, "losses");
  if (!status || losses == nullptr || !losses->is_array()) return Error("bad end of a run");
  run.status = static_cast<int>(*status);
  for (const Json &saved : *losses) {
    const auto name = text_of(member(saved, "cause"));
    Loss loss;
    uint32_t cause = 0;
    while (cause < static_cast<uint32_t>(Cause::kCount) && name && cause_name(static_cast<Cause>(cause)) != *name)
      ++cause;
    const bool is_known = has_known_count(static_cast<Cause>(cause));
    const auto count = number_of(member(saved, is_known ? "count" : "times"));
    if (!name || !count || cause == static_cast<uint32_t>(Cause::kCount)) return Error("bad loss");
    loss.cause = static_cast<Cause>(cause);
    loss.count = *count;
    if (const auto cpu = number_of(member(saved, "cpu"), UINT32_MAX)) loss.cpu = static_cast<unsigned>(*cpu);
    loss.program = text_of(member(saved, "program")).value_or(text_of(member(saved, "file")).value_or(""));
    loss.longest_ns = number_of(member(saved, "longest_ns")).value_or(0);
    run.losses.emplace_back(std::move(loss), text_of(member(saved, "clause")).value_or(""));
  }
  return ok();
}

/// Names of what printa() showed in a row.
void note_shown(const Json &line, std::vector<std::string> &names) {
  const Json *data = member(line, "data");
  if (data == nullptr || !data->is_array()) return;
  for (const Json &item : *data)
    if (const Json *shown = member(item, "aggregations"); shown != nullptr && shown->is_array())
      for (const Json &aggregation : *shown)
        if (auto name = text_of(member(aggregation, "name"));
            name && std::ranges::find(names, *name) == names.end() && names.size() < kMaxKeys)
          names.push_back(std::move(*name));
}

class Reader {
 public:
  explicit Reader(const std::function<Result<Unit>(SavedRun)> &take) : take_(take) {}

  Result<Unit> line(std::string_view text, size_t number) {
    Json line = Json::parse(text, nullptr, false);  // as it is, or as another program has written it anew
    auto type = type_of(line);
    if (!type || !is_ours(*type)) {
      // A program whose last line has no end puts its text before ours.
      const size_t begin = begin_of_line(text);
      if (begin != 0) note_foreign(number);
      if (begin == std::string_view::npos) return ok();
      line = Json::parse(text.substr(begin), nullptr, false);
      type = type_of(line);
      if (!type) return Error("not a line of JSON output");
    }
    if (*type == "begin") {
      if (run_) return Error("a run begins within a run: the one before has no end");
      if (number_of(member(line, "version")) != std::optional<uint64_t>(kVersion))
        return Error("another version of the format");
      run_.emplace();
      run_->boot = text_of(member(line, "boot")).value_or("");
      run_->program = text_of(member(line, "program")).value_or("");
      return ok();
    }
    if (!run_) return Error("no run has begun");
    if (*type == "row") note_shown(line, run_->shown_by_printa);
    if (*type == "aggregation") {
      Result<SavedAggregation> saved = read_aggregation(line);
      if (!saved) return saved.error();
      std::string name = saved->name;
      run_->aggregations.insert_or_assign(std::move(name), std::move(*saved));  // the last one is the latest
    }
    if (*type != "end") return ok();
    if (Result<Unit> read = read_end(line, *run_); !read) return read;
    const auto is_saved = [&](const std::string &name) { return run_->aggregations.contains(name); };
    std::erase_if(run_->shown_by_printa, is_saved);
    SavedRun run = std::move(*run_);
    run_.reset();
    any_ = true;
    return take_(std::move(run));
  }

  Result<ForeignLines> end() const {
    if (run_) return Error("the run has no end: dtrace was killed, or the disk was full");
    if (any_) return foreign_;
    if (foreign_.count == 0) return Error("there is no run in it");
    return Error("not the output of dtrace -x format=json").during(fmt::format("line {}", foreign_.first));
  }

 private:
  static std::optional<std::string> type_of(const Json &line) {
    return line.is_object() ? text_of(member(line, "type")) : std::nullopt;
  }

  /// Programs print JSON of their own, with types of their own.
  static bool is_ours(std::string_view type) {
    static constexpr std::string_view kTypes[] = {"begin",   "row",  "aggregation", "fault", "more-faults",
                                                  "failure", "lost", "interrupted", "end"};
    return std::ranges::find(kTypes, type) != std::end(kTypes);
  }

  /// Where a line of dtrace begins; npos: nowhere.
  static size_t begin_of_line(std::string_view text) {
    static constexpr std::string_view kBegin = R"({"type":")";
    for (size_t at = text.find(kBegin); at != text.npos; at = text.find(kBegin, at + 1)) {
      const std::string_view rest = text.substr(at + kBegin.size());
      if (is_ours(rest.substr(0, rest.find('"')))) return at;
    }
    return text.npos;
  }

  void note_foreign(size_t number) {
    if (foreign_.count++ == 0) foreign_.first = number;
  }

  const std::function<Result<Unit>(SavedRun)> &take_;
  std::optional<SavedRun> run_;
  ForeignLines foreign_;
  bool any_ = false;
};

}  // namespace

Result<ForeignLines> read_saved_runs(std::istream &in, const std::function<Result<Unit>(SavedRun)> &take) {
  Reader reader(take);
  std::string text;
  for (size_t number = 1; std::getline(in, text); ++number)
    if (Result<Unit> read = reader.line(text, number); !read)
      return std::move(read.error()).during(fmt::format("line {}", number));
  return reader.end();
}

}  // namespace dtrace::runtime
