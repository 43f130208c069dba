package import STPlatform

/// An inverted index of the stores in force: from apps, categories and sites to the stores that name them.
package struct ShieldIndex: Sendable {
    package struct Found: Sendable, Equatable {
        package var causes: [ShieldCause]
        /// True if any cause concerns the app, or the site.
        package var isAppShielded: Bool
        package var isSiteShielded: Bool
    }

    /// Store names by slot number. `free` contains the released slots.
    private var names: [StoreName?] = []
    private var free: [Int32] = []
    /// The slots in the order of the stores' names, and the position of each slot in that order.
    private var order: [Int32] = []
    private var positions: [Int32] = []

    private var apps = ShieldPostings()
    private var blocked = ShieldPostings()
    private var categories = ShieldPostings()
    private var all: [Int32] = []
    private var exempt = ShieldPostings()
    private var domains = ShieldPostings()
    private var domainCategories = ShieldPostings()
    private var allDomains: [Int32] = []
    private var exemptDomains = ShieldPostings()
    private var filtered = ShieldPostings()
    private var filteredAll: [Int32] = []
    private var unfiltered = ShieldPostings()

    // MARK: - Stores

    mutating func add(_ name: StoreName, _ shields: StoreShields) {
        let slot = free.popLast() ?? Int32(names.count)
        if Int(slot) == names.count {
            names.append(name)
            positions.append(0)
        } else {
            names[Int(slot)] = name
        }
        let place = place(of: name)
        order.insert(slot, at: place)
        for later in place..<order.count { positions[Int(order[later])] = Int32(later) }
        updatePostings(shields, of: name, slot, adds: true)
    }

    mutating func remove(_ name: StoreName, _ shields: StoreShields) {
        let place = place(of: name)
        guard place < order.count, names[Int(order[place])] == name else { return }
        let slot = order.remove(at: place)
        for later in place..<order.count { positions[Int(order[later])] = Int32(later) }
        updatePostings(shields, of: name, slot, adds: false)
        names[Int(slot)] = nil
        free.append(slot)
    }

    /// The position of a name in the order of names, also if it is not in it yet.
    private func place(of name: StoreName) -> Int {
        var low = 0
        var high = order.count
        while low < high {
            let middle = (low + high) / 2
            if let other = names[Int(order[middle])], other < name { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func updatePostings(
        _ shields: StoreShields,
        of name: StoreName,
        _ slot: Int32,
        adds: Bool
    ) {
        let places = positions
        func change(_ list: inout [Int32]) {
            if adds { list.insert(slot: slot, places) } else { list.removeAll { $0 == slot } }
        }
        apps.change(shields.apps, slot: slot, places: places, adds: adds)
        blocked.change(shields.blockedApps, slot: slot, places: places, adds: adds)
        switch shields.categories.reach {
        case .none: break
        case .specific:
            categories.change(shields.categories.categories, slot: slot, places: places, adds: adds)
            exempt.change(shields.categories.except, slot: slot, places: places, adds: adds)
        case .all:
            change(&all)
            // An app that shields everything is exempt itself. Otherwise the person could not undo it.
            exempt.change(shields.categories.except.union([name.app]), slot: slot, places: places, adds: adds)
        }
        domains.change(shields.domains, slot: slot, places: places, adds: adds)
        switch shields.domainCategories.reach {
        case .none: break
        case .specific:
            domainCategories.change(
                shields.domainCategories.categories,
                slot: slot,
                places: places,
                adds: adds
            )
            exemptDomains.change(shields.domainCategories.except, slot: slot, places: places, adds: adds)
        case .all:
            change(&allDomains)
            exemptDomains.change(shields.domainCategories.except, slot: slot, places: places, adds: adds)
        }
        switch shields.filter.reach {
        case .none: break
        case .specific, .auto:
            filtered.change(shields.filter.domains, slot: slot, places: places, adds: adds)
            unfiltered.change(shields.filter.except, slot: slot, places: places, adds: adds)
        case .all:
            change(&filteredAll)
            unfiltered.change(shields.filter.except, slot: slot, places: places, adds: adds)
        }
    }

    // MARK: - Subjects

    func find(_ thing: ClassifiedSubject) -> Found {
        var hits = ShieldHits()
        if let app = thing.app {
            hits.add(apps(app), way: .named, what: app, places: positions)
            hits.add(blocked(app), way: .blocked, what: app, places: positions)
        }
        let isApp = thing.app != nil || thing.category != nil
        if isApp, !all.isEmpty || !categories.isEmpty {
            let without = thing.app.flatMap { exempt($0) }
            if let category = thing.category {
                hits.add(
                    categories(category),
                    way: .category,
                    what: category,
                    places: positions,
                    without: without
                )
            }
            hits.add(all, way: .all, what: ShieldCause.everything, places: positions, without: without)
        }
        let ofApp = !hits.isEmpty
        if thing.domain != nil || thing.domainCategory != nil { findSite(thing, &hits) }
        return Found(
            causes: hits.causes(names, order),
            isAppShielded: ofApp,
            isSiteShielded: hits.hasSite
        )
    }

    private func findSite(_ thing: ClassifiedSubject, _ hits: inout ShieldHits) {
        hits.beginSite()
        var withoutCategory: [Int32] = []
        var withoutFilter: [Int32] = []
        if let domain = thing.domain {
            // The name itself, then its parent domains.
            _ = DomainName.first(for: domain) { name -> Bool? in
                hits.add(domains(name), way: .named, what: name, places: positions)
                if let slots = exemptDomains(name) { withoutCategory += slots }
                if let slots = unfiltered(name) { withoutFilter += slots }
                return nil
            }
            if !filtered.isEmpty {
                _ = DomainName.first(for: domain) { name -> Bool? in
                    hits.add(
                        filtered(name),
                        way: .filter,
                        what: name,
                        places: positions,
                        without: withoutFilter
                    )
                    return nil
                }
            }
            hits.add(
                filteredAll,
                way: .filter,
                what: ShieldCause.everything,
                places: positions,
                without: withoutFilter
            )
        }
        if let category = thing.domainCategory {
            hits.add(
                domainCategories(category),
                way: .category,
                what: category,
                places: positions,
                without: withoutCategory
            )
        }
        hits.add(
            allDomains,
            way: .all,
            what: ShieldCause.everything,
            places: positions,
            without: withoutCategory
        )
    }
}

/// The slots of the stores that contain a name, by name. Each list is in the order of the stores' names.
struct ShieldPostings: Sendable {
    private var lists: [String: [Int32]] = [:]

    /// Looks up a name. An empty index needs no lookup, because hashing a name costs more than the rest.
    func callAsFunction(_ name: String) -> [Int32]? { lists.isEmpty ? nil : lists[name] }

    var isEmpty: Bool { lists.isEmpty }

    mutating func change(_ names: Set<String>, slot: Int32, places: [Int32], adds: Bool) {
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
    /// Inserts a slot in the order of names. Adding and removing stores changes positions, but never the order of the other stores.
    mutating func insert(slot: Int32, _ places: [Int32]) {
        let place = places[Int(slot)]
        var index = count
        while index > 0, places[Int(self[index - 1])] > place { index -= 1 }
        insert(slot, at: index)
    }
}

/// The matches of one subject, sorted once all are collected.
struct ShieldHits {
    private struct List {
        var kind: ShieldCause.Way
        var name: String
    }

    /// The position of the store, the way and the index of the list, in one number, because numbers sort quickly.
    private var keys: [UInt64] = []
    private var lists: [List] = []
    private var beforeSite: Int?
    /// Each list is sorted, so only several lists need sorting.
    private var isSorted = true

    var isEmpty: Bool { keys.isEmpty }
    var hasSite: Bool { beforeSite.map { keys.count > $0 } ?? false }

    mutating func beginSite() { beforeSite = keys.count }

    mutating func add(
        _ slots: [Int32]?,
        way: ShieldCause.Way,
        what: String,
        places: [Int32],
        without: [Int32]? = nil
    ) {
        guard let slots, !slots.isEmpty else { return }
        let low = UInt64(way.order) << 16 | UInt64(lists.count)
        if !keys.isEmpty { isSorted = false }
        lists.append(List(kind: way, name: what))
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
            causes.append(ShieldCause(store: store, way: list.kind, what: list.name))
        }
        return causes
    }
}

/// Sentences that say what would lift a shield, or why there is none.
package enum ShieldLiftMessages {
    private static let messagesMax = 10

    /// Returns the sentences of a decision. `named` returns the name of an app, and `rule` the name of a store's rule.
    package static func messages(
        _ decision: ShieldDecision,
        rules: String,
        named: (String) -> String,
        rule: (StoreName) -> String = { $0.store }
    ) -> [Message] {
        switch decision.exemption {
        case .always:
            return [
                Message(
                    "shield-why.is-always-allowed",
                    "It is on the always-allowed list, so no rule or app shields it."
                )
            ]
        case .grant(let request):
            return [
                Message(
                    "shield-why.request-was-granted",
                    """
                    The request \(request, "request") was granted. The shield returns when the granted time \
                    ends or is revoked.
                    """
                )
            ]
        case nil: break
        }
        guard decision.isShielded else {
            return [Message("shield-why.no-store-shields-it", "No rule or app shields it.")]
        }
        var sentences = decision.causes.map { cause in
            let store = cause.store
            if store.app == rules { return pausing(rule(store)) }
            let owner = Message(
                "shield-why.the-store",
                "The settings store \(store.store, "store") of \(named(store.app), "app")"
            )
            return message(cause, owner)
        }
        if sentences.count > messagesMax {
            let more = sentences.count - messagesMax
            sentences = Array(sentences.prefix(messagesMax))
            sentences.append(
                Message(
                    "shield-why.more-settings-shield-it",
                    count: more,
                    one: "\(more, "count") more setting shields it.",
                    other: "\(more, "count") more settings shield it."
                )
            )
        }
        sentences.append(
            Message(
                "shield-why.what-lifts-all",
                "To override all of these, grant more time, or add the app or site to the always-allowed list."
            )
        )
        return sentences
    }

    private static func pausing(_ rule: String) -> Message {
        let isWord = rule.allSatisfy { $0.isLetter || $0.isNumber || "-_.:".contains($0) }
        let typed = isWord ? rule : "'" + rule.replacing("'", with: "'\\''") + "'"
        return Message(
            "shield-why.pause-the-rule",
            "Pause the rule “\(rule, "rule")”, for example: screentime rule pause \(typed, "typed") --for 1h"
        )
    }

    private static func message(_ cause: ShieldCause, _ owner: Message) -> Message {
        switch cause.kind {
        case .named:
            Message(
                "shield-why.has-to-remove-it",
                "\(owner, "owner") has to stop shielding \(cause.name, "name")."
            )
        case .category:
            Message(
                "shield-why.has-to-remove-its-category",
                """
                \(owner, "owner") has to stop shielding the category \(cause.name, "category"), or make an \
                exception.
                """
            )
        case .all:
            Message(
                "shield-why.has-to-end-shielding-everything",
                "\(owner, "owner") has to stop shielding everything, or make an exception."
            )
        case .blocked:
            Message(
                "shield-why.has-to-stop-blocking-it",
                "\(owner, "owner") has to stop blocking \(cause.name, "name")."
            )
        case .filter where cause.name == ShieldCause.everything:
            Message(
                "shield-why.has-to-end-its-filter",
                "\(owner, "owner") has to end its web filter, or make an exception for this site."
            )
        case .filter:
            Message(
                "shield-why.has-to-remove-from-filter",
                "\(owner, "owner") has to remove \(cause.name, "site") from its web filter."
            )
        }
    }
}
