// SPDX-License-Identifier: Apache-2.0
// Aggregations as metrics: names, types, bounds, texts. The values are those of tables that the tests fill.
#include <catch2/catch.hpp>
#include <cstring>

#include "runtime/metrics/metric_writer.h"

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

class NoHost final : public CompileHost {
 public:
  const Probe &probe(ProbeId) override { return probe_; }
  const ProbeHook &hook(ProbeId) override { return hook_; }

 private:
  Probe probe_;
  ProbeHook hook_;
};

class NoWatcher final : public ProcessWatcher {
 public:
  void saw_process(pid_t) override {}
};

AggregationPlan aggregation(std::string name, Builtin function) {
  AggregationPlan plan;
  plan.name = std::move(name);
  plan.function = function;
  plan.value_words = value_words(aggregating_function(function), plan.params);
  return plan;
}

void add_key(AggregationPlan &plan, ValuePlan::Kind kind, std::string text, uint32_t size) {
  ValuePlan key;
  key.kind = kind;
  key.offset = plan.key_bytes;
  key.size_bytes = size;
  key.is_signed = true;
  plan.key_bytes += size;
  plan.keys.push_back(key);
  plan.key_texts.push_back(std::move(text));
}

/// A store, and what is served of it.
struct Fixture {
  explicit Fixture(std::vector<AggregationPlan> plans, uint64_t max_series = 10000) {
    plan.aggregations = std::move(plans);
    families = plan_metrics(plan, plain_metric_names());
    store.emplace(plan, host, 1, false);
    snapshots.emplace(*store, families, texts, max_series);
  }

  void add(uint32_t index, std::string key, std::vector<uint64_t> words) {
    key.resize(plan.aggregations[index].key_bytes);
    std::vector<std::byte> bytes(key.size());
    if (!key.empty()) std::memcpy(bytes.data(), key.data(), key.size());
    store->add(index, bytes, words, 0);
  }

  std::string text(std::unique_ptr<MetricWriter> writer, size_t piece = 1) {
    MetricRendering rendering(std::move(writer), snapshots->take(), {}, texts, *snapshots);
    while (rendering.advance(piece)) {
    }
    return rendering.text();
  }
  std::string text(MetricFormat format) { return text(make_text_writer(format)); }

  Plan plan;
  NoHost host;
  NoWatcher watcher;
  TypeTable types;
  Decoder decoder{host, types, watcher};
  TextContext context;
  LabelTexts texts{decoder, context};
  std::vector<MetricFamily> families;
  std::optional<AggregationStore> store;
  std::optional<MetricSnapshots> snapshots;
};

std::string integer_key(uint64_t value) { return {reinterpret_cast<const char *>(&value), sizeof value}; }

bool has_line(const std::string &text, const std::string &line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

}  // namespace

TEST_CASE("words of names", "[metrics]") {
  CHECK(metric_word("execname") == "execname");
  CHECK(metric_word("args[2]->comm") == "args_2_comm");
  CHECK(metric_word("__x__y__") == "x_y");
  CHECK(metric_word("0x10") == "n0x10");
  CHECK(metric_word("->") == "");
}

TEST_CASE("names are free of each other and of dtrace's own", "[metrics]") {
  Plan plan;
  for (const char *name : {"_", "lost", "x", "x_sum", "aggregation"})
    plan.aggregations.push_back(aggregation(name, Builtin::k_count));
  std::vector<std::string> names;
  for (const MetricFamily &family : plan_metrics(plan, plain_metric_names())) names.push_back(family.name);
  CHECK(names == std::vector<std::string>{"aggregation", "lost_2", "x", "x_sum_2", "aggregation_2"});
}

TEST_CASE("labels are valid and unique", "[metrics]") {
  AggregationPlan plan = aggregation("a", Builtin::k_count);
  for (const char *text : {"pid", "pid", "le", "", "self->t"}) add_key(plan, ValuePlan::Kind::kInteger, text, 8);
  Plan whole;
  whole.aggregations = {plan};
  const std::vector<std::string> wanted = {"pid", "pid_2", "le_2", "key4", "self_t"};
  CHECK(plan_metrics(whole, {}).front().labels == wanted);
}

TEST_CASE("bounds of quantize are the greatest integers of its buckets", "[metrics]") {
  const Bounds bounds = histogram_bounds({AggregatingFunction::kQuantize, {}});
  REQUIRE(bounds.upper.size() == kQuantizeBuckets - 1);
  for (size_t i = 0; i < bounds.upper.size(); ++i) {
    CHECK(quantize_bucket(bounds.upper[i]) == bounds.bucket[i]);
    CHECK(quantize_bucket(bounds.upper[i] + 1) == bounds.bucket[i] + 1);
  }
  CHECK(bounds.upper[bounds.always_from] == 0);
}

