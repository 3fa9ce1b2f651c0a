// SPDX-License-Identifier: Apache-2.0
#include "runtime/output/json_value.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/events/bucket_bounds.h"
#include "runtime/print/typed_reader.h"
#include "runtime/symbols/managed_frames.h"

namespace dtrace::runtime {
namespace {

std::string hex(uint64_t value) { return fmt::format("0x{:x}", value); }

class ObjectWriter {
 public:
  ObjectWriter(JsonWriter &json, const TypedReader &reader) : json_(json), reader_(reader) {}

  void write(const Datum &datum) {
    const Type &type = reader_.resolved(datum);
    if (!reader_.begins_inside(datum)) {
      json_.null();
      return;
    }
    switch (type.kind) {
      case TypeKind::kStruct:
      case TypeKind::kUnion:
        json_.begin_object();
        write_members(datum);
        json_.end_object();
        return;
      case TypeKind::kArray:
        write_array(datum);
        return;
      default:
        reader_.is_whole(datum) ? write_scalar(datum, type) : void(json_.null());
    }
  }

 private:
  /// Members of unnamed structs and unions are members of what holds them, as in C.
  void write_members(const Datum &datum) {
    for (const Member &member : reader_.types().members(reader_.types().resolve(datum.type))) {
      const Datum part = reader_.member(datum, member);
      const TypeKind kind = reader_.resolved(part).kind;
      if (!member.name.empty()) {
        json_.key(member.name);
        write(part);
      } else if (kind == TypeKind::kStruct || kind == TypeKind::kUnion) {
        write_members(part);
      }
    }
  }

  void write_array(const Datum &datum) {
    const Type &array = reader_.resolved(datum);
    const Type &element = reader_.types().resolved(array.target);
    if (element.kind == TypeKind::kInt && element.is_char) {
      json_.value(Text{reader_.bytes(datum)}.view());
      return;
    }
    json_.begin_array();
    for (uint64_t i = 0; i < array.count; ++i) write(reader_.element(datum, i));
    json_.end_array();
  }

  void write_scalar(const Datum &datum, const Type &type) {
    switch (type.kind) {
      case TypeKind::kPointer:
      case TypeKind::kFunction:
        json_.value(reader_.raw(datum));
        return;
      case TypeKind::kFloat:
        json_.value(static_cast<double>(reader_.floating(datum)));
        return;
      case TypeKind::kString:
        json_.value(Text{reader_.bytes(datum)}.view());
        return;
      case TypeKind::kEnum:
        if (const auto name = reader_.enumerator(datum)) {
          json_.value(*name);
          return;
        }
        json_.value(reader_.raw_signed(datum));
        return;
      default:
        if (reader_.is_wide_integer(datum)) {
          json_.value(reader_.wide_decimal_text(datum));
          return;
        }
        type.is_signed ? json_.value(reader_.raw_signed(datum)) : json_.value(reader_.raw(datum));
    }
  }

  JsonWriter &json_;
  const TypedReader &reader_;
};

}  // namespace

void JsonValues::append_frame(JsonWriter &json, UserImage image, uint64_t address, bool is_return) const {
  if (image.pid == 0) {
    json.begin_object().member("address", hex(address)).member("symbol", symbolizer_.kernel_symbol(address, true));
    json.end_object();
    return;
  }
  for (const StackFrame &function : symbolizer_.user_frames(image, address, is_return)) {
    json.begin_object();
    if (function.language.empty()) json.member("address", hex(address));
    json.member("symbol", function.symbol);
    if (!function.language.empty()) json.member("language", function.language);
    if (function.is_inlined) json.member("inlined", true);
    if (!function.source.empty()) json.member("source", function.source);
    json.end_object();
  }
}

void JsonValues::append(JsonWriter &json, const Value &value, TypeId type) const {
  struct Visitor {
    const JsonValues &values;
    JsonWriter &json;
    TypeId type;

    void operator()(const Integer &v) const { v.is_signed ? json.value(v.as_signed()) : json.value(v.as_unsigned()); }
    void operator()(const Text &v) const { json.value(v.view()); }
    void operator()(const Bytes &v) const { values.append_object(json, type, v.bytes); }
    void operator()(const KernelStack &v) const { stack(0, v.frames, {}); }
    void operator()(const UserStack &v) const { stack({v.pid, v.image}, v.frames, stack_end_text(v.end)); }
    void operator()(const Symbol &v) const { json.value(std::string_view(values.symbol_name(v))); }
    void operator()(const Floating &v) const { json.value(static_cast<double>(v.value)); }

    void stack(UserImage image, std::span<const uint64_t> frames, std::string_view cut) const {
      json.begin_array();
      bool is_return = false;
      for (const uint64_t frame : frames) {
        if (frame == 0) break;
        values.append_frame(json, image, frame, is_return);
        is_return |= !is_managed(frame);
      }
      if (!cut.empty()) json.begin_object().member("cut", cut).end_object();
      json.end_array();
    }
  };
  std::visit(Visitor{*this, json, type}, value);
}

void JsonValues::append_names(JsonWriter &json, std::string_view member, std::span<const Value> values) {
  if (std::ranges::all_of(values, [](const Value &value) { return name_of(value).empty(); })) return;
  json.key(member).begin_array();
  for (const Value &value : values) name_of(value).empty() ? void(json.null()) : void(json.value(name_of(value)));
  json.end_array();
}

std::string JsonValues::symbol_name(const Symbol &symbol) const {
  TextContext context;
  context.symbolizer = &symbolizer_;
  return symbol_text(symbol, context);
}

void JsonValues::append_object(JsonWriter &json, TypeId type, std::string_view bytes) const {
  const TypedReader reader(types_, bytes);
  ObjectWriter(json, reader).write({type});
}

void JsonValues::append_result(JsonWriter &json, const AggregationShape &shape, std::span<const uint64_t> words,
                               uint64_t normal) const {
  if (!shape.is_histogram()) {
    const ScalarResult result = scalar_result(shape, words, normal);
    json.key("value");
    result.is_signed ? json.value(result.value) : json.value(static_cast<uint64_t>(result.value));
    return;
  }
  const auto bound = [&](std::string_view name, std::optional<int64_t> value) {
    json.key(name);
    value ? json.value(*value) : json.null();
  };
  json.key("buckets").begin_array();
  for (uint32_t bucket = 0; bucket < words.size(); ++bucket) {
    if (words[bucket] == 0) continue;
    const BucketBounds bounds = bucket_bounds(shape, bucket);
    json.begin_object();
    bound("least", bounds.least);
    bound("greatest", bounds.greatest);
    json.member("count", normalised(static_cast<int64_t>(words[bucket]), normal));
    json.end_object();
  }
  json.end_array();
}

}  // namespace dtrace::runtime
