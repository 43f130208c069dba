import STContracts
import STPlatform
import STSimulation
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

@Suite("Built-in rules on real processes", .serialized)
struct RuleSystemTests {
    private static let day = [
        "12:08:00 2 min of chess is left | Enough, after 8 min of 10 min",
        "12:10:00 10 min of chess is used up | Enough, after 10 min of 10 min",
        "21:20:00 Downtime begins in 10 min | Downtime: 21:30-07:00.",
        "21:30:00 Downtime until 07:00 | Time to stop using the computer.",
    ]

    private func tellDay(disturb: @escaping (TestSystem) throws -> Void = { _ in }) async throws -> [String] {
        var told: [String] = []
        try await VirtualSystem.run { system, clock in
            let story = RuleStory(system: system, clock: clock, disturb: disturb)
            try await clock.pass(ms: RuleStory.wallMs(12) - VirtualSystem.startMs)
            _ = try await RuleStory.add(RuleStory.chess, system)
            _ = try await RuleStory.add(RuleStory.night, system)
            try await clock.waitUntilIdle()
            try await story.play([("org.example.chess", 6), ("org.example.chess", 6)])
            try await story.go(to: RuleStory.wallMs(22))
            told = try await story.told()
        }
        return told
    }

    @Test("A limit and a downtime post their notifications at the exact times with the person's text")
    func moments() async throws {
        #expect(try await tellDay() == Self.day)
    }

    @Test("Killing services neither loses nor repeats the notifications of rules")
    func killed() async throws {
        var random = SeededRandom(seed: 7)
        var moments = 0
        let told = try await tellDay { system in
            moments += 1
            guard random.next() % 15 == 0 else { return }
            try system.waitUntilReady()
            let services: [ServiceName] = [.monitor, .activity, .notifier]
            try system.kill(services[Int(random.next() % 3)])
        }

        #expect(told == Self.day)
        #expect(moments > 140)
    }

    @Test("A paused rule posts its notification when the pause ends")
    func pause() async throws {
        try await VirtualSystem.run { system, clock in
            let story = RuleStory(system: system, clock: clock)
            try await clock.pass(ms: RuleStory.wallMs(12) - VirtualSystem.startMs)
            _ = try await RuleStory.add(RuleStory.chess, system)
            try await clock.waitUntilIdle()
            try await story.play([("org.example.chess", 12)])
            try await story.go(to: RuleStory.wallMs(12, 9))
            _ = try await system.client.call(RulePause.self, .init(name: "chess", forMs: 3_600_000))
            try await story.go(to: RuleStory.wallMs(13, 8))
            #expect(try await story.told().map { $0.prefix(8) } == ["12:08:00"])
            try system.kill(.monitor)
            try system.waitUntilReady()
            try await clock.waitUntilIdle()

            try await story.go(to: RuleStory.wallMs(14))

            let told = try await story.told().dropFirst()
            #expect(told == ["13:09:00 10 min of chess is used up | Enough, after 10 min of 10 min"])
        }
    }

    @Test("A notice is posted exactly once if activity-center stops while it posts the notice")
    func interrupted() async throws {
        try await TestSystem.run(services: [.auth, .activity, .notifier]) { system in
            try system.pause(.notifier)
            // A downtime that is active for most of a day.
            let minutes = SystemTimeSource().now().wallMs / 60_000
            func time(_ minutes: Int64) -> String {
                let (hour, minute) = (minutes / 60 % 24, minutes % 60)
                return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
            }
            let window = RuleWindow(from: time(minutes - 5), to: time(minutes - 10))
            _ = try await system.client.call(RuleAdd.self, .init(RuleSpec(kind: .downtime, window: window)))
            // The request to notifier has been sent.
            try await Task.sleep(for: .milliseconds(500))
            #expect(try system.stop(.activity) == .exited(0))
            try system.start(.activity)
            try system.resume(.notifier)
            try await eventually("the notice is posted") {
                let titles = try await system.client.call(NotifyList.self, .init()).notifications.map(\.title)
                guard titles.count == 1, titles[0].hasPrefix("Downtime until") else {
                    throw NotYet("\(titles)")
                }
            }
        }
    }

    @Test(
        "A limit that is already used up notifies once, and a longer limit notifies at its new end"
    )
    func past() async throws {
        try await VirtualSystem.run { system, clock in
            let story = RuleStory(system: system, clock: clock)
            try await clock.pass(ms: RuleStory.wallMs(12) - VirtualSystem.startMs)
            try await story.play([("org.example.chess", 30)])
            try await story.go(to: RuleStory.wallMs(12, 12))
            var spec = RuleStory.chess
            spec.warnMs = nil
            _ = try await RuleStory.add(spec, system)
            try await clock.waitUntilIdle()
            try await story.go(to: RuleStory.wallMs(12, 13))
            #expect(try await story.told().count == 1)

            _ = try await system.client.call(RuleEdit.self, .init(name: "chess", durationMs: 1_200_000))
            try await clock.waitUntilIdle()
            try await story.go(to: RuleStory.wallMs(12, 25))

            #expect(
                try await story.told().last
                    == "12:20:00 20 min of chess is used up | Enough, after 20 min of 20 min"
            )
        }
    }

    @Test("The monitored activities match the rules, also if services are killed while rules change")
    func reconciled() async throws {
        try await VirtualSystem.run(services: [.auth, .activity, .monitor, .notifier]) { system, clock in
            let story = RuleStory(system: system, clock: clock)
            var random = SeededRandom(seed: 11)
            var names: [String] = []
            for round in 0..<30 {
                if names.count > 4, random.next() % 3 == 0 {
                    let name = names.remove(at: Int(random.next() % UInt64(names.count)))
                    _ = try await system.client.call(RuleRemove.self, .init(name: name))
                } else if let name = names.randomElement(using: &random), random.next() % 2 == 0 {
                    let days = random.next() % 2 == 0 ? [] : [Int(random.next() % 7) + 1]
                    _ = try await system.client.call(RuleEdit.self, .init(name: name, days: days))
                } else {
                    let spec = RuleSpec(
                        kind: .window,
                        targets: [TokenItem(kind: .application, id: "app\(round)")],
                        window: RuleWindow(from: "17:00", to: "20:00"),
                        days: [2]
                    )
                    names.append(try await RuleStory.add(spec, system).id)
                }
                guard random.next() % 2 == 0 else { continue }
                try system.waitUntilReady()
                try system.kill(random.next() % 2 == 0 ? .monitor : .activity)
            }
            try system.waitUntilReady()
            try await clock.waitUntilIdle()

            let watched = try await story.watched()
            let rules = try await system.client.call(RuleList.self, .init()).rules
            let expected = rules.flatMap { $0.rule.days == nil ? [$0.id] : [$0.id, "\($0.id)/off"] }
            #expect(watched.activities == expected.sorted())
            #expect(watched.rules == names.sorted())
            #expect(watched.allConfirmed)
        }
    }
}