TEST_CASE("bounds of lquantize and llquantize", "[metrics]") {
  AggregatingParams params;
  params.linear = {-10, 25, 10};
  const Bounds linear = histogram_bounds({AggregatingFunction::kLquantize, params});
  CHECK(linear.upper == std::vector<int64_t>{-11, -1, 9, 19});
  CHECK(linear.always_from == 0);
  for (const auto &[factor, low, high, steps] : {std::tuple{10, 0, 6, 20}, {2, 0, 10, 8}, {10, 2, 4, 5}}) {
    params.log_linear = {static_cast<uint16_t>(factor), static_cast<uint16_t>(low), static_cast<uint16_t>(high),
                         static_cast<uint16_t>(steps)};
    const Bounds log = histogram_bounds({AggregatingFunction::kLlquantize, params});
    for (size_t i = 0; i < log.upper.size(); ++i) {
      CHECK(llquantize_bucket(params.log_linear, log.upper[i]) == log.bucket[i]);
      const uint32_t next = i + 1 < log.bucket.size() ? log.bucket[i + 1] : params.log_linear.buckets() - 1;
      CHECK(llquantize_bucket(params.log_linear, log.upper[i] + 1) == next);
    }
  }
}

TEST_CASE("counters and gauges", "[metrics]") {
  std::vector<AggregationPlan> plans = {aggregation("reads", Builtin::k_count), aggregation("bytes", Builtin::k_sum),
                                        aggregation("delta", Builtin::k_sum), aggregation("low", Builtin::k_min),
                                        aggregation("none", Builtin::k_max)};
  plans[2].is_never_negative = false;
  plans[3].is_never_negative = false;
  add_key(plans[0], ValuePlan::Kind::kString, "execname", 16);
  Fixture f(plans);
  f.add(0, "a\"b\\\n", {7});
  f.add(1, "", {1ull << 63});
  f.add(2, "", {static_cast<uint64_t>(-5)});
  f.add(3, "", {static_cast<uint64_t>(-9), 2});
  f.add(4, "", {0, 0});
  const std::string text = f.text(MetricFormat::kPrometheus);
  CHECK(has_line(text, "# TYPE dtrace_reads_total counter"));
  CHECK(has_line(text, "dtrace_reads_total{execname=\"a\\\"b\\\\\\n\"} 7"));
  CHECK(has_line(text, "dtrace_bytes_total 9223372036854775808"));
  CHECK(has_line(text, "# TYPE dtrace_delta gauge"));
  CHECK(has_line(text, "dtrace_delta -5"));
  CHECK(has_line(text, "dtrace_low -9"));
  CHECK(text.find("\ndtrace_none ") == std::string::npos);
  const std::string open = f.text(MetricFormat::kOpenMetrics);
  CHECK(has_line(open, "# TYPE dtrace_reads counter"));
  CHECK(has_line(open, "dtrace_bytes_total 9223372036854775808"));
  CHECK(open.ends_with("# EOF\n"));
}

TEST_CASE("avg and stddev have their sums", "[metrics]") {
  std::vector<AggregationPlan> plans = {aggregation("a", Builtin::k_avg), aggregation("d", Builtin::k_stddev)};
  plans[1].is_never_negative = false;
  Fixture f(plans);
  f.add(0, "", {3, 10});
  f.add(1, "", {2, static_cast<uint64_t>(-4), 1, 1});
  const std::string text = f.text(MetricFormat::kPrometheus);
  CHECK(has_line(text, "# TYPE dtrace_a summary"));
  CHECK(has_line(text, "dtrace_a_sum 10"));
  CHECK(has_line(text, "dtrace_a_count 3"));
  CHECK(has_line(text, "dtrace_d_sum -4"));
  CHECK(has_line(text, "dtrace_d_sumsq 18446744073709551617"));
  const std::string open = f.text(MetricFormat::kOpenMetrics);
  CHECK(has_line(open, "# TYPE dtrace_a summary"));
  CHECK(has_line(open, "# TYPE dtrace_d_sum unknown"));
  CHECK(has_line(open, "dtrace_d_count 2"));
}

