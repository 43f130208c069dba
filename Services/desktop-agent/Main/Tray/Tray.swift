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

/// The item in the desktop's tray: the limit with the least time left, and a menu with the page, more time and a pause.
///
/// GNOME Shell has no tray. There our extension shows the same on the panel. The tray requests its data after a change of the
/// foreground app, and once a minute while usage counts. Without a tray and a panel it requests nothing. Runs on the bus thread.
actor Tray: DesktopModelObserver {
    private static let watcher = "org.kde.StatusNotifierWatcher"
    private static let callTimeout: Duration = .seconds(10)
    /// The time after a change before the tray requests its data, so that several changes cause one request.
    private static let refreshDelay: Duration = .seconds(1)
    private static let minute: Duration = .seconds(60)

    private let loop: BusLoop
    private let client: BusClient
    private let hub: DesktopHub
    private let environment: [String: String]
    private let language: String
    private let time: any TimeSource
    private let log: Log
    /// The content for D-Bus. It is read on the thread of the D-Bus connection.
    private let model: Mutex<TrayItemModel>
    private var link: BusLink?
    private var timer: LoopTimer?
    private var isOffered = false
    private var hasPanel = false
    private var panelItem: PanelItem?
    private var isRefreshing = false
    private var needsRefresh = false
    /// The boot time since which the services do not answer. `nil` while they answer.
    private var unreachableSince: BootTime?
    private var lastContent: TrayContent
    private static let unreachableCodes = ["service.not_running", "service.unavailable", "deadline.exceeded"]

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

    init(
        _ surroundings: ServiceEnvironment,
        client: BusClient,
        hub: DesktopHub,
        environment: [String: String],
        language: String
    ) {
        loop = surroundings.loop
        log = surroundings.log
        time = surroundings.time
        self.client = client
        self.hub = hub
        self.environment = environment
        self.language = language
        let icon = "/usr/share/icons/hicolor/scalable/apps/\(TrayItemModel.icon).svg"
        lastContent = TrayContent(language: language)
        model = Mutex(
            TrayItemModel(content: TrayContent(language: language), isInstalled: access(icon, R_OK) == 0)
        )
    }

    /// Registers the item with the present tray and with each later one, on each session bus.
    func begin() async {
        timer = LoopTimer(loop.thread) { [weak self] in self?.assumeIsolated { $0.timerDidFire() } }
        let (thread, environment) = (loop.thread, environment)
        let link = BusLink(thread) { () throws(Problem) in
            try DBusAddress.session(environment)
        } ready: { [weak self] bus in
            try await self?.ready(bus)
        } ended: { [weak self] _ in
            self?.assumeIsolated { $0.trayDidVanish() }
        }
        self.link = link
        await link.connect()
    }

    func close() async { await link?.close() }

    private func ready(_ bus: DBusConnection) async throws {
        for path in [TrayItemModel.itemPath, TrayItemModel.menuPath] {
            try await bus.serve(path: path) { [weak self] call in self?.answer(call) }
        }
        let rule =
            "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(Self.watcher)'"
        try await bus.match(rule, withinMs: Self.callTimeout.ms) { [weak self] signal in
            let isThere = signal.arguments.last?.text?.isEmpty == false
            self?.loop.thread.post { [weak self] in self?.assumeIsolated { $0.trayDidChange(isThere, bus) } }
        }
        await offer(bus)
    }

    private func trayDidChange(_ isThere: Bool, _ bus: DBusConnection) {
        trayDidVanish()
        if isThere { Task(executorPreference: loop.thread) { await self.offer(bus) } }
    }

    private func trayDidVanish() {
        isOffered = false
        scheduleRefresh()
    }

    private func offer(_ bus: DBusConnection) async {
        do {
            let call = DBusCall(
                Self.watcher,
                path: "/StatusNotifierWatcher",
                interface: Self.watcher,
                member: "RegisterStatusNotifierItem",
                arguments: [.string(try await bus.uniqueName())]
            )
            _ = try await bus.call(call, withinMs: Self.callTimeout.ms)
            isOffered = true
            log.info("tray_item", "The item is in the tray.")
            scheduleRefresh()
        } catch {
            // The desktop has no tray, or its tray starts later.
            log.info("tray_none", Problem(error).message)
        }
    }

    // MARK: - Content

    nonisolated func desktopDidChange(_ scene: DesktopModel, _ event: DesktopEvent) {
        assumeIsolated { tray in
            switch event {
            case .focus: tray.scheduleRefresh()
            case .ready(let abilities):
                tray.hasPanel = abilities.hasPanel
                tray.scheduleRefresh()
            case .lost:
                tray.hasPanel = false
                tray.panelItem = nil
            case .chosen(let id):
                if let choice = TrayContent.Choice(rawValue: id) { tray.choose(choice) }
            default: break
            }
        }
    }

    nonisolated func presenceDidChange() { assumeIsolated { $0.scheduleRefresh() } }

    /// Schedules a refresh shortly after a limit may be used up, or in a minute if that is earlier.
    nonisolated func checkWasScheduled(at moment: BootTime) {
        let delay = moment - BootTime(ms: Stopwatch.bootMilliseconds()) + Self.refreshDelay
        assumeIsolated { $0.scheduleRefresh(after: min(Self.minute, max(Self.refreshDelay, delay))) }
    }

    private func scheduleRefresh(after delay: Duration = refreshDelay) {
        if isOffered || hasPanel { timer?.fire(afterMs: delay.ms) }
    }

    private func timerDidFire() {
        guard !isRefreshing else { return needsRefresh = true }
        isRefreshing = true
        Task(executorPreference: loop.thread) { await self.refreshNow() }
    }

    private func refreshNow() async {
        do {
            try await refresh()
            unreachableSince = nil
        } catch {
            let problem = Problem(error)
            log.problem("tray_not_asked", problem)
            if Self.unreachableCodes.contains(problem.code) {
                await showUnreachable(problem)
            } else {
                scheduleRefresh(after: Self.minute)
            }
        }
        isRefreshing = false
        if needsRefresh { scheduleRefresh() }
        needsRefresh = false
    }

    private func refresh() async throws {
        guard let member = await hub.member else { return }
        let rules = try await client.call(RuleList.self, .init(member: member)).rules
        let explained = try await client.call(
            ActivityExplain.self,
            .init(app: BuiltInRules.app, member: member)
        )
        let people = try await client.call(MemberList.self, Empty()).members
        let isUsedUp = explained.activities.contains { $0.ruleCount?.reached == true }
        let requests =
            isUsedUp
            ? try await client.call(RequestList.self, .init(member: member, state: .granted)).requests : []
        let losses = try? await client.call(HistoryList.self, .init(limit: 1)).losses
        let choice = await hub.choice?.choice
        let isBlind = await hub.hasNoScreen
        let face = TrayContent(
            rules: rules,
            explained: explained.activities,
            requests: requests,
            now: time.now().wall,
            mayPause: people.contains { $0.name == member && $0.role != .child },
            conditions: [
                Condition.recordsMissing(losses.map { $0.map { Message(verbatim: $0.text()) } } ?? []),
                choice.flatMap { isBlind ? .unobserved($0.reason, remedy: $0.remedy) : nil },
            ].compactMap(\.self),
            language: language
        )
        lastContent = face
        try await show(face)
    }

    /// Handles a service that does not answer. The last limits are out of date, so after a while the tray shows this
    /// problem instead.
    private func showUnreachable(_ problem: Problem) async {
        let now = BootTime(ms: Stopwatch.bootMilliseconds())
        let since = unreachableSince ?? now
        unreachableSince = since
        let wait = .milliseconds(ConditionCode.serviceSilent.shownAfterMs) - (now - since)
        scheduleRefresh(after: wait > .zero ? wait : Self.minute)
        guard wait <= .zero else { return }
        lastContent.conditions = [Condition(.serviceSilent, problem.text)]
        try? await show(lastContent)
    }

    private func show(_ face: TrayContent) async throws {
        await showOnPanel(face)
        if isOffered, let bus = await link?.connection { try await show(face, bus) }
    }

    /// Shows the item on the panel of GNOME. A desktop with both a panel and a tray, for example GNOME with another extension,
    /// shows only the tray item.
    private func showOnPanel(_ face: TrayContent) async {
        let item = PanelItem(
            name: face.title,
            label: face.label,
            lines: face.lines,
            choices: face.choices.map { .init(id: $0.rawValue, text: face.text($0)) }
        )
        let wanted = hasPanel && !isOffered ? item : nil
        guard wanted != panelItem else { return }
        panelItem = wanted
        await hub.perform([.showItem(wanted)])
    }

    private func show(_ face: TrayContent, _ bus: DBusConnection) async throws {
        let (before, revision) = model.withLock { form in
            let before = form.content
            if before.choices != face.choices { form.revision += 1 }
            form.content = face
            return (before, form.revision)
        }
        if before.tip != face.tip {
            try await bus.emit(
                path: TrayItemModel.itemPath,
                TrayItemModel.item,
                member: "NewToolTip",
                arguments: []
            )
            try await bus.emit(
                path: TrayItemModel.itemPath,
                TrayItemModel.item,
                member: "XAyatanaNewLabel",
                arguments: [.string(face.label), .string("")]
            )
        }
        if before.choices != face.choices {
            try await bus.emit(
                path: TrayItemModel.menuPath,
                TrayItemModel.menu,
                member: "LayoutUpdated",
                arguments: [.uint32(revision), .int32(0)]
            )
        }
    }

    // MARK: - Choices

    /// Handles a D-Bus call. Called on the thread of the connection.
    private nonisolated func answer(_ call: DBusMessage) -> Result<[DBusValue], Problem> {
        let (reply, choice) = model.withLock { $0.answer(call) }
        if let choice { loop.thread.post { [weak self] in self?.assumeIsolated { $0.choose(choice) } } }
        return reply
    }

    private func choose(_ choice: TrayContent.Choice) {
        switch choice {
        case .open: open([])
        case .ask: open(["--at", "requests"])
        case .pause: Task(executorPreference: loop.thread) { await self.pause() }
        }
    }

    /// Opens the page. Its server and the browser must outlive this agent. In a systemd unit they get their own unit, because
    /// systemd would otherwise end them with this one.
    private func open(_ options: [String]) {
        var words = [(ProcFile.ownFolder() ?? ".") + "/screentime", "console"] + options
        if environment["INVOCATION_ID"] != nil {
            let passed = environment.filter { name, _ in
                ["SCREENTIME_", "XDG_", "LC_"].contains(where: name.hasPrefix)
                    || ["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "LANG"].contains(name)
            }
            words =
                ["systemd-run", "--user", "--quiet", "--collect", "--property=KillMode=process"]
                + passed.map { "--setenv=\($0.key)=\($0.value)" } + words
        }
        do {
            _ = try SpawnedProcess(
                SpawnPlan(
                    executable: "/usr/bin/env",
                    arguments: words,
                    environment: environment,
                    startsSession: true
                )
            )
        } catch {
            log.problem("tray_not_opened", Problem(error))
        }
    }

    /// Pauses the member's rules. Rules that are already paused remain unchanged.
    private func pause() async {
        guard let member = await hub.member else { return }
        do {
            for view in try await client.call(RuleList.self, .init(member: member)).rules
            where view.rule.kind != .allow && view.pausedUntil == nil {
                guard let name = view.rule.name else { continue }
                do {
                    let request = RulePause.Request(name: name, forMs: TrayContent.pauseLength.ms)
                    _ = try await client.call(RulePause.self, request)
                } catch {
                    log.problem("tray_not_paused", Problem(error))
                }
            }
        } catch {
            log.problem("tray_not_paused", Problem(error))
        }
        scheduleRefresh()
    }
}
