package import STPlatform

/// Detects that an account is used while nothing observes it: no agent runs, or there is no desktop.
///
/// desktop-agent runs as the account itself, so a child with that account can end or stop it.
package struct SessionMonitor: Sendable {
    /// The silence after which an agent counts as ended. An agent sends three pings in this time.
    package static let timeout = Duration.seconds(60)
    package static let checkInterval = Duration.seconds(10)

    package enum Transition: Sendable, Equatable {
        case unchanged
        /// The account is in use and nothing observes it. Returned again while this continues.
        case unobserved
        /// The unobserved use has ended.
        case observed
    }

    private var lastPing: BootTime
    private var useStart: BootTime?
    private var isUnobserved: Bool

    package init(at now: BootTime, isUnseen: Bool = false) {
        lastPing = now
        self.isUnobserved = isUnseen
    }

    /// Records a ping of the agent.
    package mutating func receivePing(at now: BootTime) -> Transition {
        lastPing = now
        useStart = nil
        return end()
    }

    /// Returns true if the account's sessions should be examined.
    package func isOverdue(at now: BootTime) -> Bool { now - lastPing >= Self.timeout / 2 }

    /// Records if a person uses a session of the account, and returns the change.
    package mutating func check(isUsed: Bool, at now: BootTime) -> Transition {
        guard isUsed else {
            useStart = nil
            return end()
        }
        let start = max(useStart ?? now, lastPing)
        useStart = start
        guard now - start >= Self.timeout else { return .unchanged }
        isUnobserved = true
        return .unobserved
    }

    private mutating func end() -> Transition {
        defer { isUnobserved = false }
        return isUnobserved ? .observed : .unchanged
    }
}

/// A session of logind that a person uses.
package struct UsedSession: Sendable {
    package var path: String
    /// True for a console, or for a remote shell.
    package var isText: Bool
    /// True for a session at this computer's screen.
    package var isOnSeat: Bool
    /// True if the session reports that it is locked or idle.
    package var isIdle: Bool
    package var isX11: Bool
    /// True for a session that is not the account's desktop. An agent observes only that desktop.
    package var isOther: Bool

    package init(
        path: String,
        isText: Bool,
        isOnSeat: Bool,
        isAtRest: Bool = false,
        isX11: Bool = false,
        isOther: Bool = false
    ) {
        (self.path, self.isText, self.isOnSeat) = (path, isText, isOnSeat)
        (self.isIdle, self.isX11, self.isOther) = (isAtRest, isX11, isOther)
    }

    /// Returns true if the person uses a session that no agent can observe.
    ///
    /// A console or a second desktop in front hides the desktop. A remote shell does not. If it counted, time of a game on the
    /// desktop would count as unobserved.
    package static func areUnobservable(_ sessions: [UsedSession]) -> Bool {
        sessions.contains { ($0.isText || $0.isOther) && $0.isOnSeat }
            || !sessions.isEmpty && sessions.allSatisfy(\.isText)
    }
}
