ok: sleeps
