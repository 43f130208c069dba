import STPlatform
import STTestSupport
import Testing

@testable import STCommandCore

/// Fast user switching: one computer and three accounts.
@Suite(
    "Switching between accounts",
    .serialized,
    .enabled(if: Machine.isWanted, "needs root: starts a Debian with systemd in namespaces")
)
struct SittingRootTests {
    /// Returns a command that kills a program. One that was just killed, or whose session has just begun, may not run yet.
    private static func kill(_ program: String) -> String {
        "for _ in $(seq 300); do pkill -KILL \(program) && exit 0; sleep 0.1; done; exit 1"
    }

    /// Switches accounts and kills programs at random. Each person's minutes must equal their time at the computer.
    @Test("Two children and a guardian who take turns have usage that equals the true times")
    func random() async throws {
        try await Machine.run(PackageRootTests.desktop) { machine in
            try machine.run("useradd --create-home --shell /bin/bash eva")
            try await ProtectRootTests.ready(machine, children: "ben,eva")
            let screens = ["mum": 10, "ben": 11, "eva": 12]
            for (account, screen) in screens {
                try await machine.logIn(account, to: .openbox(screen))
                try await ProtectRootTests.isSeen(machine, account)
            }
            func report(_ account: String) throws -> String {
                try machine.run("screentime report --member \(account) --json", as: "mum")
            }
            try machine.run(Self.front("mum"))
            var sitting = Sitting()
            sitting.change(to: "mum")
            let before = try screens.keys.map { ($0, Self.sum("used_ms", try report($0))) }
            var random = SeededRandom(seed: 20)
            let steps = !TestScale.isSoak ? 30 : 1_000
            for _ in 0..<steps {
                let account = random.pick(screens.keys.sorted()) ?? ""
                switch random.number(0...5) {
                case 0:
                    try machine.run(Self.kill("-u \(account) -x desktop-agent"))
                    sitting.breaks[account, default: 0] += 1
                case 1:
                    let services = ["auth-service", "activity-center", "monitor-runner", "shield-service"]
                    try machine.run(Self.kill("-x \(random.pick(services) ?? "")"))
                case 2 where account != sitting.account:
                    try machine.logOut(account)
                    // A login is in the foreground.
                    sitting.change(to: account)
                    try await machine.logIn(account, to: .openbox(screens[account] ?? 0))
                    sitting.breaks[account, default: 0] += 1
                default:
                    try machine.run(Self.front(account))
                    sitting.change(to: account)
                }
                try machine.run(
                    "xdotool mousemove \(random.number(0...900)) 300; sleep 2",
                    as: sitting.account ?? account
                )
            }
            for account in screens.keys where account != sitting.account { try machine.logOut(account) }
            if let last = sitting.account { try machine.logOut(last) }
            sitting.change(to: nil)
            var all: Int64 = 0
            for (account, usedBefore) in before {
                let text = try report(account)
                let (used, unseen) = (Self.sum("used_ms", text) - usedBefore, Self.sum("unobserved_ms", text))
                all += used
                let truth = sitting.ms[account] ?? 0
                let slack = 2_000 * (1 + (sitting.breaks[account] ?? 0)) + 50 * sitting.changes
                print("\(account): \(used) ms of \(truth), \(unseen) not seen, in \(steps) steps")
                #expect(used <= truth + 1_000 + 50 * sitting.changes && used >= truth - slack, "\(text)")
            }
            #expect(all <= sitting.ms.values.reduce(0, +) + 1_000, "two people at the same time")
            try machine.run("screentime data verify")
        }
    }

    /// The time of each person at the computer, by the test's own clock.
    private struct Sitting {
        var account: String?
        var sinceMs = Stopwatch.milliseconds()
        var ms: [String: Int64] = [:]
        var breaks: [String: Int64] = [:]
        var changes: Int64 = 0

        mutating func change(to next: String?) {
            let nowMs = Stopwatch.milliseconds()
            if let account { ms[account, default: 0] += nowMs - sinceMs }
            (account, sinceMs, changes) = (next, nowMs, changes + 1)
        }
    }

    private static func front(_ account: String) -> String {
        "loginctl activate $(loginctl show-user \(account) --property Display --value)"
    }

    /// Returns a value of the day's segment, not of its rows.
    static func sum(_ name: String, _ report: String) -> Int64 {
        let lines = report.split(separator: "\n").filter { $0.contains("\"\(name)\":") }
        return lines.last.flatMap { Int64($0.filter(\.isNumber)) } ?? 0
    }
}
