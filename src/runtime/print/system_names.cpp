// SPDX-License-Identifier: Apache-2.0
// %P and %I through the C library's resolver. Addresses are numeric text: a name is never resolved to an address.
#include "runtime/print/system_names.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace dtrace::runtime {

std::string SystemNames::service(uint16_t port) {
  servent entry{};
  servent *found = nullptr;
  char buffer[1024];
  if (::getservbyport_r(htons(port), nullptr, &entry, buffer, sizeof(buffer), &found) != 0 || found == nullptr)
    return {};
  return found->s_name;
}

std::string SystemNames::host(std::string_view address) {
  const std::string text(address);
  sockaddr_in v4{};
  sockaddr_in6 v6{};
  char name[NI_MAXHOST];
  const sockaddr *socket_address = nullptr;
  socklen_t length = 0;
  if (::inet_pton(AF_INET, text.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    socket_address = reinterpret_cast<const sockaddr *>(&v4);
    length = sizeof(v4);
  } else if (::inet_pton(AF_INET6, text.c_str(), &v6.sin6_addr) == 1) {
    v6.sin6_family = AF_INET6;
    socket_address = reinterpret_cast<const sockaddr *>(&v6);
    length = sizeof(v6);
  } else {
    return {};
  }
  if (::getnameinfo(socket_address, length, name, sizeof(name), nullptr, 0, NI_NAMEREQD) != 0) return {};
  return name;
}

}  // namespace dtrace::runtime
