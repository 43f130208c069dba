import STContracts
import STPlatform
import STSupervision

/// What `system up` was asked for.
struct UpPlan: Sendable {
    /// The services to run, in the order in which they start.
    var services: [ServiceName]
    var places: SystemPlaces
    var environment: [String: String]

    /// The same as in deploy/systemd.
    private static let watchdogMs: Int64 = 15_000
    /// Without desktop-agent nothing is shielded, so killing it again and again must not buy time.
    private static let unshieldedMsMax: Int64 = 1_000
    /// Meant for this process alone, by systemd or the program that started it.
    private static let ownVariables = [
        "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES",
        "INVOCATION_ID",
        "JOURNAL_STREAM", "MAINPID", Lifeline.variable, StartReport.variable, SystemKey.variable,
    ]

    init(_ invocation: Invocation) throws(Problem) {
        places = try SystemPlaces(invocation)
        environment = invocation.environment
        for name in Self.ownVariables { environment[name] = nil }
        services = try Self.services(invocation.options["--only"])
    }

    private static func services(_ list: String?) throws(Problem) -> [ServiceName] {
        guard let list else { return ServiceName.all }
        let wanted = list.split(separator: ",").map(String.init)
        let known = (ServiceName.all + ServiceName.ofHousehold).map(\.rawValue)
        for name in wanted where !known.contains(name) {
            throw Invocation.unknown(
                service: name,
                among: known,
                help: "screentime system up --only \(known.prefix(2).joined(separator: ","))"
            )
        }
        guard !wanted.isEmpty else {
            let list = known.joined(separator: ", ")
            throw Problem(
                "usage.no_service",
                "--only requires the name of at least one service. The services are: \(list, "services")."
            )
        }
        return (ServiceName.all + ServiceName.ofHousehold).filter { wanted.contains($0.rawValue) }
    }

    /// With those that start once a person begins or joins a household of many machines.
    var programs: [ServiceName] {
        services == ServiceName.all ? services + ServiceName.ofHousehold : services
    }

    /// The programs that run from the start.
    var startedPrograms: [String] {
        programs.map(\.rawValue).filter { name in
            services.contains { $0.rawValue == name }
                || FileTree.exists(places.directories.wanted(service: name))
        }
    }

    /// All start at once: each service asks again until the others answer.
    var specs: [ServiceSpec] {
        var given = environment
        given["SCREENTIME_RUN"] = places.directories.run
        given["SCREENTIME_STATE"] = places.directories.state
        given["SCREENTIME_CONFIG"] = places.directories.config
        // A made-up household must not count what its owner really does, nor shield it.
        let adapter = "SCREENTIME_DESKTOP_AGENT_ADAPTER"
        if places.isDemo, given[adapter] == nil { given[adapter] = "none" }
        // Its apps have names even where they are not installed; entries of this computer go first.
        if places.isDemo {
            let dirs =
                given["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
            given["XDG_DATA_DIRS"] = dirs + ":" + places.demoData
        }
        return programs.map { service in
            ServiceSpec(
                name: service.rawValue,
                executable: places.executable(of: service),
                environment: given,
                watchdogMs: Self.watchdogMs,
                backOffMsMax: service == .desktop ? Self.unshieldedMsMax : nil,
                afterEnd: service == .desktop ? thaw : nil,
                wantedBy: services.contains(service)
                    ? nil : places.directories.wanted(service: service.rawValue)
            )
        }
    }

    /// Lets go of the apps that a desktop-agent had paused when it died.
    private var thaw: AfterEnd { AfterEnd(executable: "\(places.binaries)/screentime", arguments: ["thaw"]) }

    /// The same request, for the process in the background.
    var arguments: [String] {
        var result = ["system", "up"]
        if services != ServiceName.all {
            result += ["--only", services.map(\.rawValue).joined(separator: ",")]
        }
        if places.isDemo { result.append("--demo") }
        return result
    }
}
