import STContracts
import STDomain
import STPlatform
import STSimulation
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

@Suite("Real services on a virtual clock", .serialized)
struct SystemClockTests {
    private func member(_ system: TestSystem) async throws -> String {
        try #require(try await system.client.call(MemberList.self, Empty()).members.first?.name)
    }

    @Test(
        "After settling, all followers have applied a request's events, and the events have the virtual time"
    )
    func settles() async throws {
        try await VirtualSystem.run { system, clock in
            try await clock.pass(ms: 3_600_000)
            let now = VirtualSystem.startMs + 3_600_000
            for n in 1...20 {
                _ = try await system.client.call(MemberAdd.self, Member(name: "kid-\(n)", role: .child))
                try await clock.waitUntilIdle()
                let status = try await system.client.call(ClockStatus.self, to: .activity, Empty())
                let heads = try await system.client.call(ClockStatus.self, to: .auth, Empty()).heads
                let followed = status.cursors.filter { $0.source == ServiceName.auth.rawValue }.map(
                    \.at.sequence
                )
                #expect(followed.sorted() == heads.map(\.sequence).sorted())
                #expect(status.wallMs == now)
            }
            let page = try await system.client.call(
                EventsSince.self,
                to: .auth,
                .init(stream: "authorization")
            )
            #expect(page.events.last?.header.timeMs == now)
        }
    }

    @Test(
        "A script of half an hour plays in discrete steps, and every millisecond is recorded"
    )
    func script() async throws {
        try await VirtualSystem.run { system, clock in
            let start = Stopwatch.milliseconds()
            let member = try await member(system)
            let steps: [DesktopPlay.Step] = (0..<6).map { .init(app: "app-\($0)", forMs: 300_000) }
            _ = try await system.client.call(DesktopPlay.self, .init(member: member, steps: steps))
            try await clock.waitUntilIdle()
            var moments = 0
            while let due = await clock.nextDue.bootMs {
                moments += 1
                try await clock.pass(ms: due - clock.face.reading.bootMs)
                #expect(await clock.face.reading.bootMs == due)
            }

            let rows = try await system.client.call(UsageList.self, .init()).rows
            #expect(rows.map(\.durationMs).reduce(0, +) == 6 * 300_000)
            #expect(rows.map(\.app) == (0..<6).map { "app-\($0)" })
            #expect(await clock.face.reading.wallMs == VirtualSystem.startMs + 6 * 300_000)
            let day = try await system.client.call(ReportDay.self, .init())
            #expect(day.usedMs == 6 * 300_000 && day.zone == "Europe/Berlin" && day.day == "2026-03-01")
            #expect(moments >= 6 * 60)
            print("\(moments) moments, \(await clock.rounds) rounds, \(Stopwatch.milliseconds() - start) ms")
        }
    }

    @Test("Setting the virtual clock wakes the service that waits for a wall-clock time")
    func step() async throws {
        try await VirtualSystem.run { system, clock in
            let member = try await member(system)
            let window = RuleWindow(from: "22:00", to: "23:00")
            _ = try await system.client.call(
                RuleAdd.self,
                .init(RuleSpec(kind: .downtime, member: member, window: window))
            )
            try await clock.waitUntilIdle()
            let due = try #require(await clock.nextDue.wallMs)
            var face = await clock.face
            face.reading.wallMs = due + 60_000
            face.isSynchronised = true
            try await clock.move(to: face)

            let events = try await system.client.call(
                EventsSince.self,
                to: .activity,
                .init(stream: "activity")
            )
            #expect(events.events.last?.header.type == IntervalStarted.type)
            #expect(await clock.nextDue.wallMs == due + 3_600_000)
        }
    }

