package import STContracts
import STDomain
package import STPlatform

/// The names of the demonstration's apps as desktop entries, because the apps need not be installed.
enum DemoApps {
    private static let entries: [(id: String, name: Message, program: String)] = [
        ("code", Message("system.demo-code", "Visual Studio Code"), "code"),
        ("org.gnome.Evolution", Message("system.demo-evolution", "Evolution"), "evolution"),
        ("org.gnome.Nautilus", Message("system.demo-files", "Files"), "nautilus"),
        ("org.gnome.TextEditor", Message("system.demo-text-editor", "Text Editor"), "gnome-text-editor"),
        (
            "org.libreoffice.LibreOffice.Calc", Message("system.demo-calc", "LibreOffice Calc"),
            "libreoffice --calc"
        ),
        ("org.mozilla.firefox", Message("system.demo-firefox", "Firefox"), "firefox"),
        ("steam", Message("system.demo-steam", "Steam"), "steam"),
    ]

    /// Writes the entries. `share` is a folder of `XDG_DATA_DIRS`.
    static func write(to share: String) throws(Problem) {
        try Directories.prepare(share)
        try Directories.prepare(share + "/applications")
        for entry in entries {
            let english = entry.name.text(in: .english)
            var lines = ["[Desktop Entry]", "Type=Application", "Name=\(english)"]
            for language in DisplayLanguage.all {
                let name = entry.name.text(in: language)
                if name != english { lines.append("Name[\(language.code)]=\(name)") }
            }
            lines.append("Exec=\(entry.program)")
            try AtomicFile.write(
                Array((lines.joined(separator: "\n") + "\n").utf8),
                to: "\(share)/applications/\(entry.id).desktop",
                durable: false
            )
        }
    }
}

/// A member of the demonstration's household and the day's usage, from some hours ago until an hour from now.
struct DemoDay: Sendable {
    let member: Member
    let steps: [DesktopPlay.Step]

    /// The part of the day that is still in the future when it is played.
    static let ahead: Duration = .seconds(3_600)

    var length: Duration { .milliseconds(steps.reduce(0) { $0 + $1.forMs }) }

    var ago: Duration { max(.zero, length - Self.ahead) }

    static let all = [teen, parent]

    private static let firefox = "org.mozilla.firefox"

    private static let teen = DemoDay(
        member: Member(name: "teen", role: .child),
        steps: [
            site("wikipedia.org", 25), app("org.gnome.TextEditor", 40), site("youtube.com", 30),
            away(.idle, 10), app("code", 55), site("reddit.com", 20), away(.locked, 35),
            app("steam", 50), site("youtube.com", 25), away(.idle, 5), app("org.gnome.TextEditor", 20),
            // The steps from about here are in the future.
            site("reddit.com", 15), app("steam", 25), away(.locked, 20),
        ]
    )

    private static let parent = DemoDay(
        member: Member(name: "parent", role: .guardian),
        steps: [
            app("org.gnome.Evolution", 35), app("org.libreoffice.LibreOffice.Calc", 45), away(.locked, 15),
            site("news.ycombinator.com", 20), app("code", 70), away(.idle, 10), site("wikipedia.org", 15),
            app("org.gnome.Evolution", 20), app("org.gnome.Nautilus", 10), site("openstreetmap.org", 30),
            away(.locked, 30),
        ]
    )

    private static func app(_ id: String, _ minutes: Int64) -> DesktopPlay.Step {
        DesktopPlay.Step(app: id, presence: .active, forMs: minutes * 60_000)
    }

    private static func site(_ domain: String, _ minutes: Int64) -> DesktopPlay.Step {
        DesktopPlay.Step(app: firefox, domain: domain, presence: .active, forMs: minutes * 60_000)
    }

    private static func away(_ presence: Presence, _ minutes: Int64) -> DesktopPlay.Step {
        DesktopPlay.Step(presence: presence, forMs: minutes * 60_000)
    }
}

