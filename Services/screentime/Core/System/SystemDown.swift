import Glibc
import STContracts
import STPlatform

/// `system down`: stops the services that `system up` or systemd runs with these directories.
struct SystemDown: Sendable {
    /// Longer than the supervisor needs to kill seven services one after the other.
    private static let timeout: Duration = .seconds(120)

    let places: SystemPlaces
    let demo: SystemPlaces
    let terminal: Terminal
    let units: UserUnits

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let down = SystemDown(
            places: try SystemPlaces(invocation),
            demo: try SystemPlaces(invocation, isDemo: true),
            terminal: invocation.terminal,
            units: UserUnits(environment: invocation.environment)
        )
        return try await OwnThread.run("down") { try down.run() }
    }

    func run() throws -> ExitCode {
        let hasStoppedOurs = try stopSupervisor()
        // Units use a person's own directories, never those of a demonstration.
        let hasStoppedUnits = places.isDemo ? false : try stopUnits()
        guard hasStoppedOurs || hasStoppedUnits else {
            if InstanceLock.holder(path: demo.lockPath) != nil {
                throw Problem(
                    "system.not_running",
                    "Only the demonstration is running.",
                    key: "system.not_running.only-the-demonstration",
                    help: "screentime system down --demo"
                )
            }
            throw Problem(
                "system.not_running",
                "Screen Time is not running.",
                key: "system.not_running.screen-time-is",
                help: "screentime system up" + (places.isDemo ? " --demo" : "")
            )
        }
        return try remaining()
    }

    private func stopSupervisor() throws -> Bool {
        guard let pid = holder, let process = OtherProcess(pid: pid),
            // The second check ensures that the descriptor belongs to the process with the lock.
            holder == pid
        else { return false }
        let services =
            SupervisorFile.read(places.directories)?.services.filter { $0.pid != nil }.map(\.name) ?? []
        let start = SuspendingClock.now
        guard process.signal(SIGTERM) else {
            throw Problem(
                "access.denied",
                """
                You are not allowed to stop process \(pid, "pid"), which runs Screen Time. Stop it as the \
                user who started it.
                """
            )
        }
        if terminal.isTerminal { terminal.note(Speech.say("system.stopping", "Stopping…")) }
        guard process.waitForEnd(withinMs: Self.timeout.ms) else {
            throw Problem(
                "system.not_stopped",
                """
                Process \(pid, "pid") is still running \(MessageValue.duration(ms: Self.timeout.ms), "time") \
                after the request to stop.
                """,
                help: "less \(places.directories.log(service: "supervisor"))"
            )
        }
        let took = Speech.duration(SuspendingClock.now - start)
        // The services in the order in which they stopped.
        let names = services.isEmpty ? "" : ": " + services.reversed().joined(separator: ", ")
        terminal.write(Speech.say("system.stopped-in", "Stopped in \(took, "took")\(names, "names")."))
        return true
    }

    /// The supervisor's process id. If the folder and its lock were deleted, it is determined from the services.
    ///
    /// A supervisor that hangs, or a full disk, prevents a new lock.
    private var holder: Int32? { InstanceLock.holder(path: places.lockPath) ?? parentOfServices }

    /// The parent process of the services that have their databases open.
    private var parentOfServices: Int32? {
        ServiceName.all.lazy.compactMap { service -> Int32? in
            let lock = "\(places.directories.state)/\(service)/lock"
            guard let parent = InstanceLock.holder(path: lock).flatMap(ProcFile.parent),
                ProcFile.text("/proc/\(parent)/comm") == "screentime\n"
            else { return nil }
            return parent
        }.first
    }

    private func stopUnits() throws -> Bool {
        guard units.isInstalled, units.isActive else { return false }
        try units.call(["stop", UserUnits.target])
        terminal.write(
            Speech.say(
                "system.stopped-systemd-starts-it",
                "Stopped \(UserUnits.target, "target"); systemd starts it again at the next login."
            )
        )
        terminal.write(
            "  " + Speech.say("system.for-good", "to stop it permanently: ") + "screentime system disable"
        )
        return true
    }

    private func remaining() throws -> ExitCode {
        let left = (ServiceName.all + ServiceName.ofHousehold).compactMap { service -> String? in
            InstanceLock.holder(path: "\(places.directories.run)/\(service)/lock").map {
                "\(service) (\($0))"
            }
        }
        if left.isEmpty { return .done }
        terminal.note(
            Speech.say("system.still-running", "Still running: ") + left.joined(separator: ", ") + "."
        )
        return .no
    }
}
