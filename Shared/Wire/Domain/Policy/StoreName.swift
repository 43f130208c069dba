/// A named store of one app for one member.
package struct StoreName: Sendable, Hashable, Comparable {
    package var app: String
    package var member: String
    package var store: String

    package init(app: String, member: String, store: String) {
        self.app = app
        self.member = member
        self.store = store
    }

    /// By app, then by name: the order in which causes are told.
    package static func < (left: StoreName, right: StoreName) -> Bool {
        (left.app, left.store, left.member) < (right.app, right.store, right.member)
    }
}
