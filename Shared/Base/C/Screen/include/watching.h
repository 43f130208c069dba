#ifndef STXCB_WATCHING_H
#define STXCB_WATCHING_H

#include "stxcb.h"
#include <xcb/damage.h>
#include <xcb/shm.h>

static inline bool st_has_damage(xcb_connection_t *connection, uint8_t *first_event) {
    const xcb_query_extension_reply_t *reply = xcb_get_extension_data(connection, &xcb_damage_id);
    if (reply == NULL || !reply->present) return false;
    *first_event = reply->first_event;
    free(xcb_damage_query_version_reply(connection, xcb_damage_query_version(connection, 1, 1), NULL));
    return true;
}

#endif
