import STDesktop

/// Where panels are put up.
protocol PanelGround: Sendable {
    /// In order; returns at once.
    func performPanels(_ acts: [DesktopAct]) async
}

extension DesktopHub: PanelGround {
    func performPanels(_ acts: [DesktopAct]) { perform(acts) }
}
