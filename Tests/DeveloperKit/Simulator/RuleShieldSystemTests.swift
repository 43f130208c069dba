import STContracts
import STPlatform
import STSimulation
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

@Suite("Built-in rules that shield, on real processes", .serialized)
struct RuleShieldSystemTests {
    private static let day = [
        "1T12:00:00 first-code: org.example.blocks", "1T12:10:00 chess: org.example.chess",
        "1T12:42:00 first-code: -", "1T13:00:00 chess: -", "1T14:00:00 chess: org.example.chess",
        "1T21:30:00 night: all", "2T00:00:00 chess: -", "2T00:00:00 first-code: org.example.blocks",
        "2T07:00:00 night: -",
    ]

    private static var goal: RuleSpec {
        RuleSpec(
            kind: .goal,
            name: "first-code",
            targets: [TokenItem(kind: .application, id: "org.example.code")],
            durationMs: 1_800_000,
            opens: [TokenItem(kind: .application, id: "org.example.blocks")],
            then: .shield
        )
    }

    /// Changes of the rules' stores in the order of their time, with their causes.
    private func told(_ system: TestSystem) async throws -> [(line: String, cause: String?)] {
        var told: [(String, String?)] = []
        var request = EventsSince.Request(stream: StreamName.policy.rawValue)
        while true {
            let page = try await system.client.call(EventsSince.self, to: .shield, request)
            for event in page.events where event.header.type == PolicyStoreChanged.type {
                let store = try event.decoded(PolicyStoreChanged.self)
                #expect(store.app == BuiltInRules.app && store.isInForce || store.version == 0)
                let seconds = (store.wallMs - VirtualSystem.startMs) / 1000 + 3600
                let clock = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map {
                    $0 < 10 ? "0\($0)" : "\($0)"
                }
                let isAll = store.shields.categories.reach == .all
                let apps = isAll ? "all" : store.shields.apps.joined(separator: ",")
                let line = "\(1 + seconds / 86_400)T\(clock.joined(separator: ":")) \(store.store): "
                told.append((line + (apps.isEmpty ? "-" : apps), store.cause))
            }
            guard let last = page.events.last?.header, page.next != nil else { break }
            request.epoch = last.epoch
            request.sequence = last.sequence
            request.id = last.id
        }
        return told.sorted { $0.0 < $1.0 }
    }

    private func playDay(disturb: @escaping (TestSystem) throws -> Void = { _ in }) async throws {
        try await VirtualSystem.run { system, clock in
            let story = RuleStory(system: system, clock: clock, disturb: disturb)
            try await clock.pass(ms: RuleStory.wallMs(12) - VirtualSystem.startMs)
            var chess = RuleStory.chess
            chess.then = .shield
            var night = RuleStory.night
            night.then = .shield
            night.name = "night"
            for rule in [chess, night, Self.goal] { _ = try await RuleStory.add(rule, system) }
            try await clock.waitUntilIdle()
            try await story.play([("org.example.chess", 12), ("org.example.code", 40)])
            try await story.go(to: RuleStory.wallMs(13))
            _ = try await system.client.call(RulePause.self, .init(name: "chess", forMs: 3_600_000))
            try await clock.waitUntilIdle()
            try await story.go(to: RuleStory.wallMs(32))

            let told = try await told(system)
            // A service that is killed before it receives a reply repeats its request, which changes nothing a second time.
            let lines = told.map(\.line).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
            #expect(lines == Self.day)
            let deliveries = try await system.client.call(
                MonitorDeliveries.self,
                .init(app: BuiltInRules.app)
            ).deliveries
            let known = Set(deliveries.map(\.id))
            for (line, cause) in told where line != "1T13:00:00 chess: -" {
                #expect(cause.map(known.contains) == true, "\(line) because of \(cause ?? "nothing")")
            }
            let rules = try await system.client.call(RuleList.self, .init()).rules
            #expect(rules.map(\.isShielding) == [false, true, false])
        }
    }

    @Test(
        "A limit, a downtime, a goal and a pause change their shields at the exact times, each with its cause"
    )
    func moments() async throws { try await playDay() }

    @Test("Killing services does not change the shields of rules")
    func killed() async throws {
        var random = SeededRandom(seed: 5)
        try await playDay { system in
            guard random.next() % 15 == 0 else { return }
            try system.waitUntilReady()
            let services: [ServiceName] = [.monitor, .activity, .shield]
            try system.kill(services[Int(random.next() % 3)])
        }
    }

