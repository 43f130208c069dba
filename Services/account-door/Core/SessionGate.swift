/// Detects that an account is used while nothing observes it: no agent runs, or there is no desktop.
///
/// desktop-agent runs as the account itself, so a child with that account can end or stop it.
package struct SessionGate: Sendable {
    /// The silence after which an agent counts as ended. An agent sends three pings in this time.
    package static let silenceMs: Int64 = 60_000
    package static let lookEveryMs: Int64 = 10_000

    package enum News: Sendable, Equatable {
        case nothing
        /// The account is in use and nothing observes it. Returned again while this continues.
        case unseen
        /// The unobserved use has ended.
        case over
    }

    private var heardMs: Int64
    private var usedSinceMs: Int64?
    private var isUnseen: Bool

    package init(nowMs: Int64, isUnseen: Bool = false) {
        heardMs = nowMs
        self.isUnseen = isUnseen
    }

    /// Records a ping of the agent.
    package mutating func heard(nowMs: Int64) -> News {
        heardMs = nowMs
        usedSinceMs = nil
        return end()
    }

    /// Returns true if the account's sessions should be examined.
    package func isSilent(nowMs: Int64) -> Bool { nowMs - heardMs >= Self.silenceMs / 2 }

    /// Records if a person uses a session of the account, and returns the change.
    package mutating func look(isUsed: Bool, nowMs: Int64) -> News {
        guard isUsed else {
            usedSinceMs = nil
            return end()
        }
        let sinceMs = max(usedSinceMs ?? nowMs, heardMs)
        usedSinceMs = sinceMs
        guard nowMs - sinceMs >= Self.silenceMs else { return .nothing }
        isUnseen = true
        return .unseen
    }

    private mutating func end() -> News {
        defer { isUnseen = false }
        return isUnseen ? .over : .nothing
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
    package var isAtRest: Bool
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
        (self.isAtRest, self.isX11, self.isOther) = (isAtRest, isX11, isOther)
    }

    /// Returns true if the person uses a session that no agent can observe.
    ///
    /// A console or a second desktop in front hides the desktop. A remote shell does not. If it counted, time of a game on the
    /// desktop would count as unobserved.
    package static func areBlind(_ sessions: [UsedSession]) -> Bool {
        sessions.contains { ($0.isText || $0.isOther) && $0.isOnSeat }
            || !sessions.isEmpty && sessions.allSatisfy(\.isText)
    }
}
