// SPDX-License-Identifier: Apache-2.0
#include "tracer/metrics_feed.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "base/printable.h"

namespace dtrace::tracer {
namespace {

using std::chrono::milliseconds;

/// Snapshots are not made more often: requests in between wait.
constexpr milliseconds kBetweenSnapshots{200};
/// What is made of a text in one turn, unless it takes longer than kTurn.
constexpr size_t kEntriesOfTurn = 100'000;
constexpr milliseconds kTurn{10};
constexpr size_t kChunkBytes = 256 * 1024;

uint64_t real_time_ns() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

std::string host_name() {
  utsname names{};
  return uname(&names) == 0 ? names.nodename : "";
}

runtime::TextContext context_of(runtime::Symbolizer &symbolizer) {
  runtime::TextContext context;
  context.symbolizer = &symbolizer;
  return context;
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(fd, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

/// One message with a descriptor. False: it could not be sent at once.
bool send_with_fd(int socket, const ToExporter &message, int fd) {
  iovec part{const_cast<ToExporter *>(&message), sizeof message};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof fd)] = {};
  msghdr packet{};
  packet.msg_iov = &part;
  packet.msg_iovlen = 1;
  packet.msg_control = control;
  packet.msg_controllen = sizeof control;
  cmsghdr *const head = CMSG_FIRSTHDR(&packet);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof fd);
  std::memcpy(CMSG_DATA(head), &fd, sizeof fd);
  return sendmsg(socket, &packet, MSG_DONTWAIT | MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof message);
}

}  // namespace

MetricsFeed::MetricsFeed(MetricsTarget target, Parts parts)
    : target_(std::move(target)),
      parts_(std::move(parts)),
      control_(target_.exporter->take_control()),
      decoder_(parts_.host, parts_.types, parts_.watcher, parts_.cgroups),
      texts_(decoder_, context_of(parts_.symbolizer)),
      families_(runtime::plan_metrics(parts_.plan, runtime::plain_metric_names())),
      snapshots_(parts_.store, families_, texts_, target_.max_series),
      next_snapshot_(Clock::now()),
      next_push_(Clock::now() + std::chrono::nanoseconds(target_.push_rate_ns)),
      start_ns_(real_time_ns()) {
  cost_.start_time_seconds = static_cast<double>(start_ns_) / 1e9;
  cost_.pushes_at_all = target_.pushes;
}

MetricsFeed::Clock::time_point MetricsFeed::next() const {
  if (!control_) return start_again_at_.value_or(Clock::time_point::max());
  if (!jobs_.empty()) return Clock::now();
  Clock::time_point next = Clock::time_point::max();
  if (wanted_ != 0) next = next_snapshot_;
  if (target_.pushes) next = std::min(next, next_push_);
  return next;
}

void MetricsFeed::give_up(std::string_view reason) {
  parts_.client.report(fmt::format("metrics are not exported any more: {}", reason));
  control_.reset();
  (void)target_.exporter->end();
  target_.exporter->stop_listening();
  start_again_at_.reset();
  jobs_.clear();
  wanted_ = 0;
  has_failed_ = true;
}

void MetricsFeed::exporter_ended(std::string_view how) {
  control_.reset();
  jobs_.clear();
  wanted_ = 0;  // clients that wait ask again
  const Clock::time_point now = Clock::now();
  const std::optional<milliseconds> pause = restarts_.next(now);
  if (!pause) return give_up(fmt::format("dtrace-exporter {}, and was started again {} times", how, Restarts::kMax));
  start_again_at_ = now + *pause;
  parts_.client.report(
      fmt::format("dtrace-exporter {}: starting it again ({} of {})", how, restarts_.count(), Restarts::kMax));
}

void MetricsFeed::start_again() {
  start_again_at_.reset();
  if (const Result<Unit> started = target_.exporter->start_again(); !started)
    return exporter_ended(fmt::format("is not running ({})", started.error().text()));
  control_ = target_.exporter->take_control();
}

void MetricsFeed::answer(const FromExporter &message) {
  switch (message.kind) {
    case FromExporter::kWant:
      wanted_ |= message.wanted & 3;
      return;
    case FromExporter::kPushed:
      ++cost_.pushes;
      return;
    case FromExporter::kPushFailed:
      ++cost_.failed_pushes;
      return;
    case FromExporter::kReport:
      parts_.client.report(printable({message.text, strnlen(message.text, sizeof message.text)}));
      return;
    case FromExporter::kNotDone:
      has_failed_ = true;
      [[fallthrough]];
    case FromExporter::kDone:
      is_done_ = true;
      return;
    default:
      return;
  }
}

void MetricsFeed::hear() {
  constexpr int kMaxMessages = 64;  // of a turn
  for (int i = 0; i < kMaxMessages && control_; ++i) {
    FromExporter message;
    const ssize_t size = recv(control_.get(), &message, sizeof message, MSG_DONTWAIT);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (size <= 0) {
      const std::string how = target_.exporter->end();
      return is_done_ ? control_.reset() : exporter_ended(how);
    }
    if (size == static_cast<ssize_t>(sizeof message)) answer(message);
  }
}

std::unique_ptr<runtime::MetricWriter> MetricsFeed::writer_of(ExportedText text) const {
  if (text == ExportedText::kOtlp)
    return runtime::make_otlp_writer({host_name(), target_.service_name, target_.version, start_ns_, real_time_ns()});
  return runtime::make_text_writer(text == ExportedText::kOpenMetrics ? runtime::MetricFormat::kOpenMetrics
                                                                      : runtime::MetricFormat::kPrometheus);
}

