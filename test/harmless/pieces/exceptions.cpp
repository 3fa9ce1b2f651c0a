// SPDX-License-Identifier: Apache-2.0
// Exceptions through many calls, with destructors on the way, thrown again, nested, of the library, and from a
// comparison.
#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "piece.h"

namespace {

long cleaned;
struct Cleaner {
  long weight;
  OUTLINE ~Cleaner() { cleaned += weight; }
};

OUTLINE long throws(long n) {
  if (n % 3 == 0) throw std::runtime_error("three");
  if (n % 5 == 0) throw n;
  return n;
}
OUTLINE long dive(long depth, long n) {
  Cleaner cleaner{depth};
  return depth == 0 ? throws(n) : dive(depth - 1, n) + 1;
}
OUTLINE long passes(long n) { return throws(n); }  // a jump, where the compiler is allowed to
OUTLINE long rethrows(long n) {
  try {
    return dive(3, n);
  } catch (const std::exception &) {
    Cleaner cleaner{1000};
    throw;
  }
}
OUTLINE long nested(long n) {
  try {
    try {
      return rethrows(n);
    } catch (...) {
      std::throw_with_nested(std::logic_error("outer"));
    }
  } catch (const std::logic_error &error) {
    try {
      std::rethrow_if_nested(error);
    } catch (long value) {
      return value * 2;
    } catch (const std::exception &inner) {
      return static_cast<long>(std::string(inner.what()).size());
    }
  }
  return -1;
}

struct Base {
  virtual ~Base() = default;
  virtual long value(long n) = 0;
};
struct Derived : Base {
  OUTLINE long value(long n) override { return passes(n) * 2; }
};

}  // namespace

extern "C" long exceptions(long n) {
  cleaned = 0;
  long sum = 0;
  for (long i = n; i < n + 8; i++) {
    sum += nested(i);
    try {
      sum += std::unique_ptr<Base>(new Derived)->value(i);
    } catch (const std::exception &error) {
      sum += 1000;
    } catch (long value) {
      sum += 2000 + value;
    }
  }
  say("sum", sum);
  say("cleaned", cleaned);
  try {
    std::map<std::string, long>{{"a", 1}}.at("b");
  } catch (const std::out_of_range &) {
    say("out of range", 1);
  }
  try {
    std::vector<long> numbers{5, 3, 9, 1};
    std::sort(numbers.begin(), numbers.end(), [](long a, long b) { return throws(a == 9 ? 3 : 1) != 0 && a < b; });
  } catch (const std::runtime_error &) {
    say("left the sort", 1);
  }
  std::ostringstream text;
  text << n << ' ' << 1.5 << ' ' << std::stol("77");
  say("text", static_cast<long>(text.str().size()));
  return within(n);
}
