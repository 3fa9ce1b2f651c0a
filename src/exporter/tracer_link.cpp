// SPDX-License-Identifier: Apache-2.0
#include "exporter/tracer_link.h"

#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace dtrace::exporter {

void TracerLink::send(const FromExporter &message) {
  if (::send(socket_.get(), &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno != EAGAIN)
    closed_ = true;
}

void TracerLink::want(uint32_t texts) {
  FromExporter message;
  message.wanted = texts;
  send(message);
}

void TracerLink::report(std::string_view text) {
  FromExporter message;
  message.kind = FromExporter::kReport;
  std::memcpy(message.text, text.data(), std::min(text.size(), sizeof message.text - 1));
  send(message);
}

void TracerLink::tell(FromExporter::Kind kind) {
  FromExporter message;
  message.kind = kind;
  send(message);
}

std::optional<ReceivedText> TracerLink::receive() {
  ToExporter message;
  iovec part{&message, sizeof message};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr packet{};
  packet.msg_iov = &part;
  packet.msg_iovlen = 1;
  packet.msg_control = control;
  packet.msg_controllen = sizeof control;
  const ssize_t size = recvmsg(socket_.get(), &packet, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return std::nullopt;
  if (size != static_cast<ssize_t>(sizeof message)) {
    closed_ = true;
    return std::nullopt;
  }
  const cmsghdr *const head = CMSG_FIRSTHDR(&packet);
  if (head == nullptr || head->cmsg_type != SCM_RIGHTS) return std::nullopt;
  int fd = -1;
  std::memcpy(&fd, CMSG_DATA(head), sizeof fd);
  ReceivedText text{static_cast<ExportedText>(message.text), message.is_last != 0, Fd(fd), 0};
  struct stat about{};
  if (fstat(fd, &about) != 0) return std::nullopt;
  text.size_bytes = static_cast<uint64_t>(about.st_size);
  return text;
}

}  // namespace dtrace::exporter
