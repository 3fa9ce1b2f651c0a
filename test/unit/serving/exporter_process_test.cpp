// SPDX-License-Identifier: Apache-2.0
#include "serving/exporter_process.h"

#include <catch2/catch.hpp>

using namespace dtrace;
using namespace dtrace::command;

TEST_CASE("environment: what HTTP and TLS ask for is kept, and nothing else") {
  const char *const all[] = {"HOME=/root",         "SSL_CERT_FILE=/a=b", "LD_PRELOAD=/x.so", "no_proxy=",    "SECRET=1",
                             "SSL_CERT_FILE2=/no", "no equals sign",     "https_proxy=p:1",  "HTTP_PROXY=x", nullptr};
  CHECK(exporter_environment(all) == std::vector<std::string>{"SSL_CERT_FILE=/a=b", "no_proxy=", "https_proxy=p:1"});
}

TEST_CASE("a listener knows its address and the name that it was asked for") {
  const Result<Listener> numeric = listen_at("0");
  REQUIRE(numeric);
  CHECK(numeric->address.starts_with("127.0.0.1:"));
  CHECK(numeric->host == "127.0.0.1");
  const Result<Listener> named = listen_at("localhost:0");
  REQUIRE(named);
  CHECK(named->host == "localhost");
  for (const char *const wrong : {"", "x", "70000", "::1:9100", "1.2.3.4:x", ":9100"}) {
    INFO(wrong);
    CHECK_FALSE(listen_at(wrong));
  }
}

TEST_CASE("a URL without a path gets that of OTLP") {
  CHECK(*push_url("http://c:4318") == "http://c:4318/v1/metrics");
  CHECK(*push_url("https://c/") == "https://c/v1/metrics");
  CHECK(*push_url("https://c/other") == "https://c/other");
  for (const char *const wrong : {"x", "ftp://x", "http://", "http:///x", "http://a b"}) CHECK_FALSE(push_url(wrong));
}
