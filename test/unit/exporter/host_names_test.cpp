// SPDX-License-Identifier: Apache-2.0
#include "exporter/host_names.h"

#include <catch2/catch.hpp>

using dtrace::exporter::HostNames;
using namespace std::string_view_literals;

TEST_CASE("hosts: addresses, localhost and the names that were given are answered") {
  const HostNames hosts({"Metrics.example.com", "node-1."});
  for (const std::string_view header : {"127.0.0.1"sv, "127.0.0.1:9100"sv, "192.0.2.7:80"sv, "[::1]"sv, "[::1]:9100"sv,
                                        "[2001:db8::1]:1"sv, "localhost"sv, "LocalHost:9100"sv, "localhost."sv,
                                        "localhost:"sv, "metrics.EXAMPLE.com:443"sv, "node-1"sv, "node-1.:9100"sv}) {
    INFO(header);
    CHECK(hosts.accepts(header));
  }
}

TEST_CASE("hosts: names of web pages are not answered, whatever their address is") {
  const HostNames hosts({"node-1"});
  for (const std::string_view header :
       {"evil.example"sv, "evil.example:9100"sv, "localhost.evil.example"sv, "127.0.0.1.evil.example"sv,
        "node-1.evil.example"sv, "anode-1"sv, "127.1"sv, "2130706433"sv, "0x7f.1"sv}) {
    INFO(header);
    CHECK_FALSE(hosts.accepts(header));
  }
}

TEST_CASE("hosts: malformed headers are not answered") {
  for (const HostNames &hosts : {HostNames({}), HostNames({"*"})})
    for (const std::string_view header :
         {""sv, ":9100"sv, "::1"sv, "[::1"sv, "[]"sv, "[localhost]"sv, "[::1]x"sv, "[::1]:x"sv, "localhost:91x"sv,
          "localhost:123456"sv, "localhost\0.evil.example"sv, "[::1%lo]"sv}) {
      INFO(header);
      CHECK_FALSE(hosts.accepts(header));
    }
}

TEST_CASE("hosts: a star answers every name") {
  CHECK(HostNames({"*"}).accepts("any.example:9100"));
  CHECK_FALSE(HostNames({"*.example"}).accepts("any.example"));
}
