import STContracts
import STEngine
import STPlatform
package import STServiceKit
import STZeroMQ

/// Writes the lines of extensions to the database, in order and in batches.
package actor OutputWriter<State: Sendable> {
    /// Upper bound on the lines that wait for the database. Beyond it the oldest lines are dropped, and the log reports their
    /// number.
    private static var waitingMax: Int { 5_000 }
    private static var batchBytes: Int { 128 * 1024 }
    private static var delay: Duration { .milliseconds(20) }

    private let host: ServiceHost<State>
    private let surroundings: ServiceEnvironment
    private var waiting: [AppLogLine] = []
    private var lost: Int64 = 0
    /// The short names of the calls under way, by their ids.
    private var names: [String: String] = [:]
    private var writing: Task<Void, Never>?
    private var isScheduled = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    package init(_ host: ServiceHost<State>, _ surroundings: ServiceEnvironment) {
        self.host = host
        self.surroundings = surroundings
    }

    /// Stores the lines of a call under this name from now on.
    package func begin(_ call: String, name: String) { names[call] = name }

    package func end(_ call: String) { names[call] = nil }

    /// Must be called on the loop's thread.
    package nonisolated func receive(_ line: ExtensionLine) { assumeIsolated { $0.add(line) } }

    private func add(_ line: ExtensionLine) {
        // A virtual clock waits from here until the line is stored.
        if waiting.isEmpty { surroundings.hold.begin() }
        if waiting.count >= Self.waitingMax {
            waiting.removeFirst()
            lost += 1
        }
        waiting.append(
            AppLogLine(
                row: 0,
                at: RFC3339.text(wallMs: line.wallMs),
                wallMs: line.wallMs,
                app: line.app,
                delivery: line.delivery.flatMap { names[$0] },
                attempt: line.delivery == nil ? nil : line.attempt,
                level: line.level,
                source: line.source.word,
                category: line.category.isEmpty ? nil : line.category,
                text: line.text
            )
        )
        schedule(after: Self.delay)
    }

    private func schedule(after delay: Duration) {
        guard !isScheduled else { return }
        isScheduled = true
        let thread = surroundings.loop.thread
        thread.after(milliseconds: delay.ms) {
            Task(executorPreference: thread, priority: .medium) { await self.scheduledWrite() }
        }
    }

    private func scheduledWrite() async {
        isScheduled = false
        await flush()
    }

    /// Returns when all lines received before are stored, or could not be stored.
    package func flush() async {
        while let writing { await writing.value }
        guard !waiting.isEmpty else { return }
        let task = Task(executorPreference: surroundings.loop.thread, priority: .medium) {
            await self.write()
        }
        writing = task
        await task.value
        writing = nil
    }

    private func write() async {
        while !waiting.isEmpty {
            let batch = nextBatch()
            do {
                try await host.step("extension.output.append") { try OutputStore.append(batch, $2.database) }
            } catch {
                // If the disk is full, the lines remain as long as there is room for them.
                surroundings.log.problem(
                    "output_not_kept",
                    Problem(error)
                )
                schedule(after: .seconds(1))
                return
            }
            waiting.removeFirst(min(batch.count, waiting.count))
            if waiting.isEmpty { surroundings.hold.end() }
        }
        if lost > 0 {
            surroundings.log.warning(
                "output_lost",
                "Extensions wrote more than could be kept.",
                fields: ["lines": .number(lost)]
            )
            lost = 0
        }
    }

    private func nextBatch() -> [AppLogLine] {
        var bytes = 0
        var batch: [AppLogLine] = []
        for line in waiting.prefix(OutputStore.linesPerStepMax) {
            bytes += line.text.utf8.count + 200
            if bytes > Self.batchBytes, !batch.isEmpty { break }
            batch.append(line)
        }
        return batch
    }
}

extension ExtensionLine.Source {
    /// The name of the source in `app log`.
    fileprivate var word: String {
        switch self {
        case .output: "print"
        case .error: "stderr"
        case .log: "logger"
        case .host: "host"
        }
    }
}
