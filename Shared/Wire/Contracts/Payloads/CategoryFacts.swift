/// Who says what an app or a site is for.
package enum FactSource: String, WireEnum {
    case person
    case desktop
    case list
    case unknown
}

/// What is known of one app or site.
package struct SubjectFacts: WireBody, Codable, Equatable {
    /// An app, or `site:` and a domain.
    package var subject: String
    package var category: String
    package var source: FactSource
    /// As its desktop entry has it.
    package var name: String?
    /// The same in other languages, by their codes.
    package var names: [String: String]
    /// The name of an icon, or the path of a picture.
    package var icon: String?
    /// The list that says so, where somebody has added it.
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
    package static let summary = "An app or a site is called and counted like this from now on."
}

package enum CategoryFacts: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// Nil is all.
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
    package static let summary = "What is known of apps and sites, from desktop entries, lists and people."
}

/// A part of a list of sites that somebody has added: all of it does not fit into one event.
package struct DomainListPart: WireBody, Codable, Equatable {
    package var name: String
    package var category: String
    package var part: Int64
    /// In ASCII and lower case; empty when this part is gone.
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
    package static let summary = "The sites of this part of a list count like this from now on."
}

/// A list of sites that somebody has added.
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
        /// Adds to the list of that name, because more was to be sent than a request holds.
        package var append: Bool?

        package init(name: String, category: String, domains: [String], append: Bool? = nil) {
            self.name = name
            self.category = category
            self.domains = domains
            self.append = append
        }
    }

    package typealias Reply = DomainList

    package static let name = "category.list.add"
    package static let kind = RouteKind.write
    package static let summary = "Adds a list of sites to a category, in place of the one of that name."
}

package enum CategoryListRemove: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var name: String

        package init(name: String) {
            self.name = name
        }
    }

    package typealias Reply = DomainList

    package static let name = "category.list.remove"
    package static let kind = RouteKind.write
    package static let summary = "Takes a list of sites away."
}
