ok: failures are counted by name
