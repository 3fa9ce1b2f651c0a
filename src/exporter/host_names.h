// SPDX-License-Identifier: Apache-2.0
// Which `Host` headers are answered. A web page may give its own name the address 127.0.0.1 (DNS rebinding), so that
// the browser takes what is served here for the page's own. Such a request carries the page's name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dtrace::exporter {

class HostNames {
 public:
  /// Accepts IP addresses, "localhost" and these names; "*" among them: every name.
  explicit HostNames(std::vector<std::string> names);

  /// `header`: the value of `Host`, "NAME[:PORT]". Which port does not matter: tunnels and containers change it.
  bool accepts(std::string_view header) const;

 private:
  std::vector<std::string> names_;  // in lower case, without a dot at the end
  bool accepts_all_ = false;
};

}  // namespace dtrace::exporter
