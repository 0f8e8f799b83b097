/* The peer of a program's start: opens the database that is named, and ends. */
#include <sqlite3.h>
#include <stddef.h>

int main(int argc, char **argv)
{
	sqlite3 *db;
	int bad = argc != 2 || sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
		  sqlite3_exec(db, "PRAGMA user_version", NULL, NULL, NULL) != SQLITE_OK;

	return bad || sqlite3_close(db) != SQLITE_OK;
}
