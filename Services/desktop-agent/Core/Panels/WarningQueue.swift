import STPlatform

/// The notifications that panels show on a desktop without notifications.
struct WarningQueue: Sendable {
    static let displayLength: Duration = .seconds(8)
    /// The age at which a notification that was never shown is dropped.
    static let ageMax: Duration = .seconds(60)
    static let queueMax = 4

    struct Warning: Sendable, Equatable {
        var id: String
        var title: String
        var text: String
        var at: BootTime
    }

    private var queue: [Warning] = []
    private var ends: BootTime?
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
        if isHeldBack { ends = nil }
    }

    /// Drops the visible warning, because the shield that it announced has appeared.
    mutating func removeDisplayed() {
        guard ends != nil else { return }
        queue.removeFirst()
        ends = nil
    }

    mutating func advance(_ now: BootTime) {
        if let ends, ends <= now {
            queue.removeFirst()
            self.ends = nil
        }
        if ends == nil { queue.removeAll { now - $0.at >= Self.ageMax } }
        if ends == nil, !isHeldBack, !queue.isEmpty { ends = now + Self.displayLength }
    }

    var current: Warning? { ends == nil ? nil : queue.first }

    func nextDue() -> BootTime? { ends ?? (isHeldBack ? nil : queue.map(\.at).min()) }
}
