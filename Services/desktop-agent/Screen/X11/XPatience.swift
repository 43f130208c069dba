/// How often something is done at once; beyond that it has to wait.
///
/// Others may undo what we do, as often as they like: we answer at once for a while, and then at a steady pace.
struct XPatience {
    static let waitMs: Int64 = 50

    private let atOnce: Double
    private let perSecond: Double
    private var left: Double
    private var lastMs: Int64 = 0

    /// So many at once, and then so many in a second.
    init(atOnce: Double, perSecond: Double) {
        self.atOnce = atOnce
        self.perSecond = perSecond
        left = atOnce
    }

    mutating func take(nowMs: Int64) -> Bool {
        left = min(atOnce, left + Double(max(0, nowMs - lastMs)) * perSecond / 1_000)
        lastMs = nowMs
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
