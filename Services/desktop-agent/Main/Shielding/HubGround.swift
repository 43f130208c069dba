import STDesktop

/// The hub, on the thread that both live on.
struct HubGround: ShieldGround {
    let hub: DesktopHub

    func perform(_ acts: [DesktopAct]) { hub.assumeIsolated { $0.perform(acts) } }

    func answers() async { await hub.answers() }

    func shielded(_ apps: Set<String>) { hub.assumeIsolated { $0.shielded(apps) } }
}
