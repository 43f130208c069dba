import STContracts
import STPlatform
import STRules
import Testing

@testable import STActivityCore

@Suite("Changes that loosen a rule")
struct RuleLooseningTests {
    private static let firefox = RuleDesk.app("firefox")
    private static let code = RuleDesk.app("code")
    private static let games = TokenItem(kind: .category, id: "games")

    private static func with(_ spec: RuleSpec, _ change: (inout RuleSpec) -> Void) -> RuleSpec {
        var spec = spec
        change(&spec)
        return spec
    }

    private static var goal: RuleSpec {
        var goal = RuleDesk.goal()
        goal.opens = [games, firefox]
        return goal
    }

    private static let window = RuleDesk.window("17:00", "20:00", days: [2, 3])

    private static let allow = RuleSpec(kind: .allow, targets: [firefox])

    /// Pairs of rules: the change, the stricter rule, the looser rule.
    private static let known: [(String, RuleSpec, RuleSpec)] = [
        ("longer limit", RuleDesk.limit(minutes: 30), RuleDesk.limit(minutes: 31)),
        (
            "more at weekends", RuleDesk.limit(minutes: 30),
            with(RuleDesk.limit(minutes: 30)) { $0.weekendMs = 3_600_000 }
        ),
        ("use of two machines counts once", RuleDesk.limit(), with(RuleDesk.limit()) { $0.overlap = .once }),
        ("each machine counts towards a goal", with(goal) { $0.overlap = .once }, goal),
        ("days of exception", RuleDesk.limit(), with(RuleDesk.limit()) { $0.except = ["2026-12-25"] }),
        (
            "more days of exception", with(RuleDesk.downtime()) { $0.except = ["2026-12-25"] },
            with(RuleDesk.downtime()) { $0.except = ["2026-12-25", "2026-12-26"] }
        ),
        ("a goal that is smaller at weekends", goal, with(goal) { $0.weekendMs = 3_600_000 }),
        ("fewer apps of a limit", with(RuleDesk.limit()) { $0.targets += [code] }, RuleDesk.limit()),
        ("not everything any more", with(RuleDesk.limit()) { $0.targets = [] }, RuleDesk.limit()),
        ("fewer days", RuleDesk.limit(), with(RuleDesk.limit()) { $0.days = [2, 3] }),
        (
            "only a notification", with(RuleDesk.limit()) { $0.then = .shield },
            with(RuleDesk.limit()) { $0.then = .notify }
        ),
        ("shorter downtime", RuleDesk.downtime("21:30", "07:00"), RuleDesk.downtime("22:00", "07:00")),
        ("downtime of fewer days", RuleDesk.downtime(), with(RuleDesk.downtime()) { $0.days = [1] }),
        (
            "downtime that leaves something open", RuleDesk.downtime(),
            with(RuleDesk.downtime()) { $0.opens = [code] }
        ),
        ("wider window", window, RuleDesk.window("16:00", "20:00", days: [2, 3])),
        ("window of more days", window, RuleDesk.window("17:00", "20:00", days: [2, 3, 4])),
        ("fewer apps of a window", with(window) { $0.targets += [code] }, window),
        ("smaller goal", goal, with(goal) { $0.durationMs = 3_600_000 }),
        ("more that counts towards a goal", goal, with(goal) { $0.targets += [firefox] }),
        ("less that a goal keeps shut", goal, with(goal) { $0.opens = [games] }),
        ("goal of fewer days", goal, with(goal) { $0.days = [7] }),
        ("more that is allowed", allow, with(allow) { $0.targets += [code] }),
    ]

    @Test("A loosening change of each kind is detected, and its inverse is not looser", arguments: known)
    func pairs(name: String, strict: RuleSpec, loose: RuleSpec) {
        #expect(RuleLoosening.isLooser(from: strict, to: loose), "\(name)")
        #expect(!RuleLoosening.isLooser(from: loose, to: strict), "\(name)")
    }

    @Test("A change that only moves a rule's time or target is looser in both directions")
    func moved() {
        let moves = [
            (RuleDesk.downtime("21:00", "07:00"), RuleDesk.downtime("22:00", "08:00")),
            (RuleDesk.limit("firefox"), RuleDesk.limit("code")),
            (Self.window, RuleDesk.window("18:00", "21:00", days: [2, 3])),
        ]
        for (one, other) in moves {
            #expect(RuleLoosening.isLooser(from: one, to: other))
            #expect(RuleLoosening.isLooser(from: other, to: one))
        }
    }

