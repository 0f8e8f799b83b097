/* The dice of one event in words. */
#ifndef GALLOPER_REPORT_DICE_WORDS_H
#define GALLOPER_REPORT_DICE_WORDS_H

#include "base/buf.h"
#include "battle/event.h"

/* Is this die of that purpose? Names are STREAM.ORDINAL with the purpose as a part of its own. */
bool die_is_for(const struct event_die *die, const char *purpose);

/* "1 hit", "2 hits" */
void put_hits(struct buf *out, int hits);
/* "5 on D8"; "3 4 on two D6" */
void put_faces(struct buf *out, const struct event *ev);
/* "3 dice, 5 8 2: 15 hits; saved on 5-6: 4" */
void put_shots(struct buf *out, const struct event *ev);
/* "3 dice each, 7 5 2 (+1 each) against 3 3 6; costs 5 4: 5 hits, and 0 hits taken". `code` is the actor's. */
void put_pairs(struct buf *out, const struct event *ev, const char *code);
/* "English 5, Jacobite 3": a throw each, as the labels of the sides say. */
void put_throws(struct buf *out, const struct event *ev, const char *const label[SIDES]);

#endif
