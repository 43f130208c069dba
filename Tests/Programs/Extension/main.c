#define _GNU_SOURCE
#include "behaviour.h"
#include "reports.h"
#include "shields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zmq.h>

// An extension that speaks the protocol by hand, so that it can also break it. What it does at its start is said by
// ST_TEST_START, or by the part of its own name behind the last dot; what it does in a call, by the activity's name.

static void *context;
static void *socket_;
static char call_id[128];

void say(const char *kind, const char *body) {
    zmq_send(socket_, kind, strlen(kind), ZMQ_SNDMORE);
    zmq_send(socket_, body, strlen(body), 0);
}

void say_hello(int version, const char *app) {
    char body[512];
    snprintf(body, sizeof body, "{\"protocol\":%d,\"point\":\"%s\",\"app\":\"%s\"}", version,
             getenv("SCREENTIME_POINT"), app);
    say("hello", body);
}

static void say_id(const char *kind) {
    char body[256];
    snprintf(body, sizeof body, "{\"id\":\"%s\"}", call_id);
    say(kind, body);
}

void say_returned(void) { say_id("returned"); }

void say_settled(void) { say_id("settled"); }

void member(const char *json, const char *key, char *into, size_t size) {
    char pattern[64];
    snprintf(pattern, sizeof pattern, "\"%s\":\"", key);
    const char *start = strstr(json, pattern);
    into[0] = 0;
    if (!start) return;
    start += strlen(pattern);
    size_t length = strcspn(start, "\"");
    if (length >= size) length = size - 1;
    memcpy(into, start, length);
    into[length] = 0;
}

static int number(const char *json, const char *key) {
    char pattern[64];
    snprintf(pattern, sizeof pattern, "\"%s\":", key);
    const char *start = strstr(json, pattern);
    return start ? atoi(start + strlen(pattern)) : 0;
}

// Receives one message; the frames one after the other, each ended by a NUL.
static int receive(char frames[3][65536]) {
    int count = 0;
    int more = 1;
    while (more) {
        zmq_msg_t part;
        zmq_msg_init(&part);
        if (zmq_msg_recv(&part, socket_, 0) < 0) exit(9);
        if (count < 3) {
            size_t size = zmq_msg_size(&part) < 65535 ? zmq_msg_size(&part) : 65535;
            memcpy(frames[count], zmq_msg_data(&part), size);
            frames[count++][size] = 0;
        }
        more = zmq_msg_more(&part);
        zmq_msg_close(&part);
    }
    return count;
}

const char *ask_for(const char *route, const char *body) {
    static int last;
    static char frames[3][65536];
    static char answer[2 * 65536];
    char header[256];
    snprintf(header, sizeof header, "{\"v\":1,\"id\":\"q%d\",\"route\":\"%s\",\"timeout_ms\":5000}", ++last, route);
    zmq_send(socket_, "request", 7, ZMQ_SNDMORE);
    zmq_send(socket_, header, strlen(header), ZMQ_SNDMORE);
    zmq_send(socket_, body, strlen(body), 0);
    receive(frames);
    snprintf(answer, sizeof answer, "%s %s %s", frames[0], frames[1], frames[2]);
    printf("%s\n", answer);
    fflush(stdout);
    return answer;
}

void ask(const char *route, const char *body) { ask_for(route, body); }

void leave(int status) {
    zmq_close(socket_);
    zmq_ctx_term(context);
    exit(status);
}

int main(int count, char **arguments) {
    const char *start = getenv("ST_TEST_START");
    if (!start) {
        const char *dot = strrchr(arguments[0], '.');
        start = dot ? dot + 1 : "";
    }
    if (count > 1) start = arguments[1];
    context = zmq_ctx_new();
    socket_ = zmq_socket(context, ZMQ_DEALER);
    int linger = 10000;
    zmq_setsockopt(socket_, ZMQ_LINGER, &linger, sizeof linger);
    zmq_connect(socket_, getenv("SCREENTIME_HOST"));
    begin(start, arguments[0]);
    while (1) {
        static char frames[3][65536];
        receive(frames);
        if (!strcmp(frames[0], "end")) {
            if (!ends_when_asked) continue;
            leave(0);
        }
        if (strcmp(frames[0], "call")) continue;
        char activity[256];
        member(frames[1], "id", call_id, sizeof call_id);
        if (is_for_shields()) {
            take_shield(frames[1], start, number(frames[1], "attempt"), call_id);
            continue;
        }
        if (is_for_reports()) {
            take_report(frames[1], call_id);
            continue;
        }
        member(frames[1], "activity", activity, sizeof activity);
        take(activity, number(frames[1], "attempt"), call_id);
    }
}
