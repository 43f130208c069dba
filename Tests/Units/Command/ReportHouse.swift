import STCommandCore
import STContracts
import STPlatform
import STTestSupport

/// A household's four weeks, always the same: what it used, minute by minute, and what would be answered about it.
struct ReportHouse: Sendable {
    /// A stretch that lies in one hour.
    struct Stretch: Sendable {
        var member: String
        var device: String?
        var startMs: Int64
        var endMs: Int64
        var presence = Presence.active
        var app: String?
        var category: String?
        var site: String?
        var isShielded = false
        var isPickup = false

        var ms: Int64 { endMs - startMs }
    }

    struct Notice: Sendable {
        var member: String
        var app: String
        var wallMs: Int64
    }

    static let offset: Duration = .seconds(9 * 3_600)
    static let zone = "Asia/Seoul"
    static let clock = ZonedClock { _ in offset }
    static let firstDay = CivilDate(year: 2026, month: 10, day: 26)
    /// Friday, 20 November 2026, 21:40 in Seoul.
    static let now =
        clock.start(of: CivilDate(year: 2026, month: 11, day: 20)) + .seconds(21 * 3_600 + 40 * 60)
    static let devices = [
        ReportDevice(device: ReportDevice.this, name: "This computer", model: .mac, isThis: true),
        ReportDevice(device: "d2", name: "Phone", model: .iPhone, isThis: false),
    ]

    /// What a member turns to: app, its name, category, site, how likely.
    private typealias Habit = (app: String, category: String, site: String?, weight: Int)
    private static let habits: [(member: String, hours: ClosedRange<Int>, habits: [Habit])] = [
        (
            "parent", 8...22,
            [
                ("code", "productivity", nil, 6),
                ("org.mozilla.firefox", "information-reading", "wikipedia.org", 3),
                ("org.mozilla.firefox", "entertainment", "youtube.com", 2),
                ("thunderbird", "productivity", nil, 2),
                ("org.gnome.TextEditor", "productivity", nil, 1),
                ("org.keepassxc.KeePassXC", "utilities", nil, 1),
                ("org.mozilla.firefox", "shopping-food", "market.example", 1),
                ("org.gnome.Terminal", "utilities", nil, 2),
            ]
        ),
        (
            "teen", 14...22,
            [
                ("steam", "games", nil, 4), ("discord", "social", nil, 3),
                ("org.mozilla.firefox", "entertainment", "youtube.com", 4), ("krita", "creativity", nil, 2),
                ("org.mozilla.firefox", "education", "khanacademy.org", 2),
                ("libreoffice-writer", "productivity", nil, 2),
            ]
        ),
        (
            "kid", 15...18,
            [
                ("org.kde.gcompris", "education", nil, 3), ("supertuxkart", "games", nil, 2),
                ("org.mozilla.firefox", "entertainment", "youtube.com", 1),
            ]
        ),
    ]

    static let names = [
        "org.mozilla.firefox": "Firefox", "code": "Visual Studio Code", "thunderbird": "Thunderbird",
        "org.gnome.TextEditor": "Text Editor", "org.keepassxc.KeePassXC": "KeePassXC",
        "org.gnome.Terminal": "Terminal", "steam": "Steam", "discord": "Discord", "krita": "Krita",
        "libreoffice-writer": "LibreOffice Writer", "org.kde.gcompris": "GCompris",
        "supertuxkart": "SuperTuxKart",
    ]
    static let koreanNames = [
        "org.gnome.TextEditor": "텍스트 편집기", "org.gnome.Terminal": "터미널", "krita": "크리타",
        "org.mozilla.firefox": "파이어폭스",
    ]

    private(set) var stretches: [Stretch] = []
    private(set) var notices: [Notice] = []

    init() {
        var random = SeededRandom(seed: 20)
        for dayNumber in 0..<26 {
            let day = Self.firstDay.adding(days: dayNumber)
            for (member, hours, habits) in Self.habits {
                for hour in hours {
                    let start = Self.clock.start(of: day).ms + Int64(hour) * 3_600_000
                    play(member, day: day, startMs: start, habits: habits, random: &random)
                }
            }
        }
        stretches.removeAll { $0.startMs >= Self.now.ms }
        for place in stretches.indices { stretches[place].endMs = min(stretches[place].endMs, Self.now.ms) }
        notices.removeAll { $0.wallMs >= Self.now.ms }
    }

    private mutating func play(
        _ member: String,
        day: CivilDate,
        startMs: Int64,
        habits: [Habit],
        random: inout SeededRandom
    ) {
        let isWeekend = [1, 7].contains(day.weekday)
        guard Int(random.next() % 100) < (isWeekend ? 80 : 68) else { return }
        let bag = habits.flatMap { habit in Array(repeating: habit, count: habit.weight) }
        var at = startMs + Int64(random.next() % 15) * 60_000
        let end = startMs + 3_600_000
        var isFresh = true
        while at < end {
            let habit = bag[Int(random.next() % UInt64(bag.count))]
            let length = min(end - at, Int64(3 + random.next() % 24) * 60_000)
            let chance = random.next() % 100
            var stretch = Stretch(member: member, device: nil, startMs: at, endMs: at + length)
            if chance < 14 {
                stretch.presence = chance < 2 ? .unobserved : .idle
                isFresh = chance >= 2
            } else {
                stretch.app = habit.app
                stretch.category = habit.category
                stretch.site = habit.site
                stretch.isShielded = chance < 17 && member != "parent"
                stretch.isPickup = isFresh
                isFresh = false
                if chance > 80 { notices.append(Notice(member: member, app: habit.app, wallMs: at + 30_000)) }
            }
            stretches.append(stretch)
            at += length
        }
    }
}
