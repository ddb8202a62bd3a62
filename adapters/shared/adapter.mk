# What the Makefiles of loops share: adapter.cc, and the sources of this folder, become $(OUT)/adapter. A Makefile that
# includes this sets LIBS, and CPPFLAGS where the headers are not in the usual place; with PACKAGE, pkg-config is asked
# for both. OBJECTS names its own sources where adapter.cc is not the only one. Several adapters that are built together can share the objects of this folder, in SHARED_OUT.
OUT ?= .
SHARED_OUT ?= $(OUT)
CXX ?= g++
CXXFLAGS ?= -O1
CXXFLAGS += -std=c++17 -Wall -Wextra -fPIC

SHARED_FOLDER := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
OBJECTS ?= adapter
OWN := $(OBJECTS:%=$(OUT)/%.o)
SHARED := $(addprefix $(SHARED_OUT)/,interpreter.o session.o trace.o)
CPPFLAGS += -I$(SHARED_FOLDER)

ifneq ($(PACKAGE),)
ifneq ($(shell pkg-config --exists $(PACKAGE) && echo found),found)
$(error pkg-config does not find $(PACKAGE))
endif
# As system headers, so that their warnings are their own.
CPPFLAGS += $(patsubst -I%,-isystem %,$(shell pkg-config --cflags $(PACKAGE)))
LIBS += $(shell pkg-config --libs $(PACKAGE))
endif

$(OUT)/adapter: $(OWN) $(SHARED)
	$(CXX) -o $@ $^ $(LIBS) -ldl -pthread

# First the file that knows the library: where that is missing, nothing else has to be built to find out.
$(SHARED): | $(OUT)/adapter.o

$(OUT)/%.o: %.cc $(wildcard *.h) $(SHARED_FOLDER)/loop.h
	$(CXX) $(CPPFLAGS) $(CXXFLAGS) -c -o $@ $<

$(SHARED_OUT)/%.o: $(SHARED_FOLDER)/%.cc $(wildcard $(SHARED_FOLDER)/*.h)
	$(CXX) $(CPPFLAGS) $(CXXFLAGS) -c -o $@ $<

clean:
	rm -f $(OUT)/*.o $(SHARED) $(OUT)/adapter $(OUT)/*.node

.PHONY: clean
