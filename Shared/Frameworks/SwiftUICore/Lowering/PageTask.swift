/// What a view wants to be done in the background.
@MainActor
struct PageTask {
    var priority: TaskPriority
    var work: @MainActor @Sendable () async -> Void
}
