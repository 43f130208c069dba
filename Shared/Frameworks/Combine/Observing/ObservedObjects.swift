import Synchronization

/// The publishers of objects that have none of their own.
///
/// Kept here rather than in the `@Published` properties, because those cannot be found from their object without
/// reflection, which would read every other property, too. Neither the object nor the publisher is kept alive: whoever is
/// subscribed keeps the publisher.
final class ObservedObjects: @unchecked Sendable {
    // @unchecked: the table is read and written under `lock`.
    static let shared = ObservedObjects()

    /// Below this nobody looks for what is gone.
    private static let pruneFrom = 64

    private struct Entry {
        weak var object: AnyObject?
        weak var publisher: ObservableObjectPublisher?
    }

    private let lock = Lock()
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var pruneAt = ObservedObjects.pruneFrom
    /// So that a change costs nothing in a process where nobody observes.
    private let isUsed = Atomic(false)

    func publisher(of object: AnyObject) -> ObservableObjectPublisher {
        let key = ObjectIdentifier(object)
        return lock.withLock {
            if let entry = entries[key], entry.object === object, let publisher = entry.publisher {
                return publisher
            }
            let publisher = ObservableObjectPublisher()
            entries[key] = Entry(object: object, publisher: publisher)
            isUsed.store(true, ordering: .releasing)
            if entries.count >= pruneAt {
                entries = entries.filter { $0.value.object != nil && $0.value.publisher != nil }
                pruneAt = max(Self.pruneFrom, entries.count * 2)
            }
            return publisher
        }
    }

    func willChange(_ object: AnyObject) {
        guard isUsed.load(ordering: .acquiring) else { return }
        let publisher = lock.withLock { () -> ObservableObjectPublisher? in
            guard let entry = entries[ObjectIdentifier(object)], entry.object === object else { return nil }
            return entry.publisher
        }
        publisher?.send()
    }
}