    @Test("A clock that a person sets is reported and not followed until a guardian accepts it")
    func setByHand() async throws {
        try await VirtualSystem.run { system, clock in
            let client = system.client
            func asideMs() async throws -> [Int64?] {
                var found: [Int64?] = []
                for service in [ServiceName.activity, .monitor, .shield] {
                    found.append(try await client.call(HealthReport.self, to: service, Empty()).clockAsideMs)
                }
                return found
            }
            for member in [Member(name: "kid", role: .child), Member(name: "mum", role: .guardian)] {
                _ = try await client.call(MemberAdd.self, member)
            }
            _ = try await client.call(
                MemberPasscode.self,
                .init(member: "mum", passcode: "four words are long")
            )
            try await clock.waitUntilIdle()
            var face = await clock.face
            face.reading.wallMs += 7_200_000
            try await clock.move(to: face)
            try await eventually("all services use the kept clock") {
                let aside = try await asideMs()
                guard aside == [7_200_000, 7_200_000, 7_200_000] else { throw NotYet("\(aside)") }
            }

            await #expect(throws: Problem.self) { try await client.call(UsageAcceptClock.self, .init()) }
            let wrong = try await client.call(
                UsageAcceptClock.self,
                .init(by: "mum", passcode: "wrong words")
            )
            #expect(wrong.refusal?.code == "auth.wrong_passcode" && wrong.byMs == 0)
            let aside = try await asideMs()
            #expect(aside == [7_200_000, 7_200_000, 7_200_000])

            let right = UsageAcceptClock.Request(by: "mum", passcode: "four words are long")
            #expect(try await client.call(UsageAcceptClock.self, right).byMs == 7_200_000)
            #expect(try await asideMs() == [nil, nil, nil])
            #expect(try await client.call(UsageAcceptClock.self, right).byMs == 0)
        }
    }

    @Test("A process that does not reply is named when settling times out")
    func stopped() async throws {
        try await VirtualSystem.run(services: [.auth, .activity], idleTimeout: .seconds(8)) { system, clock in
            try system.pause(.activity)
            let problem = await refused { try await clock.waitUntilIdle() }
            #expect(problem?.code == "simulation.not_settled")
            #expect(problem?.message.contains("activity-center does not report its status") == true)
            try system.resume(.activity)
            try await eventually("the system is idle again") { try await clock.waitUntilIdle() }
        }
    }

    @Test("Work that cannot finish is named when settling times out")
    func hanging() async throws {
        try await VirtualSystem.run(services: [.auth, .desktop], idleTimeout: .seconds(8)) { system, clock in
            _ = try await system.client.call(
                DesktopPlay.self,
                .init(member: "kid", steps: [.init(app: "a", forMs: 60_000)])
            )
            let problem = await refused { try await clock.waitUntilIdle() }
            #expect(problem?.code == "simulation.not_settled")
            #expect(problem?.message.contains("desktop-agent is doing") == true, "\(problem as Any)")
        }
    }

    @Test("The virtual clock settles again after a service was killed, and no usage is lost")
    func killed() async throws {
        try await VirtualSystem.run { system, clock in
            let member = try await member(system)
            _ = try await system.client.call(
                DesktopPlay.self,
                .init(member: member, steps: [.init(app: "a", forMs: 600_000)])
            )
            try await clock.waitUntilIdle()
            for service in [ServiceName.activity, .desktop, .report, .auth] {
                try system.kill(service)
                try await clock.waitUntilIdle()
                let due = try #require(await clock.nextDue.bootMs)
                try await clock.pass(ms: due - clock.face.reading.bootMs)
            }
            while let due = await clock.nextDue.bootMs {
                try await clock.pass(ms: due - clock.face.reading.bootMs)
            }
            let rows = try await system.client.call(UsageList.self, .init()).rows
            #expect(rows.map(\.durationMs).reduce(0, +) == 600_000)
        }
    }

    @Test(
        "Without a virtual clock, its routes are rejected, and an invalid clock page prevents a service from starting"
    )
    func real() async throws {
        try await TestSystem.run(services: [.auth]) { system in
            let problem = await refused {
                _ = try await system.client.call(ClockTurn.self, to: .auth, Empty())
            }
            #expect(problem?.code == "clock.real")
        }
        let scratch = try ScratchDirectory()
        let lone = try LoneService(
            .auth,
            scratch.directories,
            logPath: scratch.file("log"),
            environment: [ClockPage.variable: scratch.file("none")]
        )
        #expect(try lone.waitForExit() == .exited(78))
        #expect(lone.log.contains("SCREENTIME_CLOCK is set to"))
    }

    @Test("A service on a virtual clock warns about it in its log")
    func loud() async throws {
        try await VirtualSystem.run(services: [.auth]) { system, _ in
            let line = try await eventually("the warning is in the log") {
                let line = system.log("auth-service").first { $0.contains("virtual_clock") }
                guard let line else { throw NotYet("it is not") }
                return line
            }
            #expect(line.contains("nothing written down here was real"))
        }
    }
}
