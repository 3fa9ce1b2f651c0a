// SPDX-License-Identifier: Apache-2.0
#include "runtime/print/typed_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace dtrace::runtime {

std::string TypedReader::wide_hex_text(const Datum &datum) const {
  const Datum low{datum.type, datum.off_bits, 64}, high{datum.type, datum.off_bits + 64, 64};
  if (raw(high) != 0) return fmt::format("0x{:x}{:016x}", raw(high), raw(low));
  return raw(low) == 0 ? "0" : fmt::format("0x{:x}", raw(low));
}

std::string TypedReader::wide_decimal_text(const Datum &datum) const {
  __extension__ using Wide = unsigned __int128;
  const Datum low{datum.type, datum.off_bits, 64}, high{datum.type, datum.off_bits + 64, 64};
  Wide value = Wide{raw(high)} << 64 | raw(low);
  const bool is_negative = resolved(datum).is_signed && raw_signed(high) < 0;
  if (is_negative) value = ~value + 1;
  std::string text;
  do text += static_cast<char>('0' + static_cast<int>(value % 10));
  while ((value /= 10) != 0);
  if (is_negative) text += '-';
  std::ranges::reverse(text);
  return text;
}

}  // namespace dtrace::runtime
