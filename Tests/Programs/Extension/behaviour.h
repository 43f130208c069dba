#ifndef BEHAVIOUR_H
#define BEHAVIOUR_H

#include <stddef.h>

// What is done before the first call, and in a call.
void begin(const char *how, const char *self);
void take(const char *activity, int attempt, const char *id);

// Whether it ends when its host says so.
extern int ends_when_asked;

void say(const char *kind, const char *body);
void say_hello(int version, const char *app);
void say_returned(void);
void say_settled(void);
// Ends once everything said is on its way.
void leave(int status);
// Asks a service, and prints the answer.
void ask(const char *route, const char *body);
// The same, and the header and the body of the answer, until the next one.
const char *ask_for(const char *route, const char *body);
// The text behind "key":" up to the next quote.
void member(const char *json, const char *key, char *into, size_t size);

#endif
