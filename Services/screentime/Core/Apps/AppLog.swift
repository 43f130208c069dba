import STContracts
import STPlatform
import STZeroMQ

/// `screentime app log`.
struct AppLog {
    private static let countDefault = 50
    private static let followCount = 10
    /// How often it is looked for new lines; a callback that ends is told at once.
    private static let tickMs: Int64 = 300

    private let invocation: Invocation
    private let clients: ServiceClients
    private let app: String

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let count = try invocation.count("--count")
        let forMs = try invocation.durationMs("--for")
        let follows = invocation.has("--follow")
        guard forMs == nil || follows else {
            throw Problem(
                "usage.option_value",
                "--for says when --follow ends; without it the log ends by itself.",
                help: "screentime app log \(invocation.subjects[0]) --follow --for 10m"
            )
        }
        return try await ServiceClients.with(invocation.directories) { clients in
            let log = AppLog(invocation: invocation, clients: clients, app: invocation.subjects[0])
            if follows {
                try await log.follow(count: count, forMs: forMs)
            } else {
                try await log.list(count ?? countDefault)
            }
            return .done
        }
    }

    private func list(_ count: Int) async throws {
        let lines = try await everywhere { source in
            try await source.lines(app, fromEnd: Int64(count), clients)
        }
        if lines.isEmpty {
            try await InstalledApps.check(app, "app log", clients)
            invocation.terminal.note("\(DisplayWidth.harmless(app)) has not written anything yet.")
        }
        for line in lines.suffix(count) { try show(line) }
    }

    /// From every service that has lines of this app; one that does not run is said to be missing.
    private func everywhere(
        _ ask: (inout AppLogSource) async throws -> [AppLogLine]
    ) async throws -> [AppLogLine] {
        var sources = AppLogSource.all
        return try await everywhere(&sources, ask)
    }

    private func everywhere(
        _ sources: inout [AppLogSource],
        _ ask: (inout AppLogSource) async throws -> [AppLogLine]
    ) async throws -> [AppLogLine] {
        var lists: [[AppLogLine]] = []
        var failures: [any Error] = []
        for index in sources.indices {
            do {
                lists.append(try await ask(&sources[index]))
            } catch {
                failures.append(error)
            }
        }
        if let first = failures.first, lists.isEmpty { throw first }
        for failure in failures { invocation.terminal.note(ProblemText.problem(failure).message) }
        return AppLogSource.merged(lists)
    }

    private func follow(count: Int?, forMs: Int64?) async throws {
        let listener = Listener(clients.loop)
        do {
            let topics: [ServiceName: [String]] = [
                .monitor: [Topic.subscription(.delivery)], .shield: [Topic.subscription(.shield)],
            ]
            try await listener.open(topics, invocation.directories, tickMs: Self.tickMs, forMs: forMs)
            var sources = AppLogSource.all
            var left = count ?? .max
            let first = try await everywhere(&sources) { source in
                try await source.lines(app, fromEnd: Int64(min(left, Self.followCount)), clients)
            }
            if first.isEmpty { try await InstalledApps.check(app, "app log", clients) }
            left = try show(first.suffix(min(left, Self.followCount)), left: left)
            for await event in listener.events {
                if case .timeUp = event { break }
                if case .interrupted = event { break }
                left = try show(await news(&sources)[...], left: left)
                if left == 0 { break }
            }
            await listener.close()
        } catch {
            await listener.close()
            throw error
        }
    }

    private func news(_ sources: inout [AppLogSource]) async -> [AppLogLine] {
        var lists: [[AppLogLine]] = []
        for index in sources.indices {
            // A service that starts anew has nothing new to say meanwhile.
            let lines = try? await sources[index].lines(app, fromEnd: 0, clients, timeoutMs: 2_000)
            lists.append(lines ?? [])
        }
        return AppLogSource.merged(lists)
    }

    /// How many may still be shown.
    private func show(_ lines: ArraySlice<AppLogLine>, left: Int) throws -> Int {
        let shown = lines.prefix(left)
        for line in shown { try show(line) }
        return left - shown.count
    }

    private func show(_ line: AppLogLine) throws {
        if invocation.wantsJSON {
            let value = try JSONOutput.value(of: line)
            invocation.terminal.write(String(decoding: JSONOutput.compact(value), as: UTF8.self))
        } else {
            invocation.terminal.write(AppLogText.line(line, invocation.terminal))
        }
    }
}
