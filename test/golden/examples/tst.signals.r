ok: sender, receiver, number
