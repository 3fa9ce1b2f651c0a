// SPDX-License-Identifier: Apache-2.0
// Stacks as a profile for pprof: one message of profile.proto (github.com/google/pprof), compressed. Values are int64
// there; what does not fit is left out and reported. doc/output-formats.md says how aggregations become sample types.
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <protozero/pbf_builder.hpp>

#include "runtime/events/bucket_bounds.h"
#include "runtime/output/json_value.h"
#include "runtime/output/stack_sink.h"
#include "runtime/print/units.h"

namespace dtrace::runtime {
namespace {

// Field numbers of profile.proto.
enum class ProfileField : protozero::pbf_tag_type {
  kSampleType = 1,
  kSample = 2,
  kMapping = 3,
  kLocation = 4,
  kFunction = 5,
  kString = 6,
  kTimeNs = 9,
  kDurationNs = 10,
  kDefaultSampleType = 14,
};
enum class ValueTypeField : protozero::pbf_tag_type { kType = 1, kUnit = 2 };
enum class SampleField : protozero::pbf_tag_type { kLocation = 1, kValue = 2, kLabel = 3 };
enum class LabelField : protozero::pbf_tag_type { kKey = 1, kText = 2, kNumber = 3 };
enum class MappingField : protozero::pbf_tag_type {
  kId = 1,
  kStart = 2,
  kLimit = 3,
  kOffset = 4,
  kFile = 5,
  kBuildId = 6,
  kHasFunctions = 7,
  kHasFiles = 8,
  kHasLines = 9,
  kHasInlined = 10,
};
enum class LocationField : protozero::pbf_tag_type { kId = 1, kMapping = 2, kAddress = 3, kLine = 4 };
enum class LineField : protozero::pbf_tag_type { kFunction = 1, kLine = 2 };
enum class FunctionField : protozero::pbf_tag_type { kId = 1, kName = 2, kSystemName = 3, kFile = 4 };

template <typename Field>
using Builder = protozero::pbf_builder<Field>;

constexpr uint64_t kMaxSigned = std::numeric_limits<int64_t>::max();

/// gzip's format. Memory is all that it can lack.
std::string compressed(std::string_view bytes) {
  z_stream stream{};
  constexpr int kGzip = 15 + 16;
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string out;
  char buffer[1 << 15];
  const auto take_in = [&] {
    constexpr size_t kMax = 1 << 30;  // fits the 32-bit count
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
    stream.avail_in = static_cast<uInt>(std::min(bytes.size(), kMax));
    bytes.remove_prefix(stream.avail_in);
  };
  take_in();
  for (int state = Z_OK; state != Z_STREAM_END;) {
    if (stream.avail_in == 0 && !bytes.empty()) take_in();
    stream.next_out = reinterpret_cast<Bytef *>(buffer);
    stream.avail_out = sizeof buffer;
    state = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    out.append(buffer, sizeof buffer - stream.avail_out);
  }
  deflateEnd(&stream);
  return out;
}

/// What a value of a source is in a profile.
std::vector<std::string> columns_of(const SampleSource &source) {
  if (source.is_probe) return {"rows"};
  const std::string prefix = source.name == "@" ? "" : source.name.substr(1) + ".";
  switch (source.shape.function) {
    case AggregatingFunction::kAvg:
      return {prefix + "count", prefix + "sum"};
    case AggregatingFunction::kStddev:
      return {prefix + "count", prefix + "sum", prefix + "stddev"};
    case AggregatingFunction::kCount:
    case AggregatingFunction::kQuantize:
    case AggregatingFunction::kLquantize:
    case AggregatingFunction::kLlquantize:
      return {prefix + "count"};
    case AggregatingFunction::kSum:
    case AggregatingFunction::kMin:
    case AggregatingFunction::kMax:
      break;
  }
  return {prefix + std::string(row(row(source.shape.function).builtin).name)};
}

/// The word by which readers of profiles know what the values of a source measure; empty: none.
std::string_view unit_of(const SampleSource &source) {
  struct UnitRow {
    Quantity quantity;
    std::string_view word;
  };
  using Kind = Quantity::Kind;
  static constexpr UnitRow kUnits[] = {{{Kind::kTime, 1}, "nanoseconds"},
                                       {{Kind::kTime, 1'000}, "microseconds"},
                                       {{Kind::kTime, 1'000'000}, "milliseconds"},
                                       {{Kind::kTime, 1'000'000'000}, "seconds"},
                                       {{Kind::kBytes, 1}, "bytes"},
                                       {{Kind::kBytes, 1 << 10}, "kilobytes"},
                                       {{Kind::kBytes, 1 << 20}, "megabytes"}};
  const auto *const known = std::ranges::find(kUnits, normalised(source.quantity, source.normal), &UnitRow::quantity);
  return known == std::end(kUnits) ? std::string_view() : known->word;
}

class ProfileWriter {
 public:
  explicit ProfileWriter(const StackSamples &samples) : samples_(samples), profile_(bytes_) { (void)string(""); }

  std::string finish(uint64_t time_ns, uint64_t duration_ns) {
    for (size_t i = 0; i < samples_.frames().size(); ++i) location(i);
    for (const auto &[mapping, id] : mappings_) write_mapping(mapping, id);
    for (const auto &[function, id] : functions_) {
      Builder<FunctionField> message(profile_, ProfileField::kFunction);
      message.add_uint64(FunctionField::kId, id);
      message.add_int64(FunctionField::kName, function.first);
      message.add_int64(FunctionField::kSystemName, function.first);
      if (function.second != 0) message.add_int64(FunctionField::kFile, function.second);
    }
    if (time_ns != 0) {
      profile_.add_int64(ProfileField::kTimeNs, static_cast<int64_t>(time_ns));
      profile_.add_int64(ProfileField::kDurationNs, static_cast<int64_t>(duration_ns));
    }
    if (default_type_ != 0) profile_.add_int64(ProfileField::kDefaultSampleType, default_type_);
    for (const std::string &text : strings_) profile_.add_string(ProfileField::kString, text);
    return std::move(bytes_);
  }

  void sample_type(const std::string &type, std::string_view unit) {
    Builder<ValueTypeField> message(profile_, ProfileField::kSampleType);
    message.add_int64(ValueTypeField::kType, string(type));
    message.add_int64(ValueTypeField::kUnit, string(std::string(unit)));
    if (default_type_ == 0) default_type_ = string(type);
  }

  struct NumberLabel {
    std::string_view name;
    int64_t number;
  };
  void sample(const StackSample &sample, const std::vector<int64_t> &values, std::string_view probe,
              const std::vector<NumberLabel> &numbers) {
    Builder<SampleField> message(profile_, ProfileField::kSample);
    std::vector<uint64_t> locations;
    for (const uint32_t frame : sample.frames) locations.push_back(frame + 1);
    message.add_packed_uint64(SampleField::kLocation, locations.begin(), locations.end());
    message.add_packed_int64(SampleField::kValue, values.begin(), values.end());
    if (!probe.empty()) text_label(message, "probe", std::string(probe));
    for (const SampledKey &key : sample.keys) {
      const auto *number = std::get_if<Integer>(&key.value);
      if (number != nullptr && (number->is_signed || number->as_unsigned() <= kMaxSigned))
        number_label(message, key.name,
                     number->is_signed ? number->as_signed() : static_cast<int64_t>(number->as_unsigned()));
      else
        text_label(message, key.name, key.text());
    }
    for (const NumberLabel &label : numbers) number_label(message, std::string(label.name), label.number);
  }

 private:
  int64_t string(const std::string &text) {
    const auto [known, is_new] = string_index_.try_emplace(text, static_cast<int64_t>(strings_.size()));
    if (is_new) strings_.push_back(text);
    return known->second;
  }

  /// The empty text is what a label with a number has.
  void text_label(Builder<SampleField> &sample, const std::string &name, const std::string &text) {
    Builder<LabelField> label(sample, SampleField::kLabel);
    label.add_int64(LabelField::kKey, string(name));
    label.add_int64(LabelField::kText, string(text.empty() ? "\"\"" : text));
  }
  void number_label(Builder<SampleField> &sample, const std::string &name, int64_t number) {
    Builder<LabelField> label(sample, SampleField::kLabel);
    label.add_int64(LabelField::kKey, string(name));
    label.add_int64(LabelField::kNumber, number);
  }

  struct MappingKey {
    uint64_t start, end, offset;
    std::string file, build_id;
    auto operator<=>(const MappingKey &) const = default;
  };

  void location(size_t frame) {
    const SampledFrame &shown = samples_.frames()[frame];
    Builder<LocationField> message(profile_, ProfileField::kLocation);
    message.add_uint64(LocationField::kId, frame + 1);
    const CodeMapping &of = shown.mapping;
    if (!of.file.empty()) {
      const MappingKey key{of.start, of.end, of.offset, of.file, of.build_id};
      Facts &facts = mappings_.try_emplace(key, Facts{mappings_.size() + 1}).first->second;
      facts.has_inlined |= shown.functions.size() > 1;
      for (const SampledFunction &function : shown.functions) facts.has_lines |= !function.source.empty();
      message.add_uint64(LocationField::kMapping, facts.id);
    }
    if (shown.address != 0) message.add_uint64(LocationField::kAddress, shown.address);
    for (const SampledFunction &function : shown.functions) {
      const auto [file, number] = source_of(function.source);
      Builder<LineField> line(message, LocationField::kLine);
      line.add_uint64(LineField::kFunction, function_id(function.name, file));
      if (number != 0) line.add_int64(LineField::kLine, number);
    }
  }

  /// "file.c:12": the file and the line, 0 if there is none.
  static std::pair<std::string, int64_t> source_of(const std::string &source) {
    const size_t colon = source.rfind(':');
    int64_t line = 0;
    if (colon == std::string::npos) return {source, 0};
    const auto [end, error] = std::from_chars(source.data() + colon + 1, source.data() + source.size(), line);
    if (error != std::errc() || end != source.data() + source.size() || line < 0) return {source, 0};
    return {source.substr(0, colon), line};
  }

  /// The module is the mapping's.
  uint64_t function_id(const std::string &name, const std::string &file) {
    const size_t mark = name.find('`');
    const std::pair key{string(mark == std::string::npos ? name : name.substr(mark + 1)), string(file)};
    return functions_.try_emplace(key, functions_.size() + 1).first->second;
  }

  struct Facts {
    uint64_t id = 0;
    bool has_lines = false, has_inlined = false;
  };
  void write_mapping(const MappingKey &mapping, const Facts &facts) {
    Builder<MappingField> message(profile_, ProfileField::kMapping);
    message.add_uint64(MappingField::kId, facts.id);
    message.add_uint64(MappingField::kStart, mapping.start);
    message.add_uint64(MappingField::kLimit, mapping.end);
    message.add_uint64(MappingField::kOffset, mapping.offset);
    message.add_int64(MappingField::kFile, string(mapping.file));
    if (!mapping.build_id.empty()) message.add_int64(MappingField::kBuildId, string(mapping.build_id));
    message.add_bool(MappingField::kHasFunctions, true);  // as far as there are names: nobody is to look for others
    message.add_bool(MappingField::kHasFiles, facts.has_lines);
    message.add_bool(MappingField::kHasLines, facts.has_lines);
    message.add_bool(MappingField::kHasInlined, facts.has_inlined);
  }

  const StackSamples &samples_;
  std::string bytes_;
  Builder<ProfileField> profile_;
  std::vector<std::string> strings_;
  std::map<std::string, int64_t> string_index_;
  std::map<std::pair<int64_t, int64_t>, uint64_t> functions_;  // by name and file
  std::map<MappingKey, Facts> mappings_;
  int64_t default_type_ = 0;
};

class PprofSink final : public StackSink {
 public:
  explicit PprofSink(const SinkParts &parts) : StackSink(parts, "pprof", true) {}

 private:
  std::string contents(const StackSamples &samples, std::span<const Loss>) override {
    ProfileWriter writer(samples);
    std::map<std::string, size_t> index;  // of sample types by name
    std::vector<size_t> first_column;
    for (const SampleSource &source : samples.sources()) {
      const std::vector<std::string> columns = columns_of(source);
      for (const std::string &column : columns)
        if (index.try_emplace(column, index.size()).second)
          writer.sample_type(column, column.ends_with("count") || source.is_probe ? "count" : unit_of(source));
      first_column.push_back(index.at(columns.front()));
    }
    if (index.empty()) {  // readers want one
      writer.sample_type("count", "count");
      index.emplace("count", 0);
    }
    for (const StackSample &sample : samples.samples()) {
      const SampleSource &source = samples.sources()[sample.source];
      if (!has_value(sample, source.shape)) continue;
      if (sample.overflows) {
        leave_out(source, "their sum is beyond 64 bits");
        continue;
      }
      std::vector<int64_t> values(index.size());
      int64_t *const own = values.data() + first_column[sample.source];
      const std::string_view probe = source.is_probe ? std::string_view(source.name) : std::string_view();
      if (source.shape.is_histogram()) {
        add_buckets(writer, source, sample, values, *own);
        continue;
      }
      if (!put_values(source, sample, own)) {
        leave_out(source, "beyond 63 bits, the most that a profile holds");
        continue;
      }
      writer.sample(sample, values, probe, {});
    }
    return compressed(writer.finish(clock().began_ns(), clock().lasted_ns()));
  }

  /// False: one of them does not fit.
  static bool put_values(const SampleSource &source, const StackSample &sample, int64_t *out) {
    const ScalarResult result = scalar_result(source.shape, sample.words, source.normal);
    const bool fits = result.is_signed || result.value >= 0;
    switch (source.shape.function) {
      case AggregatingFunction::kAvg:
      case AggregatingFunction::kStddev:
        if (sample.words[0] > kMaxSigned) return false;
        out[0] = static_cast<int64_t>(sample.words[0]);
        out[1] = normalised(static_cast<int64_t>(sample.words[1]), source.normal);
        if (source.shape.function == AggregatingFunction::kStddev) out[2] = result.value;
        return fits;
      default:
        out[0] = result.value;
        return fits;
    }
  }

  /// A sample a bucket.
  static void add_buckets(ProfileWriter &writer, const SampleSource &source, const StackSample &sample,
                          std::vector<int64_t> &values, int64_t &own) {
    for (uint32_t bucket = 0; bucket < sample.words.size(); ++bucket) {
      if (sample.words[bucket] == 0) continue;
      own = normalised(static_cast<int64_t>(sample.words[bucket]), source.normal);
      const BucketBounds bounds = bucket_bounds(source.shape, bucket);
      std::vector<ProfileWriter::NumberLabel> labels;
      if (bounds.least) labels.push_back({"bucket.least", *bounds.least});
      if (bounds.greatest) labels.push_back({"bucket.greatest", *bounds.greatest});
      writer.sample(sample, values, {}, labels);
    }
  }
};

}  // namespace

std::unique_ptr<Sink> make_pprof_sink(const SinkParts &parts) { return std::make_unique<PprofSink>(parts); }

}  // namespace dtrace::runtime
