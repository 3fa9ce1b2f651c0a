48 of 48 tools right
