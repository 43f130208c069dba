package import STContracts

/// What the item in the desktop's tray says, and what can be chosen there.
package struct TrayFace: Sendable, Equatable {
    package enum Choice: Int32, Sendable {
        case open = 1
        case ask
        case pause
    }

    /// A limit that counts now.
    package struct Limit: Sendable, Equatable {
        package var name: String
        package var leftMs: Int64
        package var isPaused = false
        /// The remaining granted time.
        package var grantedMs: Int64 = 0
    }

    private static let linesMax = 6
    /// How long the rules rest that are paused here.
    package static let pauseMs: Int64 = 900_000

    /// The tightest first.
    package let limits: [Limit]
    package let choices: [Choice]
    private let isKorean: Bool

    /// `rules`, `explained` and `requests` belong to one member. `mayPause`: whether this member may pause their own rules.
    package init(
        rules: [RuleView] = [],
        explained: [ExplainedActivity] = [],
        requests: [RequestView] = [],
        nowMs: Int64 = 0,
        mayPause: Bool = false,
        language: String
    ) {
        let known = Dictionary(rules.filter { $0.rule.kind == .limit }.map { ($0.id, $0) }) { first, _ in
            first
        }
        limits = explained.compactMap { one in
            guard let event = one.ruleCount,
                let rule = known[BuiltInRules.rule(watching: one.activity.activity)]
            else { return nil }
            return Limit(
                name: rule.rule.name ?? rule.id,
                leftMs: event.reached ? 0 : max(0, event.leftMs),
                isPaused: rule.pausedUntil != nil,
                grantedMs: Self.grantedMs(requests, for: rule, nowMs: nowMs)
            )
        }.sorted { ($0.leftMs, $0.name) < ($1.leftMs, $1.name) }
        choices = [.open, .ask] + (mayPause && rules.contains { $0.rule.kind != .allow } ? [.pause] : [])
        isKorean = language.hasPrefix("ko")
    }

    /// The remaining granted time for a rule. A grant without items applies to everything.
    private static func grantedMs(_ requests: [RequestView], for rule: RuleView, nowMs: Int64) -> Int64 {
        requests.filter { request in
            request.state == .granted
                && (request.items.isEmpty || request.items.contains { rule.rule.targets.contains($0) })
        }
        .compactMap(\.untilWallMs).map { max(0, $0 - nowMs) }.max() ?? 0
    }

    private func say(_ english: String, _ korean: String) -> String { isKorean ? korean : english }

    package var title: String { say("Screen Time", "스크린 타임") }

    /// Beside the item, where the desktop shows a text there: of a limit that is used up the shield says enough.
    package var label: String { limits.first { $0.leftMs > 0 && !$0.isPaused }.map { time($0.leftMs) } ?? "" }

    package var lines: [String] {
        guard !limits.isEmpty else { return [say("No limit is counting now.", "지금 세고 있는 제한이 없습니다.")] }
        return limits.prefix(Self.linesMax).map { limit in
            if limit.isPaused { return say("\(limit.name): paused", "\(limit.name): 쉬는 중") }
            if limit.leftMs == 0, limit.grantedMs > 0 {
                let granted = time(limit.grantedMs)
                return say(
                    "\(limit.name): \(granted) of granted time left",
                    "\(limit.name): 허락된 시간 \(granted) 남음"
                )
            }
            return limit.leftMs == 0
                ? say("\(limit.name): nothing left", "\(limit.name): 남은 시간 없음")
                : say("\(limit.name): \(time(limit.leftMs)) left", "\(limit.name): \(time(limit.leftMs)) 남음")
        }
    }

    package var tip: String { lines.joined(separator: "\n") }

    package func text(_ choice: Choice) -> String {
        switch choice {
        case .open: say("Open Screen Time", "스크린 타임 열기")
        case .ask: say("Ask for more time …", "시간 더 요청하기 …")
        case .pause: say("Pause my rules for 15 minutes", "내 규칙 15분 쉬기")
        }
    }

    /// In minutes that have begun, so that nothing is left only when nothing is.
    private func time(_ leftMs: Int64) -> String {
        let minutes = (leftMs + 59_999) / 60_000
        let (hours, rest) = (minutes / 60, minutes % 60)
        guard hours > 0 else { return say("\(minutes) min", "\(minutes)분") }
        return rest == 0
            ? say("\(hours) h", "\(hours)시간") : say("\(hours) h \(rest) min", "\(hours)시간 \(rest)분")
    }
}
