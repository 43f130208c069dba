import Foundation
import STContracts
import STPlatform
import STSimulation
import STTestSupport
import Testing

@Suite("Thresholds of random scenarios", .serialized)
struct GeneratedScenarioTests {
    static let seeds: [UInt64] = Array(1...20)

    private func crossings(_ outcome: SimulationOutcome) -> Set<String> {
        Set(
            outcome.timeline.compactMap { entry in
                guard let method = entry.method, method.hasPrefix("event") else { return nil }
                let name = method == "eventDidReachThreshold" ? "reached" : "warning"
                return "\(entry.activity ?? "")/\(entry.event ?? "") \(name) \(entry.at.ms)"
            }
        )
    }

    @Test(
        "Thresholds in random scenarios are reached at the exact times of a reference calculation",
        arguments: seeds
    )
    func inProcess(_ seed: UInt64) async throws {
        let generated = GeneratedScenario(seed: seed)
        let expected = CrossingReference.crossings(generated)
        let outcome = try await Simulation.inProcess(try ScenarioFiles.read(text: generated.json))
        let found = crossings(outcome)

        #expect(found.subtracting(expected) == [], "too many, seed \(seed)")
        #expect(expected.subtracting(found) == [], "missing, seed \(seed)")
        // Reported at that time, or with the first millisecond of usage if the event requires none.
        let late = outcome.timeline.filter { $0.event != nil && $0.reported - $0.at > .milliseconds(1) }
        #expect(late == [], "late, seed \(seed)")
    }

    @Test("The reference calculation finds thresholds in every random scenario")
    func reference() {
        let counts = Self.seeds.map { CrossingReference.crossings(GeneratedScenario(seed: $0)).count }

        #expect(counts.reduce(0, +) > 200, "\(counts)")
        #expect(counts.allSatisfy { $0 > 0 }, "\(counts)")
    }

    @Test(
        "Random scenarios have the same outcome with real processes as within one process",
        arguments: [UInt64(1), 7, 13]
    )
    func withProcesses(_ seed: UInt64) async throws {
        let scenario = try ScenarioFiles.read(text: GeneratedScenario(seed: seed).json)
        let outcome = try await Simulation.withProcesses(scenario)

        #expect(try await Simulation.inProcess(scenario) == outcome)
    }
}

@Suite("Random scenarios in which a person sets the clock", .serialized)
struct ClockHistoryTests {
    private static let isSoak = TestScale.isSoak
    /// `SCREENTIME_SEEDS=2001-4000` selects these seeds.
    private static let seeds: ClosedRange<UInt64> = {
        let asked = ProcessEnvironment.current()["SCREENTIME_SEEDS"]?.split(separator: "-").compactMap {
            UInt64($0)
        }
        if let asked, asked.count == 2, asked[0] <= asked[1] { return asked[0]...asked[1] }
        return 1...(isSoak ? 10_000 : 20)
    }()

    @Test("Setting the clock changes no callback, shield or notification of a random scenario")
    func inProcess() async throws {
        var shields = 0
        for seed in Self.seeds {
            var generated = GeneratedScenario(seed: seed)
            generated.addHousehold()
            let left = try await GeneratedScenario.visibleEntries(generated.json) {
                try await Simulation.inProcess($0)
            }
            generated.setClock()
            let set = try await GeneratedScenario.visibleEntries(generated.json) {
                try await Simulation.inProcess($0)
            }
            let place = zip(left, set).prefix { $0 == $1 }.count
            #expect(
                left == set,
                "seed \(seed): \(left[place...].first as Any) or \(set[place...].first as Any)"
            )
            shields += left.count { $0.kind == .shield }
            if seed.isMultiple(of: 100) { print("clock histories: \(seed), \(shields) shields") }
        }
        #expect(shields > Self.seeds.count * 2)
    }

    @Test("Setting the clock changes nothing visible with real processes", arguments: [UInt64(3), 11])
    func withProcesses(_ seed: UInt64) async throws {
        var generated = GeneratedScenario(seed: seed, days: 1)
        generated.addHousehold()
        let left = try await GeneratedScenario.visibleEntries(generated.json) {
            try await Simulation.inProcess($0)
        }
        generated.setClock()
        #expect(
            try await GeneratedScenario.visibleEntries(generated.json) {
                try await Simulation.withProcesses($0)
            }
                == left
        )
    }
}

@Suite("Random scenarios in which services are killed", .serialized)
struct KilledHistoryTests {
    private static let seeds: ClosedRange<UInt64> = 1...(TestScale.isSoak ? 50 : 5)
    private static let killsPerScenario = 40

