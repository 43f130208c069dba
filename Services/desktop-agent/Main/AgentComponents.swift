import STContracts
import STDesktop
import STDesktopCore
import STPausing
import STPlatform
import STScreen
import STServiceKit
import STZeroMQ

/// Creates and connects the parts that observe the real desktop. Runs on the bus thread.
actor AgentComponents {
    private let surroundings: ServiceEnvironment
    private let environment: [String: String]
    private let presence: SessionPresence
    private let names: AppNames
    let hub: DesktopHub
    private var session: SessionWatch?
    private var sessionFacts: SessionFacts?
    private var isRequestingSession = false
    private let client: BusClient
    private let eventSources: EventSources
    private let exemptions: PauseExemptionWatch
    private let exemptionChecks: PauseExemptionChecks
    /// The stage of shields. `nil` if it could not start, for example because the journal of pauses is not writable. The reason
    /// is in the log.
    private var shields: ShieldController?
    private var pauser: AppPauser?
    private var panels: PanelController?
    private var tray: Tray?
    private let accessibility: AccessiblePanes?

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    /// Returns nil on a virtual clock, if the adapter is `none`, or if a script replaces the desktop.
    init?(
        _ surroundings: ServiceEnvironment,
        client: BusClient,
        sender: ObservationSender,
        ears: EventSources
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
        self.eventSources = ears
        exemptions = PauseExemptionWatch(
            surroundings.directories,
            apps: ConfigurationKey.names(configuration.value(.desktopNeverPause)),
            environment: environment
        )
        let verdicts = PauseExemptionChecks(surroundings.loop.thread)
        self.exemptionChecks = verdicts
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
                resolveApp: { window in names.assumeIsolated { $0.app(of: window) } },
                setChildProtection: { isChild in names.assumeIsolated { $0.setChildProtection(isChild) } },
                exemptionReason: { verdicts.reason($0) },
                onProbe: { [exemptions] in exemptions.apply($0) }
            )
        )
        accessibility = AccessibilityPublisher.open(
            surroundings.loop.thread,
            environment: environment,
            hub: hub
        )
    }

    /// Runs until the task is cancelled.
    func run() async {
        eventSources.facts.setCatalogueProvider { [names] request in
            try names.assumeIsolated { try $0.page(request) }
        }
        eventSources.facts.setDoctorProvider { [unowned self] in try assumeIsolated { try $0.doctor() } }
        await names.start { [hub] in hub.assumeIsolated { $0.resolveApps() } }
        let session = watchSession()
        self.session = session
        await hub.addObserver(exemptions)
        await hub.addObserver(exemptionChecks)
        let language = ShieldSettings.language(surroundings.configuration, environment)
        await hub.addObserver(
            ConditionNotifier(surroundings, client: client, names: names, hub: hub, language: language)
        )
        await beginShields()
        await beginPanels(language)
        await beginTray(language)
        await hub.beforeEnd { [weak self] in await self?.stopControllers() }
        eventSources.sessionMember.connect(hub, surroundings.loop.thread)
        async let seeing: Void = hub.run()
        await session.start()
        await refreshSession()
        await seeing
        await session.close()
        await names.stop()
    }

    // MARK: - Stages on the screen

    /// Returns nil if the easel cannot start. Covers then are a bare colour, which is better than no cover.
    private func makeDrawingClient() -> DrawingClient? {
        do {
            return try DrawingClient(
                thread: surroundings.loop.thread,
                program: DoctorFactCollector.drawingProgram,
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
            let pauser = try AppPauser(
                journal: PauseJournal(surroundings.directories),
                environment: environment,
                units: SystemdUnits(environment: environment),
                facts: { [exemptions] in exemptions.facts }
            )
            let isWayland = !(environment["WAYLAND_DISPLAY"] ?? "").isEmpty
            let stage = ShieldController(
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
                    drawingClient: makeDrawingClient(),
                    policyMailbox: eventSources.policy,
                    facts: eventSources.facts,
                    accessibility: accessibility
                )
            )
            self.pauser = pauser
            exemptionChecks.connect(pauser)
            shields = stage
            await hub.addObserver(stage)
            await stage.start(hub.desktop)
        } catch {
            surroundings.log.problem("no_shields", Problem(error))
        }
    }

    private func beginPanels(_ language: String) async {
        do {
            let panels = try PanelController(
                surroundings,
                hub,
                client: client,
                facts: eventSources.facts,
                notices: SessionNotices(surroundings, client, language: language),
                environment: environment,
                access: accessibility
            )
            try await panels.begin()
            self.panels = panels
            await hub.addObserver(panels)
            eventSources.panels.connect(panels, surroundings.loop.thread)
        } catch {
            surroundings.log.problem("no_panels", Problem(error))
        }
    }

    /// Starts the tray. The caller does not wait for it, because a bus that does not answer would delay the observation
    /// of the screen.
    private func beginTray(_ language: String) async {
        guard surroundings.configuration.value(.desktopTray) == "on" else { return }
        let tray = Tray(surroundings, client: client, hub: hub, environment: environment, language: language)
        self.tray = tray
        await hub.addObserver(tray)
        Task(executorPreference: surroundings.loop.thread) { await tray.begin() }
    }

    /// Ends all stages, before the hub leaves the screen. Apps run again first, then their covers close.
    private func stopControllers() async {
        await tray?.close()
        await panels?.close()
        await shields?.stop()
        await accessibility?.closeAll()
        await pauser?.close()
    }

    // MARK: - The session

    /// The part of the session that this process observes, for the account's door.
    enum ObservationMode {
        case all
        /// This desktop does not report its windows, or there is no desktop yet.
        case disabled
        /// The display does not belong to the login session.
        case remote
    }

    var observationMode: ObservationMode {
        let (looked, isKnown) = hub.assumeIsolated { ($0.choice, $0.desktop.isKnown) }
        guard let (signs, choice) = looked, !choice.hasNoAdapter, isKnown, let session = sessionFacts?.session
        else {
            return .disabled
        }
        return session.matches(choice.kind, signs) ? .all : .remote
    }

    private func watchSession() -> SessionWatch {
        SessionWatch(
            thread: surroundings.loop.thread,
            environment: environment,
            countsNotifications: surroundings.configuration.value(.desktopNotifications) == "on",
            beforeSleep: { [hub] in await hub.sendBeforeSleep() }
        ) { [weak self] event in
            self?.assumeIsolated { $0.handle(event) }
        }
    }

    private func handle(_ event: SessionEvent) {
        switch event {
        case .notified(let counts, _):
            hub.assumeIsolated { hub in
                for (source, count) in counts {
                    hub.recordNotification(names.assumeIsolated { $0.app(of: source) }, count)
                }
            }
        default:
            presence.handle(event)
            Task(executorPreference: surroundings.loop.thread) { await self.refreshSession() }
        }
    }

    /// Refreshes the session data for the doctor, which must not wait for a bus.
    private func refreshSession() async {
        guard !isRequestingSession, let session else { return }
        isRequestingSession = true
        sessionFacts = await session.facts()
        isRequestingSession = false
    }

    private func doctor() throws -> DesktopDoctor.Reply {
        let (looked, scene, telling) = hub.assumeIsolated { ($0.choice, $0.desktop, $0.reportingBrowsers) }
        guard let (signs, choice) = looked else {
            throw Problem(
                "unavailable",
                "desktop-agent is still examining the desktop. Try again in a moment.",
                key: "unavailable.desktop-agent-is",
                retryable: true
            )
        }
        var found = DoctorFactCollector.facts(
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
        if scene.isKnown { found.abilities = DoctorFactCollector.abilities(scene.abilities) }
        return DoctorReport.make(signs, choice: choice, facts: found)
    }
}
