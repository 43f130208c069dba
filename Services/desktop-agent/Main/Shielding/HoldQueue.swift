import STDesktop
import STDesktopCore

/// Does what is to be done with the processes of apps: for each app one thing after the other, in the order asked.
struct HoldQueue {
    private var waiting: [String: [ShieldOrder]] = [:]

    /// Whether nothing of this app is under way, so that it can begin.
    mutating func add(_ order: ShieldOrder, _ app: String) -> Bool {
        let isFirst = waiting[app] == nil
        waiting[app, default: []].append(order)
        return isFirst
    }

    func first(_ app: String) -> ShieldOrder? { waiting[app]?.first }

    mutating func removeFirst(_ app: String) {
        waiting[app]?.removeFirst()
        if waiting[app]?.isEmpty == true { waiting[app] = nil }
    }

    var isEmpty: Bool { waiting.isEmpty }
}
