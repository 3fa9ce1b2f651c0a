words := $(foreach n,1 2 3,word$(n))
$(shell echo seen >seen)
all: $(words) ; @cat $(words); echo $(sort c b a) $(call reverse,x,y) $(shell cat seen)
reverse = $(2) $(1)
word%: ; @echo made $@ >$@
