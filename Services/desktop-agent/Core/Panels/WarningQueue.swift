/// The notifications that panels show on a desktop without notifications.
struct WarningQueue: Sendable {
    static let displayMs: Int64 = 8_000
    /// The age at which a notification that was never shown is dropped.
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
    /// True while the person is away, the screen is locked, or a shield has the keyboard.
    private(set) var isHeldBack = false

    mutating func enqueue(_ warning: Warning) {
        // A notification with the same id replaces the earlier one.
        if let index = queue.firstIndex(where: { $0.id == warning.id }) {
            queue[index] = warning
            return
        }
        if queue.count == Self.queueMax { queue.remove(at: 1) }
        queue.append(warning)
    }

    /// Pauses or resumes the warnings. A warning that was visible is shown again afterwards for its full time.
    mutating func setHeldBack(_ isHeldBack: Bool) {
        self.isHeldBack = isHeldBack
        if isHeldBack { endsBootMs = nil }
    }

    /// Drops the visible warning, because the shield that it announced has appeared.
    mutating func removeDisplayed() {
        guard endsBootMs != nil else { return }
        queue.removeFirst()
        endsBootMs = nil
    }

    mutating func advance(_ nowBootMs: Int64) {
        if let ends = endsBootMs, ends <= nowBootMs {
            queue.removeFirst()
            endsBootMs = nil
        }
        if endsBootMs == nil { queue.removeAll { nowBootMs - $0.atBootMs >= Self.freshMs } }
        if endsBootMs == nil, !isHeldBack, !queue.isEmpty { endsBootMs = nowBootMs + Self.displayMs }
    }

    var current: Warning? { endsBootMs == nil ? nil : queue.first }

    func nextBootMs() -> Int64? { endsBootMs ?? (isHeldBack ? nil : queue.map { $0.atBootMs }.min()) }
}
