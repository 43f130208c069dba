@testable import STDesktopCore

/// How long each sight lasted, by changes with their moments.
struct ToldTime {
    private(set) var ms: [Sight: Int64] = [:]
    private var last: (sight: Sight, bootMs: Int64)?
    private var changes: [Int64] = []

    mutating func take(_ sight: Sight, atBootMs bootMs: Int64) {
        if let last {
            add(last.sight, bootMs - last.bootMs)
            if last.sight != sight { changes.append(bootMs) }
        }
        last = (sight, bootMs)
    }

    mutating func end(_ bootMs: Int64) {
        if let last { add(last.sight, bootMs - last.bootMs) }
        last = nil
    }

    var mostChangesInASecond: Int {
        var most = 0
        var first = 0
        for index in changes.indices {
            while changes[index] - changes[first] >= 1_000 { first += 1 }
            most = max(most, index - first + 1)
        }
        return most
    }

    private mutating func add(_ sight: Sight, _ lastedMs: Int64) {
        if lastedMs > 0 { ms[sight, default: 0] += lastedMs }
    }
}
