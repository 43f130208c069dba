/// Notices that an account is used where nothing sees it: the program that looks at its screen does not live, or there is no desktop.
///
/// That program runs as the account itself, so a child who has the account can end or stop it.
package struct SessionGate: Sendable {
    /// Its longest silence: it says that it lives three times in that time.
    package static let silenceMs: Int64 = 60_000
    package static let lookEveryMs: Int64 = 10_000

    package enum News: Sendable, Equatable {
        case nothing
        /// In use, and nothing sees what for: also while it goes on.
        case unseen
        /// That has ended.
        case over
    }

    private var heardMs: Int64
    private var usedSinceMs: Int64?
    private var isUnseen: Bool

    package init(nowMs: Int64, isUnseen: Bool = false) {
        heardMs = nowMs
        self.isUnseen = isUnseen
    }

    /// The program has said something.
    package mutating func heard(nowMs: Int64) -> News {
        heardMs = nowMs
        usedSinceMs = nil
        return end()
    }

    /// Whether it is worth to look at the account's sessions.
    package func isSilent(nowMs: Int64) -> Bool { nowMs - heardMs >= Self.silenceMs / 2 }

    /// `isUsed`: a person sits in a session of the account.
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

/// A session of logind in which a person sits.
package struct UsedSession: Sendable {
    package var path: String
    /// A console or a shell from elsewhere.
    package var isText: Bool
    /// In front of this computer.
    package var isOnSeat: Bool
    /// Locked or idle, by its own word.
    package var isAtRest: Bool
    package var isX11: Bool
    /// Another than the account's desktop, which is the one that an agent looks at.
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

    /// Whether the person sits where no agent could see anything.
    ///
    /// A console in front hides the desktop, and so does a second desktop. A shell from elsewhere does not: beside a desktop in
    /// use it would turn time of a game into time of nothing.
    package static func areBlind(_ sessions: [UsedSession]) -> Bool {
        sessions.contains { ($0.isText || $0.isOther) && $0.isOnSeat }
            || !sessions.isEmpty && sessions.allSatisfy(\.isText)
    }
}
