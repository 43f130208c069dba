/// What a notification would have said, on a desktop that shows none.
struct WarningPlan: Sendable {
    static let showsMs: Int64 = 8_000
    /// A notification that could not be shown for this long is old news.
    static let freshMs: Int64 = 60_000
    static let queueMax = 4

    struct Warning: Sendable, Equatable {
        var id: String
        var title: String
        var text: String
        var atBootMs: Int64
    }

    private var queue: [Warning] = []
    private var endsBootMs: Int64?
    /// The person is away, or a shield says the same.
    private(set) var isHeldBack = false

    mutating func take(_ warning: Warning) {
        // The same cause again takes its place, as a notification does.
        if let index = queue.firstIndex(where: { $0.id == warning.id }) {
            queue[index] = warning
            return
        }
        if queue.count == Self.queueMax { queue.remove(at: 1) }
        queue.append(warning)
    }

    /// What was being shown is shown anew afterwards.
    mutating func hold(_ isHeldBack: Bool) {
        self.isHeldBack = isHeldBack
        if isHeldBack { endsBootMs = nil }
    }

    /// It was read, and the shield that it told of has come: afterwards it would be wrong.
    mutating func dropShown() {
        guard endsBootMs != nil else { return }
        queue.removeFirst()
        endsBootMs = nil
    }

    mutating func pass(_ nowBootMs: Int64) {
        if let ends = endsBootMs, ends <= nowBootMs {
            queue.removeFirst()
            endsBootMs = nil
        }
        if endsBootMs == nil { queue.removeAll { nowBootMs - $0.atBootMs >= Self.freshMs } }
        if endsBootMs == nil, !isHeldBack, !queue.isEmpty { endsBootMs = nowBootMs + Self.showsMs }
    }

    var current: Warning? { endsBootMs == nil ? nil : queue.first }

    func nextBootMs() -> Int64? { endsBootMs ?? (isHeldBack ? nil : queue.map { $0.atBootMs }.min()) }
}
