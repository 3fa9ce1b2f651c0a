the stub is between
