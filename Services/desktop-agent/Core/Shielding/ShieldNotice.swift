/// What a person is told beside the shield itself.
package struct ShieldNotice: Sendable, Equatable {
    package var id: String
    package var title: String
    package var body: String

    package init(id: String, title: String, body: String) {
        self.id = id
        self.title = title
        self.body = body
    }
}
