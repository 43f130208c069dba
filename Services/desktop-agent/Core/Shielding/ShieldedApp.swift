import STContracts
import STDesktop
import STPlatform

/// One app that is shielded, or was until a moment ago: its look, its buttons and its pause.
struct ShieldedApp: Sendable {
    let id: String
    let name: String?
    var controls: ShieldControls
    var enforcement: ShieldEnforcement

    /// `known` is the last look of the app.
    init(_ app: AppIdentity, word: ShieldStatus, known: CachedAppearance?, round: inout ShieldContext) {
        id = app.id
        name = app.name
        let title = app.name ?? app.id
        controls = ShieldControls(id, ShieldFace(id, name: title, word, known: known))
        enforcement = ShieldEnforcement(id, name: title)
        round.beginSteps(of: id)
        recordReason(&round)
    }

    var presentation: ShieldFace { controls.presentation }

    /// The name for people.
    var title: String { name ?? id }

    /// Returns the boot times at which a `tick` is due.
    func dueTimes(_ covers: ShieldCovers, _ round: ShieldContext) -> [BootTime] {
        presentation.dueTimes(isUp: covers.hasVisiblePane(id)) + controls.dueTimes
            + enforcement.dueTimes(covers, round)
    }

    private func recordReason(_ round: inout ShieldContext) {
        round.recordStep(
            id,
            presentation.status.app.map { Message("agent.app-shielded-by", "Shielded by \($0, "app").") }
                ?? Message("agent.app-is-shielded", "It is shielded.")
        )
    }

    // MARK: - Buttons and keys

    mutating func press(_ spot: String, _ round: inout ShieldContext) {
        guard spot == DrawnSpot.closeApp else { return controls.press(spot, &round) }
        guard round.isShielded(id), controls.moreTimeButton(round)?.spot == spot else { return }
        round.recordStep(id, Message("agent.person-closes-app", "The person asked to close it."))
        controls.shouldClose(round)
        enforcement.close(&round)
    }

    mutating func press(_ key: PaneKey, _ round: inout ShieldContext) {
        if controls.focus == DrawnSpot.closeApp, key == .press || key == .text(" ") {
            press(DrawnSpot.closeApp, &round)
        } else {
            controls.press(key, &round)
        }
    }

    // MARK: - Steps of a round

    /// Handles a change of the decision: another app set the shield, the shield was removed, or it came back.
    mutating func reconcile(_ round: inout ShieldContext) {
        let old = presentation.status
        let word = round.status(of: id)
        guard word != old else { return }
        controls.presentation.setStatus(to: word)
        if !word.isShielded {
            round.recordStep(id, Message("agent.app-no-longer-shielded", "It is not shielded any more."))
            controls.shieldDidLift()
            enforcement.shieldDidLift()
        } else if !old.isShielded {
            recordReason(&round)
        }
    }

    /// Begins or ends the showing, and requests the look.
    mutating func show(isInFront: Bool, _ covers: ShieldCovers, _ round: inout ShieldContext) {
        controls.advance(&round)
        if enforcement.isDoneClosing(round) { controls.finishClosing() }
        guard round.isShielded(id) else { return controls.hide() }
        if isInFront, presentation.isShowing {
            controls.presentation.cancelDeparture()
        } else if isInFront {
            // A cover that failed blocks nothing, so there is no showing.
            guard covers.isCovering(id) else { return }
            controls.presentation.begin(&round)
        } else if controls.presentation.hasLeft(round) {
            round.recordStep(id, Message("agent.person-left-app", "The person left it."))
            controls.hide()
            controls.close()
        }
        controls.presentation.fetchIfNeeded(isUp: covers.hasVisiblePane(id), &round)
    }

    // MARK: - Views

    func view(_ covers: ShieldCovers, windowsMax: Int, _ round: ShieldContext) -> ScreenShield {
        let own = covers.coverPanes(id)
        return ScreenShield(
            app: id,
            name: name,
            shield: presentation.shield,
            stage: enforcement.stage ?? (own.contains(where: \.isMapped) ? .covered : .rising),
            windows: own.prefix(windowsMax).map(\.window.rawValue),
            means: enforcement.means,
            notPaused: enforcement.means == nil && round.settings.pausesApps
                ? enforcement.notPausedReason : nil,
            steps: round.steps(of: id)
        )
    }
}
