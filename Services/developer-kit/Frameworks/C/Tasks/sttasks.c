// Every unstructured task and every task of a group is made by one function of Swift's runtime, whose form is part of
// its stable ABI. Here stands one of the same name: a program's own definition comes before those of its libraries, so
// its code calls this one, which passes on to the runtime's.
//
// Weak, so that a program with the runtime linked into it keeps the runtime's: then nothing is wrapped.

#define _GNU_SOURCE
#include "sttasks.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

struct made {
    void *task;
    void *context;
};

typedef __attribute__((swiftcall)) struct made (*create)(size_t flags, void *options, const void *type, void *code,
                                                         void *context);

static _Atomic(create) runtimes;
static _Atomic(st_task_wrap) wrapper;

void st_tasks_wrap(st_task_wrap wrap) { atomic_store(&wrapper, wrap); }

__attribute__((swiftcall)) struct made st_task_create(size_t flags, void *options, const void *type, void *code,
                                                     void *context) {
    create next = atomic_load_explicit(&runtimes, memory_order_relaxed);
    if (!next) {
        next = (create)dlsym(RTLD_NEXT, "swift_task_create");
        atomic_store_explicit(&runtimes, next, memory_order_relaxed);
    }
    st_task_wrap wrap = atomic_load(&wrapper);
    // Without a type nothing will ask for a result, which only the runtime itself does.
    if (wrap && type) {
        struct st_operation other = wrap(type, (struct st_operation){code, context});
        code = other.code;
        context = other.context;
    }
    return next(flags, options, type, code, context);
}

__attribute__((weak, visibility("default"), swiftcall, alias("st_task_create"))) struct made
swift_task_create(size_t flags, void *options, const void *type, void *code, void *context);

int st_tasks_are_seen(void) { return (void *)swift_task_create == (void *)st_task_create; }
