import STDesktop

/// The screen as shields know it; the first two return at once.
protocol ShieldGround: Sendable {
    func perform(_ acts: [DesktopAct])

    /// In front of these apps is a shield.
    func shielded(_ apps: Set<String>)

    /// Comes back once the display has answered; without one at once.
    func answers() async
}
