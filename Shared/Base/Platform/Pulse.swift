import Synchronization

/// How much a process does of its own accord at this moment: a delivery that runs, something tried again soon.
///
/// On a virtual clock time goes on only once nobody does anything any more, so whoever works without a request or an
/// event that shows it says so here; also who waits on the real clock to try again.
package final class Pulse: Sendable {
    private let working = Atomic(0)
    private let begun = Atomic<Int64>(0)

    package init() {}

    package func begin() {
        begun.add(1, ordering: .relaxed)
        working.add(1, ordering: .acquiringAndReleasing)
    }

    package func end() {
        let left = working.subtract(1, ordering: .acquiringAndReleasing).newValue
        precondition(left >= 0, "work ended that had not begun")
    }

    /// From before the closure until after it, whatever comes of it.
    package func during<Result: Sendable>(
        isolation: isolated (any Actor)? = #isolation,
        _ work: () async throws -> Result
    ) async rethrows -> Result {
        begin()
        defer { end() }
        return try await work()
    }

    package var busy: Int { working.load(ordering: .acquiring) }

    /// How often work has begun: two looks that see the same number had nothing between them.
    package var total: Int64 { begun.load(ordering: .relaxed) }
}
