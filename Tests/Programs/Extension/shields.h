#ifndef SHIELDS_H
#define SHIELDS_H

// Whether this process was started for shields, and how it takes one of their calls.
int is_for_shields(void);
void take_shield(const char *call, const char *how, int attempt, const char *id);

#endif
