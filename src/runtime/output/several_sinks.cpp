// SPDX-License-Identifier: Apache-2.0
#include "runtime/output/several_sinks.h"

#include <utility>

namespace dtrace::runtime {
namespace {

class SeveralSinks final : public Sink {
 public:
  explicit SeveralSinks(std::vector<std::unique_ptr<Sink>> sinks) : sinks_(std::move(sinks)) {}

  void refresh(const Options &options) override { each(&Sink::refresh, options); }
  void begin_row(const RowEvent &row, const RowEvent *next) override { each(&Sink::begin_row, row, next); }
  void trace(const ActionPlan &action, const ValuePlan &plan, const Value &value) override {
    each(&Sink::trace, action, plan, value);
  }
  void object(const ActionPlan &action, const ObjectEvent &object) override { each(&Sink::object, action, object); }
  void memory(const ActionPlan &action, std::string_view bytes) override { each(&Sink::memory, action, bytes); }
  void formatted(const ActionPlan &action, std::span<const Value> values) override {
    each(&Sink::formatted, action, values);
  }
  void aggregations(const ActionPlan &action, AggregationViews views) override {
    each(&Sink::aggregations, action, views);
  }
  void did(const ActionPlan &action, std::string_view text, std::optional<int64_t> number) override {
    each(&Sink::did, action, text, number);
  }
  void end_row(const RowEvent &row) override { each(&Sink::end_row, row); }
  void fault(const FaultEvent &fault) override { each(&Sink::fault, fault); }
  void more_faults(std::string_view clause, uint64_t count) override { each(&Sink::more_faults, clause, count); }
  void failed(const RowEvent &row, std::string_view message) override { each(&Sink::failed, row, message); }
  void lost(std::span<const Loss> losses) override { each(&Sink::lost, losses); }
  void interrupted() override { each(&Sink::interrupted); }
  void remaining(AggregationViews views) override { each(&Sink::remaining, views); }
  void ended(int status, std::span<const Loss> all_losses) override { each(&Sink::ended, status, all_losses); }

  Result<Unit> redirect(const std::string &path) override { return sinks_.front()->redirect(path); }
  Result<Unit> truncate() override { return sinks_.front()->truncate(); }
  void flush() override { each(&Sink::flush); }

  std::optional<Error> failure() const override {
    for (const std::unique_ptr<Sink> &sink : sinks_)
      if (std::optional<Error> failure = sink->failure()) return failure;
    return std::nullopt;
  }
  uint64_t nr_lost_rows() const override {
    uint64_t lost = 0;
    for (const std::unique_ptr<Sink> &sink : sinks_) lost += sink->nr_lost_rows();
    return lost;
  }

 private:
  template <typename Method, typename... Arguments>
  void each(Method method, const Arguments &...arguments) {
    for (const std::unique_ptr<Sink> &sink : sinks_) ((*sink).*method)(arguments...);
  }

  std::vector<std::unique_ptr<Sink>> sinks_;
};

}  // namespace

std::unique_ptr<Sink> make_several_sinks(std::vector<std::unique_ptr<Sink>> sinks) {
  if (sinks.size() == 1) return std::move(sinks.front());
  return std::make_unique<SeveralSinks>(std::move(sinks));
}

}  // namespace dtrace::runtime
