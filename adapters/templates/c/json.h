// Just enough JSON to read what conform says: one value, as a tree that is never freed.
#ifndef JSON_H_
#define JSON_H_

typedef struct Json {
  enum { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_TEXT, JSON_LIST, JSON_MAP } kind;
  const char* key;     // in a map
  const char* text;    // of a text; a number or a word as it is written
  struct Json* child;  // the first item of a list or a map
  struct Json* next;   // the item after this one
} Json;

// Exits with a message on standard error where `line` is not JSON.
Json* JsonParse(const char* line);

// The value of `key`, or a null pointer where there is none.
const Json* JsonGet(const Json* map, const char* key);
// Its text, or `otherwise` where there is none.
const char* JsonText(const Json* map, const char* key, const char* otherwise);
long JsonNumber(const Json* map, const char* key, long otherwise);

#endif  // JSON_H_
