ok: address and port
