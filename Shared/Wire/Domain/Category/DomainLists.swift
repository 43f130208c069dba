/// Lists of sites that people have added, each with a category.
package struct DomainLists: Sendable, Equatable {
    package struct List: Sendable, Equatable {
        package var category: Category
        /// The sites in the parts in which they were added. The lists are published and stored in the same parts.
        package var parts: [[String]]

        package init(category: Category, parts: [[String]]) {
            self.category = category
            self.parts = parts
        }

        package var count: Int { parts.reduce(0) { $0 + $1.count } }
    }

    package static let listsMax = 100
    /// Upper bound on the sites of all lists together, because they are kept in memory.
    package static let domainsMax = 50_000
    /// A part must fit into one event.
    package static let partBytesMax = 40 * 1024

    /// Upper bound on the parts of a list. No list needs that many, because every part except the last is nearly full.
    package static let partsMax = 5_000

    package private(set) var lists: [String: List] = [:]
    /// For each site, the name of the first list that contains it.
    private var owners: [String: String] = [:]

    package init() {}

    package var count: Int { lists.values.reduce(0) { $0 + $1.count } }

    package mutating func set(_ name: String, _ list: List?) {
        let old = lists[name]
        lists[name] = list
        // Only the parts that changed. An array that is the same one is not compared site by site.
        let before = old?.parts ?? []
        let after = list?.parts ?? []
        var gone: Set<String> = []
        for (index, part) in before.enumerated() where index >= after.count || after[index] != part {
            gone.formUnion(part)
        }
        for (index, part) in after.enumerated() where index >= before.count || before[index] != part {
            gone.subtract(part)
            claim(part, name)
        }
        release(gone, of: name)
    }

    /// Releases the sites of changed parts that the changed parts no longer contain.
    private mutating func release(_ gone: Set<String>, of name: String) {
        var gone = gone.filter { owners[$0] == name }
        // They may have moved to a part that was published before.
        for part in lists[name]?.parts ?? [] where !gone.isEmpty { gone.subtract(part) }
        guard !gone.isEmpty else { return }
        for domain in gone { owners[domain] = nil }
        // Sites that another list also contains belong to that list now.
        for (other, list) in lists where other != name {
            for part in list.parts { claim(part.filter(gone.contains), other) }
        }
    }

    /// Sets one part of a list, as it is published. An empty part is removed.
    package mutating func set(_ name: String, part: Int, domains: [String], category: Category) {
        guard (0..<Self.partsMax).contains(part) else { return }
        var list = lists[name] ?? List(category: category, parts: [])
        list.category = category
        while list.parts.count <= part { list.parts.append([]) }
        list.parts[part] = domains
        while list.parts.last?.isEmpty == true { list.parts.removeLast() }
        set(name, list.parts.isEmpty ? nil : list)
    }

    /// If several lists contain a site, the first list by name counts.
    private mutating func claim(_ part: [String], _ name: String) {
        for domain in part where owners[domain].map({ name < $0 }) ?? true { owners[domain] = name }
    }

    /// The category of exactly this name, and the list that contains it.
    package func exact(_ domain: String) -> (category: Category, list: String)? {
        guard let name = owners[domain], let list = lists[name] else { return nil }
        return (list.category, name)
    }

    /// The parts of a list after adding sites. The last part is filled first, so that the published parts before it do not change.
    package static func parts(_ old: [[String]], with domains: [String]) -> [[String]] {
        // A list that was built from many small pieces is split again, once.
        guard old.count <= refillMax else { return parts(old.joined() + domains) }
        return old.dropLast() + parts((old.last ?? []) + domains)
    }

    /// Greater than the number of parts of the largest possible list.
    static let refillMax = 400

    /// Splits sites into parts.
    package static func parts(_ domains: [String]) -> [[String]] {
        var parts: [[String]] = []
        var bytes = partBytesMax
        for domain in domains {
            let size = domain.utf8.count + 3
            if bytes + size > partBytesMax {
                parts.append([])
                bytes = 0
            }
            parts[parts.count - 1].append(domain)
            bytes += size
        }
        return parts
    }
}
