package import STContracts
package import STPlatform

/// A request for more time as it is kept.
package struct MoreTime: WireBody, Codable, Equatable {
    package var number: Int64
    package var member: String
    package var isChild: Bool
    package var items: [TokenItem]
    package var durationMs: Int64
    package var because: String?
    /// The shield it was asked from.
    package var shield: String?
    package var state = RequestState.waiting
    package var askedMs: Int64
    /// When the person's own rule grants it.
    package var grants: SteadyMoment?
    package var answeredMs: Int64?
    package var answeredBy: String?
    package var answer: String?
    package var fromMs: Int64?
    package var ends: SteadyMoment?
    /// When it was over, planned or not.
    package var endedMs: Int64?

    package init(
        number: Int64,
        member: String,
        isChild: Bool,
        items: [TokenItem],
        durationMs: Int64,
        because: String?,
        shield: String?,
        askedMs: Int64
    ) {
        self.number = number
        self.member = member
        self.isChild = isChild
        self.items = items
        self.durationMs = durationMs
        self.because = because
        self.shield = shield
        self.askedMs = askedMs
    }

    package var name: String { "R\(number)" }

    package var isOpen: Bool { state == .waiting || state == .granted }

    /// The number in `R7`; nil for anything else.
    package static func number(of name: String) -> Int64? {
        guard let first = name.first, first == "R" || first == "r", name.utf8.count <= 12,
            name.utf8.dropFirst().allSatisfy({ (48...57).contains($0) }),
            let number = Int64(name.dropFirst()), number > 0
        else { return nil }
        return number
    }

    package var view: RequestView {
        RequestView(
            request: name,
            member: member,
            items: items,
            durationMs: durationMs,
            because: because,
            state: state,
            askedAt: RFC3339.text(wallMs: askedMs),
            grantsAt: state == .waiting ? grants.map { RFC3339.text(wallMs: $0.wallMs) } : nil,
            answeredAt: answeredMs.map { RFC3339.text(wallMs: $0) },
            answeredBy: answeredBy,
            answer: answer,
            fromWallMs: fromMs,
            untilWallMs: endedMs ?? ends?.wallMs
        )
    }
}
