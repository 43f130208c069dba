import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ

/// A system whose ledger is filled, exported and imported.
struct TransferDesk {
    /// Five days ago, because imported data must be in the past.
    static let startMs = (SystemTimeSource().now().wallMs / 86_400_000 - 5) * 86_400_000

    let system: TestSystem

    static func run<T>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (TransferDesk) async throws -> T
    ) async throws -> T {
        try await TestSystem.run(services: [.auth, .activity, .report]) { system in
            try await body(TransferDesk(system: system))
        }
    }

    /// Starts `screentime` with its output in a file.
    func begin(_ line: [String], output: String, environment: [String: String] = [:]) throws -> SpawnedProcess
    {
        let number = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError.last("open") }
        let file = OwnedDescriptor(number)
        return try system.command(line, output: file, environment: environment)
    }

    /// Runs `screentime` and returns its output and exit code.
    func command(_ line: [String], environment: [String: String] = [:]) throws -> (
        code: STPlatform.ExitStatus?, text: String
    ) {
        let output = system.scratch.file("output-\(Identifier.make(wallMs: Stopwatch.bootMilliseconds()))")
        let process = try begin(line, output: output, environment: environment)
        let status = process.wait(deadlineMs: 60_000)
        if status == nil { process.signalGroup(SIGKILL) }
        return (status, ScratchDirectory.text(output))
    }

    func ledger() async throws -> [Segment] {
        var rows: [Segment] = []
        var request = UsageList.Request()
        repeat {
            let page = try await system.client.call(UsageList.self, request)
            rows += page.rows
            request.next = page.next
        } while request.next != nil
        return rows
    }

    func notifications() async throws -> [NotificationCount] {
        var rows: [NotificationCount] = []
        var request = UsageNotifications.Request()
        repeat {
            let page = try await system.client.call(UsageNotifications.self, request)
            rows += page.rows
            request.next = page.next
        } while request.next != nil
        return rows
    }

    /// Returns the fault of the chain, or `nil` if it is intact.
    func fault() async throws -> LedgerFault? {
        var request = UsageVerify.Request()
        while true {
            let page = try await system.client.call(UsageVerify.self, request)
            guard page.fault == nil, let next = page.next else { return page.fault }
            request.next = next
        }
    }

    /// Returns milliseconds by member, app, site and presence.
    static func sums(_ rows: [Segment]) -> [String: Int64] {
        var sums: [String: Int64] = [:]
        for row in rows {
            let key = "\(row.member) \(row.app ?? "-") \(row.domain ?? "-") \(row.presence.rawValue)"
            sums[key, default: 0] += row.durationMs
        }
        return sums
    }

    /// Returns the reports of the days, once report-service has followed the ledger.
    func reports() async throws -> [ReportDay.Reply] {
        try await eventually(within: .seconds(60), "report-service has processed the ledger") {
            let source = try await system.client.call(HealthReport.self, to: .activity, Empty())
            let follower = try await system.client.call(HealthReport.self, to: .report, Empty())
            let head = source.streams.first { $0.stream == StreamName.usage.rawValue }?.sequence
            let cursor = follower.cursors.first { $0.stream == StreamName.usage.rawValue }
            guard let cursor, cursor.state == "live", cursor.sequence == head else {
                throw NotYet("\(String(describing: cursor)) of \(String(describing: head))")
            }
        }
        var replies: [ReportDay.Reply] = []
        for number in 0..<3 {
            let day = RFC3339.text(wallMs: Self.startMs + Int64(number) * 86_400_000).prefix(10)
            for by in [ReportGrouping.app, .member] {
                replies.append(
                    try await system.client.call(ReportDay.self, .init(day: String(day), by: by))
                )
            }
        }
        return replies
    }

    /// Fills two days of two people, with pauses, long intervals, a clock that was set back, and notifications.
    func live(seed: UInt64) async throws {
        _ = try await system.client.call(MemberAdd.self, Member(name: "noa", role: .child))
        let names = try await system.client.call(MemberList.self, Empty()).members.map(\.name)
        var random = SeededRandom(seed: seed)
        var bootMs: Int64 = 1_000_000
        var offset = Self.startMs - bootMs
        var observations: [Observation] = []
        for number in 1...1_200 {
            bootMs += random.chance(percent: 2) ? 3_700_000 : Int64(random.number(1_000...90_000))
            if number == 600 { offset -= 1_800_000 }
            observations.append(
                Observation(
                    sequence: Int64(number),
                    bootId: "boot",
                    at: TimeReading(wallMs: bootMs + offset, bootMs: bootMs, monotonicMs: bootMs),
                    zone: "UTC",
                    member: names[number / 50 % names.count],
                    presence: number == 1_200 ? .away : random.pick([.active, .active, .idle]) ?? .active,
                    app: "app-\(number % 9)",
                    domain: random.chance(percent: 20) ? "site.example" : nil,
                    unbroken: true,
                    shielded: random.chance(percent: 5) ? true : nil,
                    notifications: random.chance(percent: 10)
                        ? ["chat": Int64(random.number(1...4)), "mail": 1] : nil
                )
            )
        }
        try await eventually(within: .seconds(30), "activity-center has received the members") {
            _ = try await system.client.call(UsageList.self, .init(member: "noa"))
        }
        for start in stride(from: 0, to: observations.count, by: 200) {
            let part = Array(observations[start..<min(start + 200, observations.count)])
            _ = try await system.client.call(
                UsageObserve.self,
                .init(agent: "agent", run: "run", observations: part)
            )
        }
    }
}
