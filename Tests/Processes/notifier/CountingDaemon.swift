import Glibc
import STDBus
import STDesktopKit
import STPlatform
import STTestSupport
import Synchronization

/// Accepts notifications as a desktop does, and counts them instead of showing them.
final class CountingDaemon: Sendable {
    private static let name = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"

    private struct Book {
        var counts: [String: Int] = [:]
        var last: UInt32 = 0
        var random: SeededRandom
    }

    private let bus: DBusConnection
    private let book: Mutex<Book>

    private init(_ bus: DBusConnection, seed: UInt64) {
        self.bus = bus
        book = Mutex(Book(random: SeededRandom(seed: seed)))
    }

    /// Starts the daemon. It takes up to `slowMs` for each notification, so that one is often in flight.
    static func start(_ session: SessionBus, seed: UInt64, slowMs: Int) async throws -> CountingDaemon {
        let bus = try DBusConnection(address: session.address)
        let daemon = CountingDaemon(bus, seed: seed)
        try await bus.serve(path: path) { [weak daemon] call in daemon?.answer(call, slowMs) }
        try await bus.requestName(name, withinMs: 5_000)
        return daemon
    }

    func stop() { bus.close() }

    /// The number of acceptances of each id.
    var counts: [String: Int] { book.withLock { $0.counts } }

    private func answer(_ call: DBusMessage, _ slowMs: Int) -> Result<[DBusValue], Problem>? {
        switch call.member {
        case "GetServerInformation":
            return .success([.string("counter"), .string("tests"), .string("1"), .string("1.2")])
        case "GetCapabilities": return .success([.strings(["body", "actions"])])
        case "CloseNotification": return .success([])
        case "Notify":
            guard call.arguments.count == 8, let id = call.arguments[6]["x-screentime-id"]?.text else {
                return .failure(Problem("test.no_id", verbatim: "A notification without an id: \(call)"))
            }
            let (number, waitMs) = book.withLock { book in
                book.counts[id, default: 0] += 1
                book.last += 1
                return (book.last, book.random.number(0...slowMs))
            }
            _ = poll(nil, 0, Int32(waitMs))
            return .success([.uint32(number)])
        default: return .failure(Problem("test.unknown", verbatim: call.member))
        }
    }
}
