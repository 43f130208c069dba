import STCPlatform

/// A process that is not our child, held by a descriptor rather than by a number that may be given away again.
package final class OtherProcess: Sendable {
    package let pid: Int32
    private let pidfd: OwnedDescriptor

    /// Nil when no process has that number.
    ///
    /// The number may have changed hands before this call, so check afterwards that it is still the one that is meant.
    package init?(pid: Int32) {
        guard pid > 0 else { return nil }
        let number = st_pidfd_open(pid)
        guard number >= 0 else { return nil }
        self.pid = pid
        pidfd = OwnedDescriptor(number)
    }

    /// Sends a signal; false when the process has ended or may not be signalled.
    @discardableResult
    package func signal(_ number: Int32) -> Bool { st_pidfd_signal(pidfd.number, number) == 0 }

    /// Whether it ended within so many milliseconds.
    package func waitForEnd(withinMs: Int64) -> Bool { Readiness.wait(pidfd.number, withinMs: withinMs) }
}
