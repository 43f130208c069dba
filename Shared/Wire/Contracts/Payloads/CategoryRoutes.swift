package struct CategoryChoice: WireBody, Codable, Equatable {
    /// An app, or `site:` and a domain.
    package var subject: String
    package var category: String
    /// Whether a person chose it, rather than our list.
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
        /// Nil goes back to our own list.
        package var category: String?

        package init(subject: String, category: String? = nil) {
            self.subject = subject
            self.category = category
        }
    }

    package typealias Reply = CategoryChoice

    package static let name = "category.set"
    package static let kind = RouteKind.write
    package static let summary = "Puts an app or a site into a category; use from now on counts there."
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
        /// The lists of sites that people have added, with the first page.
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
    package static let summary = "The categories, and what people have moved."
}
