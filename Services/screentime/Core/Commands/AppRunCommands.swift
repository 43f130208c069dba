import STContracts
import STPlatform

/// `screentime app …`: what an app's extensions wrote, and what became of their callbacks.
enum AppRunCommands {
    private static let app = Command.Subject("APP", "its id")

    static let commands: [Command] = [
        Command(
            ["app", "log"],
            "What an app's extensions wrote: print, Logger, errors, and what was done to them",
            subjects: [app],
            options: [
                .init("--follow", nil, "the last lines, and then each as it comes"),
                .init("--count", "N", "so many lines, 50 by default; with --follow it ends after so many"),
                .init("--for", "DURATION", "with --follow: ends after so long"),
                .json,
            ],
            example: "screentime app log promise --follow"
        ) { try await AppLog.run($0) },
        Command(
            ["app", "deliveries"],
            "The callbacks of apps: on their way, done, or parked with the reason",
            subjects: [.init("APP", "only of this one", isOptional: true)],
            options: [
                .init("--state", "STATE", "only these: \(DeliveryState.known.joined(separator: ", "))"),
                .init("--count", "N", "so many of them, 20 by default"),
                .json,
            ],
            example: "screentime app deliveries promise"
        ) { try await deliveries($0) },
        Command(
            ["app", "retry"],
            "Tries a parked callback again",
            subjects: [.init("DELIVERY", "its short name, such as D18")],
            options: [.json],
            example: "screentime app retry D18"
        ) { try await retry($0) },
        Command(
            ["app", "debug"],
            "Starts an app's monitor stopped, so that a debugger can be attached; nothing is counted",
            subjects: [app],
            options: [.init("--off", nil, "ends it; the next callback is made as usual"), .json],
            example: "screentime app debug promise"
        ) { try await AppDebug.run($0) },
    ]

    private static let countDefault = 20

    private static func deliveries(_ invocation: Invocation) async throws -> ExitCode {
        let count = try invocation.count("--count") ?? countDefault
        let state = try invocation.choice("--state", DeliveryState.self)
        let app = invocation.subjects.first
        let found = try await ServiceClients.with(invocation.directories) { clients in
            let found = try await latest(count, app, state, clients)
            if found.isEmpty { try await InstalledApps.check(app, "app deliveries", clients) }
            return found
        }
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            let list = try found.map { try JSONOutput.value(of: $0) }
            terminal.write(JSONOutput.pretty(["deliveries": .array(list)]))
            return .done
        }
        terminal.write(DeliveryText.list(found, app: app, state: state, terminal).joined(separator: "\n"))
        return .done
    }

    /// Newest first, over as many pages as they take.
    private static func latest(
        _ count: Int,
        _ app: String?,
        _ state: DeliveryState?,
        _ clients: ServiceClients
    ) async throws -> [DeliveryView] {
        var found: [DeliveryView] = []
        var next: String?
        repeat {
            let limit = Int64(min(count - found.count, BusLimits.pageRows))
            let request = MonitorDeliveries.Request(app: app, state: state, next: next, limit: limit)
            let page = try await clients.call(MonitorDeliveries.self, request)
            found += page.deliveries
            next = page.next
        } while next != nil && found.count < count
        return found
    }

    private static func retry(_ invocation: Invocation) async throws -> ExitCode {
        let view = try await ServiceClients.with(invocation.directories) {
            try await $0.call(MonitorRetry.self, .init(delivery: invocation.subjects[0]))
        }
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            terminal.write(JSONOutput.pretty(try JSONOutput.value(of: view)))
            return .done
        }
        let app = DisplayWidth.harmless(view.app)
        terminal.write("\(view.delivery) (\(view.method) of \(app)) is tried again.")
        terminal.write("How it goes: screentime app deliveries \(app)")
        return .done
    }
}
