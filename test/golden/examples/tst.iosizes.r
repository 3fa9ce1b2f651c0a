ok: requests of that size
