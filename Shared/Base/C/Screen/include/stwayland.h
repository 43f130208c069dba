#ifndef STWAYLAND_H
#define STWAYLAND_H

#include <stdint.h>
#include <sys/types.h>
#include <wayland-client.h>
#include <xkbcommon/xkbcommon-compose.h>
#include <xkbcommon/xkbcommon-keysyms.h>
#include <xkbcommon/xkbcommon.h>

#include "ext-idle-notify-v1.h"
#include "fractional-scale-v1.h"
#include "kde-idle.h"
#include "viewporter.h"
#include "wlr-foreign-toplevel-management-unstable-v1.h"
#include "wlr-layer-shell-unstable-v1.h"
#include "xdg-output-unstable-v1.h"
#include "xdg-shell.h"

// What Swift cannot say comfortably: the descriptions of interfaces are constants whose address is needed, and some
// calls hide behind feature test macros.

// One function per interface that can be bound, so that no caller binds a name as something else.
#define STW_BIND(type) \
    static inline struct type *stw_bind_##type(struct wl_registry *registry, uint32_t name, uint32_t version) { \
        return (struct type *)wl_registry_bind(registry, name, &type##_interface, version); \
    }
STW_BIND(wl_compositor)
STW_BIND(wl_subcompositor)
STW_BIND(wl_shm)
STW_BIND(wl_seat)
STW_BIND(wl_output)
STW_BIND(wp_viewporter)
STW_BIND(wp_fractional_scale_manager_v1)
STW_BIND(xdg_wm_base)
STW_BIND(zxdg_output_manager_v1)
STW_BIND(zwlr_layer_shell_v1)
STW_BIND(zwlr_foreign_toplevel_manager_v1)
STW_BIND(ext_idle_notifier_v1)
STW_BIND(org_kde_kwin_idle)
#undef STW_BIND

// A connected stream socket that never blocks, or a negative errno.
int stw_connect(const char *path);
// Who listens at the other end, as the kernel knows it; 0 or a negative errno.
int stw_peer(int fd, pid_t *pid, uid_t *uid);
// An anonymous file of that size, or a negative errno.
int stw_memory_file(const char *name, int64_t size);
// Whether a word of an array of states is this one.
int stw_array_has(const struct wl_array *array, uint32_t word);
// Messages of libwayland go nowhere rather than to standard error: its errors say the same.
void stw_be_quiet(void);

#endif
