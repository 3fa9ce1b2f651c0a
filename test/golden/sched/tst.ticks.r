as often
