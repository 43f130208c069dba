import STContracts
import STPlatform

/// The names of the made-up household's apps, as desktop entries: they need not be installed.
enum DemoApps {
    private static let entries: [(id: String, name: String, korean: String?, program: String)] = [
        ("code", "Visual Studio Code", nil, "code"),
        ("org.gnome.Evolution", "Evolution", "에볼루션", "evolution"),
        ("org.gnome.Nautilus", "Files", "파일", "nautilus"),
        ("org.gnome.TextEditor", "Text Editor", "텍스트 편집기", "gnome-text-editor"),
        ("org.libreoffice.LibreOffice.Calc", "LibreOffice Calc", nil, "libreoffice --calc"),
        ("org.mozilla.firefox", "Firefox", "파이어폭스", "firefox"),
        ("steam", "Steam", nil, "steam"),
    ]

    /// `share` is a folder as XDG_DATA_DIRS names them.
    static func write(to share: String) throws(Problem) {
        try Directories.prepare(share)
        try Directories.prepare(share + "/applications")
        for entry in entries {
            var lines = ["[Desktop Entry]", "Type=Application", "Name=\(entry.name)"]
            if let korean = entry.korean { lines.append("Name[ko]=\(korean)") }
            lines.append("Exec=\(entry.program)")
            try AtomicFile.write(
                Array((lines.joined(separator: "\n") + "\n").utf8),
                to: "\(share)/applications/\(entry.id).desktop",
                durable: false
            )
        }
    }
}

/// One made-up member and what they do, from some hours ago until an hour from now.
struct DemoDay: Sendable {
    let member: Member
    let steps: [DesktopPlay.Step]

    /// How much of the day is still to come when it is played.
    static let aheadMs: Int64 = 3_600_000

    var lengthMs: Int64 { steps.reduce(0) { $0 + $1.forMs } }

    var agoMs: Int64 { max(0, lengthMs - Self.aheadMs) }

    static let all = [teen, parent]

    private static let firefox = "org.mozilla.firefox"

    private static let teen = DemoDay(
        member: Member(name: "teen", role: .child),
        steps: [
            site("wikipedia.org", 25), app("org.gnome.TextEditor", 40), site("youtube.com", 30),
            away(.idle, 10), app("code", 55), site("reddit.com", 20), away(.locked, 35),
            app("steam", 50), site("youtube.com", 25), away(.idle, 5), app("org.gnome.TextEditor", 20),
            // From about here on it is still to come.
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

/// Fills a demonstration with the days of a made-up household.
enum DemoPlayer {
    private static let needed: [ServiceName] = [.auth, .activity, .desktop]

    /// Plays the days; the result says what was played.
    static func play(_ places: SystemPlaces, services: [ServiceName]) async throws -> [String] {
        let missing = needed.filter { !services.contains($0) }
        guard missing.isEmpty else {
            let names = missing.map(\.rawValue).joined(separator: ", ")
            return ["No days are played: that also needs \(names)."]
        }
        return try await ServiceClients.with(places.directories, play)
    }

    private static func play(_ clients: ServiceClients) async throws -> [String] {
        var lines: [String] = []
        for day in DemoDay.all {
            let reply = try await clients.call(MemberAdd.self, day.member)
            // Playing the same hours twice would count them twice.
            guard reply.added else {
                lines.append("\(day.member.name) is here from an earlier start; --fresh starts over")
                continue
            }
            _ = try await clients.call(
                DesktopPlay.self,
                DesktopPlay.Request(member: day.member.name, agoMs: day.agoMs, steps: day.steps)
            )
            let past = TextFormat.duration(ms: day.agoMs)
            let ahead = TextFormat.duration(ms: day.lengthMs - day.agoMs)
            lines.append("a made-up day of “\(day.member.name)”: \(past) until now, \(ahead) still to come")
        }
        return lines
    }
}
