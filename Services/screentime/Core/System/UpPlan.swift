import STContracts
import STPlatform
import STSupervision

/// The options of `system up`.
struct UpPlan: Sendable {
    /// The services to run, in the order in which they start.
    var services: [ServiceName]
    var places: SystemPlaces
    var environment: [String: String]

    /// The same value as in deploy/systemd.
    private static let watchdogInterval: Duration = .seconds(15)
    /// Nothing is shielded while desktop-agent does not run, so repeated killing must not gain time.
    private static let unshieldedMax: Duration = .seconds(1)
    /// The variables that systemd or the starting program set for this process only.
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

    /// The services, and those that start when a person starts or joins a household of several machines.
    var programs: [ServiceName] {
        services == ServiceName.all ? services + ServiceName.ofHousehold : services
    }

    /// The programs that run from the start.
    var startedPrograms: [String] {
        programs.map(\.rawValue).filter { name in
            services.contains { $0.rawValue == name }
                || FileTree.exists(places.directories.wantedFile(service: name))
        }
    }

    /// The services to start. All start simultaneously, because each one retries until the others reply.
    var specs: [ServiceSpec] {
        var given = environment
        given["SCREENTIME_RUN"] = places.directories.run
        given["SCREENTIME_STATE"] = places.directories.state
        given["SCREENTIME_CONFIG"] = places.directories.config
        // A demonstration must neither count nor shield its owner's real usage.
        let adapter = "SCREENTIME_DESKTOP_AGENT_ADAPTER"
        if places.isDemo, given[adapter] == nil { given[adapter] = "none" }
        // The demonstration's apps need names if they are not installed. Entries of this computer take precedence.
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
                watchdogMs: Self.watchdogInterval.ms,
                backOffMsMax: service == .desktop ? Self.unshieldedMax.ms : nil,
                afterEnd: service == .desktop ? thaw : nil,
                wantedBy: services.contains(service)
                    ? nil : places.directories.wantedFile(service: service.rawValue)
            )
        }
    }

    /// Resumes the apps that a desktop-agent had paused when it died.
    private var thaw: AfterEnd { AfterEnd(executable: "\(places.binaries)/screentime", arguments: ["thaw"]) }

    /// The arguments of the same command, for the process in the background.
    var arguments: [String] {
        var result = ["system", "up"]
        if services != ServiceName.all {
            result += ["--only", services.map(\.rawValue).joined(separator: ",")]
        }
        if places.isDemo { result.append("--demo") }
        return result
    }
}