TEST_CASE("histograms are cumulative", "[metrics]") {
  Fixture f({aggregation("q", Builtin::k_quantize)});
  std::vector<uint64_t> words(kQuantizeBuckets);
  for (const int64_t value : {int64_t{0}, int64_t{1}, int64_t{5}, int64_t{7}, int64_t{8}, INT64_MAX})
    ++words[quantize_bucket(value)];
  f.add(0, "", words);
  const std::string text = f.text(MetricFormat::kPrometheus);
  CHECK(has_line(text, "dtrace_q_bucket{le=\"0\"} 1"));
  CHECK(has_line(text, "dtrace_q_bucket{le=\"1\"} 2"));
  CHECK(has_line(text, "dtrace_q_bucket{le=\"3\"} 2"));
  CHECK(has_line(text, "dtrace_q_bucket{le=\"7\"} 4"));
  CHECK(has_line(text, "dtrace_q_bucket{le=\"15\"} 5"));
  CHECK(has_line(text, "dtrace_q_bucket{le=\"4611686018427387903\"} 5"));
  CHECK(has_line(text, "dtrace_q_bucket{le=\"+Inf\"} 6"));
  CHECK(has_line(text, "dtrace_q_count 6"));
  CHECK(text.find("le=\"-") == std::string::npos);
  const std::string open = f.text(MetricFormat::kOpenMetrics);
  CHECK(has_line(open, "dtrace_q_bucket{le=\"7.0\"} 4"));
  CHECK(open.find("_count") == std::string::npos);

  std::vector<uint64_t> negative(kQuantizeBuckets);
  ++negative[quantize_bucket(-3)];
  f.add(0, "", negative);
  const std::string both = f.text(MetricFormat::kPrometheus);
  CHECK(has_line(both, "dtrace_q_bucket{le=\"-2\"} 1"));
  CHECK(has_line(both, "dtrace_q_bucket{le=\"-1\"} 1"));
  CHECK(has_line(both, "dtrace_q_bucket{le=\"0\"} 2"));
  CHECK(both.find("le=\"-4\"") == std::string::npos);
}

TEST_CASE("a count below zero is left out, and said", "[metrics]") {
  Fixture f({aggregation("q", Builtin::k_quantize)});
  std::vector<uint64_t> words(kQuantizeBuckets);
  words[70] = static_cast<uint64_t>(-1);
  f.add(0, "", words);
  CHECK(f.text(MetricFormat::kPrometheus).find("_bucket") == std::string::npos);
  CHECK(f.snapshots->take().front().nr_negative == 1);
}

TEST_CASE("keys of one text are one series", "[metrics]") {
  AggregationPlan plan = aggregation("c", Builtin::k_count);
  add_key(plan, ValuePlan::Kind::kString, "copyinstr(arg0)", 8);
  Fixture f({plan});
  f.add(0, "\xff", {1});
  f.add(0, "\xfe", {2});
  f.add(0, "x", {4});
  const std::string text = f.text(MetricFormat::kPrometheus);
  CHECK(has_line(text, "dtrace_c_total{copyinstr_arg0=\"\xef\xbf\xbd\"} 3"));
  CHECK(has_line(text, "dtrace_c_total{copyinstr_arg0=\"x\"} 4"));
}

TEST_CASE("series are bounded, the rest is counted, and who was served stays", "[metrics]") {
  AggregationPlan one = aggregation("one", Builtin::k_count), two = aggregation("two", Builtin::k_count);
  add_key(one, ValuePlan::Kind::kInteger, "arg0", 8);
  add_key(two, ValuePlan::Kind::kInteger, "arg0", 8);
  Fixture f({one, two}, 10);
  for (uint64_t i = 0; i < 8; ++i) f.add(0, integer_key(i), {1});
  std::vector<FamilySnapshot> taken = f.snapshots->take();
  CHECK(taken[0].nr_entries == 8);
  for (uint64_t i = 8; i < 20; ++i) f.add(0, integer_key(i), {1});
  for (uint64_t i = 0; i < 20; ++i) f.add(1, integer_key(i), {1});
  taken = f.snapshots->take();
  CHECK(taken[0].nr_entries == 9);
  CHECK(taken[0].nr_left_out == 11);
  CHECK(taken[1].nr_entries == 1);
  CHECK(taken[1].nr_left_out == 19);
}

TEST_CASE("stacks are no labels", "[metrics]") {
  AggregationPlan plan = aggregation("s", Builtin::k_count);
  add_key(plan, ValuePlan::Kind::kKernelStack, "stack()", 16);
  Fixture f({plan});
  f.add(0, "12345678", {1});
  CHECK(f.text(MetricFormat::kPrometheus).empty());
  CHECK(f.snapshots->take().front().nr_left_out == 1);
}

TEST_CASE("OTLP has explicit bounds and whole numbers", "[metrics]") {
  std::vector<AggregationPlan> plans = {aggregation("c", Builtin::k_count), aggregation("q", Builtin::k_lquantize)};
  plans[1].params.linear = {0, 20, 10};
  plans[1].value_words = value_words(AggregatingFunction::kLquantize, plans[1].params);
  Fixture f(plans);
  f.add(0, "", {5});
  f.add(1, "", {1, 2, 3, 4});
  const std::string text = f.text(make_otlp_writer({"host", "service", "1", 10, 20}));
  const auto has = [&](std::string_view part) { return text.find(part) != std::string::npos; };
  CHECK(has(R"--("name":"dtrace.c","description":"D aggregation @c, count()")--"));
  CHECK(has(R"--("sum":{"aggregationTemporality":2,"isMonotonic":true)--"));
  CHECK(has(R"--("startTimeUnixNano":"10","timeUnixNano":"20","asInt":"5")--"));
  CHECK(has(R"--("count":"10","bucketCounts":["1","2","3","4"],"explicitBounds":[-1,9,19])--"));
}