void MetricsFeed::take_snapshot(uint32_t wanted, bool is_last) {
  const Clock::time_point before = Clock::now();
  parts_.refresh();
  std::vector<runtime::FamilySnapshot> taken = snapshots_.take();
  uint64_t left_out = 0;
  for (const runtime::FamilySnapshot &family : taken) left_out += family.family->has_stack ? 0 : family.nr_left_out;
  most_left_out_ = std::max(most_left_out_, left_out);
  runtime::measure_processes(cost_, target_.exporter->pid());
  cost_.programs = parts_.programs();
  ++cost_.snapshots;
  std::vector<runtime::PlainMetric> plain =
      runtime::plain_metrics(parts_.plan, parts_.losses(), cost_, taken, target_.max_series, target_.version);
  for (uint32_t i = 0; i <= static_cast<uint32_t>(ExportedText::kOtlp); ++i) {
    if ((wanted & 1u << i) == 0) continue;
    wanted &= ~(1u << i);
    Fd file(memfd_create("dtrace metrics", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!file) return give_up(std::strerror(errno));
    const auto text = static_cast<ExportedText>(i);
    // The last one takes the copy, the others a copy of it.
    std::vector<runtime::FamilySnapshot> own = wanted == 0 ? std::move(taken) : taken;
    jobs_.push_back(
        {text, std::make_unique<runtime::MetricRendering>(writer_of(text), std::move(own), plain, texts_, snapshots_),
         std::move(file), is_last});
  }
  cost_.snapshot_seconds += std::chrono::duration<double>(Clock::now() - before).count();
  next_snapshot_ = Clock::now() + kBetweenSnapshots;
}

void MetricsFeed::send(Job &job) {
  (void)fcntl(job.file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL);
  const ToExporter message{static_cast<uint32_t>(job.text), job.is_last ? 1u : 0u};
  // If the exporter is stuck, its requests are answered by itself, with an error, after a while.
  (void)send_with_fd(control_.get(), message, job.file.get());
}

bool MetricsFeed::advance(size_t entries) {
  if (jobs_.empty()) return false;
  const Clock::time_point before = Clock::now();
  Job &job = jobs_.front();
  bool goes_on = true;
  // By pieces: the text of an entry of many buckets is long.
  for (constexpr size_t kPiece = 64; goes_on && entries > 0; entries -= std::min(kPiece, entries)) {
    goes_on = job.rendering->advance(kPiece);
    std::string &text = job.rendering->text();
    if (goes_on && text.size() < kChunkBytes) continue;
    if (!write_all(job.file.get(), text)) {
      give_up(fmt::format("cannot keep their text: {}", std::strerror(errno)));
      return true;
    }
    text.clear();
    if (Clock::now() - before > kTurn) break;
  }
  if (!goes_on) {
    send(job);
    jobs_.erase(jobs_.begin());
  }
  cost_.snapshot_seconds += std::chrono::duration<double>(Clock::now() - before).count();
  return true;
}

void MetricsFeed::turn() {
  if (start_again_at_ && Clock::now() >= *start_again_at_) start_again();
  if (!control_) return;
  try {
    hear();
    if (!control_) return;
    const Clock::time_point now = Clock::now();
    uint32_t wanted = 0;
    if (jobs_.empty() && wanted_ != 0 && now >= next_snapshot_) wanted = std::exchange(wanted_, 0);
    if (jobs_.empty() && target_.pushes && now >= next_push_) {
      wanted |= 1u << static_cast<uint32_t>(ExportedText::kOtlp);
      next_push_ = now + std::chrono::nanoseconds(target_.push_rate_ns);
    }
    if (wanted != 0) take_snapshot(wanted, false);
    (void)advance(kEntriesOfTurn);
  } catch (const std::bad_alloc &) {
    give_up("out of memory");
  }
}

void MetricsFeed::push_last() {
  jobs_.clear();
  take_snapshot(1u << static_cast<uint32_t>(ExportedText::kOtlp), true);
  while (advance(kEntriesOfTurn)) {
  }
}

void MetricsFeed::finish() {
  if (!target_.pushes || has_failed_) return;
  const Clock::time_point deadline = Clock::now() + std::chrono::seconds(kLastPushSeconds + 1);
  bool is_pushed = false;  // or on its way
  try {
    while (!is_done_ && !has_failed_ && !parts_.client.end_abandoned()) {
      if (start_again_at_) {  // there is no time for pauses
        start_again();
        is_pushed = false;
      }
      if (!control_) continue;
      if (!std::exchange(is_pushed, true)) push_last();
      const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
      if (left.count() <= 0) break;
      pollfd ready{control_.get(), POLLIN, 0};
      (void)poll(&ready, 1, static_cast<int>(std::min<int64_t>(left.count(), 200)));  // an interrupt is looked at
      hear();
    }
  } catch (const std::bad_alloc &) {
    return give_up("out of memory");
  }
  if (is_done_ || has_failed_) return;
  has_failed_ = true;
  if (!parts_.client.end_abandoned())
    parts_.client.report("the last values were not pushed: the exporter does not answer");
}

uint64_t MetricsFeed::take_left_out() { return most_left_out_ - std::exchange(told_left_out_, most_left_out_); }

}  // namespace dtrace::tracer