/// Two weeks of usage before the demonstration's day, for comparisons.
///
/// The days contain the day's steps in another order and length, at times at which people have free time. In the second week the
/// child plays less. The same date always produces the same days.
package struct DemoHistory {
    static let days = 14
    private static let percent: [Int64] = [70, 100, 130, 90, 115]
    private static let endMinute: Int64 = 22 * 60

    let day: DemoDay
    let now: WallTime
    let clock: ZonedClock

    /// Returns the requests for each member of `DemoDay.all`, in parts that fit into one request.
    package static func requests(at now: WallTime, _ clock: ZonedClock) -> [[UsageImport.Request]] {
        DemoDay.all.map { DemoHistory(day: $0, now: now, clock: clock).requests }
    }

    private var requests: [UsageImport.Request] {
        let today = clock.day(now).daysSinceEpoch
        let dates = (1...Self.days).reversed().map { (CivilDate(daysSinceEpoch: today - $0), $0) }
        // The day may have begun yesterday.
        let end = now - day.ago
        let rows = dates.flatMap { self.rows($0, back: $1) }.filter {
            $0.startWallMs + $0.durationMs <= end.ms
        }
        let notes = dates.map { self.notes($0, back: $1) }.filter { $0.wallMs <= end.ms }
        return stride(from: 0, to: rows.count, by: UsageImport.batchMax).map { start in
            UsageImport.Request(rows: Array(rows[start...].prefix(UsageImport.batchMax)), notifications: [])
        } + [UsageImport.Request(rows: [], notifications: notes)]
    }

    private var isChild: Bool { day.member.role == .child }

    private func rows(_ date: CivilDate, back: Int) -> [Segment] {
        let isFree = [1, 7].contains(date.weekday)
        let startMinute: Int64 =
            (isFree ? 10 * 60 : isChild ? 15 * 60 + 30 : 9 * 60) + Int64(back * 7 % 5 * 5)
        let start = clock.start(of: date) + .seconds(60 * startMinute)
        let steps = day.steps.indices.map { day.steps[($0 + back * 3) % day.steps.count] }
        var rows: [Segment] = []
        var passed: Duration = .zero
        for (index, step) in steps.enumerated() {
            // The child plays less on the school days of the last week.
            if isChild, !isFree, back <= 7, step.app == "steam" { continue }
            let percent = Self.percent[(back + index) % Self.percent.count]
            let length = Duration.milliseconds(step.forMs * percent / 100)
            guard startMinute + (passed + length).ms / 60_000 <= Self.endMinute else { break }
            let name = "demo/\(day.member.name)/\(date.text)/\(index)"
            let category = CategoryMap().category(app: step.app, domain: step.domain)
            let isUse = step.presence == .active
            rows.append(
                Segment(
                    segment: name,
                    agent: "demo",
                    run: date.text,
                    sequence: Int64(index + 1),
                    member: day.member.name,
                    presence: step.presence ?? .active,
                    app: step.app,
                    domain: step.domain,
                    bootId: "demo-\(date.text)",
                    startBootMs: 60_000 + passed.ms,
                    endBootMs: 60_000 + (passed + length).ms,
                    startWallMs: (start + passed).ms,
                    zone: clock.zone ?? "UTC",
                    category: isUse ? category.rawValue : nil
                )
            )
            passed += length
        }
        return rows
    }

    private func notes(_ date: CivilDate, back: Int) -> NotificationCount {
        NotificationCount(
            member: day.member.name,
            app: isChild ? "steam" : "org.gnome.Evolution",
            count: Int64(4 + back * 5 % 7),
            wallMs: (clock.start(of: date) + .seconds(17 * 3_600)).ms,
            zone: clock.zone ?? "UTC"
        )
    }
}

/// Adds the days of the demonstration's household.
enum DemoPlayer {
    private static let needed: [ServiceName] = [.auth, .activity, .desktop]

    /// Plays the days and returns a description of them.
    static func play(_ places: SystemPlaces, services: [ServiceName]) async throws -> [String] {
        let missing = needed.filter { !services.contains($0) }
        guard missing.isEmpty else {
            let names = missing.map(\.rawValue).joined(separator: ", ")
            return [
                Speech.say(
                    "system.no-days-are-played",
                    "No sample days were added, because these services are not running: \(names, "names")."
                )
            ]
        }
        return try await ServiceClients.with(places.directories, play)
    }

    private static func play(_ clients: ServiceClients) async throws -> [String] {
        var lines: [String] = []
        let past = DemoHistory.requests(at: SystemTimeSource().now().wall, .here)
        for (day, past) in zip(DemoDay.all, past) {
            let reply = try await clients.call(MemberAdd.self, day.member)
            // Playing the same hours twice would count them twice.
            guard reply.added else {
                lines.append(
                    Speech.say(
                        "system.is-here-from-an",
                        "\(day.member.name, "name") already exists from an earlier start; --fresh starts over"
                    )
                )
                continue
            }
            for request in past { try await importUsage(request, clients) }
            _ = try await clients.call(
                DesktopPlay.self,
                DesktopPlay.Request(member: day.member.name, agoMs: day.ago.ms, steps: day.steps)
            )
            let ago = Speech.duration(day.ago)
            let ahead = Speech.duration(day.length - day.ago)
            lines.append(
                Speech.say(
                    "system.a-made-up-day",
                    """
                    sample days of “\(day.member.name, "name")”: the two weeks before today, the last \
                    \(ago, "ago") and the next \(ahead, "ahead")
                    """
                )
            )
        }
        return lines
    }

    private static func importUsage(_ request: UsageImport.Request, _ clients: ServiceClients) async throws {
        let deadline = SuspendingClock.now + importTimeout
        while true {
            do {
                _ = try await clients.call(UsageImport.self, request)
                return
            } catch let problem as Problem where problem.code == "member.unknown" {
                // activity-center has not received the new member yet.
                guard SuspendingClock.now < deadline else { throw problem }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    private static let importTimeout: Duration = .seconds(10)
}
