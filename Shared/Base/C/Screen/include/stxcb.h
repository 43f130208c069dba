#ifndef STXCB_H
#define STXCB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/randr.h>
#include <xcb/res.h>
#include <xcb/screensaver.h>
#include <xcb/shape.h>
#include <xcb/sync.h>
#include <xcb/xcb.h>
#include <xcb/xcbext.h>
// `explicit` is a field there, and harmless in C.
#include <xcb/xkb.h>
#include <xcb/xtest.h>
#include <xkbcommon/xkbcommon-x11.h>
#include <xkbcommon/xkbcommon.h>

// Swift cannot name the variables that stand for extensions, because it takes them for shared state.
enum st_extension { ST_RANDR, ST_RES, ST_SYNC, ST_SCREENSAVER, ST_SHAPE, ST_XTEST, ST_XKB };

static inline xcb_extension_t *st_extension_of(enum st_extension which) {
    switch (which) {
    case ST_RANDR: return &xcb_randr_id;
    case ST_RES: return &xcb_res_id;
    case ST_SYNC: return &xcb_sync_id;
    case ST_SCREENSAVER: return &xcb_screensaver_id;
    case ST_SHAPE: return &xcb_shape_id;
    case ST_XTEST: return &xcb_test_id;
    default: return &xcb_xkb_id;
    }
}

// Whether the server has it; its events and errors count from there.
static inline bool st_has_extension(xcb_connection_t *connection, enum st_extension which, uint8_t *first_event) {
    const xcb_query_extension_reply_t *reply = xcb_get_extension_data(connection, st_extension_of(which));
    if (reply == NULL || !reply->present) return false;
    *first_event = reply->first_event;
    return true;
}

// An event as one of its kind; all are at least 32 bytes long.
#define ST_EVENT(name) \
    static inline xcb_##name##_event_t st_##name(const xcb_generic_event_t *event) { \
        xcb_##name##_event_t result; \
        memcpy(&result, event, sizeof result < 32 ? sizeof result : 32); \
        return result; \
    }
ST_EVENT(button_press)
ST_EVENT(client_message)
ST_EVENT(configure_notify)
ST_EVENT(destroy_notify)
ST_EVENT(enter_notify)
ST_EVENT(expose)
ST_EVENT(focus_in)
ST_EVENT(key_press)
ST_EVENT(map_notify)
ST_EVENT(motion_notify)
ST_EVENT(property_notify)
ST_EVENT(reparent_notify)
ST_EVENT(unmap_notify)
ST_EVENT(visibility_notify)
#undef ST_EVENT

static inline void st_alarm(const xcb_generic_event_t *event, uint32_t *alarm, int64_t *value, uint32_t *time) {
    const xcb_sync_alarm_notify_event_t *notify = (const xcb_sync_alarm_notify_event_t *)event;
    *alarm = notify->alarm;
    *value = ((int64_t)notify->counter_value.hi << 32) | notify->counter_value.lo;
    *time = notify->timestamp;
}

static inline uint8_t st_xkb_kind(const xcb_generic_event_t *event) { return event->pad0; }

// The counter of a name, or 0.
//
// Names begin right after 14 bytes; the library's own function counts the compiler's padding and misses two letters.
static inline uint32_t st_counter(const xcb_sync_list_system_counters_reply_t *reply, const char *name) {
    size_t length = strlen(name);
    xcb_sync_systemcounter_iterator_t each = xcb_sync_list_system_counters_counters_iterator(reply);
    for (; each.rem; xcb_sync_systemcounter_next(&each)) {
        if (each.data->name_len == length &&
            memcmp((const char *)each.data + 14, name, length) == 0) {
            return each.data->counter;
        }
    }
    return 0;
}

// Tells once when a counter comes to a value: upwards, or downwards.
static inline void st_alarm_create(xcb_connection_t *connection, uint32_t alarm, uint32_t counter, int64_t value,
                                   bool upwards) {
    xcb_sync_create_alarm_value_list_t values;
    memset(&values, 0, sizeof values);
    values.counter = counter;
    values.valueType = XCB_SYNC_VALUETYPE_ABSOLUTE;
    values.value.hi = (int32_t)(value >> 32);
    values.value.lo = (uint32_t)value;
    values.testType = upwards ? XCB_SYNC_TESTTYPE_POSITIVE_TRANSITION : XCB_SYNC_TESTTYPE_NEGATIVE_TRANSITION;
    values.delta.hi = 0;
    values.delta.lo = 0;
    values.events = 1;
    xcb_sync_create_alarm_aux(connection, alarm,
                              XCB_SYNC_CA_COUNTER | XCB_SYNC_CA_VALUE_TYPE | XCB_SYNC_CA_VALUE |
                                  XCB_SYNC_CA_TEST_TYPE | XCB_SYNC_CA_DELTA | XCB_SYNC_CA_EVENTS,
                              &values);
}

// The process behind a client, or 0: not of this machine, or the server does not say.
static inline int32_t st_client_pid(const xcb_res_query_client_ids_reply_t *reply) {
    xcb_res_client_id_value_iterator_t each = xcb_res_query_client_ids_ids_iterator(reply);
    for (; each.rem; xcb_res_client_id_value_next(&each)) {
        if ((each.data->spec.mask & XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID) && each.data->length >= 4) {
            return (int32_t)xcb_res_client_id_value_value(each.data)[0];
        }
    }
    return 0;
}

static inline xcb_res_query_client_ids_cookie_t st_ask_client_pid(xcb_connection_t *connection, uint32_t window) {
    xcb_res_client_id_spec_t spec = {.client = window, .mask = XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID};
    return xcb_res_query_client_ids(connection, 1, &spec);
}

// New keyboards and new layouts.
static inline void st_xkb_watch(xcb_connection_t *connection) {
    uint16_t events = XCB_XKB_EVENT_TYPE_NEW_KEYBOARD_NOTIFY | XCB_XKB_EVENT_TYPE_MAP_NOTIFY;
    xcb_xkb_select_events(connection, XCB_XKB_ID_USE_CORE_KBD, events, 0, events, 0xffff, 0xffff, NULL);
}

// A message to a window manager.
static inline void st_tell_manager(xcb_connection_t *connection, uint32_t root, uint32_t window, uint32_t type,
                                   const uint32_t data[5], bool to_root) {
    xcb_client_message_event_t event;
    memset(&event, 0, sizeof event);
    event.response_type = XCB_CLIENT_MESSAGE;
    event.format = 32;
    event.window = window;
    event.type = type;
    memcpy(event.data.data32, data, 20);
    uint32_t mask = to_root ? XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT : 0;
    xcb_send_event(connection, 0, to_root ? root : window, mask, (const char *)&event);
}

static inline uint32_t st_message_word(xcb_client_message_event_t message, int index) {
    return message.data.data32[index];
}

#endif
