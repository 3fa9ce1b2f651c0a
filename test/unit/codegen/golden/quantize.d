/* The bucket by the number of bits. */
BEGIN { @ = quantize(timestamp); }
