import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

/// Tests of the notifier's process with a bus, a screen and a desktop. They run one after the other.
@Suite("The notifier and a desktop", .serialized)
enum NotifierSystemSuite {
    static let isSoak = TestScale.isSoak

    /// The seed. `SCREENTIME_SEED` repeats a run.
    static let seed: UInt64 =
        ProcessEnvironment.current()["SCREENTIME_SEED"].flatMap(UInt64.init)
        ?? UInt64(truncatingIfNeeded: Stopwatch.nanoseconds())

    /// Returns the notifications of every change that the stream announced.
    static func changes(_ system: TestSystem) async throws -> [PostedNotification] {
        var events: [WireEvent] = []
        while true {
            let last = events.last?.header
            let page = try await system.client.call(
                EventsSince.self,
                to: .notifier,
                .init(
                    stream: StreamName.notification.rawValue,
                    epoch: last?.epoch,
                    sequence: last?.sequence,
                    id: last?.id
                )
            )
            events += page.events
            guard page.next == nil else { continue }
            return try events.filter { $0.header.type == NotificationChanged.type }
                .map { try $0.decoded(NotificationChanged.self) }
        }
    }
}
