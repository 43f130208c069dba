import STContracts
import STPlatform

/// `system up`.
enum SystemUp {
    /// How long services that lost their supervisor may take to notice and end.
    private static let leftoverMs: Int64 = 10_000

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let plan = try UpPlan(invocation)
        try await OwnThread.run("before-start") {
            try refuseSecond(plan)
            // Before anything is removed: a demonstration must not remove somebody's own days.
            try plan.places.checkKind()
            if invocation.has("--fresh") {
                try FreshStart(
                    places: plan.places,
                    terminal: invocation.terminal,
                    isAgreed: invocation.has("--yes")
                )
                .run()
            }
        }
        if invocation.has("--detach") {
            return try await DetachedStart(plan: plan, terminal: invocation.terminal).run()
        }
        return try await UpSession(plan, invocation).run()
    }

    private static func refuseSecond(_ plan: UpPlan) throws(Problem) {
        let places = plan.places
        if let pid = InstanceLock.holder(path: places.lockPath) {
            throw Problem(
                "system.already_running",
                "Screen Time already runs here as process \(pid), with its sockets in \(places.directories.run). "
                    + "End it first, or set SCREENTIME_RUN and SCREENTIME_STATE to run another beside it.",
                help: "screentime system down" + (places.isDemo ? " --demo" : ""),
                details: ["pid": String(pid)]
            )
        }
        let deadline = Stopwatch.milliseconds() + leftoverMs
        for service in plan.services {
            let path = "\(places.directories.run)/\(service)/lock"
            guard let pid = InstanceLock.holder(path: path) else { continue }
            // Its supervisor may have been killed a moment ago, and then it ends by itself.
            let left = max(0, deadline - Stopwatch.milliseconds())
            if OtherProcess(pid: pid)?.waitForEnd(withinMs: left) ?? true { continue }
            throw Problem(
                "system.service_running",
                "\(service) already runs as process \(pid), started by somebody else, such as systemd. End it first.",
                help: "screentime system down",
                details: ["pid": String(pid)]
            )
        }
    }
}
