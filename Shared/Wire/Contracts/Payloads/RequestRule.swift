package import STPlatform

/// The rule by which a member's own requests are answered without a guardian.
package struct RequestRule: WireBody, Codable, Equatable {
    /// The time in which a guardian can answer, if the rule does not set it.
    package static let expiresMs: Int64 = 86_400_000
    package static let delayMsMax: Int64 = 86_400_000
    package static let expiresMsMax: Int64 = 7 * 86_400_000
    package static let growthPercentMax: Int64 = 1_000
    package static let aDayMax: Int64 = 50
    /// The permitted lengths of a grant.
    package static let grantMs: ClosedRange<Int64> = 1_000...86_400_000

    package var member: String
    /// The delay before the first grant of a day. With 0, requests are granted immediately.
    package var delayMs: Int64
    /// The percentage by which the delay grows with each further grant of that day.
    package var growthPercent: Int64
    /// The length of the longest grant.
    package var mostMs: Int64
    /// The maximum number of grants a day. With 0, only a guardian answers.
    package var aDay: Int64
    /// The time in which a guardian can answer.
    package var expiresMs: Int64?

    package init(
        member: String,
        delayMs: Int64,
        growthPercent: Int64,
        mostMs: Int64,
        aDay: Int64,
        expiresMs: Int64? = nil
    ) {
        self.member = member
        self.delayMs = delayMs
        self.growthPercent = growthPercent
        self.mostMs = mostMs
        self.aDay = aDay
        self.expiresMs = expiresMs
    }
    /// Returns the same rule for another member, or for none in particular.
    package func of(_ member: String) -> RequestRule {
        var rule = self
        rule.member = member
        return rule
    }

    /// Returns true if this rule gives more time in any way, or gives it sooner.
    package func isLooser(than old: RequestRule) -> Bool { stricter(old) != self }

    /// Returns the stricter of both values for each limit. The other values are those of this rule.
    package func stricter(_ other: RequestRule) -> RequestRule {
        RequestRule(
            member: member,
            delayMs: max(delayMs, other.delayMs),
            growthPercent: max(growthPercent, other.growthPercent),
            mostMs: min(mostMs, other.mostMs),
            aDay: min(aDay, other.aDay),
            expiresMs: expiresMs
        )
    }

    package func check() throws(Problem) {
        func require(_ isGood: Bool, field: String, text: Message) throws(Problem) {
            guard !isGood else { return }
            throw Problem("request.bad_rule", text: text, field: "/rule/\(field)")
        }
        try require(
            (0...Self.delayMsMax).contains(delayMs),
            field: "delay_ms",
            text: Message(
                "request.bad_rule.wait",
                "The wait before a grant must be at most 24 h. With 0, requests are granted immediately."
            )
        )
        try require(
            (0...Self.growthPercentMax).contains(growthPercent),
            field: "growth_percent",
            text: Message(
                "request.bad_rule.growth",
                """
                With each further grant on the same day, the wait must grow by 0 to \
                \(Self.growthPercentMax, "most") percent.
                """
            )
        )
        try require(
            Self.grantMs.contains(mostMs),
            field: "most_ms",
            text: Message("request.bad_rule.longest", "The longest grant must be from 1 s to 24 h.")
        )
        try require(
            (60_000...Self.expiresMsMax).contains(expiresMs ?? Self.expiresMs),
            field: "expires_ms",
            text: Message(
                "request.bad_rule.time-to-answer",
                "The time for a guardian to answer must be from 1 min to 7 d."
            )
        )
        try require(
            (0...Self.aDayMax).contains(aDay),
            field: "a_day",
            text: Message(
                "request.bad_rule.grants-a-day",
                """
                The number of grants a day must be from 0 to \(Self.aDayMax, "most"). With 0, only a \
                guardian answers.
                """
            )
        )
    }
}
