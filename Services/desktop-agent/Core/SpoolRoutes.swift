package import STContracts

/// Steps that the agent takes by itself.
///
/// Nobody may call them over the bus: they have no role at all.
package enum SpoolPeek: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable {
        package var hasWaiting: Bool
        /// When a script goes on, by this machine's boot time.
        package var nextBootMs: Int64?
    }

    package static let name = "desktop.spool.peek"
    package static let kind = RouteKind.read
    package static let access: Access = []
    package static let summary = "Whether anything waits, and when a script goes on."
}

/// What was seen of the real desktop, numbered within a run.
///
/// Numbers that are there already are passed over, so that it can be said again.
package enum SpoolAdd: Route {
    package struct Request: WireBody, Codable {
        package var run: String
        package var observations: [Observation]

        package init(run: String, observations: [Observation]) {
            self.run = run
            self.observations = observations
        }
    }

    package typealias Reply = Empty

    package static let name = "desktop.spool.add"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Writes what was seen into the spool."
}

package enum SpoolAdvance: Route {
    package typealias Request = Empty
    package typealias Reply = Empty

    package static let name = "desktop.spool.advance"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Writes what is due into the spool."
}

package enum SpoolNext: Route {
    package struct Request: WireBody, Codable {
        /// Runs that are passed over.
        package var except: [String]

        package init(except: [String]) { self.except = except }
    }

    package struct Reply: WireBody, Codable {
        package var run: String?
        package var observations: [Observation]
    }

    package static let name = "desktop.spool.next"
    package static let kind = RouteKind.query
    package static let access: Access = []
    package static let summary = "The oldest observations that wait, all of one run, but for some runs."
}

package enum SpoolDone: Route {
    package struct Request: WireBody, Codable {
        package var run: String
        package var through: Int64
        /// The boot time, of that run's observations, at which to say "still so".
        package var checkAt: Int64?

        package init(run: String, through: Int64, checkAt: Int64? = nil) {
            self.run = run
            self.through = through
            self.checkAt = checkAt
        }
    }

    package typealias Reply = Empty

    package static let name = "desktop.spool.done"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Lets go of what was accepted."
}

package enum SpoolRenumber: Route {
    package struct Request: WireBody, Codable {
        package var run: String

        package init(run: String) { self.run = run }
    }

    package typealias Reply = Empty

    package static let name = "desktop.spool.renumber"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Goes on as a new run, because the other side no longer knows the old one."
}

/// Plays what a file says, once: a service that is started again must not count a day twice.
package enum ScriptStart: Route {
    package struct Request: WireBody, Codable {
        /// Of the file's content: another content is another script.
        package var digest: String
        package var plays: [DesktopPlay.Request]

        package init(digest: String, plays: [DesktopPlay.Request]) {
            self.digest = digest
            self.plays = plays
        }
    }

    package struct Reply: WireBody, Codable {
        package var isNew: Bool
    }

    package static let name = "desktop.script.start"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Plays the scripts of a file that was not played before."
}