    @Test(
        "Killing services neither loses nor repeats callbacks, shields and notifications of a random scenario"
    )
    func inProcess() async throws {
        var shields = 0
        for seed in Self.seeds {
            var generated = GeneratedScenario(seed: seed)
            generated.addHousehold()
            generated.setClock()
            generated.addGrants(6)
            let left = try await GeneratedScenario.visibleEntries(generated.json) {
                try await Simulation.inProcess($0)
            }
            generated.addKills(Self.killsPerScenario)
            let killed = try await GeneratedScenario.visibleEntries(generated.json) {
                try await Simulation.inProcess($0)
            }
            let place = zip(left, killed).prefix { $0 == $1 }.count
            #expect(
                left == killed,
                "seed \(seed): \(left[place...].first as Any) or \(killed[place...].first as Any)"
            )
            shields += left.count { $0.kind == .shield }
        }
        #expect(shields > Self.seeds.count * 2)
    }
}

/// A scenario generated from a seed, and the same data as plain values for a reference.
struct GeneratedScenario {
    struct Use {
        var member: String
        var app: String
        var site: String?
        var startMs: Int64
        var endMs: Int64
    }

    struct Event {
        var member: String
        var activity: String
        var event: String
        /// Minutes of the local day.
        var fromMinute: Int
        var toMinute: Int
        var targets: [String]
        var thresholdMs: Int64
        var warningMs: Int64
    }

    private static let apps = ["chess", "film", "mail", "firefox"]
    private static let sites = ["news.example", "play.example"]
    private static let members = ["me", "kid"]

    let zone: String
    let start: String
    private(set) var uses: [Use] = []
    private(set) var events: [Event] = []
    private(set) var sleeps: [(startMs: Int64, endMs: Int64)] = []
    private var steps: [(atMs: Int64, text: String)] = []
    private var rules: [String] = []
    private let days: Int
    private var random: SeededRandom

    init(seed: UInt64, days: Int = 3) {
        self.days = days
        random = SeededRandom(seed: seed)
        // In two of them the clocks change within these days.
        let places = [
            ("Europe/Berlin", "2026-10-24 00:00"), ("America/New_York", "2026-03-07 00:00"),
            ("Asia/Seoul", "2026-05-04 00:00"), ("Australia/Lord_Howe", "2026-04-04 00:00"),
        ]
        (zone, start) = places[random.number(0...3)]
        drawEvents()
        drawSleeps()
        for member in Self.members { drawUses(of: member) }
    }

    private mutating func drawEvents() {
        for index in 0..<random.number(2...5) {
            let from = random.number(0...20) * 60 + random.number(0...59)
            let to = min(24 * 60 - 1, from + random.number(60...600))
            let warning = Int64(random.number(0...9)) * 60_000
            for event in 0..<random.number(1...3) {
                let targets: [String] = (0..<random.number(0...2)).map { _ in
                    random.chance(perMille: 300)
                        ? "site:" + Self.sites[random.number(0...1)] : Self.apps[random.number(0...3)]
                }
                events.append(
                    Event(
                        member: Self.members[index % 2],
                        activity: "activity-\(index)",
                        event: "event-\(event)",
                        fromMinute: from,
                        toMinute: to,
                        targets: targets,
                        thresholdMs: Int64(random.number(1...120)) * 60_000 + Int64(random.number(0...59))
                            * 1_000,
                        warningMs: warning
                    )
                )
            }
        }
    }

    private mutating func drawSleeps() {
        var atMs: Int64 = 0
        for _ in 0..<random.number(0...4) {
            atMs += Int64(random.number(60...900)) * 60_000 + Int64(random.number(0...999))
            let endMs = atMs + Int64(random.number(1...300)) * 60_000
            sleeps.append((atMs, endMs))
            let told = random.chance(perMille: 500)
            steps.append(
                (
                    atMs,
                    "{\"at\": \"\(text(atMs))\", \"sleep\": \"\((endMs - atMs) / 1_000)s\", \"told\": \(told)}"
                )
            )
            atMs = endMs
        }
    }

    private mutating func drawUses(of member: String) {
        var atMs: Int64 = 0
        let endMs = Int64(days) * 86_400_000
        while true {
            atMs +=
                random.chance(perMille: 600)
                ? 0 : Int64(random.number(1...90)) * 60_000 + Int64(random.number(0...999))
            let lengthMs = Int64(random.number(10...7_200)) * 1_000 + Int64(random.number(0...999))
            guard atMs + lengthMs < endMs else { return }
            let app = Self.apps[random.number(0...3)]
            let site: String? = app == "firefox" ? Self.sites[random.number(0...1)] : nil
            uses.append(Use(member: member, app: app, site: site, startMs: atMs, endMs: atMs + lengthMs))
            let place = site.map { "\"site\": \"\($0)\", " } ?? ""
            steps.append(
                (
                    atMs,
                    "{\"at\": \"\(text(atMs))\", \"member\": \"\(member)\", \"use\": \"\(app)\", \(place)"
                        + "\"for\": \"\(lengthMs / 1_000)s\(lengthMs % 1_000)ms\"}"
                )
            )
            atMs += lengthMs
        }
    }

