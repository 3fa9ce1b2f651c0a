// SPDX-License-Identifier: Apache-2.0
// Feeds every file of the folders given to a fuzzer's entry point, once; with no folder, or a missing one, the empty
// input. This is not a fuzzer: it keeps fuzzers compiling, and their corpora running, where libFuzzer is absent.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

int main(int argc, char **argv) {
  size_t inputs = 1;
  LLVMFuzzerTestOneInput(nullptr, 0);
  for (int i = 1; i < argc; i++) {
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(argv[i], error)) {
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
      LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
      inputs++;
    }
  }
  std::printf("%zu inputs survived\n", inputs);
  return 0;
}
