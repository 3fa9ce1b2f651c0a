// SPDX-License-Identifier: Apache-2.0
// The terminal of --live: its size, its keys, and lines that replace those before. Written in the escape sequences that
// all terminals of today have, so that no library is needed.
//
// However this process ends, but by SIGKILL, the terminal is as it was: by leave(), by the destructor, or by a handler
// if it crashes.
#pragma once

#include <termios.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/owned.h"
#include "base/result.h"
#include "runtime/live/live_picture.h"

namespace dtrace::command {

/// What a key means to programs; characters are themselves.
enum class Key : int { kUp = 256, kDown, kLeft, kRight, kPageUp, kPageDown, kHome, kEnd };

class Screen {
 public:
  /// Standard output's terminal; nothing on it is changed yet. Errors: it is none, or one that cannot do this.
  static Result<Screen> of_standard_output();
  Screen(Screen &&) = default;
  Screen &operator=(Screen &&) = delete;
  ~Screen();

  /// Also to take the terminal again, after somebody else had it. Errors: its settings cannot be changed.
  Result<Unit> enter();
  void leave();

  runtime::LiveSize size() const;
  /// The window has another size since the last call.
  bool take_resize();
  /// This process was stopped, and goes on.
  bool take_resume();
  /// Keys that were pressed since the last call.
  std::vector<int> keys();
  /// What was drawn is not there any more.
  void forget() { shown_.clear(); }
  /// Replaces what is shown. Does not wait for a terminal that takes nothing.
  void draw(std::vector<std::string> lines);
  /// The terminal has gone.
  bool is_gone() const { return is_gone_; }

 private:
  explicit Screen(Fd terminal) : terminal_(std::move(terminal)) {}
  bool write(std::string_view text);

  Fd terminal_;
  std::optional<termios> before_;  // while on the screen
  std::vector<std::string> shown_;
  std::string pending_;  // the beginning of a key's sequence
  bool is_gone_ = false;
};

}  // namespace dtrace::command
