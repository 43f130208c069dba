/// What was found of one subject, to be put in order once it is all there.
struct ShieldHits {
    private struct List {
        var way: ShieldCause.Way
        var what: String
    }

    /// Place of the store, the way, and which list it comes from, in one number: sorting those is quick.
    private var keys: [UInt64] = []
    private var lists: [List] = []
    private var beforeSite: Int?
    /// Each list is in order, so it is only several that need sorting.
    private var isSorted = true

    var isEmpty: Bool { keys.isEmpty }
    var hasSite: Bool { beforeSite.map { keys.count > $0 } ?? false }

    mutating func turnToSite() { beforeSite = keys.count }

    mutating func add(
        _ slots: [Int32]?,
        _ way: ShieldCause.Way,
        _ what: String,
        _ places: [Int32],
        without: [Int32]? = nil
    ) {
        guard let slots, !slots.isEmpty else { return }
        let low = UInt64(way.order) << 16 | UInt64(lists.count)
        if !keys.isEmpty { isSorted = false }
        lists.append(List(way: way, what: what))
        keys.reserveCapacity(keys.count + slots.count)
        if let without, !without.isEmpty {
            for slot in slots where !without.contains(slot) {
                keys.append(UInt64(places[Int(slot)]) << 32 | low)
            }
        } else {
            for slot in slots { keys.append(UInt64(places[Int(slot)]) << 32 | low) }
        }
    }

    func causes(_ names: [StoreName?], _ order: [Int32]) -> [ShieldCause] {
        guard !keys.isEmpty else { return [] }
        var causes: [ShieldCause] = []
        causes.reserveCapacity(keys.count)
        for key in isSorted ? keys : keys.sorted() {
            let list = lists[Int(key & 0xffff)]
            guard let store = names[Int(order[Int(key >> 32)])] else { continue }
            causes.append(ShieldCause(store: store, way: list.way, what: list.what))
        }
        return causes
    }
}
