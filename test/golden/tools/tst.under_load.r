59 of 59 tools right
