import STContracts
import STPlatform
import STTestSupport

/// Random rows of a ledger: over midnights and clock changes, with travels, sleep, shields, two devices and gaps.
struct RandomLedger {
    static let zones = [
        "Asia/Seoul", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe",
        "America/St_Johns", "America/Sao_Paulo", "Asia/Kolkata",
    ]
    static let apps: [String?] = ["editor", "browser", "game", "mail", nil]

    private(set) var rows: [Segment] = []
    private(set) var notes: [NotificationCount] = []
    /// The row that is current at the last event.
    private(set) var open: Segment?
    let fromMs: Int64
    private(set) var toMs: Int64
    private var random: SeededRandom

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        // Around the days of clock changes in both hemispheres.
        let days = [
            (2026, 3, 27), (2026, 10, 23), (2026, 11, 20), (2026, 4, 3), (2026, 3, 6), (2026, 10, 30),
            (2018, 11, 2),
            (2018, 2, 16),
        ]
        let day = random.pick(days) ?? (2026, 11, 20)
        fromMs = ReportDesk.wallMs(day.0, month: day.1, day: day.2, hour: random.number(0...20))
        toMs = fromMs
        var wallMs = fromMs
        let zone = random.pick(Self.zones) ?? "UTC"
        for boot in 1...random.number(1...3) {
            wallMs = live(boot: boot, member: "child", device: nil, zone, from: wallMs)
            wallMs += random.number(0...7_200_000)
        }
        if random.chance(percent: 50) {
            _ = live(boot: 9, member: "child", device: "phone", zone, from: fromMs + 1_000)
        }
        if random.chance(percent: 40) {
            _ = live(boot: 1, member: "guardian", device: nil, zone, from: fromMs)
        }
        let all = rows + (open.map { [$0] } ?? [])
        toMs = all.map { $0.startWallMs + $0.durationMs }.max() ?? wallMs
        for _ in 0..<random.number(0...12) {
            notes.append(
                NotificationCount(
                    member: "child",
                    app: random.pick(["mail", "chat"]) ?? "mail",
                    count: random.number(1...4),
                    wallMs: random.number(fromMs...max(fromMs, toMs)),
                    zone: zone
                )
            )
        }
    }

    private mutating func live(boot: Int, member: String, device: String?, _ zone: String, from: Int64)
        -> Int64
    {
        var (wallMs, bootMs, zone) = (from, random.number(0...100_000 as ClosedRange<Int64>), zone)
        let count = random.number(1...40)
        for number in 1...count {
            // Usually seconds, and sometimes hours.
            let longest: Int64 = random.chance(percent: 10) ? 30 * 3_600_000 : 3_000_000
            let ms = random.number(0...longest)
            if random.chance(percent: 5) { zone = random.pick(Self.zones) ?? zone }
            let presence: Presence =
                random.pick([
                    .active, .active, .active, .active, .idle, .locked, .away, .suspended, .unobserved,
                ]) ?? .active
            let isActive = presence == .active
            let app = isActive ? random.pick(Self.apps) ?? nil : nil
            let row = Segment(
                segment: "\(device ?? "here")/\(member)/\(boot)/\(number)",
                agent: "agent",
                run: "run",
                sequence: Int64(number),
                member: member,
                presence: presence,
                app: app,
                domain: app == "browser" ? random.pick(["a.example", "b.example", nil]) ?? nil : nil,
                bootId: "boot\(boot)",
                startBootMs: bootMs,
                endBootMs: bootMs + ms,
                startWallMs: wallMs,
                zone: zone,
                category: app == "game" ? "games" : app == nil ? nil : "productivity",
                shielded: isActive && random.chance(percent: 10) ? true : nil,
                device: device
            )
            wallMs += ms
            bootMs += ms
            // The clock changed.
            if random.chance(percent: 3) { wallMs += random.number(-7_000_000...7_000_000) }
            if device == nil, member == "child", number == count, random.chance(percent: 60) {
                if let open { rows.append(open) }
                open = row
            } else if random.chance(percent: 97) {
                // Otherwise the row was deleted.
                rows.append(row)
            }
        }
        return max(wallMs, from)
    }

    mutating func shuffled() -> [Segment] {
        var rest = rows
        for index in rest.indices.reversed() where index > 0 {
            rest.swapAt(index, random.number(0...index))
        }
        return rest
    }
}
