ok: every read is in the distribution
