import STContracts
import STDomain
import STPlatform
import Testing

@testable import STCommandCore
@testable import STCommandProtect

@Suite("The login of a child")
struct LoginDoorTests {
    /// 20 November 2026, 22:00 in UTC.
    private static let moments = MomentFormatter(fromMs: 1_795_212_000_000, zone: "UTC")
    private static let seven: Int64 = 1_795_244_400_000
    private static let midnight: Int64 = 1_795_219_200_000

    private func rule(
        id: String,
        kind: RuleKind,
        until endMs: Int64,
        then: RuleConsequence = .shield,
        targets: [TokenItem] = [],
        isShielding: Bool = true,
        say: String? = nil
    ) -> RuleView {
        RuleView(
            id: id,
            rule: RuleSpec(
                kind: kind,
                name: id,
                member: "ben",
                targets: targets,
                durationMs: kind == .limit ? 3_600_000 : nil,
                window: kind == .downtime ? RuleWindow(from: "21:00", to: "07:00") : nil,
                then: then,
                say: say
            ),
            addedAt: "2026-11-20T10:00:00.000Z",
            pausedUntil: nil,
            interval: IntervalSpan(startWallMs: endMs - 1_000, endWallMs: endMs, zone: "UTC"),
            when: nil,
            isWatched: true,
            problem: nil,
            isShielding: isShielding
        )
    }

    private func answer(
        _ rules: [RuleView],
        left: [String: Duration] = [:],
        isAllShielded: Bool = true,
        allows: Bool = false
    ) -> LoginCheck.LoginDecision {
        let progress = left.mapValues {
            RuleProgress(used: .seconds(3_600) - $0, limit: .seconds(3_600), left: $0, isReached: $0 <= .zero)
        }
        return LoginCheck.answer(
            rules,
            progress: progress,
            isAllShielded: isAllShielded,
            allows: allows,
            moments: Self.moments
        )
    }

    @Test("A downtime or a reached limit refuses a login until the last one ends, and its message is shown")
    func refused() {
        let night = rule(id: "night", kind: .downtime, until: Self.seven)
        let day = rule(id: "day", kind: .limit, until: Self.midnight, say: "Enough for today.")
        #expect(
            answer([night]).lines == [
                "You cannot log in to this account until tomorrow at 07:00.",
                "No computer from 21:00 to 07:00.",
            ]
        )
        #expect(
            answer([day]).lines == ["You cannot log in to this account until midnight.", "Enough for today."]
        )
        #expect(answer([night, day]) == answer([night]))
        #expect([[night], [day], [day, night]].allSatisfy { answer($0).isRefused })
    }

    @Test("A login is allowed if an app is always allowed or no active downtime or limit shields everything")
    func open() {
        let night = rule(id: "night", kind: .downtime, until: Self.seven)
        let games = [TokenItem(kind: .category, id: "games")]
        let open = LoginCheck.LoginDecision(isRefused: false, lines: [])
        #expect(answer([night], isAllShielded: false) == open)
        #expect(answer([night], allows: true) == open)
        #expect(answer([rule(id: "games", kind: .limit, until: Self.midnight, targets: games)]) == open)
        #expect(answer([rule(id: "focus", kind: .session, until: Self.midnight)]) == open)
        #expect(answer([rule(id: "night", kind: .downtime, until: Self.seven, then: .notify)]) == open)
        #expect(answer([rule(id: "night", kind: .downtime, until: Self.seven, isShielding: false)]) == open)
    }

    @Test("An allowed login shows the shortest remaining time of all limits")
    func left() {
        let rules = ["a", "b"].map { rule(id: $0, kind: .limit, until: Self.midnight, isShielding: false) }
        let said = answer(rules, left: ["a": .seconds(1_500), "b": .seconds(2_000)], isAllShielded: false)
        #expect(
            said == LoginCheck.LoginDecision(isRefused: false, lines: ["Screen Time: 25 min left today."])
        )
    }
}