    @Test("A change of a rule's name, message or warning is not looser")
    func words() {
        let old = RuleDesk.limit()
        let new = Self.with(old) {
            $0.name = "other"
            $0.say = "words"
            $0.warnMs = 60_000
            $0.days = [1, 2, 3, 4, 5, 6, 7]
        }
        #expect(!RuleLoosening.isLooser(from: old, to: new))
        #expect(!RuleLoosening.isLooser(from: new, to: old))
    }

    @Test("Removing a rule is looser unless it allows, and adding one is looser only if it allows")
    func ends() {
        #expect(RuleLoosening.isRemovalLooser(RuleDesk.limit()))
        #expect(!RuleLoosening.isRemovalLooser(Self.allow))
        #expect(RuleLoosening.isAdditionLooser(Self.allow))
        #expect(!RuleLoosening.isAdditionLooser(RuleDesk.downtime()))
    }

    private static func random(_ kind: RuleKind, _ random: inout SeededRandom) -> RuleSpec {
        let things = [firefox, code, games]
        // With few values, many random rules are comparable.
        let days = [nil, [2, 3], [2]][Int.random(in: 0...2, using: &random)]
        var spec = RuleSpec(kind: kind)
        if kind != .downtime {
            spec.targets = things.filter { _ in Int64.random(in: 0...1, using: &random) == 1 }
        }
        if kind == .limit || kind == .goal {
            spec.durationMs = Int64.random(in: 1...3, using: &random) * 1_800_000
            spec.overlap = Bool.random(using: &random) ? .once : nil
        }
        if kind == .downtime || kind == .window {
            let hours = ["06:00", "12:00", "20:00", "23:30"]
            let from = Int(Int64.random(in: 0...3, using: &random))
            let to = (from + Int(Int64.random(in: 1...3, using: &random))) % 4
            spec.window = RuleWindow(from: hours[from], to: hours[to])
        }
        if kind == .goal { spec.opens = things.filter { _ in Int64.random(in: 0...1, using: &random) == 1 } }
        if kind == .downtime {
            let opens = [firefox, code].filter { _ in Bool.random(using: &random) }
            spec.opens = opens.isEmpty ? nil : opens
        }
        if kind != .allow {
            spec.days = days
            spec.then = Int64.random(in: 0...1, using: &random) == 1 ? .shield : .notify
        }
        return spec
    }

    /// Another random rule. Half of the rules share some values with the first.
    private static func near(_ spec: RuleSpec, _ random: inout SeededRandom) -> RuleSpec {
        var other = Self.random(spec.kind, &random)
        guard Bool.random(using: &random) else { return other }
        other.window = spec.window
        other.days = spec.days
        other.opens = spec.opens
        return other
    }

    @Test(
        "Rules of equal strictness have equal demands, and strictness is transitive",
        arguments: [RuleKind.limit, .downtime, .window, .goal, .allow]
    )
    func property(kind: RuleKind) {
        var random = SeededRandom(seed: 4)
        var ordered = 0
        for _ in 0..<1_500 {
            let one = Self.random(kind, &random)
            let two = Self.near(one, &random)
            let three = Self.near(two, &random)
            #expect(!RuleLoosening.isLooser(from: one, to: one))
            let there = RuleLoosening.isLooser(from: one, to: two)
            let back = RuleLoosening.isLooser(from: two, to: one)
            if !there, !back { #expect(RuleStrictness(one) == RuleStrictness(two), "\(one) \(two)") }
            if !there, !RuleLoosening.isLooser(from: two, to: three) {
                ordered += 1
                #expect(!RuleLoosening.isLooser(from: one, to: three), "\(one) \(two) \(three)")
            }
        }
        #expect(ordered > 0)
    }

    @Test(
        "The strictest of two rules is no looser than either, in any order of the two",
        arguments: [RuleKind.limit, .downtime, .window, .goal, .allow]
    )
    func strictest(kind: RuleKind) {
        var random = SeededRandom(seed: 5)
        var found = 0
        for _ in 0..<1_500 {
            let one = Self.random(kind, &random)
            let other = Self.near(one, &random)
            let (there, back) = (RuleLoosening.strictest(one, other), RuleLoosening.strictest(other, one))
            #expect(there.map { RuleStrictness($0) } == back.map { RuleStrictness($0) }, "\(one) \(other)")
            guard let there else { continue }
            found += 1
            #expect(!RuleLoosening.isLooser(from: one, to: there), "\(one) \(other)")
            #expect(!RuleLoosening.isLooser(from: other, to: there), "\(one) \(other)")
            let isNamed = ![.window, .goal, .allow].contains(kind) || !one.targets.isEmpty
            if isNamed, !RuleLoosening.isLooser(from: other, to: one) {
                #expect(RuleStrictness(there) == RuleStrictness(one), "\(one) \(other)")
            }
        }
        #expect(found > 300, "\(found)")
    }
}
