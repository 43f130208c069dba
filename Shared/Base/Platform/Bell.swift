import Glibc
import STCPlatform

/// Wakes one waiting thread from any other.
package final class Bell: Sendable {
    private let owned: OwnedDescriptor

    package init() throws(Problem) {
        let number = st_eventfd()
        guard number >= 0 else { throw SystemError.last("eventfd") }
        owned = OwnedDescriptor(number)
    }

    package func ring() {
        var one: UInt64 = 1
        _ = write(owned.number, &one, 8)
    }

    /// Whether it rang in time.
    ///
    /// Rings that came before the wait count, several as one.
    package func wait(withinMs: Int64) -> Bool {
        guard Readiness.wait(owned.number, withinMs: withinMs) else { return false }
        var count: UInt64 = 0
        return read(owned.number, &count, 8) == 8
    }
}
