/// What the stores in force name, turned around.
package struct ShieldIndex: Sendable {
    package struct Found: Sendable, Equatable {
        package var causes: [ShieldCause]
        /// Whether any of them is about the app, or about the site.
        package var ofApp: Bool
        package var ofSite: Bool
    }

    /// By number; those that are free have been given back.
    private var names: [StoreName?] = []
    private var free: [Int32] = []
    /// The numbers in the order of the stores' names, and each one's place in it.
    private var order: [Int32] = []
    private var places: [Int32] = []

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
            places.append(0)
        } else {
            names[Int(slot)] = name
        }
        let place = place(of: name)
        order.insert(slot, at: place)
        for later in place..<order.count { places[Int(order[later])] = Int32(later) }
        post(shields, of: name, slot, adds: true)
    }

    mutating func remove(_ name: StoreName, _ shields: StoreShields) {
        let place = place(of: name)
        guard place < order.count, names[Int(order[place])] == name else { return }
        let slot = order.remove(at: place)
        for later in place..<order.count { places[Int(order[later])] = Int32(later) }
        post(shields, of: name, slot, adds: false)
        names[Int(slot)] = nil
        free.append(slot)
    }

    /// Where it is in the order of names, or would be.
    private func place(of name: StoreName) -> Int {
        var low = 0
        var high = order.count
        while low < high {
            let middle = (low + high) / 2
            if let other = names[Int(order[middle])], other < name { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func post(_ shields: StoreShields, of name: StoreName, _ slot: Int32, adds: Bool) {
        let places = places
        func change(_ list: inout [Int32]) {
            if adds { list.insert(slot: slot, places) } else { list.removeAll { $0 == slot } }
        }
        apps.change(shields.apps, slot, places, adds: adds)
        blocked.change(shields.blockedApps, slot, places, adds: adds)
        switch shields.categories.reach {
        case .none: break
        case .specific:
            categories.change(shields.categories.categories, slot, places, adds: adds)
            exempt.change(shields.categories.except, slot, places, adds: adds)
        case .all:
            change(&all)
            // Whoever shields everything goes on itself, or nobody could take it back.
            exempt.change(shields.categories.except.union([name.app]), slot, places, adds: adds)
        }
        domains.change(shields.domains, slot, places, adds: adds)
        switch shields.domainCategories.reach {
        case .none: break
        case .specific:
            domainCategories.change(shields.domainCategories.categories, slot, places, adds: adds)
            exemptDomains.change(shields.domainCategories.except, slot, places, adds: adds)
        case .all:
            change(&allDomains)
            exemptDomains.change(shields.domainCategories.except, slot, places, adds: adds)
        }
        switch shields.filter.reach {
        case .none: break
        case .specific, .auto:
            filtered.change(shields.filter.domains, slot, places, adds: adds)
            unfiltered.change(shields.filter.except, slot, places, adds: adds)
        case .all:
            change(&filteredAll)
            unfiltered.change(shields.filter.except, slot, places, adds: adds)
        }
    }

    // MARK: - Subjects

    func find(_ thing: ShieldThing) -> Found {
        var hits = ShieldHits()
        if let app = thing.app {
            hits.add(apps(app), .named, app, places)
            hits.add(blocked(app), .blocked, app, places)
        }
        let isApp = thing.app != nil || thing.category != nil
        if isApp, !all.isEmpty || !categories.isEmpty {
            let without = thing.app.flatMap { exempt($0) }
            if let category = thing.category {
                hits.add(categories(category), .category, category, places, without: without)
            }
            hits.add(all, .all, ShieldCause.everything, places, without: without)
        }
        let ofApp = !hits.isEmpty
        if thing.domain != nil || thing.domainCategory != nil { findSite(thing, &hits) }
        return Found(
            causes: hits.causes(names, order),
            ofApp: ofApp,
            ofSite: hits.hasSite
        )
    }

    private func findSite(_ thing: ShieldThing, _ hits: inout ShieldHits) {
        hits.turnToSite()
        var withoutCategory: [Int32] = []
        var withoutFilter: [Int32] = []
        if let domain = thing.domain {
            // The name itself, then all that it is part of.
            _ = DomainName.first(for: domain) { name -> Bool? in
                hits.add(domains(name), .named, name, places)
                if let slots = exemptDomains(name) { withoutCategory += slots }
                if let slots = unfiltered(name) { withoutFilter += slots }
                return nil
            }
            if !filtered.isEmpty {
                _ = DomainName.first(for: domain) { name -> Bool? in
                    hits.add(filtered(name), .filter, name, places, without: withoutFilter)
                    return nil
                }
            }
            hits.add(filteredAll, .filter, ShieldCause.everything, places, without: withoutFilter)
        }
        if let category = thing.domainCategory {
            hits.add(domainCategories(category), .category, category, places, without: withoutCategory)
        }
        hits.add(allDomains, .all, ShieldCause.everything, places, without: withoutCategory)
    }
}
