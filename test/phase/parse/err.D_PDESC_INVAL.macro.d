pid$nosuch::: { }
