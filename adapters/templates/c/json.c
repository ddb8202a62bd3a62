#include "json.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* at;  // what is not read yet

static void Fail(const char* expected) {
  fprintf(stderr, "json: expected %s at: %.40s\n", expected, at);
  exit(2);
}

static char Peek(void) {
  while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n') ++at;
  return *at;
}

static void Expect(char c) {
  const char expected[] = {'\'', c, '\'', 0};
  if (Peek() != c) Fail(expected);
  ++at;
}

static char* Copy(const char* begin, size_t size) {
  char* text = malloc(size + 1);
  memcpy(text, begin, size);
  text[size] = 0;
  return text;
}

// Names and labels are plain, so that of the escapes only those of a single character are read.
static char* ParseText(void) {
  Expect('"');
  size_t size = 0;
  while (at[size] != 0 && at[size] != '"') size += at[size] == '\\' && at[size + 1] != 0 ? 2 : 1;
  char* text = Copy(at, size);
  size = 0;
  for (; *at != '"'; ++at) {
    if (*at == 0) Fail("the end of a text");
    if (*at == '\\' && at[1] == 'u') Fail("a text without \\u");
    if (*at == '\\' && at[1] != 0) ++at;
    text[size++] = *at;
  }
  ++at;
  text[size] = 0;
  return text;
}

static Json* ParseValue(void) {
  Json* value = calloc(1, sizeof *value);
  const char c = Peek();
  if (c == '"') {
    value->kind = JSON_TEXT;
    value->text = ParseText();
  } else if (c == '[' || c == '{') {
    value->kind = c == '[' ? JSON_LIST : JSON_MAP;
    const char end = c == '[' ? ']' : '}';
    Json** last = &value->child;
    ++at;
    while (Peek() != end) {
      if (value->child != NULL) Expect(',');
      char* key = NULL;
      if (c == '{') {
        Peek();
        key = ParseText();
        Expect(':');
      }
      *last = ParseValue();
      (*last)->key = key;
      last = &(*last)->next;
    }
    ++at;
  } else {
    const char* begin = at;
    while (isalnum((unsigned char)*at) || *at == '-' || *at == '+' || *at == '.') ++at;
    if (at == begin) Fail("a value");
    value->kind = *begin == 'n' ? JSON_NULL : *begin == 't' || *begin == 'f' ? JSON_BOOL : JSON_NUMBER;
    value->text = Copy(begin, (size_t)(at - begin));
  }
  return value;
}

Json* JsonParse(const char* line) {
  at = line;
  return ParseValue();
}

const Json* JsonGet(const Json* map, const char* key) {
  for (const Json* item = map->child; item != NULL; item = item->next) {
    if (item->key != NULL && strcmp(item->key, key) == 0) return item;
  }
  return NULL;
}

const char* JsonText(const Json* map, const char* key, const char* otherwise) {
  const Json* value = JsonGet(map, key);
  return value != NULL && value->text != NULL ? value->text : otherwise;
}

long JsonNumber(const Json* map, const char* key, long otherwise) {
  const char* text = JsonText(map, key, NULL);
  return text == NULL ? otherwise : strtol(text, NULL, 10);
}
