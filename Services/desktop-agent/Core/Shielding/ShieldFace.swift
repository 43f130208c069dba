import STContracts
import STPlatform

/// What people see of a shield: its showing, which is counted once, and its look, which the app that put it up chooses.
struct ShieldFace: Sendable {
    /// How long a look may take before the system's own goes up in its place.
    static let lookMs: Int64 = 2_000
    static let lookAgainMs: Int64 = 5_000
    /// A moment of focus elsewhere is not leaving.
    static let leaveMs: Int64 = 500

    /// From the first moment in front of a person until it is left or lifted.
    private struct Showing {
        let ticket: Int64
        /// Its name at shield-service, once that has answered.
        var shield: String?
        var leftMs: Int64?
    }

    private enum Asking {
        case no
        case asked(ticket: Int64, deadlineMs: Int64)
        case done
        /// The system's own look goes up meanwhile.
        case failed(againMs: Int64)
    }

    private let app: String
    private let name: String
    /// What shields the app.
    private(set) var word: ShieldWord
    private var showing: Showing?
    private(set) var look: KnownLook?
    private var asking = Asking.no
    /// What was known when its look was asked for last.
    private var askedUnder: ShieldWord?
    /// No answer in time: the system's own look stands in.
    private var isLate = false

    /// `known`: the look that the app had the last time, which is right if the same app put it up.
    init(_ app: String, name: String, _ word: ShieldWord, known: KnownLook?) {
        self.app = app
        self.name = name
        self.word = word
        look = known?.word.by == word.by && known?.word.store == word.store ? known : nil
    }

    // MARK: - Questions

    var isShowing: Bool { showing != nil }

    /// The name of this showing at shield-service.
    var shield: String? { showing?.shield }

    /// Whether that name is on its way.
    var isAwaited: Bool { if case .asked = asking { !isLate } else { false } }

    /// What there is to be seen of it now; nil: its colour alone.
    func shown(_ language: String) -> ShownLook? {
        look?.shown ?? (isLate ? .system(name, language: language) : nil)
    }

    /// `isUp`: it covers something on the screen.
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
        // A guardian may have changed the rule since the last time.
        round.order(.askOffer)
    }

    mutating func end() { showing = nil }

    /// Something else shields the app now, so its look may be that app's.
    mutating func turn(to word: ShieldWord) {
        let old = self.word
        self.word = word
        guard word.isShielded, old.by != word.by || old.store != word.store else { return }
        asking = .no
        if old.by != word.by { look = nil }
        isLate = false
    }

    mutating func isBack() { showing?.leftMs = nil }

    /// Whether the person has left it for good by now.
    mutating func isAway(_ round: ShieldRound) -> Bool {
        guard let showing else { return false }
        let leftMs = showing.leftMs ?? round.now.bootMs
        self.showing?.leftMs = leftMs
        return round.now.bootMs - leftMs >= Self.leaveMs
    }

    // MARK: - The look

    /// A button's answer had another look.
    mutating func take(_ view: ShieldLookView, _ round: ShieldRound) -> KnownLook {
        let look = KnownLook(view, word, at: round.now)
        self.look = look
        return look
    }

    /// A cover without a person in front of it has a look too; where no answer came, it is asked for again.
    mutating func ask(isUp: Bool, _ round: inout ShieldRound) {
        let nowMs = round.now.bootMs
        switch asking {
        case .done:
            // It has been up since yesterday and still says tomorrow, or a rule has changed meanwhile.
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
            // Also with one from the shelf: that is what was answered another time.
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

    /// Returns whether a button that waited for the showing's name need not wait any longer.
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
            // As of the question: what has changed since is asked for again.
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
            // If shield-service knows no such shield, the stream says so soon; until then this one stays.
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
