// SPDX-License-Identifier: Apache-2.0
// Path names and addresses of the BPF library. Source: the D language reference, 4.5.
#include <arpa/inet.h>
#include <libgen.h>

#include <random>

#include "test/unit/bpf/slot.h"

using namespace dtrace::test;

namespace {

std::string by(int (*function)(dt_slot *, __u32, __u32, __u32), std::string_view path) {
  Slot slot;
  function(slot.get(), Slot::kOut, slot.put(Slot::kA, path), Slot::kSpace);
  return slot.text(Slot::kOut);
}

/// cleanpath() component by component.
std::string cleaned(const std::string &path) {
  std::vector<std::string> parts;
  const bool is_absolute = path.starts_with('/');
  for (size_t at = 0; at < path.size();) {
    size_t end = path.find('/', at);
    if (end == std::string::npos) end = path.size();
    const std::string part = path.substr(at, end - at);
    if (part == ".." && !parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else if (part == ".." && is_absolute) {
    } else if (!part.empty() && part != ".") {
      parts.push_back(part);
    }
    at = end + 1;
  }
  std::string result;
  for (const std::string &part : parts) result += (result.empty() && !is_absolute ? "" : "/") + part;
  return result.empty() && is_absolute ? "/" : result;
}

std::string address(const char *text) {
  Slot slot;
  REQUIRE(inet_pton(AF_INET6, text, slot.loop().set) == 1);
  dt_inet6_text(slot.get(), Slot::kOut, 0);
  return slot.text(Slot::kOut);
}

}  // namespace

TEST_CASE("path: parts as the C library's") {
  std::mt19937 random(4);
  for (int i = 0; i < 3000; ++i) {
    std::string path(random() % 10, ' ');
    for (char &c : path) c = "a/./"[random() % 4];
    CAPTURE(path);
    std::string one = path, two = path;
    CHECK(by(dt_basename, path) == (path.empty() ? "." : basename(one.data())));
    std::string directory = path.empty() ? "." : dirname(two.data());
    if (directory == "//") directory = "/";  // two leading slashes mean nothing special here
    CHECK(by(dt_dirname, path) == directory);
  }
}

TEST_CASE("path: cleaned") {
  CHECK(by(dt_cleanpath, "/a//b/./../c") == "/a/c");
  CHECK(by(dt_cleanpath, "../../x/..") == "../../");
  CHECK(by(dt_cleanpath, "/../x") == "/x");
  std::mt19937 random(5);
  for (int i = 0; i < 3000; ++i) {
    std::string path(random() % 12, ' ');
    for (char &c : path) c = "a./."[random() % 4];
    CAPTURE(path);
    std::string got = by(dt_cleanpath, path);
    if (got.size() > 1 && got.ends_with('/')) got.pop_back();  // what ended in a slash may keep it
    CHECK(got == cleaned(path));
  }
}

TEST_CASE("path: addresses as inet_ntop() writes them") {
  Slot slot;
  const unsigned char quad[] = {127, 0, 10, 255};
  std::memcpy(slot.loop().set, quad, 4);
  dt_inet4_text(slot.get(), Slot::kOut);
  CHECK(slot.text(Slot::kOut) == "127.0.10.255");
  for (const char *text : {"::", "::1", "1::", "fe80::1:0:0:abcd", "1:2:3:4:5:6:7:8", "1:0:2::3", "::ffff:1.2.3.4",
                           "::1.2.3.4", "::0.2.0.0", "::255.255.255.255", "::0.0.1.0", "::ffff:0:1.2.3.4",
                           "2001:db8::", "0:0:1::", "1:0:0:2:0:0:0:3", "ff02::1:ff00:42"}) {
    CAPTURE(text);
    unsigned char bytes[16];
    char want[INET6_ADDRSTRLEN];
    REQUIRE(inet_pton(AF_INET6, text, bytes) == 1);
    CHECK(address(text) == inet_ntop(AF_INET6, bytes, want, sizeof(want)));
  }
}
