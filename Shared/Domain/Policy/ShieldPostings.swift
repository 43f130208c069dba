/// Which stores name something: numbers of stores by name.
struct ShieldPostings: Sendable {
    private var lists: [String: [Int32]] = [:]

    func callAsFunction(_ name: String) -> [Int32]? { lists[name] }

    var isEmpty: Bool { lists.isEmpty }

    mutating func change(_ names: Set<String>, _ slot: Int32, adds: Bool) {
        for name in names { change(name, slot, adds: adds) }
    }

    mutating func change(_ name: String, _ slot: Int32, adds: Bool) {
        if adds {
            lists[name, default: []].append(slot)
        } else {
            lists[name]?.removeAll { $0 == slot }
            if lists[name]?.isEmpty == true { lists[name] = nil }
        }
    }
}
