import Glibc
import STDBus
import STPlatform
import Synchronization

/// Freezing a whole cgroup, and thawing it.
struct FreezerHold: Sendable {
    /// The kernel took 3 ms on a quiet machine.
    private static let withinMs: Int64 = 500

    let tree: CgroupTree
    /// For cgroups that are not ours to write; nil where no systemd answers.
    let units: (any UnitFreezing)?

    /// How this cgroup can be frozen: directly, or by systemd; nil when neither is possible.
    func route(_ scope: AppScope) -> Route? {
        if tree.mayFreeze(scope.cgroup) { return .direct }
        return units == nil || tree.folder(scope.cgroup).map { access($0, F_OK) == 0 } != true
            ? nil : .unit(scope.unit)
    }

    enum Route: Equatable {
        case direct
        case unit(String)

        var unit: String? { if case .unit(let name) = self { name } else { nil } }
    }

    /// Whether all in it stand still; when they do not in time, it is taken back.
    func freeze(_ scope: AppScope, _ route: Route) -> Bool {
        switch route {
        case .direct:
            guard tree.setFreeze(true, scope.cgroup) == 0 else { return false }
        case .unit(let name):
            // Its answer comes when the unit is frozen; one that is late is asked to thaw all the same.
            guard units?.setFrozen(true, unit: name) == true else {
                _ = units?.setFrozen(false, unit: name)
                return false
            }
        }
        if tree.waitUntilFrozen(scope.cgroup, withinMs: Self.withinMs) { return true }
        thaw(scope.cgroup, unit: route.unit)
        return false
    }

    /// Whether it is certain that nothing holds it any more on our behalf.
    @discardableResult
    func thaw(_ cgroup: String, unit: String?) -> Bool {
        let number = tree.setFreeze(false, cgroup)
        // Removed meanwhile, with all that was in it.
        if number == 0 || number == ENOENT || number == ENODEV { return true }
        return unit.map { units?.setFrozen(false, unit: $0) == true } ?? false
    }
}

/// Freezes a unit of systemd for us.
package protocol UnitFreezing: Sendable {
    /// Waits for the answer, with a deadline of its own; false when it did not work.
    func setFrozen(_ isFrozen: Bool, unit: String) -> Bool
}

/// The systemd of this user, asked over the session bus; a connection for each question, because they are rare.
package struct SystemdUnits: UnitFreezing {
    private static let withinMs: Int64 = 1_500
    private let address: String

    /// Nil where there is no bus.
    package init?(environment: [String: String]) {
        guard let address = try? DBusAddress.session(environment) else { return nil }
        self.address = address
    }

    private final class Answer: Sendable {
        let isGood = Atomic<Bool>(false)
    }

    package func setFrozen(_ isFrozen: Bool, unit: String) -> Bool {
        guard let bus = try? DBusConnection(address: address), let bell = try? Bell() else { return false }
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
