# Galloper. `make demo` plays two turns from sample mails, `make test` runs every test; each installs what it needs.
# V=1 shows whole compiler commands. MODE: release (default), asan (address and undefined-behaviour sanitizers), coverage.
MODE    ?= release
PREFIX  ?= /usr/local
CC      ?= gcc
VERSION := 0.1

B := build/$(MODE)
# Before a command: its name and file are shown, or with V=1 all of it.
say = $(if $(V),,@echo "$(1) $(@F)";)

WARNINGS := -Wall -Wextra -Werror -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes -Wmissing-prototypes \
	-Wformat=2 -Wundef -Wpointer-arith -Wcast-qual -Wwrite-strings -Wvla -Wimplicit-fallthrough
HARDENING := -fstack-protector-strong -fPIE -D_GNU_SOURCE

CFLAGS_release  := -O2 -g -D_FORTIFY_SOURCE=2
CFLAGS_asan     := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
CFLAGS_coverage := -O0 -g --coverage
LDFLAGS_release  := -Wl,-z,relro,-z,now -pie
LDFLAGS_asan     := -fsanitize=address,undefined -pie
LDFLAGS_coverage := --coverage -pie

ALL_CFLAGS  = -std=gnu17 $(WARNINGS) $(HARDENING) $(CFLAGS_$(MODE)) -Isrc -DVERSION='"$(VERSION)"' \
	-DINSTALLED_DATA='"$(PREFIX)/share/galloper"' $(CFLAGS)
ALL_LDFLAGS = $(LDFLAGS_$(MODE)) $(LDFLAGS)

# libxml2's headers lie in a folder of their own; everything else is on the default path.
XML_CFLAGS := -I/usr/include/libxml2
CORE_LIBS  := -ltalloc -lsqlite3 -lsodium -lutf8proc
NET_LIBS   := -letpan -lcurl-gnutls -lgnutls
READ_LIBS  := -lxml2 -ltalloc -lutf8proc

# The three programs are the files with a main; all the rest is one archive, of which each program takes what it calls:
# so `galloper` never loads the mail libraries, and each of the other two only those that it needs.
MAINS   := src/cli/galloper.c src/cli/galloperd.c src/mail/galloper-reader.c
SOURCES := $(filter-out $(MAINS),$(wildcard src/*/*.c src/*/*/*.c))
OBJECTS := $(SOURCES:src/%.c=$(B)/%.o)
LIBRARY := $(B)/libgalloper.a
UNIT_TESTS := $(patsubst tests/unit/%.c,$(B)/tests/%,$(wildcard tests/unit/*.c))

.PHONY: all
all: deps galloper galloperd

galloper galloperd: %: $(B)/%
	@ln -sf $< $@

$(B)/galloper: $(B)/cli/galloper.o $(LIBRARY)
	$(call say,link)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(CORE_LIBS)

$(B)/galloperd: $(B)/cli/galloperd.o $(LIBRARY) | $(B)/galloper-reader
	$(call say,link)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(NET_LIBS) $(CORE_LIBS)

$(B)/galloper-reader: $(B)/mail/galloper-reader.o $(LIBRARY)
	$(call say,link)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(READ_LIBS)

$(LIBRARY): $(OBJECTS)
	@rm -f $@
	@ar rcs $@ $^

$(B)/%.o: src/%.c Makefile | deps
	@mkdir -p $(@D)
	$(call say,cc)$(CC) $(ALL_CFLAGS) $(XML_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/tests/%: tests/unit/%.c $(LIBRARY) Makefile
	@mkdir -p $(@D)
	$(call say,cc)$(CC) $(ALL_CFLAGS) -Wno-missing-prototypes $(ALL_LDFLAGS) -MMD -MP -o $@ $< $(LIBRARY) \
		-lcmocka $(NET_LIBS) $(READ_LIBS) $(CORE_LIBS) -lm

-include $(OBJECTS:.o=.d) $(MAINS:src/%.c=$(B)/%.d) $(UNIT_TESTS:=.d)

# --- packages ------------------------------------------------------------------------------------------------------
.PHONY: deps test-deps lint-deps
deps:
	@cron/install-packages build
test-deps:
	@cron/install-packages build test
lint-deps:
	@cron/install-packages build lint

# --- what people run -----------------------------------------------------------------------------------------------
.PHONY: demo test unit lint bench crash hostile looks fuzz coverage install uninstall clean format cases-index
demo: all
	@./galloper demo

test: test-deps
	@$(MAKE) --no-print-directory all unit
	@MODE=$(MODE) tests/run

unit: $(UNIT_TESTS)

lint: lint-deps
	@tests/lint

# A thousand kills over Maildirs and as many over real servers, and 200 at the referee's desk; `make test` makes do with
# a few.
crash: test-deps
	@$(MAKE) --no-print-directory all
	@KILLS=200 tests/crash-desk/run
	@KILLS=1000 REAL_KILLS=1000 STEPS=0 tests/crash/run

# Servers, mails and machines that mean harm: what comes of each, with figures. `make test` makes do with a part.
hostile: test-deps
	@$(MAKE) --no-print-directory all
	@HOSTILE=all tests/hostile/run

# Our mails drawn in a browser and measured; PICTURES=FOLDER keeps the pictures.
looks: deps
	@cron/install-packages build looks
	@$(MAKE) --no-print-directory all
	@GALLOPER=$(CURDIR)/$(B)/galloper GALLOPER_DATA=$(CURDIR) tests/looks/run

bench: test-deps
	@cron/install-packages bench
	@$(MAKE) --no-print-directory all
	@tests/bench/run

fuzz: lint-deps
	@tests/fuzz/run

# Which rules case tests which ruling.
cases-index:
	@tests/cases/index

coverage:
	@$(MAKE) MODE=coverage test
	@tests/coverage $(B)

format:
	@clang-format -i $$(git ls-files 'src/*.[ch]' 'tests/*.c')

# What the programs read lies under share/galloper, what people read under share/doc/galloper; the unit lies where systemd
# looks for it, whether PREFIX is /usr or /usr/local.
TO = $(DESTDIR)$(PREFIX)
install: all
	install -d $(TO)/bin $(TO)/share/galloper/doc $(TO)/share/man/man1 $(TO)/share/doc/galloper/doc $(TO)/lib/systemd/system
	install -m 755 $(B)/galloper $(B)/galloperd $(B)/galloper-reader $(TO)/bin/
	cp -R db templates $(TO)/share/galloper/
	install -m 644 doc/rulebook.md doc/rulebook-shreds.md $(TO)/share/galloper/doc/
	$(B)/galloper manual > $(B)/galloper.1
	install -m 644 $(B)/galloper.1 $(TO)/share/man/man1/
	ln -sf galloper.1 $(TO)/share/man/man1/galloperd.1
	install -m 644 doc/*.md $(TO)/share/doc/galloper/doc/
	install -m 644 README.md LICENSE cron/galloper.cron $(TO)/share/doc/galloper/
	sed 's|/usr/local/bin/|$(PREFIX)/bin/|' cron/galloperd.service > $(TO)/lib/systemd/system/galloperd.service

# Games, settings and mails are left alone.
uninstall:
	rm -f $(addprefix $(TO)/,bin/galloper bin/galloperd bin/galloper-reader share/man/man1/galloper.1 share/man/man1/galloperd.1 \
		lib/systemd/system/galloperd.service)
	rm -rf $(TO)/share/galloper $(TO)/share/doc/galloper

clean:
	rm -rf build galloper galloperd
