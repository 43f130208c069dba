/// Runs what views want to be done in the background.
@MainActor
enum PageTasks {
    /// Until all are done, or the time is over: then they are cancelled, and nobody waits for them.
    static func run(_ tasks: [PageTask], milliseconds: Int64) async {
        guard !tasks.isEmpty else { return }
        var left = tasks.count
        var waiting: CheckedContinuation<Void, Never>?
        let resume: @MainActor () -> Void = {
            waiting?.resume()
            waiting = nil
        }
        let running = tasks.map { task in
            Task(priority: task.priority) { @MainActor in
                await task.work()
                left -= 1
                if left == 0 { resume() }
            }
        }
        let deadline = Task { @MainActor in
            try? await Task.sleep(for: .milliseconds(milliseconds))
            resume()
        }
        await withCheckedContinuation { continuation in
            // Nothing has run yet: everything here is on the main actor.
            waiting = continuation
        }
        deadline.cancel()
        for task in running { task.cancel() }
    }
}
