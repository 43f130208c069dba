#ifndef STTASKS_H
#define STTASKS_H

/// An asynchronous Swift function as the runtime passes it: code and what it captured.
struct st_operation {
    void *_Nullable code;
    void *_Nullable context;
};

/// Gives the operation that is to run in place of the one that a new task was made with.
///
/// `type` is the metadata of what it returns. Takes the one it gets and gives the other with a reference each.
typedef struct st_operation (*st_task_wrap)(const void *_Nonnull type, struct st_operation operation);

/// From now on every task made by this program's code is made with what `wrap` gives.
void st_tasks_wrap(st_task_wrap _Nonnull wrap);

/// Whether this program's tasks are made here at all.
int st_tasks_are_seen(void);

#endif
