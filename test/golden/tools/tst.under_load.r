50 of 50 tools right
