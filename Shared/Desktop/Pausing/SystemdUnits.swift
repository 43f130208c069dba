import STDesktopBus
import STPlatform
import Synchronization

/// The systemd of this user, asked over the session bus; a connection for each question, because they are rare.
package struct SystemdUnits: UnitFreezing {
    private static let withinMs: Int64 = 1_500
    private let address: String

    /// Nil where there is no bus.
    package init?(environment: [String: String]) {
        guard let address = try? BusAddress.session(environment) else { return nil }
        self.address = address
    }

    private final class Answer: Sendable {
        let isGood = Atomic<Bool>(false)
    }

    package func setFrozen(_ isFrozen: Bool, unit: String) -> Bool {
        guard let bus = try? DesktopBus(address: address), let bell = try? Bell() else { return false }
        let answer = Answer()
        let call = DBusCall(
            "org.freedesktop.systemd1",
            "/org/freedesktop/systemd1",
            "org.freedesktop.systemd1.Manager",
            isFrozen ? "FreezeUnit" : "ThawUnit",
            [.string(unit)]
        )
        // Without a task: the pool of tasks starts a thread that wakes up every second for good.
        bus.call(call, withinMs: Self.withinMs) { result in
            if case .success = result { answer.isGood.store(true, ordering: .releasing) }
            bell.ring()
        }
        _ = bell.wait(withinMs: Self.withinMs + 500)
        bus.close()
        return answer.isGood.load(ordering: .acquiring)
    }
}
