import STContracts
import STDesktop
import STDesktopCore
import STPausing
import STPlatform
import STScreen
import STServiceKit
import STZeroMQ

/// Creates and connects the parts that observe the real desktop. Runs on the bus thread.
actor AgentParts {
    private let surroundings: Surroundings
    private let environment: [String: String]
    private let presence: SessionPresence
    private let names: AppNames
    let hub: DesktopHub
    private var session: SessionWatch?
    private var sessionFacts: SessionFacts?
    private var isAskingSession = false
    private let client: BusClient
    private let ears: AgentEars
    private let never: NeverWatch
    private let verdicts: NeverVerdicts
    /// The stage of shields. `nil` if it could not start, for example because the journal of pauses is not writable. The reason
    /// is in the log.
    private var shields: ShieldStage?
    private var pauser: Pauser?
    private var panels: PanelStage?
    private var tray: Tray?
    private let access: AccessiblePanes?

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    /// Returns nil on a virtual clock, if the adapter is `none`, or if a script replaces the desktop.
    init?(
        _ surroundings: Surroundings,
        _ client: BusClient,
        _ sender: ObservationSender,
        _ ears: AgentEars
    ) {
        let configuration = surroundings.configuration
        let setting = configuration.value(.desktopAdapter)
        guard surroundings.time.virtual == nil, setting != "none",
            configuration.value(.desktopScript).isEmpty
        else { return nil }
        let environment = ProcessEnvironment.current()
        let presence = SessionPresence(surroundings)
        let names = AppNames(
            surroundings,
            environment: environment,
            language: ShieldSettings.language(configuration, environment)
        )
        self.surroundings = surroundings
        self.client = client
        self.ears = ears
        never = NeverWatch(
            surroundings.directories,
            apps: ConfigurationKey.names(configuration.value(.desktopNeverPause)),
            environment: environment
        )
        let verdicts = NeverVerdicts(surroundings.loop.thread)
        self.verdicts = verdicts
        self.environment = environment
        self.presence = presence
        self.names = names
        hub = DesktopHub(
            surroundings,
            sender: sender,
            facts: ears.facts,
            parts: .init(
                choose: { ChosenScreen.choose(environment, setting: setting) },
                presence: presence,
                naming: { window in names.assumeIsolated { $0.app(of: window) } },
                guardChild: { isChild in names.assumeIsolated { $0.guardChild(isChild) } },
                neverPaused: { verdicts.reason($0) },
                looked: { [never] in never.take($0) }
            )
        )
        access = AccessTeller.open(surroundings.loop.thread, environment, hub)
    }

    /// Runs until the task is cancelled.
    func run() async {
        ears.facts.answerCatalogue { [names] request in
            try names.assumeIsolated { try $0.page(request) }
        }
        ears.facts.answerDoctor { [unowned self] in try assumeIsolated { try $0.doctor() } }
        await names.start { [hub] in hub.assumeIsolated { $0.lookUpApps() } }
        let session = watchSession()
        self.session = session
        await hub.follow(never)
        await hub.follow(verdicts)
        let language = ShieldSettings.language(surroundings.configuration, environment)
        await hub.follow(SightWatch(surroundings, client, names, hub, language: language))
        await beginShields()
        await beginPanels(language)
        await beginTray(language)
        await hub.beforeEnd { [weak self] in await self?.endStages() }
        ears.seat.connect(hub, surroundings.loop.thread)
        async let seeing: Void = hub.run()
        await session.start()
        await askSession()
        await seeing
        await session.close()
        await names.stop()
    }

    // MARK: - Stages on the screen

    /// Returns nil if the easel cannot start. Covers then are a bare colour, which is better than no cover.
    private func easel() -> Easel? {
        do {
            return try Easel(
                thread: surroundings.loop.thread,
                program: DoctorAnswer.drawer,
                // This folder belongs to desktop-agent. Extensions of shields listen in `run/shields`.
                folder: "\(surroundings.directories.run)/\(ServiceName.desktop)/shields",
                environment: environment
            )
        } catch {
            surroundings.log.problem("no_pictures", error)
            return nil
        }
    }

    private func beginShields() async {
        do {
            let pauser = try Pauser(
                journal: PauseJournal(surroundings.directories),
                environment: environment,
                units: SystemdUnits(environment: environment),
                facts: { [never] in never.facts }
            )
            let isWayland = !(environment["WAYLAND_DISPLAY"] ?? "").isEmpty
            let stage = ShieldStage(
                surroundings,
                client: client,
                settings: ShieldSettings(
                    surroundings.configuration,
                    environment: environment,
                    kind: isWayland ? .wlroots : .x11
                ),
                parts: .init(
                    hub: hub,
                    pausing: pauser,
                    easel: easel(),
                    wire: ears.policy,
                    facts: ears.facts,
                    access: access
                )
            )
            self.pauser = pauser
            verdicts.connect(pauser)
            shields = stage
            await hub.follow(stage)
            await stage.start(hub.scene)
        } catch {
            surroundings.log.problem("no_shields", Problem(error))
        }
    }

    private func beginPanels(_ language: String) async {
        do {
            let panels = try PanelStage(
                surroundings,
                hub,
                client: client,
                facts: ears.facts,
                notices: SessionNotices(surroundings, client, language: language),
                environment: environment,
                access: access
            )
            try await panels.begin()
            self.panels = panels
            await hub.follow(panels)
            ears.panels.connect(panels, surroundings.loop.thread)
        } catch {
            surroundings.log.problem("no_panels", Problem(error))
        }
    }

    /// Starts the tray. The caller does not wait for it, because a bus that does not answer would delay the observation
    /// of the screen.
    private func beginTray(_ language: String) async {
        guard surroundings.configuration.value(.desktopTray) == "on" else { return }
        let tray = Tray(surroundings, client, hub, environment: environment, language: language)
        self.tray = tray
        await hub.follow(tray)
        Task(executorPreference: surroundings.loop.thread) { await tray.begin() }
    }

    /// Ends all stages, before the hub leaves the screen. Apps run again first, then their covers close.
    private func endStages() async {
        await tray?.close()
        await panels?.close()
        await shields?.stop()
        await access?.closeAll()
        await pauser?.close()
    }

    // MARK: - The session

    /// The part of the session that this process observes, for the account's door.
    enum Sight {
        case whole
        /// This desktop does not report its windows, or there is no desktop yet.
        case nothing
        /// The display does not belong to the login session.
        case elsewhere
    }

    var sight: Sight {
        let (looked, isKnown) = hub.assumeIsolated { ($0.choice, $0.scene.isKnown) }
        guard let (signs, choice) = looked, !choice.isBlind, isKnown, let session = sessionFacts?.session
        else {
            return .nothing
        }
        return session.shows(choice.kind, signs) ? .whole : .elsewhere
    }

    private func watchSession() -> SessionWatch {
        SessionWatch(
            thread: surroundings.loop.thread,
            environment: environment,
            countsNotifications: surroundings.configuration.value(.desktopNotifications) == "on",
            beforeSleep: { [hub] in await hub.tellBeforeSleep() }
        ) { [weak self] event in
            self?.assumeIsolated { $0.hear(event) }
        }
    }

    private func hear(_ event: SessionEvent) {
        switch event {
        case .notified(let counts, _):
            hub.assumeIsolated { hub in
                for (source, count) in counts {
                    hub.notified(names.assumeIsolated { $0.app(of: source) }, count)
                }
            }
        default:
            presence.hear(event)
            Task(executorPreference: surroundings.loop.thread) { await self.askSession() }
        }
    }

    /// Refreshes the session data for the doctor, which must not wait for a bus.
    private func askSession() async {
        guard !isAskingSession, let session else { return }
        isAskingSession = true
        sessionFacts = await session.facts()
        isAskingSession = false
    }

    private func doctor() throws -> DesktopDoctor.Reply {
        let (looked, scene, telling) = hub.assumeIsolated { ($0.choice, $0.scene, $0.tellingBrowsers) }
        guard let (signs, choice) = looked else {
            throw Problem(
                "unavailable",
                "desktop-agent is still examining the desktop.",
                key: "unavailable.desktop-agent-is",
                retryable: true
            )
        }
        var found = DoctorAnswer.facts(
            surroundings.configuration,
            session: sessionFacts,
            programs: names.assumeIsolated { $0.count }
        )
        for seen in scene.windows.values {
            guard let app = seen.app, names.assumeIsolated({ $0.isBrowser(app.id) }) else { continue }
            let name = app.name ?? app.id
            let version = seen.window.pid.flatMap { telling[$0] }
            if version != nil || found.browsers[name] == nil {
                found.browsers.updateValue(version, forKey: name)
            }
        }
        if scene.isKnown { found.abilities = DoctorAnswer.abilities(scene.abilities) }
        return DoctorReport.make(signs, choice, found)
    }
}
