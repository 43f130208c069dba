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
    package struct ObservationState: Sendable, Equatable {
        package var source: AdapterKind
        package var reason: Message
        package var hasNoAdapter: Bool
        package var remedy: Message?
        package var member: String?
        package var presence: Presence?
        package var app: String?
        package var site: String?
        /// The number of observations that were sent directly to activity-center, without the spool.
        package var heartbeats: Int64 = 0

        package init(source: AdapterKind, reason: Message, isBlind: Bool, wayOut: Message? = nil) {
            self.source = source
            self.reason = reason
            self.hasNoAdapter = isBlind
            self.remedy = wayOut
        }
    }

    package typealias Windows = @Sendable (DesktopWindows.Request) throws -> DesktopWindows.Reply
    package typealias Catalogue = @Sendable (DesktopCatalogue.Request) throws -> DesktopCatalogue.Reply
    package typealias Browsers = @Sendable (BrowserReport.Request, Principal) throws -> Void
    package typealias Doctor = @Sendable () throws -> DesktopDoctor.Reply

    private struct Known {
        var observation: ObservationState?
        var shields = DesktopShields.Reply(shields: [], escalation: .cover)
        var windows: Windows?
        var catalogue: Catalogue?
        var doctor: Doctor?
        var browsers: Browsers?
        var isObservationDisabled = false
    }

    private let state = Mutex(Known())

    package init() {}

    /// The current observation. `nil` if this process does not observe the desktop, or has not observed it yet.
    package var observation: ObservationState? { state.withLock { $0.observation } }

    /// The reply of `desktop.shields`.
    package var shields: DesktopShields.Reply { state.withLock { $0.shields } }

    /// Records that this process never observes a desktop, because it plays a script or because its settings name no desktop.
    package func disableObservation() { state.withLock { $0.isObservationDisabled = true } }

    package func set(_ sight: ObservationState) { state.withLock { $0.observation = sight } }

    package func set(_ shields: DesktopShields.Reply) { state.withLock { $0.shields = shields } }

    package func setWindowsProvider(with answer: @escaping Windows) { state.withLock { $0.windows = answer } }

    package func setCatalogueProvider(with answer: @escaping Catalogue) {
        state.withLock { $0.catalogue = answer }
    }

    package func setDoctorProvider(with answer: @escaping Doctor) { state.withLock { $0.doctor = answer } }

    package func setBrowserHandler(with take: @escaping Browsers) { state.withLock { $0.browsers = take } }

    // An answer may itself read this object, so each one is called outside of the lock.

    func windows(_ request: DesktopWindows.Request) throws -> DesktopWindows.Reply {
        try requireHandler(\.windows)(request)
    }

    func catalogue(_ request: DesktopCatalogue.Request) throws -> DesktopCatalogue.Reply {
        try requireHandler(\.catalogue)(request)
    }

    func doctor() throws -> DesktopDoctor.Reply { try requireHandler(\.doctor)() }

    func receiveBrowserReport(_ request: BrowserReport.Request, _ principal: Principal) throws {
        try requireHandler(\.browsers)(request, principal)
    }

    static var startingProblem: Problem {
        Problem(
            "unavailable",
            "desktop-agent is still starting and cannot answer this yet. Try again in a moment.",
            key: "unavailable.desktop-agent-is-still",
            retryable: true,
            help: "screentime status"
        )
    }

    private func requireHandler<Answer>(_ path: any KeyPath<Known, Answer?> & Sendable) throws -> Answer {
        let known = state.withLock { $0 }
        if let answer = known[keyPath: path] { return answer }
        guard known.isObservationDisabled else { throw Self.startingProblem }
        throw Problem(
            "unavailable",
            "desktop-agent does not observe a desktop: it runs in a simulation, or its settings disable observation.",
            key: "unavailable.desktop-agent-does",
            help: "screentime status"
        )
    }
}