    /// Adds rules that shield, and random events between them: a pause of a rule, the death of a service, a change of the time
    /// zone.
    mutating func addHousehold() {
        rules = [
            #"{"limit": ["chess"], "of": "\#(random.number(10...90))m", "name": "chess", "warn": "5m", "then": "shield"}"#,
            #"{"downtime": "\#(random.number(20...23)):30-0\#(random.number(5...8)):00", "name": "night", "then": "shield"}"#,
            #"{"limit": ["film", "site:play.example"], "of": "\#(random.number(10...90))m", "name": "kid-film", "member": "kid", "then": "shield"}"#,
            #"{"goal": ["mail"], "of": "\#(random.number(10...60))m", "opens": ["firefox"], "name": "mail-first", "then": "shield"}"#,
        ]
        for _ in 0..<random.number(2...6) {
            let services = ["activity-center", "monitor-runner", "shield-service"]
            let zones = ["Asia/Tokyo", "America/Los_Angeles", "UTC"]
            add(
                [
                    #""pause": "chess", "for": "\#(random.number(5...300))m""#,
                    #""kill": "\#(services[random.number(0...2)])""#,
                    #""zone": "\#(zones[random.number(0...2)])""#,
                ][random.number(0...2)]
            )
        }
    }

    /// The callbacks, shields and notifications of a scenario.
    ///
    /// Consecutive shields of the same subject count once, even if another rule causes the later ones, because the simulated
    /// desktop requests the text of a shield once.
    static func visibleEntries(_ json: String, _ play: (Scenario) async throws -> SimulationOutcome)
        async throws
        -> [TimelineEntry]
    {
        var shields: [String: ShieldSubject] = [:]
        return try await play(try ScenarioFiles.read(text: json)).timeline.filter { entry in
            // Guardians also receive a notification about the clock itself.
            if entry.kind == .notification, entry.text?.contains("computer's clock was set") == true {
                return false
            }
            guard entry.kind == .shield, let subject = entry.subject else { return entry.kind != .step }
            return shields.updateValue(subject, forKey: entry.member ?? "") != subject
        }
    }

