#define _GNU_SOURCE
#include "shields.h"
#include "behaviour.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// An extension of shields. What it does is said by the part of its own name behind the last dot.

#define COLORS "\"color\":{\"light\":\"#112233FF\",\"dark\":\"#445566FF\"}"

static int is(const char *text, const char *word) { return !strcmp(text, word); }

int is_for_shields(void) {
    const char *point = getenv("SCREENTIME_POINT");
    return point && (strstr(point, "shield-configuration") || strstr(point, "shield-action"));
}

static int is_action(void) { return strstr(getenv("SCREENTIME_POINT"), "shield-action") != NULL; }

static void returned(const char *id, const char *result) {
    size_t size = strlen(result) + 512;
    char *body = malloc(size);
    snprintf(body, size, "{\"id\":\"%s\",\"result\":%s}", id, result);
    say("returned", body);
    free(body);
}

// A line for each call, so that a test can count them. What makes a look can write no file.
static void note(const char *id, int attempt) {
    char path[512], line[512];
    if (!is_action()) {
        printf("look %s %d\n", id, attempt);
        fflush(stdout);
        return;
    }
    snprintf(path, sizeof path, "%s/groups/shield-notes", getenv("SCREENTIME_STATE"));
    int length = snprintf(line, sizeof line, "%s action %s %d\n", getenv("SCREENTIME_APP"), id, attempt);
    FILE *file = fopen(path, "a");
    if (!file || fwrite(line, 1, (size_t)length, file) != (size_t)length) exit(8);
    fclose(file);
}

static char *filled(char letter, size_t size) {
    char *text = malloc(size + 1);
    memset(text, letter, size);
    text[size] = 0;
    return text;
}

// A look with this title, and perhaps something more in front of its end.
static void look(const char *id, const char *title, const char *more) {
    size_t size = strlen(title) + strlen(more) + 1024;
    char *result = malloc(size);
    snprintf(result, size,
             "{\"look\":{\"title\":{\"text\":\"%s\"," COLORS "},\"primary\":{\"text\":\"Close\"," COLORS "},"
             "\"secondary\":{\"text\":\"More\"," COLORS "},\"submenu\":[]%s}}",
             title, more);
    returned(id, result);
    free(result);
}

// 50 MB, as the picture of a camera might be.
static void large(const char *id) {
    size_t size = 50 << 20;
    char *data = filled('A', size);
    char *more = malloc(size + 64);
    snprintf(more, size + 64, ",\"icon\":{\"kind\":\"data\",\"data\":\"%s\"}", data);
    look(id, "large", more);
}

static void configure(const char *call, const char *how, const char *id) {
    if (is(how, "text")) return look(id, filled('x', 100000), "");
    if (is(how, "over")) return look(id, filled('x', 400000), "");
    if (is(how, "large")) return large(id);
    if (is(how, "slow")) usleep(5000000);
    if (is(how, "forgets"))
        return returned(id, "{\"look\":{\"submenu\":[]},\"missing\":\"configuration(shielding:)\"}");
    if (is(how, "nonsense")) return returned(id, "{\"look\":7}");
    if (is(how, "nothing")) return say_returned();
    if (is(how, "file"))
        return look(id, "file", ",\"icon\":{\"kind\":\"file\",\"name\":\"/etc/passwd\"},\"blur\":\"fog\"");
    if (is(how, "asks")) ask("settings.list", "{}");
    // Which of the four overloads it is.
    const char *title = strstr(call, "\"category\"") ? "in category" : "alone";
    char text[64];
    snprintf(text, sizeof text, "%s %s", strstr(call, "\"application\"") ? "app" : "site", title);
    look(id, text, "");
}

static void act(const char *call, const char *how, const char *id) {
    if (is(how, "sets")) {
        ask("settings.set", "{\"app\":\"other\",\"store\":\"main\",\"settings\":{\"shield.applications\":null}}");
        return returned(id, "{\"response\":\"none\"}");
    }
    if (is(how, "nonsense")) return returned(id, "{\"response\":\"jump\"}");
    if (is(how, "nothing")) return say_returned();
    // A change of its own for each press.
    if (is(how, "counts"))
        ask("settings.set", "{\"store\":\"presses\",\"settings\":{\"account.lockAccounts\":true}}");
    if (strstr(call, "\"secondary\"")) return returned(id, "{\"response\":\"defer\"}");
    returned(id, "{\"response\":\"close\"}");
}

void take_shield(const char *call, const char *how, int attempt, const char *id) {
    note(id, attempt);
    if (is(how, "crash")) {
        fputs("the shield falls\n", stderr);
        abort();
    }
    if (is(how, "hang")) while (1) pause();
    if (is(how, "orphan")) {
        if (fork() == 0) {
            setsid();
            while (1) pause();
        }
    }
    puts("asked about a shield");
    fflush(stdout);
    if (is_action()) act(call, how, id);
    else configure(call, how, id);
    if (is(how, "twice")) look(id, "second", "");
    say_settled();
}
