import STContracts
import STDesktop
import STPlatform

/// One app that is shielded, or was until a moment ago: its look, its buttons and its pause.
struct ShieldedApp: Sendable {
    let id: String
    let name: String?
    var controls: ShieldControls
    var hold: ShieldHold

    /// `known` is the last look of the app.
    init(_ app: AppIdentity, _ word: ShieldWord, known: KnownLook?, _ round: inout ShieldRound) {
        id = app.id
        name = app.name
        let title = app.name ?? app.id
        controls = ShieldControls(id, ShieldFace(id, name: title, word, known: known))
        hold = ShieldHold(id, name: title)
        round.beginSteps(of: id)
        tellWhy(&round)
    }

    var face: ShieldFace { controls.face }

    /// The name for people.
    var title: String { name ?? id }

    /// Returns the boot times at which a `tick` is due.
    func dueMs(_ covers: ShieldCovers, _ round: ShieldRound) -> [Int64] {
        face.dueMs(isUp: covers.isSeen(id)) + controls.dueMs + hold.dueMs(covers, round)
    }

    private func tellWhy(_ round: inout ShieldRound) {
        round.step(
            id,
            face.word.by.map { Message("agent.app-shielded-by", "Shielded by \($0, "app").") }
                ?? Message("agent.app-is-shielded", "It is shielded.")
        )
    }

    // MARK: - Buttons and keys

    mutating func press(_ spot: String, _ round: inout ShieldRound) {
        guard spot == DrawnSpot.closeApp else { return controls.press(spot, &round) }
        guard round.isShielded(id), controls.more(round)?.spot == spot else { return }
        round.step(id, Message("agent.person-closes-app", "The person asked to close it."))
        controls.closes(round)
        hold.close(&round)
    }

    mutating func press(_ key: PaneKey, _ round: inout ShieldRound) {
        if controls.focus == DrawnSpot.closeApp, key == .press || key == .text(" ") {
            press(DrawnSpot.closeApp, &round)
        } else {
            controls.press(key, &round)
        }
    }

    // MARK: - Steps of a round

    /// Handles a change of the decision: another app set the shield, the shield was removed, or it came back.
    mutating func turn(_ round: inout ShieldRound) {
        let old = face.word
        let word = round.word(of: id)
        guard word != old else { return }
        controls.face.turn(to: word)
        if !word.isShielded {
            round.step(id, Message("agent.app-no-longer-shielded", "It is not shielded any more."))
            controls.lifted()
            hold.lifted()
        } else if !old.isShielded {
            tellWhy(&round)
        }
    }

    /// Begins or ends the showing, and requests the look.
    mutating func show(isInFront: Bool, _ covers: ShieldCovers, _ round: inout ShieldRound) {
        controls.pass(&round)
        if hold.isDoneClosing(round) { controls.hasClosed() }
        guard round.isShielded(id) else { return controls.endShowing() }
        if isInFront, face.isShowing {
            controls.face.isBack()
        } else if isInFront {
            // A cover that failed blocks nothing, so there is no showing.
            guard covers.has(id) else { return }
            controls.face.begin(&round)
        } else if controls.face.isAway(round) {
            round.step(id, Message("agent.person-left-app", "The person left it."))
            controls.endShowing()
            controls.close()
        }
        controls.face.ask(isUp: covers.isSeen(id), &round)
    }

    // MARK: - Views

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
