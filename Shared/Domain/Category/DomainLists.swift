/// Lists of sites that people have added, each in a category.
package struct DomainLists: Sendable, Equatable {
    package struct List: Sendable, Equatable {
        package var category: Category
        /// As they came, part by part: so they are told, and so they are kept.
        package var parts: [[String]]

        package init(category: Category, parts: [[String]]) {
            self.category = category
            self.parts = parts
        }

        package var count: Int { parts.reduce(0) { $0 + $1.count } }
    }

    package static let listsMax = 100
    /// Of all lists together: all of them are kept in memory.
    package static let domainsMax = 50_000
    /// A part fits into one event.
    package static let partBytesMax = 40 * 1024

    /// Every part but the last of a request is nearly full, and no request is smaller than one site.
    package static let partsMax = 5_000

    package private(set) var lists: [String: List] = [:]
    /// Of each site the name of the first list that has it.
    private var owners: [String: String] = [:]

    package init() {}

    package var count: Int { lists.values.reduce(0) { $0 + $1.count } }

    package mutating func set(_ name: String, _ list: List?) {
        let old = lists[name]
        lists[name] = list
        for domain in old?.parts.joined() ?? [].joined() where owners[domain] == name {
            owners[domain] = nil
        }
        if old != nil {
            // What another list has as well is that one's now.
            for (other, list) in lists.sorted(by: { $0.key < $1.key }) where other != name {
                own(list, other)
            }
        }
        if let list { own(list, name) }
    }

    /// One part of a list, as it is told; an empty one is gone.
    package mutating func set(_ name: String, part: Int, _ domains: [String], _ category: Category) {
        guard (0..<Self.partsMax).contains(part) else { return }
        var list = lists[name] ?? List(category: category, parts: [])
        list.category = category
        while list.parts.count <= part { list.parts.append([]) }
        list.parts[part] = domains
        while list.parts.last?.isEmpty == true { list.parts.removeLast() }
        set(name, list.parts.isEmpty ? nil : list)
    }

    private mutating func own(_ list: List, _ name: String) {
        for part in list.parts {
            for domain in part where owners[domain].map({ name < $0 }) ?? true { owners[domain] = name }
        }
    }

    /// Of a name exactly, and the list that says so.
    package func exact(_ domain: String) -> (category: Category, list: String)? {
        guard let name = owners[domain], let list = lists[name] else { return nil }
        return (list.category, name)
    }

    /// Cuts what comes in one request into parts.
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
