#include <errno.h>
#include <zmq.h>
