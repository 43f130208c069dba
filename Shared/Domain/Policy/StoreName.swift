/// A named store of one app for one member.
package struct StoreName: Sendable, Hashable {
    package var app: String
    package var member: String
    package var store: String

    package init(app: String, member: String, store: String) {
        self.app = app
        self.member = member
        self.store = store
    }
}
