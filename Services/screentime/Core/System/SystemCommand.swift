import Glibc
import STContracts
import STPlatform

/// Starts, stops and installs the services.
package enum SystemCommand {
    package static let commands: [Command] = [up, down, enable, disable, clock]

    private static let demo = Command.Option(
        "--demo",
        value: nil,
        summary: "a made-up household, separate from your own data"
    )

    private static let up = Command(
        ["system", "up"],
        "Starts the services, supervises them, and shows their logs",
        options: [
            Command.Option(
                "--only",
                value: "NAMES",
                summary: "only these services, separated by commas",
                key: "help.--only.only-these-services-separated-by"
            ),
            demo,
            Command.Option(
                "--detach",
                value: nil,
                summary: "continues in the background once all services are ready"
            ),
            Command.Option("--fresh", value: nil, summary: "first deletes everything that was recorded"),
            Command.Option(
                "--yes",
                value: nil,
                summary: "does not ask before --fresh deletes anything",
                key: "help.--yes.does-not-ask-before-fresh"
            ),
        ],
        example: "screentime system up --detach",
        run: SystemUp.run
    )

    private static let down = Command(
        ["system", "down"],
        "Stops the services",
        options: [demo],
        example: "screentime system down",
        run: SystemDown.run
    )

    private static let enable = Command(
        ["system", "enable"],
        "Has systemd start the services at every login",
        options: [
            Command.Option(
                "--print",
                value: nil,
                summary: "shows the units and changes nothing",
                key: "help.--print.shows-the-units-and-changes"
            ),
            Command.Option(
                "--packaged",
                value: nil,
                summary: "with --print: the units of the Debian package, for every account"
            ),
        ],
        example: "screentime system enable"
    ) { invocation in
        let request = try SystemEnable(invocation)
        if invocation.has("--print") {
            return try request.printUnits(packaged: invocation.has("--packaged"))
        }
        guard !invocation.has("--packaged") else {
            throw Problem(
                "usage.packaged",
                "--packaged only shows the units of the package. Use it with --print.",
                help: "screentime system enable --print --packaged"
            )
        }
        return try await OwnThread.run("enable") { try request.enable() }
    }

    private static let disable = Command(
        ["system", "disable"],
        "Stops the services and removes their systemd units",
        example: "screentime system disable"
    ) { invocation in
        let request = try SystemEnable(invocation)
        return try await OwnThread.run("disable") { try request.disable() }
    }

    private static let clock = Command(
        ["system", "clock"],
        "Shows whether Screen Time follows the clock of this computer",
        options: [
            Command.Option(
                "--accept",
                value: nil,
                summary: "confirms that the clock is right; for a child's computer, a guardian must do this"
            ),
            ProofPrompt.option, .json,
        ],
        example: "screentime system clock --accept"
    ) { invocation in
        try await ServiceClients.with(invocation.directories) { clients in
            guard invocation.has("--accept") else {
                let report = try await clients.result(
                    HealthReport.self,
                    .activity,
                    request: Empty(),
                    timeout: SystemView.timeout
                ).get()
                return invocation.show(
                    json: JSONOutput.pretty(.object(["aside_ms": .integer(report.clockAsideMs ?? 0)])),
                    wraps: true
                ) {
                    Condition.clock(asideMs: report.clockAsideMs).map {
                        [$0.text, $0.remedy].compactMap(\.self)
                    }?
                    .map { Speech.say($0) }
                        ?? [
                            Speech.say(
                                "system.screen-time-follows-the",
                                "Screen Time follows the clock of this computer."
                            )
                        ]
                }
            }
            let reply = try await ProofPrompt(invocation).run { by, passcode in
                let reply = try await clients.callTyped(
                    UsageAcceptClock.self,
                    .init(by: by, passcode: passcode)
                )
                return (reply, reply.refusal)
            }
            return try invocation.show(
                json: JSONOutput.pretty(try JSONOutput.value(of: reply)),
                text: Speech.say(
                    "system.screen-time-goes-by",
                    "Screen Time follows the clock of this computer from now on."
                )
            )
        }
    }
}

