/// Planned actions, soonest first, and in the order of planning within one millisecond.
struct Agenda {
    private struct Entry {
        var atMs: Int64
        var order: Int
        var action: () -> Void

        func isBefore(_ other: Entry) -> Bool { (atMs, order) < (other.atMs, other.order) }
    }

    private var heap: [Entry] = []
    private var planned = 0

    var nextMs: Int64? { heap.first?.atMs }

    mutating func plan(atMs: Int64, _ action: @escaping () -> Void) {
        planned += 1
        heap.append(Entry(atMs: atMs, order: planned, action: action))
        var child = heap.count - 1
        while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func takeFirst() -> (() -> Void)? {
        guard let first = heap.first else { return nil }
        heap[0] = heap[heap.count - 1]
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].isBefore(heap[least]) { least = child }
            }
            guard least != parent else { return first.action }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    /// The actions retain the world, which retains this agenda.
    mutating func clear() { heap = [] }
}