    /// Berlin at 13:00 is 21:00 in Tokyo and 12:00 in London.
    @Test(
        "After a change of the time zone, a used-up limit stays shielded until its next allowance",
        arguments: [
            // Midnight in Tokyo is 16 hours after midnight in Berlin. The new allowance comes after 23 hours.
            (
                "Asia/Tokyo",
                ["1T16:00:00 chess: -", "1T16:00:00 chess: org.example.chess", "1T23:00:00 chess: -"]
            ),
            ("Europe/London", ["2T01:00:00 chess: -"]),
        ]
    )
    func journey(zone: String, after: [String]) async throws {
        try await VirtualSystem.run { system, clock in
            let story = RuleStory(system: system, clock: clock)
            try await clock.pass(ms: RuleStory.wallMs(12) - VirtualSystem.startMs)
            var chess = RuleStory.chess
            chess.then = .shield
            _ = try await RuleStory.add(chess, system)
            try await clock.waitUntilIdle()
            try await story.play([("org.example.chess", 12)])
            try await story.go(to: RuleStory.wallMs(13))
            var face = await clock.face
            face.zone = zone
            try await clock.move(to: face)
            try await story.go(to: RuleStory.wallMs(30))

            let lines = try await told(system).map(\.line)
            // After the change, the shield shows another time.
            let before = ["1T12:10:00 chess: org.example.chess", "1T13:00:00 chess: org.example.chess"]
            #expect(lines == before + after)
        }
    }

    @Test("A downtime that is added during its time shields immediately, and its removal lifts the shield")
    func inTheMiddle() async throws {
        try await VirtualSystem.run { system, clock in
            let story = RuleStory(system: system, clock: clock)
            try await clock.pass(ms: RuleStory.wallMs(22) - VirtualSystem.startMs)
            var night = RuleStory.night
            night.then = .shield
            _ = try await RuleStory.add(night, system)
            let notes = TokenItem(kind: .application, id: "org.example.notes")
            _ = try await RuleStory.add(RuleSpec(kind: .allow, targets: [notes]), system)
            try await clock.waitUntilIdle()
            let lines = try await told(system).map(\.line)
            #expect(lines == ["1T22:00:00 downtime: all"])
            func isShielded(_ app: String) async throws -> Bool {
                try await system.client.call(ShieldDecide.self, .init(subject: .init(app: app))).decision
                    .isShielded
            }
            #expect(try await isShielded("org.example.chess"))
            #expect(try await !isShielded("org.example.notes"))

            try await story.go(to: RuleStory.wallMs(23))
            _ = try await system.client.call(RuleRemove.self, .init(name: "downtime"))
            try await clock.waitUntilIdle()
            let last = try await told(system).last?.line
            #expect(last == "1T23:00:00 downtime: -")
            #expect(try await !isShielded("org.example.chess"))
        }
    }

    @Test("The shield of a rule shows the current text and name of the rule and when it opens")
    func words() async throws {
        try await VirtualSystem.run { system, clock in
            let story = RuleStory(system: system, clock: clock)
            func shown(_ language: String? = nil) async throws -> String? {
                let subject = ShieldSubject(app: "org.example.chess")
                let show = ShieldShow.Request(subject: subject, language: language)
                let look = try await system.client.call(ShieldShow.self, show).view?.look
                return look.map { "\($0.title?.text ?? "")\n\($0.subtitle?.text ?? "")" }
            }
            try await clock.pass(ms: RuleStory.wallMs(12) - VirtualSystem.startMs)
            var chess = RuleStory.chess
            chess.then = .shield
            _ = try await RuleStory.add(chess, system)
            try await clock.waitUntilIdle()
            try await story.play([("org.example.chess", 12)])
            try await story.go(to: RuleStory.wallMs(13))
            #expect(
                try await shown()
                    == "Enough, after 10 min of 10 min\nYou have used org.example.chess for 10 min today, "
                    + "which is your limit. "
                    + "The shield stays at least until midnight."
            )
            let edit = RuleEdit.Request(name: "chess", newName: "board games", say: "약속했잖아")
            _ = try await system.client.call(RuleEdit.self, edit)
            try await clock.waitUntilIdle()
            #expect(
                try await shown("ko_KR")
                    == "약속했잖아\n오늘 제한 시간인 10분만큼 org.example.chess을(를) 사용했습니다. 차단 화면은 적어도 자정까지 유지됩니다."
            )

            var night = RuleStory.night
            night.then = .shield
            _ = try await RuleStory.add(night, system)
            try await clock.waitUntilIdle()
            try await story.go(to: RuleStory.wallMs(22))
            #expect(
                try await shown()?.hasSuffix("The shield stays at least until tomorrow at 07:00.") == true
            )
            try await story.go(to: RuleStory.wallMs(30))
            #expect(
                try await shown()
                    == "org.example.chess is shielded\nIt is your downtime (21:30-07:00). "
                    + "The shield stays at least until 07:00."
            )
            try await story.go(to: RuleStory.wallMs(32))
            #expect(try await shown() == nil)
        }
    }

    @Test("A request to clear the store of a rule is rejected, and the shield remains")
    func lifted() async throws {
        try await VirtualSystem.run { system, clock in
            try await clock.pass(ms: RuleStory.wallMs(22) - VirtualSystem.startMs)
            var night = RuleStory.night
            night.then = .shield
            _ = try await RuleStory.add(night, system)
            try await clock.waitUntilIdle()
            let clear = SettingsClear.Request(app: BuiltInRules.app, store: "downtime")
            await #expect(throws: Problem.self) {
                _ = try await system.client.call(SettingsClear.self, clear)
            }
            let chess = ShieldDecide.Request(subject: .init(app: "org.example.chess"))
            #expect(try await system.client.call(ShieldDecide.self, chess).decision.isShielded)
        }
    }
}
