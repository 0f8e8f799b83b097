/* The commands: one table, one line each. */
#include "orders/command.h"

/* In the order of enum command_verb. */
static const struct command_row table[COMMAND_VERBS] = {
	[COMMAND_HELP] = {{"help", "HELP", "How to write orders.", false}, SHAPE_NONE},
	[COMMAND_STATUS] = {{"status", "STATUS", "Whose orders are in, the score and the deadline.", false},
		SHAPE_NONE},
	[COMMAND_MAP] = {{"map", "MAP", "The map as it stands.", false}, SHAPE_NONE},
	[COMMAND_RULES] = {{"rules", "RULES", "The rules on one page.", false}, SHAPE_NONE},
	[COMMAND_ORDERS] = {{"orders", "ORDERS", "Your orders in force.", false}, SHAPE_ORDERS},
	[COMMAND_RESEND] = {{"resend", "RESEND [TURN n]", "The report of a turn again.", false}, SHAPE_TURN},
	[COMMAND_WHY] = {{"why", "WHY n", "The rules and dice behind event n.", false}, SHAPE_NUMBER},
	[COMMAND_ACCEPT] = {{"accept", "ACCEPT", "Take all suggestions of the last receipt.", false}, SHAPE_NONE},
	[COMMAND_FORGET] = {{"forget", "FORGET", "Ask no more about lines not understood.", false}, SHAPE_NONE},
	[COMMAND_READY] = {{"ready", "READY", "You are done: the turn may be resolved early.", false}, SHAPE_NONE},
	[COMMAND_WAIT] = {{"wait", "WAIT", "You are not done after all.", false}, SHAPE_NONE},
	[COMMAND_CONCEDE] = {{"concede", "CONCEDE", "Give up; the referee must approve.", false}, SHAPE_NONE},
	[COMMAND_NO_CONCEDE] = {{"no", "NO CONCEDE", "You do not give up after all.", false}, SHAPE_CONCEDE},
	[COMMAND_CANCEL] = {{"cancel", "CANCEL unit", "Take back a unit's orders.", false}, SHAPE_CANCEL},
	[COMMAND_CLEAR] = {{"clear", "CLEAR ALL", "Take back all your orders.", false}, SHAPE_CLEAR},
	[COMMAND_SAY] = {{"say", "SAY TO side|all|referee: text", "Send a message.", false}, SHAPE_SAY},
	[COMMAND_ABSENT] = {{"absent", "ABSENT FROM date TO date", "You are away.", false}, SHAPE_ABSENT},
	[COMMAND_DRILL] = {{"drill", "DRILL", "Practise in a small battle of your own.", false}, SHAPE_NONE},
	[COMMAND_PAUSE] = {{"pause", "PAUSE", "Stop the clock.", true}, SHAPE_NONE},
	[COMMAND_RESUME] = {{"resume", "RESUME", "Let the clock run again.", true}, SHAPE_NONE},
	[COMMAND_DEADLINE] = {{"deadline", "DEADLINE date time", "Set this turn's deadline.", true}, SHAPE_TEXT},
	[COMMAND_EXTEND] = {{"extend", "EXTEND n DAYS", "Put the deadline off.", true}, SHAPE_EXTEND},
	[COMMAND_SKIP] = {{"skip", "SKIP FROM date TO date | OFF", "Holidays: no turn ends on these days.", true},
		SHAPE_SKIP},
	[COMMAND_RESOLVE] = {{"resolve", "RESOLVE [TURN n]", "Resolve the turn now.", true}, SHAPE_TURN},
	[COMMAND_REVIEW] = {{"review", "REVIEW ON [n HOURS] | OFF", "See each turn before the players do.", true},
		SHAPE_REVIEW},
	[COMMAND_HOLD] = {{"hold", "HOLD", "Keep a report back until you write RELEASE.", true}, SHAPE_HOLD},
	[COMMAND_PREVIEW] = {{"preview", "PREVIEW", "How the turn would end with the orders that are in.", true},
		SHAPE_NONE},
	[COMMAND_RELEASE] = {{"release", "RELEASE [TURN n]", "Let the players have the report.", true}, SHAPE_TURN},
	[COMMAND_AMEND] = {{"amend", "AMEND n HITS k | VOID", "Change what event number n did.", true}, SHAPE_AMEND},
	[COMMAND_DIE] = {{"die", "DIE name = value", "Change a die, by its name.", true}, SHAPE_DIE},
	[COMMAND_SET] = {{"set", "SET unit BASES|FIGURES n", "Change a unit's strength.", true}, SHAPE_SET},
	[COMMAND_PLACE] = {{"place", "PLACE unit AT place [FACING direction]", "Put a unit elsewhere.", true},
		SHAPE_PLACE},
	[COMMAND_REMOVE] = {{"remove", "REMOVE unit", "Take a unit off the table.", true}, SHAPE_UNIT},
	[COMMAND_RESTORE] = {{"restore", "RESTORE unit", "Put a unit back that is gone.", true}, SHAPE_UNIT},
	[COMMAND_KILL] = {{"kill", "KILL commander", "A commander falls.", true}, SHAPE_UNIT},
	[COMMAND_SPARE] = {{"spare", "SPARE commander", "A commander who fell lives.", true}, SHAPE_UNIT},
	[COMMAND_UNDO] = {{"undo", "UNDO [n]", "Take back your last change, or change number n.", true}, SHAPE_UNDO},
	[COMMAND_ORDER] = {{"order", "ORDER side [TURN n]: order", "Give an order for that side.", true}, SHAPE_ORDER},
	[COMMAND_VOID] = {{"void", "VOID ORDERS side [unit] [TURN n]", "Take orders back.", true}, SHAPE_VOID},
	[COMMAND_RULE] = {{"rule", "RULE option value", "A house rule from the next turn on.", true},
		SHAPE_NAME_AND_TEXT},
	[COMMAND_ROLLBACK] = {{"rollback", "ROLLBACK TO TURN n", "Play again from a turn.", true}, SHAPE_TURN_NEEDED},
	[COMMAND_ROLLFORWARD] = {{"rollforward", "ROLLFORWARD [TO LINE n]", "Undo a rollback.", true}, SHAPE_LINE},
	[COMMAND_REPLACE] =
		{{"replace", "REPLACE player WITH address", "Another plays on; also: WITH Amy <address>.", true},
			SHAPE_REPLACE},
	[COMMAND_DEPUTY] = {{"deputy", "DEPUTY player address | OFF", "A deputy may order too, or no longer.", true},
		SHAPE_NAME_AND_TEXT},
	[COMMAND_GRANT] = {{"grant", "GRANT player units", "Give units to a player's command.", true},
		SHAPE_NAME_AND_TEXT},
	[COMMAND_APPROVE] = {{"approve", "APPROVE [n]", "Let message n go; or agree that a side concedes.", true},
		SHAPE_MAYBE_NUMBER},
	[COMMAND_REJECT] = {{"reject", "REJECT [n]", "Stop message n; or do not agree that a side concedes.", true},
		SHAPE_MAYBE_NUMBER},
	[COMMAND_VERDICT] = {{"verdict", "VERDICT side: text", "End the battle: who has won, and why.", true},
		SHAPE_TEXT},
	[COMMAND_NOTE] = {{"note", "NOTE text", "A line for the record of the game.", true}, SHAPE_TEXT},
};

const struct command_info *command_info(enum command_verb verb)
{
	return &table[verb].info;
}

const struct command_info *command_info_for(enum command_verb verb, bool referee)
{
	static const struct command_info help = {"help", "HELP", "All that you can write.", false},
					 orders = {"orders", "ORDERS [TURN n]", "What both sides have ordered.", false},
					 absent = {"absent", "ABSENT player FROM date TO date",
						 "That player is ill or away.", false};

	if (!referee)
		return command_info(verb);
	return verb == COMMAND_HELP     ? &help
	       : verb == COMMAND_ORDERS ? &orders
	       : verb == COMMAND_ABSENT ? &absent
					: command_info(verb);
}

const struct command_row *command_row(int verb)
{
	return &table[verb];
}

bool command_takes_before(enum command_verb verb)
{
	return verb == COMMAND_SET || verb == COMMAND_PLACE || verb == COMMAND_REMOVE || verb == COMMAND_RESTORE ||
	       verb == COMMAND_KILL || verb == COMMAND_SPARE;
}

bool command_wants_reason(enum command_verb verb)
{
	return command_takes_before(verb) || verb == COMMAND_AMEND || verb == COMMAND_DIE || verb == COMMAND_ORDER ||
	       verb == COMMAND_VOID;
}
