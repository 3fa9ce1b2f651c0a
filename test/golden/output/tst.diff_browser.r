== compared
