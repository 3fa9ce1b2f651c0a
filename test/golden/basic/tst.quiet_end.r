hi 42
bye

