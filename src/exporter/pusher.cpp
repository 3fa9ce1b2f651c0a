// SPDX-License-Identifier: Apache-2.0
#include "exporter/pusher.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

namespace dtrace::exporter {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr long kConnectSeconds = 5, kWholeSeconds = 30;
constexpr seconds kLongestBackoff{30};
constexpr size_t kAnswerBytes = 4096;
/// Answers after which the same text may be taken later. Source: the OTLP specification, "Failures".
constexpr std::array kTryAgain = {429l, 502l, 503l, 504l};

/// Number that a partly successful answer gives of points that were not taken; nothing: none. The number is text or
/// not.
std::string rejected_points(const std::string &answer) {
  const std::string name = "\"rejectedDataPoints\"";
  const size_t at = answer.find(name);
  if (at == std::string::npos) return {};
  std::string digits;
  for (size_t i = at + name.size(); i < answer.size() && answer[i] != ',' && answer[i] != '}'; ++i)
    if (std::isdigit(static_cast<unsigned char>(answer[i])) != 0) digits += answer[i];
  return digits == "0" ? "" : digits;
}

}  // namespace

Result<std::unique_ptr<Pusher>> Pusher::start(std::string url, TracerLink &tracer) {
  std::unique_ptr<Pusher> pusher(new Pusher(std::move(url), tracer));
  if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return Error("the HTTP client does not start");
  pusher->multi_ = curl_multi_init();
  pusher->easy_ = curl_easy_init();
  if (pusher->multi_ == nullptr || pusher->easy_ == nullptr) return Error("the HTTP client does not start");
  pusher->headers_ = curl_slist_append(nullptr, "Content-Type: application/json");
  pusher->headers_ = curl_slist_append(pusher->headers_, "Expect:");
  CURL *const easy = pusher->easy_;
  curl_easy_setopt(easy, CURLOPT_URL, pusher->url_.c_str());
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, pusher->headers_);
  curl_easy_setopt(easy, CURLOPT_USERAGENT, "dtrace-exporter");
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1l);
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
  curl_easy_setopt(easy, CURLOPT_TIMEOUT, kWholeSeconds);
  // As other programs: certificates of servers that are trusted beside the system's own way to find them.
  if (const char *const file = std::getenv("SSL_CERT_FILE")) curl_easy_setopt(easy, CURLOPT_CAINFO, file);
  if (const char *const folder = std::getenv("SSL_CERT_DIR")) curl_easy_setopt(easy, CURLOPT_CAPATH, folder);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &Pusher::on_answer);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, pusher.get());
  return pusher;
}

Pusher::~Pusher() {
  if (is_busy_) curl_multi_remove_handle(multi_, easy_);
  if (easy_ != nullptr) curl_easy_cleanup(easy_);
  if (multi_ != nullptr) curl_multi_cleanup(multi_);
  curl_slist_free_all(headers_);
}

size_t Pusher::on_answer(char *data, size_t size, size_t count, void *self) {
  std::string &answer = static_cast<Pusher *>(self)->answer_;
  answer.append(data, std::min(size * count, kAnswerBytes - answer.size()));
  return size * count;  // the rest is of no interest
}

void Pusher::take(ReceivedText text) {
  if (text.is_last) {
    deadline_ = Clock::now() + seconds(kLastPushSeconds);
    backoff_ = seconds(1);
    try_again_ = {};
  }
  next_ = std::move(text);
}

void Pusher::begin() {
  const ReceivedText text = *std::exchange(next_, std::nullopt);
  // Private: before Linux 6.7 sealed memory cannot be mapped otherwise.
  void *const address = mmap(nullptr, text.size_bytes, PROT_READ, MAP_PRIVATE, text.file.get(), 0);
  if (address == MAP_FAILED) return failed("no memory for what is pushed", false);
  body_ = Mapping(address, text.size_bytes);
  is_last_ = text.is_last;
  answer_.clear();
  curl_easy_setopt(easy_, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(text.size_bytes));
  curl_easy_setopt(easy_, CURLOPT_POSTFIELDS, static_cast<const char *>(body_.data()));
  is_busy_ = curl_multi_add_handle(multi_, easy_) == CURLM_OK;
}

void Pusher::failed(const std::string &reason, bool may_help_again) {
  tracer_.tell(FromExporter::kPushFailed);
  if (!std::exchange(was_failing_, true)) tracer_.report(fmt::format("cannot push metrics to {}: {}", url_, reason));
  const bool goes_on = may_help_again && Clock::now() + backoff_ < deadline_;
  if (is_last_ && !goes_on) {
    tracer_.report(fmt::format("the last values were not pushed: {}", reason));
    is_done_ = has_failed_ = true;
  }
  if (!goes_on) return;
  try_again_ = Clock::now() + backoff_;
  backoff_ = std::min(backoff_ * 2, kLongestBackoff);
}

void Pusher::end(CURLcode code) {
  curl_multi_remove_handle(multi_, easy_);
  is_busy_ = false;
  long status = 0;
  curl_easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
  if (code != CURLE_OK) return failed(curl_easy_strerror(code), true);
  if (status / 100 != 2)
    return failed(fmt::format("HTTP status {}", status), std::ranges::find(kTryAgain, status) != kTryAgain.end());
  body_.reset();
  try_again_ = {};
  backoff_ = seconds(1);
  if (const std::string rejected = rejected_points(answer_); !rejected.empty())
    return failed(fmt::format("{} points were rejected", rejected), false);
  tracer_.tell(FromExporter::kPushed);
  if (std::exchange(was_failing_, false)) tracer_.report(fmt::format("metrics are pushed to {} again", url_));
  if (is_last_) is_done_ = true;
}

void Pusher::run() {
  int running = 0;
  (void)curl_multi_perform(multi_, &running);
  int left = 0;
  while (const CURLMsg *message = curl_multi_info_read(multi_, &left))
    if (message->msg == CURLMSG_DONE) end(message->data.result);
  if (is_done_) return;
  const Clock::time_point now = Clock::now();
  if (is_busy_ && now > deadline_ && is_last_) return end(CURLE_OPERATION_TIMEDOUT);
  if (is_busy_) {
    // The last one does not wait for one that hangs.
    if (!next_ || !next_->is_last || now + seconds(kLastPushSeconds - 2) < deadline_) return;
    curl_multi_remove_handle(multi_, easy_);
    is_busy_ = false;
  }
  if (now < try_again_) return;
  if (next_) {
    begin();
  } else if (try_again_ != Clock::time_point{} && body_) {  // the same again
    try_again_ = {};
    answer_.clear();
    is_busy_ = curl_multi_add_handle(multi_, easy_) == CURLM_OK;
  }
}

void Pusher::wait(milliseconds longest, curl_waitfd *others, unsigned nr_others) {
  const auto until_try = std::chrono::ceil<milliseconds>(try_again_ - Clock::now());
  if (try_again_ != Clock::time_point{} && !is_busy_) longest = std::clamp(until_try, milliseconds(0), longest);
  (void)curl_multi_poll(multi_, others, nr_others, static_cast<int>(longest.count()), nullptr);
}

}  // namespace dtrace::exporter
