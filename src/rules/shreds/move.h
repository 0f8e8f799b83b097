/* Parts of the movement that other phases, and the forecast, use. */
#ifndef GALLOPER_RULES_SHREDS_MOVE_H
#define GALLOPER_RULES_SHREDS_MOVE_H

#include "rules/intent.h"

/* RH5: has it orders that need a point, and can it act? */
bool wants_point(struct turn *t, int unit);
/* Why a unit with such orders cannot act at all, and the ruling; REASON_NONE when it can, or has none. */
enum event_reason why_not_act(struct turn *t, int unit, const char **ruling);

/* RH52: its die toward its own edge. */
void rout_move(struct turn *t, int unit);

/* RH49, RH50: cavalry whose orders say halt rolls for it after it has beaten that enemy; true if it halts. */
bool halts(struct turn *t, int unit, int enemy, const char *ruling);

/* The unit's orders to move, face and form up; has it any to move or face; and the forming up (RH13). */
void read_steps(struct turn *t, int unit, struct intent *in);
bool has_steps(const struct intent *in);
void form_up(struct turn *t, int unit, const struct intent *in);

/* RH13-RH15: into column or into line, where there is room; says so. */
void change_formation(struct turn *t, int unit, bool column);

/* RH18: a general's ride. */
void move_general(struct turn *t, int general);

#endif
