// SPDX-License-Identifier: Apache-2.0
// What the sinks share whose format has no room for faults and losses: these are reported, as lines for people.
#pragma once

#include <span>
#include <string_view>

#include "runtime/output/formats.h"

namespace dtrace::runtime {

class ReportingSink : public Sink {
 public:
  explicit ReportingSink(const SinkParts &parts) : parts_(parts) {}
  ReportingSink(const ReportingSink &) = delete;
  ReportingSink &operator=(const ReportingSink &) = delete;

  void refresh(const Options &options) override;

  void fault(const FaultEvent &fault) override;
  void more_faults(std::string_view clause, uint64_t count) override;
  void failed(const RowEvent &row, std::string_view message) override;
  void lost(std::span<const Loss> losses) override;

  std::optional<Error> failure() const override { return parts_.output.error(); }
  uint64_t nr_lost_rows() const override { return parts_.output.lost_rows(); }

 protected:
  SinkParts parts_;

 private:
  void report(std::string_view text) const;

  bool quiet_ = false;
  bool tags_drops_ = false;
  bool ends_when_full_ = false;
};

}  // namespace dtrace::runtime
