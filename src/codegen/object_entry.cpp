// SPDX-License-Identifier: Apache-2.0
#include "codegen/object_entry.h"

#include <cstring>
#include <type_traits>

namespace dtrace::codegen {
namespace {

class Writer {
 public:
  template <typename T>
    requires std::is_trivially_copyable_v<T>
  void operator()(const T &value) {
    out_.append(reinterpret_cast<const char *>(&value), sizeof value);
  }
  void operator()(const std::string &text) {
    (*this)(uint64_t{text.size()});
    out_ += text;
  }
  void operator()(const std::vector<char> &bytes) {
    (*this)(uint64_t{bytes.size()});
    out_.append(bytes.data(), bytes.size());
  }
  template <typename Values, typename Write>
  void all(const Values &values, Write write) {
    (*this)(uint64_t{values.size()});
    for (const auto &value : values) write(value);
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

/// Reads what the other has written; `good` tells whether there was so much.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}
  template <typename T>
    requires std::is_trivially_copyable_v<T>
  void operator()(T &value) {
    if (const std::string_view bytes = take(sizeof value); good_) std::memcpy(&value, bytes.data(), sizeof value);
  }
  void operator()(std::string &text) { text = take(size()); }
  void operator()(std::vector<char> &bytes) {
    const std::string_view taken = take(size());
    bytes.assign(taken.begin(), taken.end());
  }
  template <typename Read>
  void all(Read read) {
    for (uint64_t count = size(); good_ && count > 0; --count) read();
  }
  bool whole() const { return good_ && left_.empty(); }

 private:
  uint64_t size() {
    uint64_t size = 0;
    (*this)(size);
    return good_ ? size : 0;
  }
  std::string_view take(uint64_t size_bytes) {
    good_ = good_ && size_bytes <= left_.size();
    if (!good_) return {};
    const std::string_view taken = left_.substr(0, size_bytes);
    left_.remove_prefix(size_bytes);
    return taken;
  }

  std::string_view left_;
  bool good_ = true;
};

}  // namespace

std::string encode(const ObjectEntry &entry) {
  Writer write;
  write.all(entry.questions, [&](const Question &question) {
    write(question.kind);
    write(question.number);
    write(question.outer);
    write(question.inner);
  });
  write(entry.answers);
  const auto &[uses_scratch, shows_managed, names_cgroups, unwind, cgroup_tests, managed_maps] = entry.facts;
  write(uses_scratch);
  write(shows_managed);
  write(names_cgroups);
  write(unwind.has_value());
  write(unwind.value_or(dt_unwind_layout{}));
  write.all(cgroup_tests, [&](const CgroupTest &test) {
    write(test.name);
    write(test.text);
  });
  write.all(managed_maps, [&](const auto &map) {
    write(map.first);
    write(map.second);
  });
  write(entry.elf);
  return write.take();
}

std::optional<ObjectEntry> decode(std::string_view bytes) {
  ObjectEntry entry;
  Reader read(bytes);
  read.all([&] {
    Question question;
    read(question.kind);
    read(question.number);
    read(question.outer);
    read(question.inner);
    entry.questions.insert(std::move(question));
  });
  read(entry.answers);
  auto &[uses_scratch, shows_managed, names_cgroups, unwind, cgroup_tests, managed_maps] = entry.facts;
  read(uses_scratch);
  read(shows_managed);
  read(names_cgroups);
  bool walks = false;
  dt_unwind_layout layout{};
  read(walks);
  read(layout);
  if (walks) unwind = layout;
  read.all([&] {
    CgroupTest test;
    read(test.name);
    read(test.text);
    cgroup_tests.push_back(std::move(test));
  });
  read.all([&] {
    std::pair<uint32_t, std::string> map;
    read(map.first);
    read(map.second);
    managed_maps.insert(std::move(map));
  });
  read(entry.elf);
  if (!read.whole()) return std::nullopt;
  return entry;
}

}  // namespace dtrace::codegen
