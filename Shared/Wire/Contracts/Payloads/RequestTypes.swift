package import STPlatform

/// How a request for more time stands.
package enum RequestState: String, WireEnum {
    case waiting
    case granted
    case denied
    case revoked
    case ended
    case withdrawn
    case unknown
}

/// A request for more time.
package struct RequestView: WireBody, Codable, Equatable {
    /// Short, such as R7.
    package var request: String
    package var member: String
    /// What it is for; empty means everything.
    package var items: [TokenItem]
    package var durationMs: Int64
    package var because: String?
    package var state: RequestState
    package var askedAt: String
    /// When the person's own rule grants it, if nobody answers before.
    package var grantsAt: String?
    package var answeredAt: String?
    /// Who answered: a member, `own rule` or `code`.
    package var answeredBy: String?
    /// Why it was denied, in that person's words.
    package var answer: String?
    package var fromWallMs: Int64?
    package var untilWallMs: Int64?

    package init(
        request: String,
        member: String,
        items: [TokenItem],
        durationMs: Int64,
        because: String? = nil,
        state: RequestState,
        askedAt: String,
        grantsAt: String? = nil,
        answeredAt: String? = nil,
        answeredBy: String? = nil,
        answer: String? = nil,
        fromWallMs: Int64? = nil,
        untilWallMs: Int64? = nil
    ) {
        self.request = request
        self.member = member
        self.items = items
        self.durationMs = durationMs
        self.because = because
        self.state = state
        self.askedAt = askedAt
        self.grantsAt = grantsAt
        self.answeredAt = answeredAt
        self.answeredBy = answeredBy
        self.answer = answer
        self.fromWallMs = fromWallMs
        self.untilWallMs = untilWallMs
    }
}

/// A reply where a passcode was asked for.
package struct RequestAnswered: WireBody, Codable, Equatable {
    package var request: RequestView
    /// Why nothing changed; a try with a wrong passcode is written down.
    package var refusal: Problem?

    package init(request: RequestView, refusal: Problem? = nil) {
        self.request = request
        self.refusal = refusal
    }
}

/// How a member's own requests are answered without a guardian.
package struct RequestRule: WireBody, Codable, Equatable {
    package var member: String
    /// Before the first grant of a day; 0 grants at once.
    package var delayMs: Int64
    /// Every further one of that day waits so many percent longer.
    package var growthPercent: Int64
    /// The longest grant.
    package var mostMs: Int64
    /// Grants of a day; 0 lets only a guardian answer.
    package var aDay: Int64

    package init(member: String, delayMs: Int64, growthPercent: Int64, mostMs: Int64, aDay: Int64) {
        self.member = member
        self.delayMs = delayMs
        self.growthPercent = growthPercent
        self.mostMs = mostMs
        self.aDay = aDay
    }
}
