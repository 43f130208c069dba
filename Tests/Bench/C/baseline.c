#include "stbaseline.h"

#include <string.h>
#include <time.h>
#include <zmq.h>

static int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

// Reads a whole message and returns the size of its last frame, or -1. The first frame is kept, for the answer.
static int read_message(void *socket, char *first, size_t *first_size) {
    char frame[65536];
    int index = 0, more = 1, size = 0;
    size_t option = sizeof more;
    while (more) {
        size = zmq_recv(socket, frame, sizeof frame, 0);
        if (size < 0) return -1;
        if (index == 0 && first) {
            memcpy(first, frame, size);
            *first_size = size;
        }
        index++;
        zmq_getsockopt(socket, ZMQ_RCVMORE, &more, &option);
    }
    return size;
}

int st_baseline_serve(const char *endpoint, const void *header, size_t header_size, const void *body,
                      size_t body_size) {
    void *context = zmq_ctx_new();
    void *socket = zmq_socket(context, ZMQ_ROUTER);
    if (zmq_bind(socket, endpoint) != 0) return -1;
    zmq_pollitem_t item = {socket, 0, ZMQ_POLLIN, 0};
    char peer[256];
    size_t peer_size = 0;
    for (;;) {
        if (zmq_poll(&item, 1, 60000) <= 0) break;
        int last = read_message(socket, peer, &peer_size);
        if (last <= 0) break;
        zmq_send(socket, peer, peer_size, ZMQ_SNDMORE);
        zmq_send(socket, header, header_size, ZMQ_SNDMORE);
        zmq_send(socket, body, body_size, 0);
    }
    zmq_close(socket);
    zmq_ctx_term(context);
    return 0;
}

int st_baseline_ask(const char *endpoint, const void *header, size_t header_size, const void *body, size_t body_size,
                    int64_t *nanoseconds, int count) {
    void *context = zmq_ctx_new();
    void *socket = zmq_socket(context, ZMQ_DEALER);
    int linger = 0;
    zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger);
    if (zmq_connect(socket, endpoint) != 0) return -1;
    zmq_pollitem_t item = {socket, 0, ZMQ_POLLIN, 0};
    int done = 0;
    for (; done < count; done++) {
        int64_t start = now_ns();
        zmq_send(socket, header, header_size, ZMQ_SNDMORE);
        zmq_send(socket, body, body_size, 0);
        if (zmq_poll(&item, 1, 5000) <= 0 || read_message(socket, NULL, NULL) < 0) break;
        nanoseconds[done] = now_ns() - start;
    }
    zmq_close(socket);
    zmq_ctx_term(context);
    return done;
}

int st_baseline_end(const char *endpoint) {
    void *context = zmq_ctx_new();
    void *socket = zmq_socket(context, ZMQ_DEALER);
    int linger = 1000;
    zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger);
    zmq_connect(socket, endpoint);
    int sent = zmq_send(socket, "", 0, 0);
    zmq_close(socket);
    zmq_ctx_term(context);
    return sent;
}

int st_baseline_publish(const char *endpoint, int subscribers, int count, const void *header, size_t header_size,
                        const void *body, size_t body_size) {
    void *context = zmq_ctx_new();
    void *socket = zmq_socket(context, ZMQ_XPUB);
    int on = 1, mark = 20000, linger = 5000;
    zmq_setsockopt(socket, ZMQ_XPUB_VERBOSE, &on, sizeof on);
    zmq_setsockopt(socket, ZMQ_XPUB_NODROP, &on, sizeof on);
    zmq_setsockopt(socket, ZMQ_SNDHWM, &mark, sizeof mark);
    zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger);
    if (zmq_bind(socket, endpoint) != 0) return -1;
    for (int i = 0; i < subscribers; i++) {
        if (read_message(socket, NULL, NULL) < 0) return -1;
    }
    for (int i = 0; i < count; i++) {
        zmq_send(socket, "bench.event", 11, ZMQ_SNDMORE);
        zmq_send(socket, header, header_size, ZMQ_SNDMORE);
        zmq_send(socket, body, body_size, 0);
    }
    zmq_close(socket);
    zmq_ctx_term(context);
    return count;
}

int64_t st_baseline_collect(const char *endpoint, int count) {
    void *context = zmq_ctx_new();
    void *socket = zmq_socket(context, ZMQ_SUB);
    int mark = 20000, timeout = 30000, linger = 0;
    zmq_setsockopt(socket, ZMQ_RCVHWM, &mark, sizeof mark);
    zmq_setsockopt(socket, ZMQ_RCVTIMEO, &timeout, sizeof timeout);
    zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger);
    zmq_connect(socket, endpoint);
    zmq_setsockopt(socket, ZMQ_SUBSCRIBE, "bench.", 6);
    int64_t start = 0;
    int received = 0;
    for (; received < count; received++) {
        if (read_message(socket, NULL, NULL) < 0) break;
        if (received == 0) start = now_ns();
    }
    int64_t elapsed = now_ns() - start;
    zmq_close(socket);
    zmq_ctx_term(context);
    return received == count ? elapsed : -1;
}
