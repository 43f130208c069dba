/// Which stores name something: numbers of stores by name, each list in the order of the stores' names.
struct ShieldPostings: Sendable {
    private var lists: [String: [Int32]] = [:]

    /// Without looking anything up where there is nothing, as hashing a name costs more than the rest.
    func callAsFunction(_ name: String) -> [Int32]? { lists.isEmpty ? nil : lists[name] }

    var isEmpty: Bool { lists.isEmpty }

    mutating func change(_ names: Set<String>, _ slot: Int32, _ places: [Int32], adds: Bool) {
        for name in names {
            if adds {
                lists[name, default: []].insert(slot: slot, places)
            } else {
                lists[name]?.removeAll { $0 == slot }
                if lists[name]?.isEmpty == true { lists[name] = nil }
            }
        }
    }
}

extension [Int32] {
    /// Stores that come and go move the places of others, and never the order among them.
    mutating func insert(slot: Int32, _ places: [Int32]) {
        let place = places[Int(slot)]
        var index = count
        while index > 0, places[Int(self[index - 1])] > place { index -= 1 }
        insert(slot, at: index)
    }
}
