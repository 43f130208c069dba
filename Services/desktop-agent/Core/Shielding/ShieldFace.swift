import STContracts
import STPlatform

/// The visible part of a shield: its showing, which is counted once, and its look, which the app that set the shield chooses.
struct ShieldFace: Sendable {
    /// The time to wait for a look before the built-in look is shown.
    static let lookMs: Int64 = 2_000
    static let lookAgainMs: Int64 = 5_000
    /// The time after which a showing ends if the app loses the foreground. A shorter loss of focus does not end it.
    static let leaveMs: Int64 = 500

    /// A showing lasts from its first moment in the foreground until the person leaves it or the shield is removed.
    private struct Showing {
        let ticket: Int64
        /// The name of the showing in shield-service. `nil` until shield-service has replied.
        var shield: String?
        var leftMs: Int64?
    }

    private enum Asking {
        case no
        case asked(ticket: Int64, deadlineMs: Int64)
        case done
        /// The built-in look is shown until the next request.
        case failed(againMs: Int64)
    }

    private let app: String
    private let name: String
    /// The decision that shields the app.
    private(set) var word: ShieldWord
    private var showing: Showing?
    private(set) var look: KnownLook?
    private var asking = Asking.no
    /// The decision at the time of the last request for a look.
    private var askedUnder: ShieldWord?
    /// True if no look arrived in time, so that the built-in look is shown.
    private var isLate = false

    /// `known` is the last look of the app. It is used if the same store of the same app set the shield.
    init(_ app: String, name: String, _ word: ShieldWord, known: KnownLook?) {
        self.app = app
        self.name = name
        self.word = word
        look = known?.word.by == word.by && known?.word.store == word.store ? known : nil
    }

    // MARK: - Queries

    var isShowing: Bool { showing != nil }

    /// The name of this showing in shield-service.
    var shield: String? { showing?.shield }

    /// True if the name of the showing was requested and may still arrive.
    var isAwaited: Bool { if case .asked = asking { !isLate } else { false } }

    /// Returns the look to show now, or nil if only its colour is available.
    func shown(_ language: String) -> ShownLook? {
        look?.shown ?? (isLate ? .system(name, language: language) : nil)
    }

    /// Returns the boot times of the next steps. `isUp` is true if a cover of the app is on the screen.
    func dueMs(isUp: Bool) -> [Int64] {
        var due: [Int64] = []
        if let leftMs = showing?.leftMs { due.append(leftMs + Self.leaveMs) }
        switch asking {
        case .asked(_, let deadlineMs): if !isLate { due.append(deadlineMs) }
        case .failed(let againMs): due.append(againMs)
        case .done: if let staleMs = look?.staleMs(word), isUp { due.append(staleMs) }
        case .no: break
        }
        return due
    }

    // MARK: - Showing

    mutating func begin(_ round: inout ShieldRound) {
        let ticket = round.nextTicket()
        showing = Showing(ticket: ticket)
        askLook(ticket, counts: true, &round)
        // A guardian may have changed the rule since the last showing.
        round.order(.askOffer)
    }

    mutating func end() { showing = nil }

    /// Receives a changed decision. If another store shields the app now, the look is requested again.
    mutating func turn(to word: ShieldWord) {
        let old = self.word
        self.word = word
        guard word.isShielded, old.by != word.by || old.store != word.store else { return }
        asking = .no
        if old.by != word.by { look = nil }
        isLate = false
    }

    mutating func isBack() { showing?.leftMs = nil }

    /// Returns true if the app left the foreground long enough to end the showing.
    mutating func isAway(_ round: ShieldRound) -> Bool {
        guard let showing else { return false }
        let leftMs = showing.leftMs ?? round.now.bootMs
        self.showing?.leftMs = leftMs
        return round.now.bootMs - leftMs >= Self.leaveMs
    }

    // MARK: - The look

    /// Takes the new look in the reply to a button.
    mutating func take(_ view: ShieldLookView, _ round: ShieldRound) -> KnownLook {
        let look = KnownLook(view, word, at: round.now)
        self.look = look
        return look
    }

    /// Requests a look if one is due. A cover in the background needs a look too, and a failed request is repeated.
    mutating func ask(isUp: Bool, _ round: inout ShieldRound) {
        let nowMs = round.now.bootMs
        switch asking {
        case .done:
            // The look is out of date, because its time is over or a rule has changed.
            guard let staleMs = look?.staleMs(word), staleMs <= nowMs, isUp else { return }
            askLook(round.nextTicket(), counts: false, &round)
        case .asked(_, let deadlineMs):
            guard deadlineMs <= nowMs, !isLate else { return }
            isLate = true
            round.step(
                app,
                Message(
                    "agent.look-is-late",
                    "The appearance of the shield has not arrived yet, so Screen Time shows its default appearance."
                )
            )
        case .failed(let againMs):
            guard againMs <= nowMs else { return }
            let isCounted = showing == nil || showing?.shield != nil
            askLook(showing?.ticket ?? round.nextTicket(), counts: !isCounted, &round)
        case .no:
            // This applies also to a look from the shelf, which comes from an earlier reply.
            guard isUp else { return }
            askLook(round.nextTicket(), counts: false, &round)
        }
    }

    private mutating func askLook(
        _ ticket: Int64,
        counts: Bool,
        _ round: inout ShieldRound
    ) {
        asking = .asked(ticket: ticket, deadlineMs: round.now.bootMs + Self.lookMs)
        askedUnder = word
        round.order(.askLook(app: app, ticket: ticket, counts: counts, wallMs: round.now.wallMs))
    }

    /// Receives the result of a request. Returns true if a waiting button need not wait for the showing's name any longer.
    mutating func hear(
        _ outcome: LookOutcome,
        _ ticket: Int64,
        _ shelf: inout LookShelf,
        _ round: inout ShieldRound
    ) -> Bool {
        var isCurrent = false
        if case .asked(ticket, _) = asking { isCurrent = true }
        switch outcome {
        case .look(let view, let shield):
            // The look belongs to the decision at the time of the request. If the decision has changed since, the look is
            // requested again.
            let look = KnownLook(view, askedUnder ?? word, at: round.now)
            shelf.add(look, app: app)
            if let shield, showing?.ticket == ticket {
                showing?.shield = shield
                round.step(
                    app,
                    Message(
                        "agent.shield-has-name",
                        "The id of the shield in shield-service is \(shield, "shield")."
                    )
                )
            }
            guard isCurrent else { return false }
            self.look = look
            asking = .done
            isLate = false
            return shield != nil
        case .lifted, .failed:
            guard isCurrent else { return false }
            // If shield-service has no such shield, the stream will report it. Until then this shield remains.
            asking = .failed(againMs: round.now.bootMs + Self.lookAgainMs)
            if case .failed(let problem) = outcome {
                isLate = true
                round.step(
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
