package import STDomain
package import STPlatform

package struct CategoryChoice: WireBody, Codable, Equatable {
    /// The value in place of a category for private apps and sites. A private app is recorded as `privateApp`, and a private site
    /// only as usage of its browser.
    package static let `private` = "private"
    package static let privateApp = "org.screentime.Private"

    /// An app, or `site:` and a domain.
    package var subject: String
    package var category: String
    /// True if a person chose the category, and false if the built-in list contains it.
    package var isOwn: Bool

    package init(subject: String, category: String, isOwn: Bool) {
        self.subject = subject
        self.category = category
        self.isOwn = isOwn
    }
}

package enum CategorySet: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var subject: String
        /// The category. `nil` restores that of the built-in list.
        package var category: String?
        package var proof: Proof?

        package init(subject: String, category: String? = nil, proof: Proof? = nil) {
            self.subject = subject
            self.category = category
            self.proof = proof
        }
    }

    package typealias Reply = CategoryChoice

    package static let name = "category.set"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary =
        "Sets the category of an app or a site for later usage, or keeps its name out of the records "
        + "(`private`). On a child's machine, requires a guardian's passcode if one is set."
}

package enum CategoryList: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var next: String?

        package init(next: String? = nil) {
            self.next = next
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var categories: [String]
        package var choices: [CategoryChoice]
        package var next: String?
        /// The lists of sites that people have added. Only on the first page.
        package var lists: [DomainList]?

        package init(
            categories: [String],
            choices: [CategoryChoice],
            next: String? = nil,
            lists: [DomainList]? = nil
        ) {
            self.categories = categories
            self.choices = choices
            self.next = next
            self.lists = lists
        }
    }

    package static let name = "category.list"
    package static let kind = RouteKind.read
    package static let summary =
        "Lists the categories, the apps and sites whose category people changed, and the lists of sites."
}

/// The source of a fact about an app or a site.
package enum FactSource: String, WireEnum {
    case person
    case desktop
    case list
    case unknown
}

/// The known facts about one app or site.
package struct SubjectFacts: WireBody, Codable, Equatable {
    /// An app, or `site:` and a domain.
    package var subject: String
    package var category: String
    package var source: FactSource
    /// The name in the app's desktop entry.
    package var name: String?
    /// The names in other languages, by language code.
    package var names: [String: String]
    /// The name of an icon, or the path of a picture.
    package var icon: String?
    /// The list of sites that contains the category, if a person has added one.
    package var list: String?

    package init(
        subject: String,
        category: String,
        source: FactSource,
        name: String? = nil,
        names: [String: String],
        icon: String? = nil,
        list: String? = nil
    ) {
        self.subject = subject
        self.category = category
        self.source = source
        self.name = name
        self.names = names
        self.icon = icon
        self.list = list
    }
}

package enum SubjectKnown: EventType {
    package typealias Body = SubjectFacts

    package static let stream = StreamName.activity
    package static let type = "activity.subject.known"
    package static let summary = "Announces the current name and category of an app or a site."
}

package enum CategoryFacts: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The apps and sites. `nil` means all.
        package var subjects: [String]?
        package var next: String?

        package init(subjects: [String]? = nil, next: String? = nil) {
            self.subjects = subjects
            self.next = next
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var facts: [SubjectFacts]
        package var next: String?

        package init(facts: [SubjectFacts], next: String? = nil) {
            self.facts = facts
            self.next = next
        }
    }

    package static let name = "category.facts"
    package static let kind = RouteKind.query
    package static let summary =
        "Returns the names, icons and categories of apps and sites, from desktop entries, lists and people."
}

/// A part of a list of sites that a person has added. The whole list does not fit into one event.
package struct DomainListPart: WireBody, Codable, Equatable {
    package var name: String
    package var category: String
    package var part: Int64
    /// The sites, in ASCII and lower case. Empty if this part was removed.
    package var domains: [String]

    package init(name: String, category: String, part: Int64, domains: [String]) {
        self.name = name
        self.category = category
        self.part = part
        self.domains = domains
    }
}

package enum DomainListKnown: EventType {
    package typealias Body = DomainListPart

    package static let stream = StreamName.activity
    package static let type = "activity.list.known"
    package static let summary = "Announces the current category and sites of one part of a list."
}

/// A list of sites that a person has added.
package struct DomainList: WireBody, Codable, Equatable {
    package var name: String
    package var category: String
    package var count: Int64
    package var addedAt: String

    package init(name: String, category: String, count: Int64, addedAt: String) {
        self.name = name
        self.category = category
        self.count = count
        self.addedAt = addedAt
    }
}

package enum CategoryListAdd: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var name: String
        package var category: String
        package var domains: [String]
        /// True to add to the list of that name, because the sites do not fit into one request.
        package var append: Bool?
        package var proof: Proof?

        package init(
            name: String,
            category: String,
            domains: [String],
            append: Bool? = nil,
            proof: Proof? = nil
        ) {
            self.name = name
            self.category = category
            self.domains = domains
            self.append = append
            self.proof = proof
        }
    }

    package typealias Reply = DomainList

    package static let name = "category.list.add"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary =
        "Adds a list of sites to a category, or replaces or extends the list of that name. "
        + "On a child's machine, requires a guardian's passcode if one is set."
}

package enum CategoryListRemove: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var name: String
        package var proof: Proof?

        package init(name: String, proof: Proof? = nil) {
            self.name = name
            self.proof = proof
        }
    }

    package typealias Reply = DomainList

    package static let name = "category.list.remove"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary =
        "Removes a list of sites. On a child's machine, requires a guardian's passcode if one is set."
}

