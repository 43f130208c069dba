package import STBus
package import STContracts
package import STPlatform
import Synchronization

/// The current data about the screen, for the read routes of desktop-agent. It is in memory only.
///
/// The parts of the process that observe the screen store their values here, or register a function that answers a route. These
/// functions run on the bus thread and must not block.
package final class DesktopFacts: Sendable {
    /// The current observation of the desktop, for `desktop.status`.
    package struct Sight: Sendable, Equatable {
        package var source: AdapterKind
        package var reason: Message
        package var isBlind: Bool
        package var wayOut: Message?
        package var member: String?
        package var presence: Presence?
        package var app: String?
        package var site: String?
        /// The number of observations that were sent directly to activity-center, without the spool.
        package var beats: Int64 = 0

        package init(source: AdapterKind, reason: Message, isBlind: Bool, wayOut: Message? = nil) {
            self.source = source
            self.reason = reason
            self.isBlind = isBlind
            self.wayOut = wayOut
        }
    }

    package typealias Windows = @Sendable (DesktopWindows.Request) throws -> DesktopWindows.Reply
    package typealias Catalogue = @Sendable (DesktopCatalogue.Request) throws -> DesktopCatalogue.Reply
    package typealias Browsers = @Sendable (BrowserTell.Request, Principal) throws -> Void
    package typealias Doctor = @Sendable () throws -> DesktopDoctor.Reply

    private struct Known {
        var sight: Sight?
        var shields = DesktopShields.Reply(shields: [], escalation: .cover)
        var windows: Windows?
        var catalogue: Catalogue?
        var doctor: Doctor?
        var browsers: Browsers?
        var looksAtNothing = false
    }

    private let known = Mutex(Known())

    package init() {}

    /// The current observation. `nil` if this process does not observe the desktop, or has not observed it yet.
    package var sight: Sight? { known.withLock { $0.sight } }

    /// The reply of `desktop.shields`.
    package var shields: DesktopShields.Reply { known.withLock { $0.shields } }

    /// Records that this process never observes a desktop, because it plays a script or because its settings name no desktop.
    package func lookAtNothing() { known.withLock { $0.looksAtNothing = true } }

    package func set(_ sight: Sight) { known.withLock { $0.sight = sight } }

    package func set(_ shields: DesktopShields.Reply) { known.withLock { $0.shields = shields } }

    package func answerWindows(with answer: @escaping Windows) { known.withLock { $0.windows = answer } }

    package func answerCatalogue(with answer: @escaping Catalogue) {
        known.withLock { $0.catalogue = answer }
    }

    package func answerDoctor(with answer: @escaping Doctor) { known.withLock { $0.doctor = answer } }

    package func hearBrowsers(with take: @escaping Browsers) { known.withLock { $0.browsers = take } }

    // An answer may itself read this object, so each one is called outside of the lock.

    func windows(_ request: DesktopWindows.Request) throws -> DesktopWindows.Reply {
        try there(\.windows)(request)
    }

    func catalogue(_ request: DesktopCatalogue.Request) throws -> DesktopCatalogue.Reply {
        try there(\.catalogue)(request)
    }

    func doctor() throws -> DesktopDoctor.Reply { try there(\.doctor)() }

    func browses(_ request: BrowserTell.Request, _ principal: Principal) throws {
        try there(\.browsers)(request, principal)
    }

    static var stillStarting: Problem {
        Problem(
            "unavailable",
            "desktop-agent is still starting and cannot answer this yet.",
            key: "unavailable.desktop-agent-is-still",
            retryable: true,
            help: "screentime status"
        )
    }

    private func there<Answer>(_ path: any KeyPath<Known, Answer?> & Sendable) throws -> Answer {
        let known = known.withLock { $0 }
        if let answer = known[keyPath: path] { return answer }
        guard known.looksAtNothing else { throw Self.stillStarting }
        throw Problem(
            "unavailable",
            "desktop-agent does not observe a desktop: it runs in a simulation, or its settings disable observation.",
            key: "unavailable.desktop-agent-does",
            help: "screentime status"
        )
    }
}
