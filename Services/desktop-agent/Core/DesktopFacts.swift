package import STContracts
import STPlatform
import Synchronization

/// What the process knows of the screen and keeps nowhere: the routes that read answer from it.
///
/// Whoever of the process knows something hands it over, or a closure that says it. Both are used on the bus thread.
package final class DesktopFacts: Sendable {
    /// What can be seen at this moment.
    package struct Sight: Sendable, Equatable {
        package var source: AdapterKind
        package var reason: String
        package var isBlind: Bool
        package var wayOut: String?
        package var member: String?
        package var presence: Presence?
        package var app: String?
        /// Observations that went straight to activity-center, past the spool.
        package var told: Int64 = 0

        package init(source: AdapterKind, reason: String, isBlind: Bool, wayOut: String? = nil) {
            self.source = source
            self.reason = reason
            self.isBlind = isBlind
            self.wayOut = wayOut
        }
    }

    private typealias Answerer = @Sendable ([UInt8]) throws -> [UInt8]

    private struct Known {
        var sight: Sight?
        var answerers: [String: Answerer] = [:]
    }

    private let known = Mutex(Known())

    package init() {}

    /// Nil while this process does not look at the desktop at all.
    package var sight: Sight? { known.withLock { $0.sight } }

    package func set(_ sight: Sight?) { known.withLock { $0.sight = sight } }

    /// From now on `answer` says what a route answers; it runs on the bus thread and must not wait for anything.
    package func answer<Asked: Route>(
        _ route: Asked.Type,
        with answer: @escaping @Sendable (Asked.Request) throws -> Asked.Reply
    ) {
        known.withLock { known in
            known.answerers[Asked.name] = { try answer(Asked.Request.decodedBody($0)).encodedBody() }
        }
    }

    func answer<Asked: Route>(_ route: Asked.Type, _ request: Asked.Request) throws -> Asked.Reply {
        // Outside of the lock: an answer may itself look at what is known here.
        guard let answerer = known.withLock({ $0.answerers[Asked.name] }) else {
            throw Problem(
                "unavailable",
                "desktop-agent does not know that yet. It looks at no desktop, or has only just been started.",
                retryable: true,
                help: "screentime status"
            )
        }
        return try Asked.Reply.decodedBody(try answerer(try request.encodedBody()))
    }
}