/// `system up`.
enum SystemUp {
    /// Upper bound on the time in which services end after their supervisor has died.
    private static let leftoverTimeout: Duration = .seconds(10)

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let plan = try UpPlan(invocation)
        try await OwnThread.run("before-start") {
            try refuseSecond(plan)
            // Checked before anything is removed, because a demonstration must not remove a person's records.
            try plan.places.checkKind()
            try NetworkFolder.refuse(plan.places.directories.state)
            if invocation.has("--fresh") {
                try FreshStart(
                    places: plan.places,
                    terminal: invocation.terminal,
                    isConfirmed: invocation.has("--yes")
                )
                .run()
            }
            try SourceTree.build(plan.startedPrograms, in: plan.places.binaries, invocation.terminal)
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
                """
                Screen Time is already running here as process \(pid, "pid"), with its sockets in \
                \(places.directories.run, "run"). Stop it first, or set SCREENTIME_RUN and SCREENTIME_STATE \
                to run a second instance.
                """,
                help: "screentime system down" + (places.isDemo ? " --demo" : ""),
                details: ["pid": String(pid)]
            )
        }
        let deadline = Stopwatch.milliseconds() + leftoverTimeout.ms
        for service in plan.services {
            let path = "\(places.directories.run)/\(service)/lock"
            guard let pid = InstanceLock.holder(path: path) else { continue }
            // If its supervisor was killed a moment ago, the service ends by itself.
            let left = max(0, deadline - Stopwatch.milliseconds())
            if OtherProcess(pid: pid)?.waitForEnd(withinMs: left) ?? true { continue }
            throw Problem(
                "system.service_running",
                """
                \(service, "service") is already running as process \(pid, "pid"), started by another \
                program such as systemd. Stop it first.
                """,
                help: "screentime system down",
                details: ["pid": String(pid)]
            )
        }
    }
}

/// `--fresh`: deletes all records of this system and leaves other files in the same directory.
struct FreshStart {
    let places: SystemPlaces
    let terminal: Terminal
    /// True if `--yes` was given.
    let isConfirmed: Bool

    func run() throws {
        let paths = known.filter(FileTree.exists)
        guard !paths.isEmpty else { return }
        try confirm(paths)
        for path in paths { try DirectoryTree.remove(path) }
        terminal.note(
            Speech.say(
                "system.deleted-folders-and-files",
                """
                Folders and files of Screen Time deleted in \(places.directories.state, "state"): \
                \(paths.count, "count").
                """
            )
        )
    }

    /// The directories and logs of the services, by name, because other files in the same folder do not belong to Screen Time.
    private var known: [String] {
        let services = ServiceName.all + ServiceName.ofHousehold
        let directories = services.map { "\(places.directories.state)/\($0)" }
        let wanted = ServiceName.ofHousehold.map { places.directories.wantedFile(service: $0.rawValue) }
        let writers = services.map(\.rawValue) + ["supervisor", "system"]
        let logs = writers.map { places.directories.log(service: $0) }
        return directories + wanted + logs + logs.map { $0 + ".1" }
    }

    private func confirm(_ paths: [String]) throws(Problem) {
        if isConfirmed || places.isDemo { return }
        let hint = "screentime system up --fresh --yes"
        guard isatty(STDIN_FILENO) == 1, terminal.isTerminal else {
            throw Problem(
                "usage.not_agreed",
                "--fresh deletes everything that was recorded. Add --yes to confirm.",
                help: hint
            )
        }
        terminal.note(
            Speech.say(
                "system.this-deletes-everything-that",
                "This permanently deletes everything that was recorded:"
            )
        )
        for path in paths { terminal.note("  " + path) }
        terminal.note(Speech.say("system.type-yes-to-go", "Type yes to continue:"))
        guard readLine(strippingNewline: true) == "yes" else {
            throw Problem("system.not_agreed", "Nothing was deleted, and nothing was started.", help: hint)
        }
    }
}
