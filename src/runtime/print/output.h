// SPDX-License-Identifier: Apache-2.0
// Where printed text goes: standard output, the -o file, or wherever freopen() sent it.
//
// Text is collected in text() and leaves in large writes: printers append, the consumer calls row_done() after a row
// and flush() before it sleeps, runs system(), or forks. Nothing else may write to the same descriptor through stdio
// meanwhile.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/owned.h"
#include "base/result.h"
#include "runtime/print/rotation.h"

namespace dtrace::runtime {

class Output {
 public:
  virtual ~Output() = default;
  Output() = default;
  Output(const Output &) = delete;
  Output &operator=(const Output &) = delete;

  /// Text not yet written; append to it.
  std::string &text() { return text_; }

  /// A row ends here. Writes if much has gathered.
  void row_done() {
    if (text_.size() > (row_ends_.empty() ? 0 : row_ends_.back())) row_ends_.push_back(text_.size());
    if (text_.size() >= kDrainBytes) drain();
    if (watches_rows_) after_row();
  }
  /// Another number: what follows begins a new file, which has nothing of what stood at the head of the one before.
  uint64_t generation() const { return generation_; }

  /// Writes all pending text. Reports the first write error, at each call once there was one.
  Result<Unit> flush();
  /// A write failed (reader gone, disk full). Later text is thrown away.
  bool failed() const { return error_.has_value(); }
  const std::optional<Error> &error() const { return error_; }
  /// Rows that were not written, or not as a whole, since a write failed.
  uint64_t lost_rows() const { return lost_rows_; }

  /// freopen(): following text goes to the end of the file `path`; "" restores the original target.
  Result<Unit> redirect(const std::string &path);
  /// Does what is written now go to a terminal?
  virtual bool is_terminal() const { return false; }
  /// ftruncate(): empties the current target and rewinds it; no effect on what cannot be truncated.
  Result<Unit> truncate();

 protected:
  /// `written`: how many bytes were taken, also on failure.
  virtual Result<Unit> write(std::string_view text, size_t &written) = 0;
  /// Removes the last `count` bytes written: the beginning of a row that has no end. Only files can.
  virtual void cut_target(size_t count) = 0;
  virtual Result<Unit> open_target(const std::string &path) = 0;
  virtual void restore_target() = 0;
  virtual void truncate_target() = 0;
  /// Between two rows; called if watches_rows_.
  virtual void after_row() {}
  void drain();
  bool watches_rows_ = false;
  uint64_t generation_ = 0;

 private:
  static constexpr size_t kDrainBytes = 64 * 1024;
  void give_back_part(size_t written);

  std::string text_;
  std::optional<Error> error_;
  std::vector<size_t> row_ends_;  // in text_
  size_t part_bytes_ = 0;         // written after the last end of a row
  bool any_row_ = false;          // was written
  uint64_t lost_rows_ = 0;
};

/// Text to a file descriptor. A redirection replaces the descriptor itself, so that the children of system() follow it.
class FdOutput final : public Output {
 public:
  /// Writes to `fd` (1 for standard output), which the caller keeps open.
  explicit FdOutput(int fd) : fd_(fd) {}
  /// Writes to a file of its own.
  explicit FdOutput(Fd file) : owned_(std::move(file)), fd_(owned_.get()) {}
  ~FdOutput() override { (void)flush(); }

  /// The -o file: created if need be, appended to.
  static Result<std::unique_ptr<FdOutput>> append_to(const std::string &path);

  /// From here on, a file that append_to() opened is replaced by a new one between two rows, when there is
  /// reason to. `report` is called when that fails; then the file goes on. Errors: it is no regular file.
  Result<Unit> rotate(const Rotation &rotation, std::function<void(std::string_view)> report);
  /// Opens the path again, of a file that append_to() opened: what follows goes to the file that has the path now. An
  /// error changes nothing.
  Result<Unit> reopen();

  /// Asked at each interruption of a write that has waited so long since anything was taken: why to give it up.
  using Patience = std::function<std::optional<Error>(std::chrono::nanoseconds waiting)>;
  void set_patience(Patience patience) { patience_ = std::move(patience); }
  /// What is written is kept, and shown on a terminal later.
  void keep_for_terminal() { is_for_terminal_ = true; }
  bool is_terminal() const override;

 protected:
  Result<Unit> write(std::string_view text, size_t &written) override;
  void cut_target(size_t count) override;
  Result<Unit> open_target(const std::string &path) override;
  void restore_target() override;
  void truncate_target() override;
  void after_row() override;

 private:
  using Clock = std::chrono::steady_clock;
  Result<Unit> turn();
  Result<Unit> continue_in(Fd file);
  void begin_file();

  std::string path_;  // of append_to()
  std::optional<NextRotation> rotation_;
  std::function<void(std::string_view)> report_;
  uint64_t file_bytes_ = 0;  // in the file
  Fd owned_;
  int fd_;
  Fd original_;  // while redirected
  bool is_for_terminal_ = false;
  Patience patience_;
};

/// A file that is replaced as a whole: what is written is seen under its name when commit() has put it there, and not
/// at all if that is never called. What is no regular file (a device, a pipe) is written to as it is.
class WholeFileOutput final : public Output {
 public:
  /// Errors: such a file cannot be made.
  static Result<std::unique_ptr<WholeFileOutput>> at(const std::string &path);
  ~WholeFileOutput() override;

  Result<Unit> commit();
  bool is_terminal() const override;

 protected:
  Result<Unit> write(std::string_view text, size_t &written) override;
  void cut_target(size_t) override {}  // a part of it is never seen
  Result<Unit> open_target(const std::string &path) override;
  void restore_target() override {}
  void truncate_target() override {}

 private:
  explicit WholeFileOutput(std::string path) : path_(std::move(path)) {}
  Result<Unit> make_file();

  std::string path_;       // resolved
  std::string temporary_;  // beside it; empty: not made yet
  Fd file_;
};

}  // namespace dtrace::runtime
