// SPDX-License-Identifier: Apache-2.0
// Any bytes as a provider definition file: read or refused with a message, and what was read becomes a header and an
// object without more trouble.
#include <cstddef>
#include <cstdint>
#include <string>

#include "usdt/definition_file.h"
#include "usdt/header.h"
#include "usdt/object.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace dtrace;
  Sources sources;
  Diagnostics diags;
  const uint32_t source =
      sources.add("fuzz.d", std::string(reinterpret_cast<const char *>(data), size), SourceKind::kScript);
  const usdt::DefinitionFile file = usdt::read_definition_file(source, sources, diags);
  if (!diags.ok()) {
    (void)render(diags.list().front(), sources, {.tags = true, .human = true});
    return 0;
  }
  (void)usdt::header_text(file.providers, "fuzz.h");
  const std::vector<usdt::StubName> names = usdt::stub_names(file.providers);
  usdt::ObjectRequest request{&file.providers, usdt::host_target(), &names, {}};
  for (const usdt::StubName &name : names) request.calls.insert(name.symbol);
  (void)usdt::object_file(request);
  return 0;
}
