ok: wake-ups
