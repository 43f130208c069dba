import STContracts
import STPlatform

/// The visible part of a shield: its showing, which is counted once, and its look, which the app that set the shield chooses.
struct ShieldFace: Sendable {
    /// The time to wait for a look before the built-in look is shown.
    static let fetchTimeout: Duration = .seconds(2)
    static let fetchRetry: Duration = .seconds(5)
    /// The time after which a showing ends if the app loses the foreground. A shorter loss of focus does not end it.
    static let leaveDelay: Duration = .milliseconds(500)

    /// A showing lasts from its first moment in the foreground until the person leaves it or the shield is removed.
    private struct Showing {
        let ticket: Int64
        /// The name of the showing in shield-service. `nil` until shield-service has replied.
        var shield: String?
        var leftAt: BootTime?
    }

    private enum FetchState {
        case idle
        case asked(ticket: Int64, deadline: BootTime)
        case done
        /// The built-in look is shown until the next request.
        case failed(retry: BootTime)
    }

    private let app: String
    private let name: String
    /// The decision that shields the app.
    private(set) var status: ShieldStatus
    private var display: Showing?
    private(set) var appearance: CachedAppearance?
    private var fetch = FetchState.idle
    /// The decision at the time of the last request for a look.
    private var requestedStatus: ShieldStatus?
    /// True if no look arrived in time, so that the built-in look is shown.
    private var isLate = false

    /// `known` is the last look of the app. It is used if the same store of the same app set the shield.
    init(_ app: String, name: String, _ word: ShieldStatus, known: CachedAppearance?) {
        self.app = app
        self.name = name
        self.status = word
        appearance = known?.status.app == word.app && known?.status.store == word.store ? known : nil
    }

    // MARK: - Queries

    var isShowing: Bool { display != nil }

    /// The name of this showing in shield-service.
    var shield: String? { display?.shield }

    /// True if the name of the showing was requested and may still arrive.
    var isAwaited: Bool { if case .asked = fetch { !isLate } else { false } }

    /// Returns the look to show now, or nil if only its colour is available.
    func displayedAppearance(_ language: String) -> DisplayedAppearance? {
        appearance?.displayed ?? (isLate ? .system(name, language: language) : nil)
    }

    /// Returns the boot times of the next steps. `isUp` is true if a cover of the app is on the screen.
    func dueTimes(isUp: Bool) -> [BootTime] {
        var due: [BootTime] = []
        if let leftAt = display?.leftAt { due.append(leftAt + Self.leaveDelay) }
        switch fetch {
        case .asked(_, let deadline): if !isLate { due.append(deadline) }
        case .failed(let retry): due.append(retry)
        case .done: if let expiry = appearance?.expiry(status), isUp { due.append(expiry) }
        case .idle: break
        }
        return due
    }

    // MARK: - Showing

    mutating func begin(_ round: inout ShieldContext) {
        let ticket = round.nextTicket()
        display = Showing(ticket: ticket)
        requestAppearance(ticket, counts: true, &round)
        // A guardian may have changed the rule since the last showing.
        round.addEffect(.requestOffer)
    }

    mutating func end() { display = nil }

    /// Receives a changed decision. If another store shields the app now, the look is requested again.
    mutating func setStatus(to word: ShieldStatus) {
        let old = self.status
        self.status = word
        guard word.isShielded, old.app != word.app || old.store != word.store else { return }
        fetch = .idle
        if old.app != word.app { appearance = nil }
        isLate = false
    }

    mutating func cancelDeparture() { display?.leftAt = nil }

    /// Returns true if the app left the foreground long enough to end the showing.
    mutating func hasLeft(_ round: ShieldContext) -> Bool {
        guard let display else { return false }
        let leftAt = display.leftAt ?? round.now.boot
        self.display?.leftAt = leftAt
        return round.now.boot - leftAt >= Self.leaveDelay
    }

    // MARK: - The look

    /// Takes the new look in the reply to a button.
    mutating func store(_ view: ShieldAppearanceView, _ round: ShieldContext) -> CachedAppearance {
        let look = CachedAppearance(view, status, at: round.now)
        self.appearance = look
        return look
    }

    /// Requests a look if one is due. A cover in the background needs a look too, and a failed request is repeated.
    mutating func fetchIfNeeded(isUp: Bool, _ round: inout ShieldContext) {
        let now = round.now.boot
        switch fetch {
        case .done:
            // The look is out of date, because its time is over or a rule has changed.
            guard let expiry = appearance?.expiry(status), expiry <= now, isUp else { return }
            requestAppearance(round.nextTicket(), counts: false, &round)
        case .asked(_, let deadline):
            guard deadline <= now, !isLate else { return }
            isLate = true
            round.recordStep(
                app,
                Message(
                    "agent.look-is-late",
                    "The appearance of the shield has not arrived yet, so Screen Time shows its default appearance."
                )
            )
        case .failed(let retry):
            guard retry <= now else { return }
            let isCounted = display == nil || display?.shield != nil
            requestAppearance(display?.ticket ?? round.nextTicket(), counts: !isCounted, &round)
        case .idle:
            // This applies also to a look from the shelf, which comes from an earlier reply.
            guard isUp else { return }
            requestAppearance(round.nextTicket(), counts: false, &round)
        }
    }

    private mutating func requestAppearance(
        _ ticket: Int64,
        counts: Bool,
        _ round: inout ShieldContext
    ) {
        fetch = .asked(ticket: ticket, deadline: round.now.boot + Self.fetchTimeout)
        requestedStatus = status
        round.addEffect(.askLook(app: app, ticket: ticket, counts: counts, wall: round.now.wall))
    }

    /// Receives the result of a request. Returns true if a waiting button need not wait for the showing's name any longer.
    mutating func hear(
        _ outcome: AppearanceOutcome,
        ticket: Int64,
        shelf: inout AppearanceCache,
        round: inout ShieldContext
    ) -> Bool {
        var isCurrent = false
        if case .asked(ticket, _) = fetch { isCurrent = true }
        switch outcome {
        case .look(let view, let shield):
            // The look belongs to the decision at the time of the request. If the decision has changed since, the look is
            // requested again.
            let look = CachedAppearance(view, requestedStatus ?? status, at: round.now)
            shelf.add(look, app: app)
            if let shield, display?.ticket == ticket {
                display?.shield = shield
                round.recordStep(
                    app,
                    Message(
                        "agent.shield-has-name",
                        "The id of the shield in shield-service is \(shield, "shield")."
                    )
                )
            }
            guard isCurrent else { return false }
            self.appearance = look
            fetch = .done
            isLate = false
            return shield != nil
        case .lifted, .failed:
            guard isCurrent else { return false }
            // If shield-service has no such shield, the stream will report it. Until then this shield remains.
            fetch = .failed(retry: round.now.boot + Self.fetchRetry)
            if case .failed(let problem) = outcome {
                isLate = true
                round.recordStep(
                    app,
                    Message(
                        "agent.look-did-not-come",
                        "shield-service sent no appearance for the shield: \(problem.text, "problem")"
                    )
                )
            }
            return true
        }
    }
}
