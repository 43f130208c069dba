package import STContracts
package import STPlatform

/// The content of the tray item: its texts and its menu.
package struct TrayContent: Sendable, Equatable {
    package enum Choice: Int32, Sendable {
        case open = 1
        case ask
        case pause
    }

    /// A limit that applies now.
    package struct Limit: Sendable, Equatable {
        package var name: String
        package var left: Duration
        package var isPaused = false
        /// The remaining granted time.
        package var granted: Duration = .zero
    }

    private static let linesMax = 6
    private static let conditionsMax = 2
    /// The time for which the menu pauses the member's rules.
    package static let pauseLength: Duration = .seconds(900)

    /// The limits, the one with the least remaining time first.
    package let limits: [Limit]
    package let choices: [Choice]
    package var conditions: [Condition]
    private let language: DisplayLanguage

    /// Creates the content for one member. `rules`, `explained` and `requests` must belong to that member. `mayPause` is true if
    /// the member may pause their own rules.
    package init(
        rules: [RuleView] = [],
        explained: [ExplainedActivity] = [],
        requests: [RequestView] = [],
        now: WallTime = WallTime(ms: 0),
        mayPause: Bool = false,
        conditions: [Condition] = [],
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
                left: .milliseconds(event.reached ? 0 : max(0, event.leftMs)),
                isPaused: rule.pausedUntil != nil,
                granted: Self.granted(requests, for: rule, now: now)
            )
        }.sorted { ($0.left, $0.name) < ($1.left, $1.name) }
        choices = [.open, .ask] + (mayPause && rules.contains { $0.rule.kind != .allow } ? [.pause] : [])
        self.conditions = conditions
        self.language = DisplayLanguage(of: language)
    }

    /// Returns the remaining granted time for a rule. A grant without items applies to everything.
    private static func granted(_ requests: [RequestView], for rule: RuleView, now: WallTime) -> Duration {
        requests.filter { request in
            request.state == .granted
                && (request.items.isEmpty || request.items.contains { rule.rule.targets.contains($0) })
        }
        .compactMap(\.untilWallMs).map { max(.zero, WallTime(ms: $0) - now) }.max() ?? .zero
    }

    private func text(_ key: String, _ text: MessageText) -> String { language.text(key, text) }

    package var title: String { text("panel.screen-time", "Screen Time") }

    /// The text beside the item, if the desktop shows one. It omits a limit that is used up, because its shield is visible.
    package var label: String { limits.first { $0.left > .zero && !$0.isPaused }.map { time($0.left) } ?? "" }

    package var lines: [String] {
        conditions.prefix(Self.conditionsMax).map { "⚠ " + $0.title.text(in: language) } + limitLines
    }

    private var limitLines: [String] {
        // Without a reply of the services the limits are unknown.
        if limits.isEmpty, conditions.contains(where: { $0.code == .serviceSilent }) { return [] }
        guard !limits.isEmpty else { return [text("panel.no-limit-is-counting", "No limit applies now.")] }
        return limits.prefix(Self.linesMax).map { limit in
            if limit.isPaused { return text("panel.paused", "\(limit.name, "name"): paused") }
            if limit.left == .zero, limit.granted > .zero {
                let granted = time(limit.granted)
                return text(
                    "panel.of-granted-time-left",
                    "\(limit.name, "name"): \(granted, "granted") of granted time left"
                )
            }
            return limit.left == .zero
                ? text("panel.nothing-left", "\(limit.name, "name"): no time left")
                : text("panel.left", "\(limit.name, "name"): \(time(limit.left), "time") left")
        }
    }

    package var tip: String { lines.joined(separator: "\n") }

    package func text(_ choice: Choice) -> String {
        switch choice {
        case .open: text("panel.open-screen-time", "Open Screen Time")
        case .ask: text("panel.ask-for-more-time", "Ask for more time …")
        case .pause: text("panel.pause-my-rules-for", "Pause my rules for 15 minutes")
        }
    }

    /// Returns the time rounded up to minutes, so that 0 appears only if no time is left.
    private func time(_ left: Duration) -> String {
        TextFormat.duration(ms: (left.ms + 59_999) / 60_000 * 60_000, in: language, inHours: true)
    }
}
