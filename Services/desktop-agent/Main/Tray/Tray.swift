import Glibc
import STContracts
import STDBus
import STDesktop
import STDesktopCore
import STPlatform
import STScreen
import STServiceKit
import STZeroMQ
import Synchronization

/// The item in the desktop's tray: how much is left of the tightest limit, the page, more time, a pause.
///
/// Asks when the person turns to something else, and once a minute for as long as a limit goes down. Lives on the bus thread.
actor Tray: SceneFollower {
    private static let watcher = "org.kde.StatusNotifierWatcher"
    private static let callMs: Int64 = 10_000
    /// Several changes at once are one question.
    private static let restMs: Int64 = 1_000
    private static let minuteMs: Int64 = 60_000

    private let loop: BusLoop
    private let client: BusClient
    private let hub: DesktopHub
    private let environment: [String: String]
    private let language: String
    private let log: Log
    private let bus: DBusConnection
    /// Read on the connection's own thread.
    private let form: Mutex<TrayForm>
    private var alarm: Alarm?
    private var isAsking = false
    private var mustAskAgain = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

    /// Throws where the session has no bus.
    init(
        _ surroundings: Surroundings,
        _ client: BusClient,
        _ hub: DesktopHub,
        environment: [String: String],
        language: String
    ) throws {
        loop = surroundings.loop
        log = surroundings.log
        self.client = client
        self.hub = hub
        self.environment = environment
        self.language = language
        form = Mutex(TrayForm(face: TrayFace(language: language), isInstalled: Self.isInstalled))
        bus = try DBusConnection(address: try DBusAddress.session(environment))
    }

    private static var isInstalled: Bool {
        access("/usr/share/icons/hicolor/scalable/apps/dev.screentime.ScreenTime.svg", R_OK) == 0
    }

    /// Offers the item to the tray that is there, and to each that comes.
    func begin() async throws {
        alarm = Alarm(loop.thread) { [weak self] in self?.assumeIsolated { $0.rung() } }
        for path in [TrayForm.itemPath, TrayForm.menuPath] {
            try await bus.serve(path: path) { [weak self] call in self?.answer(call) }
        }
        let rule =
            "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(Self.watcher)'"
        try await bus.match(rule, withinMs: Self.callMs) { [weak self] signal in
            guard let self, signal.arguments.last?.text?.isEmpty == false else { return }
            self.loop.thread.post { self.assumeIsolated { $0.offer() } }
        }
        offer()
        look()
    }

    nonisolated func close() { bus.drop() }

    private func offer() {
        Task(executorPreference: loop.thread) {
            do {
                let name = try await self.bus.uniqueName()
                _ = try await self.bus.call(
                    DBusCall(
                        Self.watcher,
                        "/StatusNotifierWatcher",
                        Self.watcher,
                        "RegisterStatusNotifierItem",
                        [.string(name)]
                    ),
                    withinMs: Self.callMs
                )
                self.log.info("tray_item", "The item is in the tray.")
            } catch {
                // A desktop without a tray, or one that comes later.
                self.log.info("tray_none", Problem(error).message)
            }
        }
    }

    // MARK: - What it says

    nonisolated func sceneChanged(_ scene: DesktopScene, _ event: DesktopEvent) {
        if case .focus = event { assumeIsolated { $0.look() } }
    }

    nonisolated func presenceChanged() { assumeIsolated { $0.look() } }

    private func look() { alarm?.ring(afterMs: Self.restMs) }

    private func rung() {
        guard !isAsking else { return mustAskAgain = true }
        isAsking = true
        Task(executorPreference: loop.thread) { await self.askNow() }
    }

    private func askNow() async {
        await ask()
        isAsking = false
        if mustAskAgain { look() }
        mustAskAgain = false
    }

    private func ask() async {
        guard let member = await hub.member else { return }
        do {
            let rules = try await client.call(RuleList.self, .init(member: member)).rules
            let explained = try await client.call(
                ActivityExplain.self,
                .init(app: BuiltInRules.app, member: member)
            )
            let people = try await client.call(MemberList.self, Empty()).members
            let face = TrayFace(
                rules: rules,
                explained: explained.activities,
                mayPause: people.contains { $0.name == member && $0.role == .individual },
                language: language
            )
            try await show(face)
        } catch {
            log.problem("tray_not_asked", Problem(error))
        }
    }

    private func show(_ face: TrayFace) async throws {
        let before = form.withLock { form in
            defer {
                if form.face.choices != face.choices { form.revision += 1 }
                form.face = face
            }
            return form.face
        }
        // As long as something goes down, it goes on; what rests wakes nothing.
        if before.limits != face.limits, !face.limits.isEmpty { alarm?.ring(afterMs: Self.minuteMs) }
        if before.tip != face.tip {
            try await bus.emit(path: TrayForm.itemPath, TrayForm.item, "NewToolTip", [])
            try await bus.emit(
                path: TrayForm.itemPath,
                TrayForm.item,
                "XAyatanaNewLabel",
                [.string(face.label), .string("")]
            )
        }
        if before.choices != face.choices {
            let revision = form.withLock { $0.revision }
            try await bus.emit(
                path: TrayForm.menuPath,
                TrayForm.menu,
                "LayoutUpdated",
                [.uint32(revision), .int32(0)]
            )
        }
    }

    // MARK: - What is chosen

    /// On the connection's own thread.
    private nonisolated func answer(_ call: DBusMessage) -> Result<[DBusValue], Problem> {
        let (reply, choice) = form.withLock { $0.answer(call) }
        if let choice { loop.thread.post { [weak self] in self?.assumeIsolated { $0.choose(choice) } } }
        return reply
    }

    private func choose(_ choice: TrayFace.Choice) {
        switch choice {
        case .open: open([])
        case .ask: open(["--at", "requests"])
        case .pause:
            Task(executorPreference: loop.thread) { await self.pause() }
        }
    }

    private func open(_ options: [String]) {
        do {
            _ = try SpawnedProcess(
                SpawnPlan(
                    executable: (ProcFile.ownFolder() ?? ".") + "/screentime",
                    arguments: ["console"] + options,
                    environment: environment,
                    startsSession: true
                )
            )
        } catch {
            log.problem("tray_not_opened", Problem(error))
        }
    }

    private func pause() async {
        guard let member = await hub.member else { return }
        do {
            for view in try await client.call(RuleList.self, .init(member: member)).rules
            where view.rule.kind != .allow {
                guard let name = view.rule.name else { continue }
                let request = RulePause.Request(name: name, forMs: TrayFace.pauseMs)
                _ = try await client.call(RulePause.self, request)
            }
        } catch {
            log.problem("tray_not_paused", Problem(error))
        }
        look()
    }
}
