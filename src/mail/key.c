#include "mail/key.h"

#include <ctype.h>
#include <sodium.h>
#include <string.h>
#include <strings.h>

enum {
	WORDS = 512,
	NUMBER_FIRST = 1000,
	NUMBERS = 9000, /* 1000..9999: with three words of 512, 27 + 13.1 bits */
	KEY_WORDS = 3,
	KEY_DIGITS = 4,
	PLAIN_MAX = 64,
};

/* Short, known to an eleven-year-old, and hard to mishear. Sorted; the order is no secret. */
static const char *const words[WORDS] = {
	/* clang-format off */
	"abbey", "acorn", "acrobat", "alder", "amber", "anchor", "anvil", "apple", "apricot", "apron", "archer",
	"artist", "ash", "autumn", "badger", "baker", "bakery", "ballad", "balloon", "banana", "banjo", "bannock",
	"barley", "barn", "barrel", "basil", "basket", "beach", "bean", "bear", "beaver", "beech", "beetle", "bell",
	"bench", "berry", "birch", "biscuit", "bison", "blackbird", "blanket", "bluebell", "bonnet", "boot",
	"bottle", "boulder", "bracken", "bramble", "brass", "brave", "bread", "breeze", "bridge", "bridle", "bright",
	"bronze", "brook", "broom", "bucket", "buckle", "bugle", "bumble", "bun", "butter", "buttercup", "butterfly",
	"button", "cabbage", "cabin", "cake", "calf", "camel", "candle", "canoe", "captain", "carnival", "carpet",
	"carrot", "cart", "castle", "caterpillar", "cave", "cedar", "celery", "cello", "chalk", "chapel", "cheese",
	"cherry", "chess", "chestnut", "chimney", "chisel", "cinnamon", "circus", "clay", "cliff", "cloak", "cloud",
	"clover", "cocoa", "coconut", "cod", "collie", "comet", "compass", "conker", "copper", "copse", "coral",
	"corridor", "cottage", "cotton", "cow", "crab", "cradle", "crayon", "cream", "cricket", "crimson", "crow",
	"crystal", "cuckoo", "cupboard", "curlew", "currant", "curtain", "cushion", "daisy", "dance", "dancer",
	"deer", "diamond", "dolphin", "domino", "donkey", "door", "dove", "dragon", "drawer", "drum", "drummer",
	"duck", "eagle", "east", "eclipse", "eel", "elephant", "elm", "emerald", "emu", "envelope", "falcon",
	"farmer", "fern", "ferret", "ferry", "fiddle", "field", "finch", "flint", "flute", "foal", "fog", "football",
	"forest", "forge", "fork", "fountain", "fox", "foxglove", "frog", "frost", "galaxy", "gannet", "garden",
	"gardener", "garlic", "gate", "gentle", "gerbil", "giant", "ginger", "giraffe", "glen", "goat", "goldfish",
	"goose", "gorse", "granite", "grape", "grasshopper", "grouse", "guitar", "gull", "hail", "hammer", "hamster",
	"harbour", "hare", "harness", "harp", "hawk", "hazel", "heather", "hedge", "hedgehog", "heron", "herring",
	"hill", "hippo", "hockey", "holly", "honey", "hornet", "horse", "husky", "indigo", "iris", "iron", "island",
	"ivory", "ivy", "jackdaw", "jam", "jay", "jester", "jig", "jigsaw", "jolly", "jumper", "kestrel", "kettle",
	"kite", "kitten", "knight", "koala", "ladder", "ladybird", "lamb", "lamp", "lantern", "larch", "lark",
	"lavender", "leek", "lemon", "lentil", "leopard", "letter", "lettuce", "lighthouse", "lightning", "lily",
	"linen", "linnet", "lion", "lizard", "llama", "lobster", "loch", "lynx", "magenta", "magpie", "mango", "map",
	"maple", "marble", "market", "marrow", "marsh", "marten", "martin", "meadow", "melon", "merry", "meteor",
	"milk", "mill", "miller", "mint", "mirror", "mistletoe", "mitten", "mole", "monkey", "moon", "moor", "moose",
	"moss", "moth", "mountain", "mouse", "muffin", "mule", "mussel", "mustard", "nettle", "newt", "north",
	"novel", "oak", "oar", "ocean", "olive", "onion", "orange", "orchard", "osprey", "otter", "owl", "oyster",
	"painter", "palace", "pancake", "panda", "paper", "parade", "parcel", "parrot", "parsley", "parsnip",
	"partridge", "pasty", "peach", "peacock", "pear", "pearl", "pebble", "pencil", "penguin", "pepper", "perch",
	"pewter", "pheasant", "piano", "pickle", "picnic", "picture", "pigeon", "piglet", "pike", "pillow", "pilot",
	"pine", "piper", "planet", "plover", "plum", "pocket", "poem", "pond", "pony", "pool", "poppy", "porridge",
	"potato", "potter", "primrose", "pudding", "puffin", "pumpkin", "puppy", "purple", "puzzle", "quick",
	"quiet", "rabbit", "radish", "raft", "rain", "rainbow", "rake", "raspberry", "raven", "reel", "rhino",
	"ribbon", "rice", "riddle", "river", "robin", "rocket", "rook", "rooster", "rose", "rowan", "ruby", "rudder",
	"saddle", "sage", "sail", "sailor", "salmon", "salt", "sand", "sandal", "sapphire", "saucer", "scarf",
	"scarlet", "scholar", "seal", "sheep", "shepherd", "shovel", "shrimp", "silk", "silver", "singer", "slate",
	"sledge", "slipper", "snail", "snow", "song", "soup", "south", "spaniel", "sparrow", "spider", "spinach",
	"spoon", "spring", "spruce", "squid", "squire", "squirrel", "stable", "stag", "staircase", "stamp", "star",
	"starfish", "starling", "steady", "steel", "steeple", "stew", "stirrup", "stoat", "storm", "story", "stream",
	"sugar", "summer", "sunny", "sunrise", "sunset", "swallow", "swan", "swift", "table", "tadpole", "tartan",
	"teapot", "tennis", "tern", "terrier", "thistle", "thrush", "thunder", "thyme", "tide", "tiger", "toad",
	"toffee", "tomato", "torch", "tortoise", "tower", "trout", "trumpet", "tulip", "turkey", "turnip",
	"turquoise", "turtle", "tweed", "valley", "vanilla", "velvet", "violet", "violin", "vole", "waffle", "wagon",
	"walnut", "walrus", "waltz", "wardrobe", "waterfall", "wave", "weasel", "weaver", "west", "whale", "wheat",
	"wheel", "whistle", "willow", "windmill", "window", "windy", "winter", "wizard", "wolf", "wool", "wren",
	"yellow", "yew", "zebra"
	/* clang-format on */
};

