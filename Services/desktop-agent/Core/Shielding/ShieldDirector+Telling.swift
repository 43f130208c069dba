package import STContracts
import STDesktop

/// What `desktop.shields` says.
extension ShieldDirector {
    /// More of them fit into no answer.
    private static let toldMax = 40
    private static let windowsToldMax = 20

    package var reply: DesktopShields.Reply {
        let shields = apps.values.sorted { $0.id < $1.id }.filter { isShielded($0.id) || $0.hold != .free }
        return DesktopShields.Reply(
            shields: shields.prefix(Self.toldMax).map { view(of: $0) },
            escalation: settings.escalation
        )
    }

    private func view(of app: ShieldedApp) -> ScreenShield {
        let covers = panes(of: app.id)
        var means: PauseMeans?
        if case .paused(let found) = app.hold { means = found }
        return ScreenShield(
            app: app.id,
            name: app.name,
            shield: app.showing?.shield,
            stage: stage(of: app, covers),
            windows: covers.prefix(Self.windowsToldMax).map(\.window.rawValue),
            means: means,
            notPaused: means == nil && settings.holds ? app.notPaused : nil,
            steps: app.steps
        )
    }

    private func stage(of app: ShieldedApp, _ covers: [ShieldPane]) -> ScreenShieldStage {
        switch app.escalation.step {
        case .closing: return .closing
        case .ending: return .ending
        case .hold: break
        }
        if case .paused = app.hold { return .paused }
        return covers.contains(where: \.isMapped) ? .covered : .rising
    }
}
