import STContracts
import STDesktop
import STPlatform

/// One app that is shielded, or was a moment ago: its look, its buttons, and what is held of it.
struct ShieldedApp: Sendable {
    let id: String
    let name: String?
    private(set) var word: ShieldWord
    private(set) var face: ShieldFace
    private(set) var controls: ShieldControls
    var hold: ShieldHold

    /// `known`: the look that it had the last time.
    init(_ app: AppIdentity, _ word: ShieldWord, known: KnownLook?, _ round: inout ShieldRound) {
        id = app.id
        name = app.name
        self.word = word
        let isSame = known?.word.by == word.by && known?.word.store == word.store
        let title = app.name ?? app.id
        face = ShieldFace(app.id, name: title, look: isSame ? known : nil)
        controls = ShieldControls(app.id)
        hold = ShieldHold(app.id, name: title)
        round.beginSteps(of: id)
        tellWhy(&round)
    }

    /// What people call it.
    var title: String { name ?? id }

    /// When something becomes due by itself, in boot time.
    func dueMs(_ covers: ShieldCovers, _ round: ShieldRound) -> [Int64] {
        face.dueMs(word, isUp: covers.isUp(id)) + controls.dueMs + hold.dueMs(covers, round)
    }

    // MARK: - What decides about it

    private func tellWhy(_ round: inout ShieldRound) {
        round.step(id, word.by.map { "It is shielded by \($0)." } ?? "It is shielded.")
    }

    /// Another app shields it now, or none, or one again.
    mutating func turn(_ round: inout ShieldRound) {
        let old = word
        word = round.word(of: id)
        guard word != old else { return }
        if !word.isShielded {
            round.step(id, "It is not shielded any more.")
            face.end()
            controls.lifted()
            hold.lifted()
        } else if !old.isShielded {
            tellWhy(&round)
        }
        face.turn(from: old, to: word)
    }

    // MARK: - Before people

    /// Begins and ends its showing, and asks for its look.
    mutating func show(isInFront: Bool, _ covers: ShieldCovers, _ round: inout ShieldRound) {
        controls.pass(&round)
        guard round.isShielded(id) else {
            face.end()
            return controls.showingEnded()
        }
        if isInFront {
            if face.isShowing {
                face.isBack()
            } else {
                // A cover that cannot be put up keeps no person out, so nothing is shown.
                guard covers.has(id) else { return }
                face.begin(word, &round)
            }
        } else if face.isAway(round) {
            round.step(id, "It was left.")
            face.end()
            controls.showingEnded()
            controls.close()
        }
        face.ask(word, isUp: covers.isUp(id), &round)
    }

    mutating func hear(
        _ outcome: LookOutcome,
        _ ticket: Int64,
        _ shelf: inout LookShelf,
        _ round: inout ShieldRound
    ) {
        if face.hear(outcome, ticket, word, &shelf, &round) { controls.pressWaiting(&face, word, &round) }
    }

    // MARK: - What is pressed

    mutating func press(_ spot: String, _ round: inout ShieldRound) {
        controls.press(spot, &face, word, &round)
    }

    mutating func press(_ key: PaneKey, _ round: inout ShieldRound) {
        controls.press(key, &face, word, &round)
    }

    mutating func hear(
        _ result: Result<ShieldPress.Reply, Problem>,
        press: Int64,
        _ shelf: inout LookShelf,
        _ round: inout ShieldRound
    ) {
        controls.hear(result, press, &face, word, &shelf, &round)
    }

    mutating func hear(_ result: Result<RequestAdd.Reply, Problem>, _ round: inout ShieldRound) {
        controls.hear(result, &round)
    }

    /// The control for more time, and the line beneath the buttons.
    func more(_ round: ShieldRound) -> DrawMore? { controls.more(face, round) }

    // MARK: - Telling

    func view(_ covers: ShieldCovers, windowsMax: Int, _ round: ShieldRound) -> ScreenShield {
        let own = covers.of(id)
        return ScreenShield(
            app: id,
            name: name,
            shield: face.shield,
            stage: hold.stage ?? (own.contains(where: \.isMapped) ? .covered : .rising),
            windows: own.prefix(windowsMax).map(\.window.rawValue),
            means: hold.means,
            notPaused: hold.means == nil && round.settings.holds ? hold.notPaused : nil,
            steps: round.steps(of: id)
        )
    }
}
