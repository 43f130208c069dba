#ifndef STTESTSCREEN_H
#define STTESTSCREEN_H

#include <wayland-client.h>

#include "idle-inhibit-unstable-v1.h"
#include "virtual-keyboard-unstable-v1.h"
#include "wlr-screencopy-unstable-v1.h"
#include "wlr-virtual-pointer-unstable-v1.h"

// One function per interface that can be bound, as in stwayland.h.
#define STW_BIND(type) \
    static inline struct type *stw_bind_##type(struct wl_registry *registry, uint32_t name, uint32_t version) { \
        return (struct type *)wl_registry_bind(registry, name, &type##_interface, version); \
    }
STW_BIND(zwlr_screencopy_manager_v1)
STW_BIND(zwlr_virtual_pointer_manager_v1)
STW_BIND(zwp_virtual_keyboard_manager_v1)
STW_BIND(zwp_idle_inhibit_manager_v1)
#undef STW_BIND

#endif
