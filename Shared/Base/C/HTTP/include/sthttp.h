// A web server by libmicrohttpd: on this computer alone, or for phones with a certificate by GnuTLS.
#pragma once
#include <microhttpd.h>
#include <stdint.h>
#include <sys/socket.h>

typedef enum MHD_Result (*st_http_accept)(
    void *_Nonnull context, const struct sockaddr *_Nonnull address, socklen_t length);
// Is called once when the header is there, for each piece of the body, at its end, and after each pause.
typedef enum MHD_Result (*st_http_answer)(
    void *_Nonnull context, struct MHD_Connection *_Nonnull connection, const char *_Nonnull path,
    const char *_Nonnull method, const char *_Nonnull version, const char *_Nullable upload, size_t *_Nonnull count,
    void *_Nullable *_Nonnull slot);

// Serves connections of a socket that listens, on a thread of its own. Null where that thread cannot be had. With a key and a
// certificate, as PEM, it uses TLS and calls `notified` when a connection begins or ends.
struct MHD_Daemon *_Nullable st_http_start(
    int listener, const char *_Nullable key, const char *_Nullable certificate, unsigned connections, unsigned idle_seconds, st_http_accept _Nonnull accepts,
    st_http_answer _Nonnull answers, MHD_RequestCompletedCallback _Nonnull completed,
    MHD_NotifyConnectionCallback _Nonnull notified, void *_Nonnull context);
int st_http_descriptor(struct MHD_Connection *_Nonnull connection);

// How these enums look in Swift differs by libmicrohttpd's version.
extern const enum MHD_Result st_http_yes;
extern const enum MHD_Result st_http_no;
const char *_Nullable st_http_header(struct MHD_Connection *_Nonnull connection, const char *_Nonnull name);
const char *_Nullable st_http_argument(struct MHD_Connection *_Nonnull connection, const char *_Nonnull name);
struct MHD_Response *_Nullable st_http_whole(const void *_Nullable bytes, size_t count);
// `read` gets `context` and pauses the connection where there is nothing yet; `gone` gets it once the browser has left.
struct MHD_Response *_Nullable st_http_endless(
    ssize_t (*_Nonnull read)(void *_Nonnull context, uint64_t position, char *_Nonnull buffer, size_t room),
    void (*_Nonnull gone)(void *_Nonnull context), void *_Nonnull context);

// A connection that only waits for news is not idle.
void st_http_keep(struct MHD_Connection *_Nonnull connection);

// A socket that listens at 127.0.0.1, at any free port for 0; the negative error number where it cannot be had.
int st_http_listen(uint16_t port);
// The same at all of this computer's addresses.
int st_http_listen_open(uint16_t port);
uint16_t st_http_port(int listener);

// The account of the program at the other end of a connection to `port` of this computer, as the kernel has it; negative
// where it does not say.
int64_t st_http_peer(const struct sockaddr *_Nonnull peer, uint16_t port);

// A key and a certificate for a host, signed by itself, as PEM; the buffers' sizes go in, and those of the texts come out. 0, or GnuTLS's code.
int st_tls_make(
    const char *_Nonnull host, int64_t days, char *_Nonnull key, size_t *_Nonnull key_size, char *_Nonnull certificate,
    size_t *_Nonnull certificate_size);
const char *_Nonnull st_tls_problem(int code);
// The SHA-256 of a certificate, and until when it is good, in seconds since 1970.
int st_tls_look(const char *_Nonnull certificate, unsigned char fingerprint[_Nonnull 32], int64_t *_Nonnull until);
