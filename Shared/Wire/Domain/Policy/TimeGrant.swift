/// More time that was granted: until then its things are not shielded.
package struct TimeGrant: Sendable, Hashable {
    /// The request's name, such as R7.
    package var request: String
    package var member: String
    /// Nothing in it means everything.
    package var things: ThingSet
    /// Wall time; nil has no end.
    package var untilMs: Int64?

    package init(request: String, member: String, things: ThingSet, untilMs: Int64?) {
        self.request = request
        self.member = member
        self.things = things
        self.untilMs = untilMs
    }

    func isOn(at wallMs: Int64) -> Bool { untilMs.map { wallMs < $0 } ?? true }

    func holds(app: String?, category: String?) -> Bool {
        things.isEmpty || things.holds(app: app, category: category)
    }

    func holds(domain: String?, category: String?) -> Bool {
        things.isEmpty || things.holds(domain: domain, category: category)
    }
}