    /// Kills services that handle rules, at random moments.
    mutating func addKills(_ count: Int) {
        let services = ["activity-center", "monitor-runner", "shield-service", "notifier"]
        for _ in 0..<count { add(#""kill": "\#(services[random.number(0...3)])""#) }
    }

    /// Sets the clock as a person could: by a little, by a lot, or to just before midnight.
    mutating func setClock() {
        for _ in 0..<random.number(1...12) {
            let sign = random.chance(perMille: 500) ? "+" : "-"
            switch random.number(0...2) {
            case 0: add(#""set_clock": "\#(sign)\#(random.number(2...7_200))s""#)
            case 1: add(#""set_clock": "\#(sign)\#(random.number(1...100))h""#)
            default:
                let day = RFC3339.text(wallMs: startWallMs + Int64(random.number(0...4)) * 86_400_000).prefix(
                    10
                )
                add(#""set_clock": "\#(day) 23:59""#)
            }
        }
    }

    /// Adds requests of the child for more time, which the guardian grants later.
    mutating func addGrants(_ count: Int) {
        // One request at a time: a second one for the same app is refused while the first one waits.
        let shareMs = lastMs / count
        for number in 0..<count {
            let requestMs = Int64(number * shareMs + random.number(1...shareMs / 2))
            let grantMs = requestMs + Int64(random.number(1...shareMs / 2 - 1))
            guard isAwake(requestMs), isAwake(grantMs) else { continue }
            let item = ["film", "chess", "site:play.example"][random.number(0...2)]
            let minutes = random.number(2...60)
            add(#""member": "kid", "request": ["\#(item)"], "for": "\#(minutes)m""#, at: requestMs)
            add(#""member": "grown-up", "approve": "kid""#, at: grantMs)
        }
    }

    /// The start of the last use. Later steps would make the scenario longer.
    private var lastMs: Int { Int(uses.map(\.startMs).max() ?? 1) }

    private mutating func add(_ step: String) {
        let atMs = Int64(random.number(1...lastMs))
        if isAwake(atMs) { add(step, at: atMs) }
    }

    private mutating func add(_ step: String, at atMs: Int64) {
        steps.append((atMs, #"{"at": "\#(text(atMs))", \#(step)}"#))
    }

    /// False while the device is suspended and does not reply.
    private func isAwake(_ atMs: Int64) -> Bool {
        !sleeps.contains { atMs >= $0.startMs && atMs <= $0.endMs }
    }

    // MARK: - JSON

    var startWallMs: Int64 { Int64(clock.date(from: start + ":00.000")?.timeIntervalSince1970 ?? 0) * 1_000 }

    /// Foundation's formatter, so that the expected values do not depend on the tested code.
    private var clock: DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: zone)
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss.SSS"
        return formatter
    }

    private func text(_ atMs: Int64) -> String { RFC3339.text(wallMs: startWallMs + atMs) }

    var json: String {
        let byActivity = Dictionary(grouping: events, by: \.activity).sorted { $0.key < $1.key }
        let activities = byActivity.map { name, events in
            let first = events[0]
            let list = events.map { event in
                let targets = event.targets.map { "\"\($0)\"" }.joined(separator: ", ")
                return
                    "{\"name\": \"\(event.event)\", \"of\": [\(targets)], \"after\": \"\(event.thresholdMs / 1_000)s\"}"
            }
            let warning = first.warningMs > 0 ? "\"warning\": \"\(first.warningMs / 1_000)s\", " : ""
            return
                "{\"name\": \"\(name)\", \"member\": \"\(first.member)\", \"from\": \"\(Self.time(first.fromMinute))\", "
                + "\"to\": \"\(Self.time(first.toMinute))\", \(warning)\"events\": [\(list.joined(separator: ", "))]}"
        }
        let ordered = steps.enumerated().sorted {
            ($0.element.atMs, $0.offset) < ($1.element.atMs, $1.offset)
        }
        return """
            {"name": "generated", "zone": "\(zone)", "start": "\(start)",
             "members": [{"name": "kid", "role": "child"}, {"name": "grown-up", "role": "guardian"}],
             "rules": [\(rules.joined(separator: ",\n"))],
             "activities": [\(activities.joined(separator: ",\n"))],
             "steps": [\(ordered.map(\.element.text).joined(separator: ",\n"))]}
            """
    }

    private static func time(_ minute: Int) -> String {
        (minute < 600 ? "0" : "") + "\(minute / 60):" + (minute % 60 < 10 ? "0" : "") + "\(minute % 60)"
    }
}

/// Calculates when thresholds are reached in a simple way: for each event and day, it adds up the usage.
enum CrossingReference {
    static func crossings(_ scenario: GeneratedScenario) -> Set<String> {
        var found: Set<String> = []
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: scenario.zone) ?? .gmt
        let start = Date(timeIntervalSince1970: Double(scenario.startWallMs) / 1_000)
        func moment(_ day: Int, _ minute: Int) -> Int64 {
            let date = calendar.date(byAdding: .day, value: day, to: calendar.startOfDay(for: start)) ?? start
            let time =
                calendar.nextDate(
                    after: date.addingTimeInterval(-1),
                    matching: DateComponents(hour: minute / 60, minute: minute % 60, second: 0),
                    matchingPolicy: .nextTimePreservingSmallerComponents
                ) ?? date
            return Int64(time.timeIntervalSince1970 * 1_000) - scenario.startWallMs
        }
        for event in scenario.events {
            for day in 0..<4 {
                let from = moment(day, event.fromMinute)
                let to = moment(day, event.toMinute)
                var usedMs: Int64 = 0
                for use in scenario.uses where use.member == event.member && matches(use, event) {
                    for part in awake(use, scenario) {
                        let begin = max(part.0, from)
                        let length = min(part.1, to) - begin
                        if length <= 0 { continue }
                        for (name, limit) in [
                            ("warning", event.thresholdMs - event.warningMs), ("reached", event.thresholdMs),
                        ]
                        where (usedMs < limit || usedMs == 0) && usedMs + length >= limit
                            && (name == "reached" || event.warningMs > 0)
                        {
                            // A warning that is longer than its threshold occurs with the first usage.
                            let at = begin + max(0, limit - usedMs)
                            if at < to {
                                found.insert(
                                    "\(event.activity)/\(event.event) \(name) \(scenario.startWallMs + at)"
                                )
                            }
                        }
                        usedMs += length
                    }
                }
            }
        }
        return found
    }

    private static func matches(_ use: GeneratedScenario.Use, _ event: GeneratedScenario.Event) -> Bool {
        event.targets.isEmpty || event.targets.contains(use.app)
            || use.site.map { event.targets.contains("site:" + $0) } == true
    }

    private static func awake(_ use: GeneratedScenario.Use, _ scenario: GeneratedScenario) -> [(Int64, Int64)]
    {
        var parts = [(use.startMs, use.endMs)]
        for sleep in scenario.sleeps {
            parts = parts.flatMap { [($0.0, min($0.1, sleep.startMs)), (max($0.0, sleep.endMs), $0.1)] }
                .filter { $0.0 < $0.1 }
        }
        return parts
    }
}
