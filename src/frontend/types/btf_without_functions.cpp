// SPDX-License-Identifier: Apache-2.0
#include "frontend/types/btf_without_functions.h"

#include <cstring>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace dtrace {
namespace {

using Kind = BtfIndex::Kind;

constexpr uint32_t kOldHeaderBytes = 24;

/// What the words of an item mean.
enum class Word : uint8_t { kPlain, kName, kType };

/// What follows the head of a record: `fixed` words, then `vlen` items.
struct Shape {
  bool refers = false;  ///< the word behind the head's flags is a type, not a size
  std::vector<Word> fixed, item;
};

std::optional<Shape> shape_of(Kind kind) {
  switch (kind) {
    case Kind::kInt:
      return Shape{false, {Word::kPlain}, {}};
    case Kind::kPtr:
    case Kind::kTypedef:
    case Kind::kVolatile:
    case Kind::kConst:
    case Kind::kRestrict:
    case Kind::kTypeTag:
      return Shape{true, {}, {}};
    case Kind::kArray:
      return Shape{false, {Word::kType, Word::kType, Word::kPlain}, {}};
    case Kind::kStruct:
    case Kind::kUnion:
      return Shape{false, {}, {Word::kName, Word::kType, Word::kPlain}};
    case Kind::kEnum:
      return Shape{false, {}, {Word::kName, Word::kPlain}};
    case Kind::kEnum64:
      return Shape{false, {}, {Word::kName, Word::kPlain, Word::kPlain}};
    case Kind::kFuncProto:
      return Shape{true, {}, {Word::kName, Word::kType}};
    case Kind::kVar:
      return Shape{true, {Word::kPlain}, {}};
    case Kind::kFwd:
    case Kind::kFloat:
      return Shape{};
    default:
      return std::nullopt;
  }
}

bool is_left_out(Kind kind) { return kind == Kind::kFunc || kind == Kind::kDatasec || kind == Kind::kDeclTag; }

uint32_t word_at(const std::byte *at) {
  uint32_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

class Subset {
 public:
  explicit Subset(const BtfIndex &index) : index_(index), numbers_(size_t{index.last_id()} + 1) {}

  Result<std::string> make() {
    if (index_.base() != nullptr) return Error("split BTF");
    const std::byte *const head = index_.bytes().data();
    strings_ = std::string_view(reinterpret_cast<const char *>(head), index_.bytes().size())
                   .substr(size_t{word_at(head + 4)} + word_at(head + 16), word_at(head + 20));
    if (Result<Unit> marked = mark(); !marked) return std::move(marked.error());
    uint32_t next = 0;
    for (uint32_t &number : numbers_)
      if (number != 0) number = ++next;
    for (uint32_t id = 1; id < numbers_.size(); ++id)
      if (numbers_[id] != 0)
        if (Result<Unit> done = write(*index_.record(id)); !done) return std::move(done.error());
    return blob();
  }

 private:
  /// Sets the numbers of what stays to 1.
  Result<Unit> mark() {
    std::vector<uint32_t> waiting;
    for (uint32_t id = 1; id < numbers_.size(); ++id) {
      const std::optional<BtfIndex::Record> record = index_.record(id);
      if (!record) return Error("a type cannot be read");
      if (is_left_out(record->kind)) continue;
      if (!shape_of(record->kind)) return Error("a type is of an unknown kind");
      if (record->kind != Kind::kFuncProto) waiting.push_back(id);  // prototypes stay for what refers to them
    }
    while (!waiting.empty()) {
      const uint32_t id = waiting.back();
      waiting.pop_back();
      if (numbers_[id] != 0) continue;
      numbers_[id] = 1;
      const BtfIndex::Record record = *index_.record(id);
      bool is_sound = true;
      const auto refer = [&](uint32_t to) {
        if (to >= numbers_.size() || (to != 0 && is_left_out(index_.record(to)->kind)))
          is_sound = false;
        else if (to != 0 && numbers_[to] == 0)
          waiting.push_back(to);
      };
      const Shape shape = *shape_of(record.kind);
      if (shape.refers) refer(record.size_or_type);
      for_each_word(record, shape, [&](Word meaning, uint32_t word) {
        if (meaning == Word::kType) refer(word);
      });
      if (!is_sound) return Error("a type refers to none");
    }
    return ok();
  }

  template <typename Visit>
  static void for_each_word(const BtfIndex::Record &record, const Shape &shape, Visit visit) {
    const std::byte *at = record.data;
    const auto each = [&](const std::vector<Word> &words) {
      for (const Word meaning : words) {
        visit(meaning, word_at(at));
        at += sizeof(uint32_t);
      }
    };
    each(shape.fixed);
    if (!shape.item.empty())
      for (uint32_t i = 0; i < record.vlen; ++i) each(shape.item);
  }

  Result<Unit> write(const BtfIndex::Record &record) {
    const Shape shape = *shape_of(record.kind);
    put(types_, name(record.name));
    put(types_, (record.kind_flag ? 1U << 31 : 0) | static_cast<uint32_t>(record.kind) << 24 | record.vlen);
    put(types_, shape.refers ? numbers_[record.size_or_type] : record.size_or_type);
    bool is_sound = true;
    for_each_word(record, shape, [&](Word meaning, uint32_t word) {
      if (meaning == Word::kType) word = numbers_[word];
      if (meaning == Word::kName) {
        const size_t end = word < strings_.size() ? strings_.find('\0', word) : std::string_view::npos;
        is_sound = is_sound && end != std::string_view::npos;
        if (is_sound) word = name(strings_.substr(word, end - word));
      }
      put(types_, word);
    });
    if (!is_sound) return Error("a name lies outside of its section");
    return ok();
  }

  uint32_t name(std::string_view text) {
    if (text.empty()) return 0;
    const auto [known, is_new] = names_.try_emplace(text, static_cast<uint32_t>(new_strings_.size()));
    if (is_new) (new_strings_ += text) += '\0';
    return known->second;
  }

  static void put(std::string &to, uint32_t word) { to.append(reinterpret_cast<const char *>(&word), sizeof word); }

  std::string blob() const {
    std::string blob;
    blob.append(reinterpret_cast<const char *>(index_.bytes().data()), 4);  // magic, version, flags
    const auto types_bytes = static_cast<uint32_t>(types_.size());
    for (const uint32_t word :
         {kOldHeaderBytes, 0U, types_bytes, types_bytes, static_cast<uint32_t>(new_strings_.size())})
      put(blob, word);
    return blob + types_ + new_strings_;
  }

  const BtfIndex &index_;
  std::string_view strings_;
  std::vector<uint32_t> numbers_;  // by ID: the new one; 0: it is left out
  std::unordered_map<std::string_view, uint32_t> names_;
  std::string types_, new_strings_ = std::string(1, '\0');
};

}  // namespace

Result<std::string> btf_without_functions(const BtfIndex &index) { return Subset(index).make(); }

}  // namespace dtrace
