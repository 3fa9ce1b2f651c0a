// SPDX-License-Identifier: Apache-2.0
// What the tracer and its exporter, a process without privileges that speaks HTTP, say to each other: one packet a
// message over a socket of type SOCK_SEQPACKET. Texts of metrics go as descriptors of sealed memory beside a message.
#pragma once

#include <cstdint>

namespace dtrace {

/// What a text is. The exporter answers requests with the first two, and pushes the last.
enum class ExportedText : uint32_t { kPrometheus, kOpenMetrics, kOtlp };

/// Exporter to tracer.
struct FromExporter {
  /// kReady: it serves and pushes from here on. kDone: the last text was pushed; kNotDone: it could not be.
  enum Kind : uint32_t { kReady, kWant, kPushed, kPushFailed, kReport, kDone, kNotDone };
  uint32_t kind = kWant;
  uint32_t wanted = 0;  ///< kWant: bits of ExportedText
  char text[240] = {};  ///< kReport: a message for the user, without "dtrace: " and newline
};

/// Tracer to exporter, with a descriptor.
struct ToExporter {
  uint32_t text = 0;     ///< ExportedText
  uint32_t is_last = 0;  ///< tracing has ended: push this, answer kDone or kNotDone and exit
};

inline constexpr int kExporterControlFd = 3;
inline constexpr int kExporterListenFd = 4;

/// The end of a run waits so long for its last push.
inline constexpr int kLastPushSeconds = 5;

}  // namespace dtrace
