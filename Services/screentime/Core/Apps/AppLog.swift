import STContracts
import STPlatform

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
        let first = try await clients.call(
            MonitorLog.self,
            .init(app: app, limit: Int64(min(count, BusLimits.pageRows)), fromEnd: Int64(count))
        )
        if first.lines.isEmpty {
            try await InstalledApps.check(app, "app log", clients)
            invocation.terminal.note("\(DisplayWidth.harmless(app)) has not written anything yet.")
        }
        _ = try await show(first, left: count)
    }

    private func follow(count: Int?, forMs: Int64?) async throws {
        let listener = Listener(clients.loop)
        do {
            let topics = [ServiceName.monitor: [Topic.subscription(.delivery)]]
            try await listener.open(topics, invocation.directories, tickMs: Self.tickMs, forMs: forMs)
            var request = MonitorLog.Request(app: app, fromEnd: Int64(min(count ?? .max, Self.followCount)))
            var left = count ?? .max
            let first = try await clients.call(MonitorLog.self, request)
            if first.lines.isEmpty { try await InstalledApps.check(app, "app log", clients) }
            request.fromEnd = nil
            (request.next, left) = try await show(first, left: left)
            for await event in listener.events {
                if case .timeUp = event { break }
                if case .interrupted = event { break }
                // A service that starts anew has nothing new to say meanwhile.
                if let page = try? await clients.call(MonitorLog.self, request, timeoutMs: 2_000) {
                    (request.next, left) = try await show(page, left: left)
                }
                if left == 0 { break }
            }
            await listener.close()
        } catch {
            await listener.close()
            throw error
        }
    }

    /// All from this page on; where to go on, and how many may still be shown.
    private func show(_ page: MonitorLog.Reply, left: Int) async throws -> (next: String, left: Int) {
        var page = page
        var left = left
        while true {
            for line in page.lines where left > 0 {
                try show(line)
                left -= 1
            }
            guard page.more, left > 0 else { return (page.next, left) }
            page = try await clients.call(MonitorLog.self, .init(app: app, next: page.next))
        }
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
