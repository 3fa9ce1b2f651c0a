(typed)
as often
