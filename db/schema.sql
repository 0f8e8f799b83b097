-- Galloper's database, version 1: what all of migrations/ make together, for reading. One file serves all games. Times
-- are UTC seconds, flags 0 or 1. What happened (mail_raw, turn, act) is only ever added to: triggers see to it. Of an IN
-- with more than two values SQLite makes a table for each row that is written: so not for mail and outbox.

CREATE TABLE secret (
	name TEXT PRIMARY KEY,
	value BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Who may do a job now, so that daemon and cron never do it twice.
CREATE TABLE lease (
	name TEXT PRIMARY KEY,
	owner TEXT NOT NULL,
	until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A server account that is left alone until then, since it refuses us or is away; other settings void it.
CREATE TABLE hold (
	account TEXT PRIMARY KEY,
	settings BLOB NOT NULL,                 -- keyed hash of what it was tried with
	refusals INTEGER NOT NULL,              -- in a row
	until INTEGER NOT NULL,
	why TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A mailbox that is read. `complete` is when the last poll that got everything was begun.
CREATE TABLE account (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE,
	made INTEGER NOT NULL,
	complete INTEGER NOT NULL DEFAULT 0,
	failing_since INTEGER,
	failure TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE game (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE,
	battle TEXT NOT NULL,
	rules TEXT NOT NULL,
	options TEXT NOT NULL DEFAULT '',
	seed BLOB NOT NULL,
	zone TEXT NOT NULL,
	slot TEXT NOT NULL,
	skips TEXT NOT NULL DEFAULT '',
	reminders TEXT NOT NULL,
	grace INTEGER NOT NULL,
	status TEXT NOT NULL CHECK (status IN ('setup', 'running', 'paused', 'ended')),
	made INTEGER NOT NULL,
	line INTEGER NOT NULL DEFAULT 1,
	turn INTEGER NOT NULL DEFAULT 1,
	deadline INTEGER,
	deadline_set INTEGER NOT NULL DEFAULT 0, -- by the referee, and so not the calendar's
	wake INTEGER NOT NULL DEFAULT 0,        -- when it next has to be looked at, for a reminder
	concession TEXT NOT NULL DEFAULT '',
	review TEXT NOT NULL DEFAULT 'off' CHECK (review IN ('off', 'on', 'once')),
	review_hours INTEGER NOT NULL DEFAULT 48, -- after which a held turn is released by itself; 0 = never
	part INTEGER NOT NULL DEFAULT 0,        -- parts of the turn that are resolved (pace phased)
	held INTEGER NOT NULL DEFAULT 0,        -- the last resolved turn waits for the referee's RELEASE
	release_at INTEGER,                     -- when it is released by itself
	revision INTEGER NOT NULL DEFAULT 0,    -- one more with each change, so that no change rests on an old reading
	digested INTEGER NOT NULL DEFAULT 0,    -- when its referees were last told the news
	forgotten INTEGER NOT NULL DEFAULT 0,   -- when its people were forgotten; 0 = they are known
	texts BLOB NOT NULL,                    -- digest of the two that follow, by which games share them in memory
	battle_text TEXT NOT NULL,              -- long, and so behind all that is asked for without them
	rules_text TEXT NOT NULL
) STRICT;
CREATE INDEX game_due ON game (status, deadline);
CREATE INDEX game_wake ON game (status, wake);
CREATE INDEX game_release ON game (release_at) WHERE held = 1;

CREATE TABLE player (
	id INTEGER PRIMARY KEY,
	game INTEGER NOT NULL REFERENCES game (id),
	role TEXT NOT NULL CHECK (role IN ('E', 'J', 'observer', 'referee')),
	name TEXT NOT NULL,
	units TEXT NOT NULL DEFAULT '',         -- ids parted by blanks; '' = the whole side
	bounces INTEGER NOT NULL DEFAULT 0,
	bounced INTEGER NOT NULL DEFAULT 0,     -- when we heard of the last; 0 = never
	stopped INTEGER NOT NULL DEFAULT 0,
	gone INTEGER NOT NULL DEFAULT 0,
	heard INTEGER NOT NULL DEFAULT 0,
	since INTEGER NOT NULL DEFAULT 0        -- when this person took the place of another; 0 = the first
) STRICT;
CREATE INDEX player_game ON player (game);

CREATE TABLE address (
	id INTEGER PRIMARY KEY,
	player INTEGER NOT NULL REFERENCES player (id),
	address TEXT NOT NULL,                  -- lower case
	key TEXT NOT NULL,                      -- what proves the mails from there; nobody else's
	deputy INTEGER NOT NULL DEFAULT 0,
	UNIQUE (player, address)
) STRICT;
CREATE INDEX address_text ON address (address, player);

CREATE TABLE mail (
	id INTEGER PRIMARY KEY,
	account INTEGER NOT NULL REFERENCES account (id),
	validity INTEGER NOT NULL,
	uid TEXT NOT NULL,
	arrived INTEGER NOT NULL,
	fetched INTEGER NOT NULL,
	digest BLOB NOT NULL,
	state TEXT NOT NULL CHECK (state = 'fetched' OR state = 'done' OR state = 'duplicate' OR state = 'old' OR
		state = 'ignored' OR state = 'rejected'),
	folder TEXT NOT NULL DEFAULT '',        -- where it has yet to be moved to; '' = nowhere
	tries INTEGER NOT NULL DEFAULT 0,
	why TEXT NOT NULL DEFAULT '',
	game INTEGER,                           -- whose it was. Not declared as references: an UPDATE of those makes
	player INTEGER,                         -- SQLite copy each page that it writes to, to be able to undo it alone
	UNIQUE (account, validity, uid)
) STRICT;
CREATE INDEX mail_waiting ON mail (arrived, id) WHERE state = 'fetched';
CREATE INDEX mail_moving ON mail (account) WHERE folder <> '';
CREATE INDEX mail_digest ON mail (digest);

-- Mails that a server names and does not deliver.
CREATE TABLE ghost (
	account INTEGER NOT NULL REFERENCES account (id),
	validity INTEGER NOT NULL,
	uid TEXT NOT NULL,
	tries INTEGER NOT NULL,
	due INTEGER NOT NULL,                   -- not asked for again before
	PRIMARY KEY (account, validity, uid)
) STRICT, WITHOUT ROWID;

-- The mails' bytes, apart from what changes, so that a change of state need not write them again.
CREATE TABLE mail_raw (
	mail INTEGER PRIMARY KEY REFERENCES mail (id),
	raw BLOB NOT NULL
) STRICT;
CREATE TRIGGER mail_raw_stays BEFORE UPDATE ON mail_raw BEGIN SELECT raise(ABORT, 'raw mails are never changed'); END;

-- Orders as they were understood, in canonical lines, one row a mail; in force in the order of arrival, then of id.
CREATE TABLE sheet (
	id INTEGER PRIMARY KEY,
	game INTEGER NOT NULL REFERENCES game (id),
	line INTEGER NOT NULL,
	turn INTEGER NOT NULL,
	player INTEGER NOT NULL REFERENCES player (id),
	mail INTEGER REFERENCES mail (id),
	number INTEGER NOT NULL,                -- the how-manieth of this player this turn
	arrived INTEGER NOT NULL,
	unread INTEGER NOT NULL,                -- how much of it was not understood: 0 = nothing
	referee INTEGER REFERENCES player (id), -- who entered it for the player; NULL: he himself
	change INTEGER REFERENCES turn (id),    -- the resolution with which he did so, if that changed a turn: for UNDO
	plain TEXT NOT NULL,                    -- ids of the pieces, if it only orders pieces by name and for this turn
	canonical TEXT NOT NULL,
	typed TEXT NOT NULL                     -- as read, for ACCEPT
) STRICT;
CREATE INDEX sheet_turn ON sheet (game, line, turn, arrived, id, player);
CREATE INDEX sheet_unread ON sheet (player, turn) WHERE unread > 0;
CREATE INDEX sheet_entered ON sheet (game, turn) WHERE referee IS NOT NULL;

-- Who is READY for the current turn; kept until it is resolved.
CREATE TABLE ready (
	game INTEGER NOT NULL REFERENCES game (id),
	line INTEGER NOT NULL,
	turn INTEGER NOT NULL,
	player INTEGER NOT NULL REFERENCES player (id),
	PRIMARY KEY (game, line, turn, player)
) STRICT, WITHOUT ROWID;

CREATE TABLE reminded (
	game INTEGER NOT NULL REFERENCES game (id),
	line INTEGER NOT NULL,
	turn INTEGER NOT NULL,
	deadline INTEGER NOT NULL,
	hours INTEGER NOT NULL,
	PRIMARY KEY (game, line, turn, deadline, hours)
) STRICT, WITHOUT ROWID;

-- Resolved turns. A referee's amendment resolves a turn again: that is one more row, and the last one counts.
CREATE TABLE turn (
	id INTEGER PRIMARY KEY,
	game INTEGER NOT NULL REFERENCES game (id),
	line INTEGER NOT NULL,
	turn INTEGER NOT NULL,
	resolution INTEGER NOT NULL,            -- 1, and one more with each amendment
	resolved INTEGER NOT NULL,
	why TEXT NOT NULL,
	before BLOB NOT NULL,
	orders TEXT NOT NULL,                   -- both sides' merged orders, canonical
	amendments BLOB NOT NULL,
	events BLOB NOT NULL,
	after BLOB NOT NULL,
	digest TEXT NOT NULL,                   -- of the state after
	UNIQUE (game, line, turn, resolution)
) STRICT;
CREATE TRIGGER turn_stays BEFORE UPDATE ON turn BEGIN SELECT raise(ABORT, 'resolved turns are never changed'); END;
CREATE TRIGGER turn_remains BEFORE DELETE ON turn BEGIN SELECT raise(ABORT, 'resolved turns are never removed'); END;

-- The positions between the phases of a game's last resolved turn, so that a referee's change takes it up again where the
-- change acts. Not history: each resolution puts its own in their place, and without them a turn is resolved from its start.
CREATE TABLE turn_phase (
	game INTEGER NOT NULL REFERENCES game (id),
	phase INTEGER NOT NULL,                 -- the next one
	turn INTEGER NOT NULL REFERENCES turn (id),
	state BLOB NOT NULL,
	PRIMARY KEY (game, phase)
) STRICT;

-- What players have been told: a turn that is held for the referee's review is not here yet.
CREATE TABLE released (
	turn INTEGER PRIMARY KEY REFERENCES turn (id),
	made INTEGER NOT NULL
) STRICT;
CREATE TRIGGER released_stays BEFORE UPDATE ON released BEGIN SELECT raise(ABORT, 'what was told is told'); END;
CREATE TRIGGER released_remains BEFORE DELETE ON released BEGIN SELECT raise(ABORT, 'what was told is told'); END;

-- Lines of play: a rollback begins a new one, which shares the turns before `start` with its parent. What is left stays
-- as it was and can be taken up again. A game that was never rolled back has no rows.
CREATE TABLE line (
	game INTEGER NOT NULL REFERENCES game (id),
	line INTEGER NOT NULL,
	parent INTEGER NOT NULL,                -- 0 = none
	start INTEGER NOT NULL,
	made INTEGER NOT NULL,
	turn INTEGER NOT NULL,                  -- these as they were when it was left
	deadline INTEGER NOT NULL,
	part INTEGER NOT NULL,
	held INTEGER NOT NULL,
	release_at INTEGER NOT NULL,
	PRIMARY KEY (game, line)
) STRICT, WITHOUT ROWID;

-- Turns whose deadline was put off because too few players had sent anything.
CREATE TABLE silence (
	game INTEGER NOT NULL REFERENCES game (id),
	line INTEGER NOT NULL,
	turn INTEGER NOT NULL,
	asked INTEGER NOT NULL,
	PRIMARY KEY (game, line, turn)
) STRICT, WITHOUT ROWID;

-- When a player said he would be away, first and last second.
CREATE TABLE absence (
	id INTEGER PRIMARY KEY,
	player INTEGER NOT NULL REFERENCES player (id),
	first INTEGER NOT NULL,
	last INTEGER NOT NULL
) STRICT;
CREATE INDEX absence_player ON absence (player, last);

-- What players said to each other. `number` counts within the game: it is what the referee approves.
CREATE TABLE message (
	id INTEGER PRIMARY KEY,
	game INTEGER NOT NULL REFERENCES game (id),
	number INTEGER NOT NULL,
	player INTEGER NOT NULL REFERENCES player (id),
	made INTEGER NOT NULL,
	audience TEXT NOT NULL,                 -- E, J, all, player 5, wing E LEFT
	body TEXT NOT NULL,
	state TEXT NOT NULL CHECK (state IN ('held', 'sent', 'rejected')),
	decided INTEGER,
	reason TEXT NOT NULL DEFAULT '',
	UNIQUE (game, number)
) STRICT;
CREATE INDEX message_held ON message (game, number) WHERE state = 'held';

-- What the referees of a game have yet to be told in their daily mail.
CREATE TABLE news (
	id INTEGER PRIMARY KEY,
	game INTEGER NOT NULL REFERENCES game (id),
	made INTEGER NOT NULL,
	text TEXT NOT NULL,
	UNIQUE (game, text)
) STRICT;

-- One row a mail and recipient.
CREATE TABLE outbox (
	id INTEGER PRIMARY KEY,
	game INTEGER REFERENCES game (id),
	player INTEGER REFERENCES player (id),
	recipient TEXT NOT NULL,
	kind TEXT NOT NULL,
	turn INTEGER NOT NULL DEFAULT 0,
	shows INTEGER REFERENCES turn (id),     -- the resolution whose event numbers it prints
	line INTEGER NOT NULL DEFAULT 0,        -- of play, when it was written
	message_id TEXT NOT NULL UNIQUE,
	made INTEGER NOT NULL,
	state TEXT NOT NULL CHECK (state = 'queued' OR state = 'sending' OR state = 'sent' OR state = 'failed' OR
		state = 'uncertain'),
	due INTEGER NOT NULL,
	tries INTEGER NOT NULL DEFAULT 0,
	doubts INTEGER NOT NULL DEFAULT 0,      -- tries after which nobody knew if it had been taken
	owner TEXT NOT NULL DEFAULT '',
	why TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX outbox_due ON outbox (due, id) WHERE state NOT IN ('sent', 'failed');
CREATE INDEX outbox_sent ON outbox (due) WHERE state = 'sent';
CREATE INDEX outbox_player ON outbox (player, kind, turn);
CREATE INDEX outbox_shown ON outbox (player, id) WHERE shows IS NOT NULL;

-- What goes out, apart from what changes while it is sent.
CREATE TABLE outbox_bytes (
	outbox INTEGER PRIMARY KEY REFERENCES outbox (id),
	bytes BLOB NOT NULL,
	printed TEXT NOT NULL                   -- the order sheet's lines as this mail printed them
) STRICT;

-- How many answers were given to an address in that second, for the bound an hour and one a day to strangers.
CREATE TABLE answered (
	address TEXT NOT NULL,
	made INTEGER NOT NULL,
	kind TEXT NOT NULL,
	count INTEGER NOT NULL,
	PRIMARY KEY (address, made, kind)
) STRICT, WITHOUT ROWID;

-- What was done by whom: the append-only record.
CREATE TABLE act (
	id INTEGER PRIMARY KEY,
	game INTEGER REFERENCES game (id),
	made INTEGER NOT NULL,
	actor TEXT NOT NULL,                    -- 'player 3', 'referee 2', 'clock', 'command line'
	what TEXT NOT NULL,
	reason TEXT NOT NULL DEFAULT '',
	digest_before TEXT NOT NULL DEFAULT '',
	digest_after TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX act_game ON act (game, id);
CREATE TRIGGER act_stays BEFORE UPDATE ON act BEGIN SELECT raise(ABORT, 'the record of acts is never changed'); END;
CREATE TRIGGER act_remains BEFORE DELETE ON act BEGIN SELECT raise(ABORT, 'acts are never removed'); END;
