spins
