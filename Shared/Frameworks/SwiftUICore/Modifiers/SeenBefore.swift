import Foundation

/// A value as it was at the last look.
final class SeenBefore<Value> {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// What a publisher said at once.
final class HeardValues<Value>: @unchecked Sendable {
    // @unchecked: read and written under the lock.
    private static var valuesMax: Int { 1_000 }

    private let lock = NSLock()
    private var values: [Value] = []
    private var isOver = false

    func add(_ value: Value) {
        lock.withLock { if !isOver, values.count < Self.valuesMax { values.append(value) } }
    }

    func end() -> [Value] {
        lock.withLock {
            isOver = true
            return values
        }
    }
}
