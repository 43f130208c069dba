import STContracts
package import STEngine
import STPlatform

/// The bus service of desktop-agent: its routes, its tables and the streams that it follows.
package enum DesktopService {
    /// Returns the definition of the service.
    ///
    /// - `facts` contains the data that is not in the database.
    /// - `panels` receives events that panels show.
    /// - `policy` receives each change of policy before it is on the disk.
    package static func definition(
        facts: DesktopFacts = DesktopFacts(),
        language: String = "en",
        panels: @escaping @Sendable (PanelEvent) -> Void = { _ in },
        policy: @escaping @Sendable (ShieldPolicy) -> Void = { _ in }
    ) -> ServiceDefinition<DesktopState> {
        ServiceDefinition(
            name: .desktop,
            migrations: DesktopTables.migrations,
            load: {
                let state = try DesktopTables.load($0)
                policy(state.policy)
                return state
            },
            routes: [
                .read(DesktopStatus.self) { state, _, _ in status(state, facts.observation) },
                .read(DesktopDoctor.self) { _, _, _ in try facts.doctor() },
                .read(DesktopWindows.self) { _, request, _ in try facts.windows(request) },
                .read(DesktopCatalogue.self) { _, request, _ in try facts.catalogue(request) },
                .read(DesktopShields.self) { _, _, _ in facts.shields },
                .read(BrowserReport.self) { _, request, context in
                    try facts.receiveBrowserReport(request, context.principal)
                    return Empty()
                },
                .write(DesktopPlay.self) { state, request, context, change in
                    try DesktopSteps.play(request, state: &state, context: context, change: change)
                },
            ],
            subscriptions: DesktopSubscriptions(
                language: language,
                onPanelEvent: panels,
                onPolicyChange: policy
            ).subscriptions
        )
    }

    private static func status(_ state: DesktopState, _ sight: DesktopFacts.ObservationState?)
        -> DesktopStatus.Reply
    {
        let isPlaying = !state.plays.isEmpty
        guard let sight, !isPlaying else {
            let isScripted = isPlaying || (sight == nil && state.hasWaiting)
            return DesktopStatus.Reply(
                source: isScripted ? "scripted" : "none",
                reason: isScripted
                    ? Message("agent.script-is-played", "A script provides the observations.")
                    : Message(
                        "agent.desktop-not-observed-yet",
                        "desktop-agent has not observed the desktop yet, and is not playing a script."
                    ),
                seen: state.seen,
                waiting: state.waiting
            )
        }
        return DesktopStatus.Reply(
            source: sight.source.rawValue,
            reason: sight.reason,
            seen: state.seen + sight.heartbeats,
            waiting: state.waiting,
            isBlind: sight.hasNoAdapter,
            wayOut: sight.remedy,
            member: sight.member,
            presence: sight.presence,
            app: sight.app,
            site: sight.site
        )
    }
}