char *key_new(TALLOC_CTX *mem)
{
	const char *a = words[randombytes_uniform(WORDS)];
	const char *b = words[randombytes_uniform(WORDS)];
	const char *c = words[randombytes_uniform(WORDS)];

	return talloc_asprintf(mem, "%s-%s-%s-%u", a, b, c, NUMBER_FIRST + randombytes_uniform(NUMBERS));
}

/* Is it one of the words, in letters of any size? */
static bool is_word(const char *text, size_t len)
{
	int from = 0, to = WORDS;

	while (from < to) {
		int middle = (from + to) / 2, way = strncasecmp(text, words[middle], len);

		if (way == 0 && words[middle][len] == '\0')
			return true;
		if (way > 0)
			from = middle + 1;
		else
			to = middle;
	}
	return false;
}

size_t key_length(const char *text, size_t len)
{
	size_t at = 0, digits;

	for (int i = 0; i < KEY_WORDS; i++) {
		size_t from = at;

		while (at < len && isalpha((unsigned char)text[at]))
			at++;
		if (at == len || text[at] != '-' || !is_word(text + from, at - from))
			return 0;
		at++;
	}
	for (digits = at; at < len && isdigit((unsigned char)text[at]);)
		at++;
	return at - digits == KEY_DIGITS ? at : 0;
}

/* Small letters and digits only, the rest of `out` zero. Whatever does not fit is no key. */
static bool plain(const char *text, char out[PLAIN_MAX])
{
	size_t n = 0;

	memset(out, 0, PLAIN_MAX);
	for (; *text != '\0'; text++) {
		char c = *text;

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9'))
			continue;
		if (n == PLAIN_MAX - 1)
			return false;
		out[n++] = c;
	}
	return n > 0;
}

bool key_equal(const char *typed, const char *key)
{
	char a[PLAIN_MAX], b[PLAIN_MAX];
	bool usable = plain(key, b);

	usable = plain(typed, a) && usable;
	return sodium_memcmp(a, b, PLAIN_MAX) == 0 && usable;
}

bool key_formed(const char *typed)
{
	char text[PLAIN_MAX];
	size_t letters, digits;

	if (!plain(typed, text))
		return false;
	letters = strspn(text, "abcdefghijklmnopqrstuvwxyz");
	digits = strspn(text + letters, "0123456789");
	return letters >= 6 && digits >= 2 && text[letters + digits] == '\0';
}
