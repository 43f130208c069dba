package import STContracts

/// The moment has come at which something may have to be told: from the process itself, never from outside.
package enum ActivityTick: Route {
    package typealias Request = Empty
    package typealias Reply = NextDue

    package static let name = "activity.tick"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Brings intervals up to date and says when to look again."
}

/// When to look at the clock again.
package struct NextDue: WireBody, Codable, Equatable {
    package var dueWallMs: Int64?
    /// The zone that intervals are cut in now; nil while nothing is watched.
    package var zone: String?

    package init(dueWallMs: Int64?, zone: String?) {
        self.dueWallMs = dueWallMs
        self.zone = zone
    }
}

/// What is known without writing.
package enum ActivityDue: Route {
    package typealias Request = Empty
    package typealias Reply = NextDue

    package static let name = "activity.due"
    package static let kind = RouteKind.read
    package static let access: Access = []
    package static let summary = "When intervals have to be looked at next."
}
