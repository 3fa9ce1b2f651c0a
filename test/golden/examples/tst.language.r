language.md: no examples with other output