/// The names and categories of apps and sites. Facts from activity-center have priority over the built-in list.
package struct SubjectFactIndex: Sendable, Equatable {
    package private(set) var known: [String: SubjectFacts] = [:]
    /// The lists of sites that people have added.
    package var lists = DomainLists()
    private static let map = CategoryMap()

    package init() {}

    package static let sitePrefix = "site:"

    /// Returns the key of an app, which does not depend on the desktop's spelling. activity-center uses the same keys.
    package static func key(_ subject: String) -> String {
        subject.hasPrefix(sitePrefix) ? subject : CategoryMap.normal(app: subject)
    }

    package mutating func apply(_ facts: SubjectFacts) { known[Self.key(facts.subject)] = facts }

    /// Applies a part of a list from activity-center. Ignores a category that this version does not recognise.
    package mutating func apply(_ part: DomainListPart) {
        guard let category = Category(rawValue: part.category) else { return }
        lists.set(part.name, part: Int(clamping: part.part), domains: part.domains, category: category)
    }

    package func facts(app: String) -> SubjectFacts? { known[Self.key(app)] }

    package func facts(domain: String) -> SubjectFacts? {
        DomainName.first(for: domain) { known[Self.sitePrefix + $0] }
    }

    package func category(ofApp app: String) -> String {
        facts(app: app)?.category ?? Self.map.category(ofApp: app).rawValue
    }

    /// Returns `nil` for a site that no list and no person has put into a category. A subdomain's category has priority over its
    /// domain's.
    package func category(ofDomain domain: String) -> String? {
        DomainName.first(for: domain) { name in
            known[Self.sitePrefix + name]?.category
                ?? lists.exact(name)?.category.rawValue
                // The loop continues with the shorter names, so this looks up only the exact name.
                ?? Self.map.exactCategory(ofVery: name)?.rawValue
        }
    }

    package func classify(_ subject: ShieldSubject) -> ClassifiedSubject {
        ClassifiedSubject(
            app: subject.app,
            category: subject.app.map(category(ofApp:)) ?? subject.category,
            domain: subject.domain,
            domainCategory: subject.domain.flatMap(category(ofDomain:))
        )
    }
}

/// Checks of the names of apps, categories and sites in requests.
package enum ItemCheck {
    /// Returns the item in its stored form. `code` is the code of the problem for an invalid name.
    package static func checked(_ item: TokenItem, _ field: String, code: String) throws -> TokenItem {
        switch try item.kind.required("\(field)/kind") {
        case .application, .unknown: return try app(item, field: field, code: code)
        case .category: return try category(item, field)
        case .domain: return try site(item, field: field, code: code)
        }
    }

    /// Returns the checked items without duplicates.
    package static func checked(_ items: [TokenItem], _ field: String, code: String) throws -> [TokenItem] {
        var seen: Set<TokenItem> = []
        return try items.enumerated().map { index, item in
            try checked(item, "\(field)/\(index)", code: code)
        }.filter { seen.insert($0).inserted }
    }

    private static func app(_ item: TokenItem, field: String, code: String) throws(Problem) -> TokenItem {
        guard item.id.contains(where: { !$0.isWhitespace }), item.id.isPlain,
            item.id.utf8.count <= UsageObserve.nameBytesMax
        else {
            throw Problem(
                code,
                """
                An app's name must be 1 to \(UsageObserve.nameBytesMax, "most") bytes long and must not \
                contain control characters.
                """,
                key: "category.bad-app-name",
                field: field
            )
        }
        return item
    }

    private static func category(_ item: TokenItem, _ field: String) throws(Problem) -> TokenItem {
        let known = Category.allCases.map(\.rawValue)
        guard known.contains(item.id) else {
            let list = known.joined(separator: ", ")
            throw Problem(
                "category.unknown",
                text: TextFormat.closest(to: item.id, in: known).map {
                    Message(
                        "category.unknown.item-did-you-mean",
                        "There is no category “\(item.id.prefix(40), "name")”. Did you mean \($0, "near")?"
                    )
                }
                    ?? Message(
                        "category.unknown.item",
                        "There is no category “\(item.id.prefix(40), "name")”. Categories: \(list, "known")."
                    ),
                field: field,
                help: "screentime category list"
            )
        }
        return item
    }

    /// Returns the problem of a request that names a category that does not exist.
    package static func unknownCategory(_ name: String, _ field: String) -> Problem {
        let known = Category.allCases.map(\.rawValue)
        let list = known.joined(separator: ", ")
        return Problem(
            "category.unknown",
            text: TextFormat.closest(to: name, in: known).map {
                Message(
                    "category.unknown.name-did-you-mean",
                    """
                    There is no category \(name, "name"). Did you mean \($0, "near")? Categories: \
                    \(list, "known").
                    """
                )
            }
                ?? Message(
                    "category.unknown.name",
                    "There is no category \(name, "name"). Categories: \(list, "known")."
                ),
            field: field
        )
    }

    /// Returns a site as a bare host name, because a browser reports nothing else.
    private static func site(_ item: TokenItem, field: String, code: String) throws(Problem) -> TokenItem {
        let name = DomainName.normal(item.id)
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let isHost =
            labels.count > 1 && name.utf8.count <= DomainName.bytesMax
            && labels.allSatisfy { label in
                !label.isEmpty && label.utf8.count <= 63 && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy { isHostByte($0) }
            }
        guard isHost else {
            throw Problem(
                code,
                "A site must be a host name such as reddit.com, without https:// and without a path.",
                key: "category.bad-site-name",
                field: field
            )
        }
        return TokenItem(kind: .domain, id: name)
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
