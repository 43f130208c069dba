import Glibc
import STDBus
import STPlatform
import Synchronization

/// Freezes and thaws a whole cgroup.
struct CgroupFreezer: Sendable {
    /// Time limit for freezing. The kernel took 3 ms on an idle machine.
    private static let timeout = Duration.milliseconds(500)

    let tree: CgroupTree
    /// Freezes cgroups that this account cannot write. `nil` if there is no systemd.
    let units: (any UnitFreezing)?

    /// Returns the way to freeze this cgroup: directly or by systemd. Returns `nil` if neither is possible.
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

    /// Freezes the cgroup and returns true once all its processes are frozen. After the time limit, it thaws the cgroup again.
    func freeze(_ scope: AppScope, _ route: Route) -> Bool {
        switch route {
        case .direct:
            guard tree.setFreeze(true, scope.cgroup) == 0 else { return false }
        case .unit(let name):
            // systemd replies once the unit is frozen. After a late or negative reply, the unit is thawed in any case.
            guard units?.setFrozen(true, unit: name) == true else {
                _ = units?.setFrozen(false, unit: name)
                return false
            }
        }
        if tree.waitUntilFrozen(scope.cgroup, withinMs: Self.timeout.ms) { return true }
        thaw(scope.cgroup, unit: route.unit)
        return false
    }

    /// Thaws the cgroup. Returns true if it is certain that Screen Time no longer freezes it.
    @discardableResult
    func thaw(_ cgroup: String, unit: String?) -> Bool {
        let number = tree.setFreeze(false, cgroup)
        // The cgroup was removed meanwhile, with all its processes.
        if number == 0 || number == ENOENT || number == ENODEV { return true }
        return unit.map { units?.setFrozen(false, unit: $0) == true } ?? false
    }
}

/// Freezes and thaws units of systemd.
package protocol UnitFreezing: Sendable {
    /// Waits for the reply, up to a time limit. Returns false on failure.
    func setFrozen(_ isFrozen: Bool, unit: String) -> Bool
}

/// The systemd of this user, called over the session bus. Calls are rare, so each one opens a connection.
package struct SystemdUnits: UnitFreezing {
    private static let timeout = Duration.milliseconds(1_500)
    private let address: String

    /// Returns `nil` if there is no session bus.
    package init?(environment: [String: String]) {
        guard let address = try? DBusAddress.session(environment) else { return nil }
        self.address = address
    }

    private final class Answer: Sendable {
        let isSuccess = Atomic<Bool>(false)
    }

    package func setFrozen(_ isFrozen: Bool, unit: String) -> Bool {
        guard let bus = try? DBusConnection(address: address), let bell = try? WakeDescriptor() else {
            return false
        }
        let answer = Answer()
        let call = DBusCall(
            "org.freedesktop.systemd1",
            path: "/org/freedesktop/systemd1",
            interface: "org.freedesktop.systemd1.Manager",
            member: isFrozen ? "FreezeUnit" : "ThawUnit",
            arguments: [.string(unit)]
        )
        // A callback instead of a task, because the thread pool of tasks starts a thread that wakes up every second forever.
        bus.call(call, withinMs: Self.timeout.ms) { result in
            if case .success = result { answer.isSuccess.store(true, ordering: .releasing) }
            bell.signal()
        }
        _ = bell.wait(withinMs: Self.timeout.ms + 500)
        bus.close()
        return answer.isSuccess.load(ordering: .acquiring)
    }
}
