import STBus
import STContracts
import STDesktop
import STDesktopCore
import STPlatform
import STScreen
import STServiceKit
import STZeroMQ

/// Puts the panels of `PanelDirector` on the screen, and asks the other services what it wants to know.
///
/// Lives on the bus thread. Whoever knows something tells it: the hub the scene and the presence, the shields which apps
/// have one, the streams what is asked and posted.
actor PanelStage: SceneFollower {
    /// How long a notification may wait for a desktop before it is taken for one that none shows.
    private static let noticeMs: Int64 = 1_500
    static let callMs: Int64 = 5_000
    private static let answerMs: Int64 = 12_000

    let surroundings: Surroundings
    let client: BusClient
    private let ground: any PanelGround
    private let easel: Easel
    private let facts: DesktopFacts
    private let board: ShieldBoard
    private var covered: Set<String> = []
    private var director: PanelDirector
    private var access: AccessTeller
    private var alarm: DueAlarm?
    private var member: String?
    private var present: Presence?
    private var isClosed = false

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(
        _ surroundings: Surroundings,
        client: BusClient,
        ground: any PanelGround,
        easel: Easel,
        facts: DesktopFacts,
        board: ShieldBoard,
        settings: PanelSettings,
        access: AccessiblePanes? = nil
    ) {
        self.surroundings = surroundings
        self.client = client
        self.ground = ground
        self.easel = easel
        self.facts = facts
        self.board = board
        director = PanelDirector(settings)
        self.access = AccessTeller(access)
    }

    func begin() throws {
        alarm = try DueAlarm(surroundings.loop.thread, surroundings.time) { [weak self] in
            self?.assumeIsolated { stage in
                stage.look()
                stage.act(stage.director.tick(stage.now))
            }
        }
    }

    func close() async {
        isClosed = true
        alarm?.set()
        await easel.close()
    }

    private var now: TimeReading { surroundings.time.now() }

    // MARK: - What is told

    nonisolated func sceneChanged(_ scene: DesktopScene, _ event: DesktopEvent) {
        assumeIsolated { stage in
            stage.look()
            stage.act(stage.director.take(scene, event, stage.now))
        }
    }

    nonisolated func presenceChanged() { assumeIsolated { $0.look() } }

    /// What others have come to know beside the scene: which apps have a shield, who sits here, and whether anybody does.
    private func look() {
        let apps = Set(board.reply.shields.map(\.app))
        if apps != covered { shielded(apps) }
        guard let sight = facts.sight else { return }
        if sight.member != member { sits(sight.member) }
        if let presence = sight.presence, presence != present { self.presence(presence) }
    }

    func presence(_ presence: Presence) {
        present = presence
        act(director.presence(presence, now))
    }

    func sits(_ member: String?) {
        self.member = member
        act(director.sits(member, now))
        if member != nil { run { await $0.askWaiting() } }
    }

    func shielded(_ apps: Set<String>) {
        covered = apps
        act(director.shielded(apps, now))
    }

    func policyChanged() {
        look()
        act(director.policyChanged(now))
    }

    func hear(_ news: PanelFollowing.News) {
        look()
        switch news {
        case .asked(let question): act(director.asked(question, now))
        case .posted(let notice): later(notice)
        }
    }

    // MARK: - What is wanted

    private func act(_ orders: [PanelOrder]) {
        guard !isClosed else { return }
        for order in orders {
            switch order {
            case .screen(let acts): perform(acts)
            case .draw(let pane, let request, let ticket): run { await $0.draw(pane, request, ticket) }
            case .forget(let paths): run { await $0.easel.forget(paths) }
            case .askBudget(let app, let ticket): run { await $0.askBudget(app, ticket) }
            case .answer(let answer): run { await $0.answer(answer) }
            }
        }
        access.tell(director.accessible, director.accessibleFocus)
        alarm?.set(bootMs: director.nextBootMs(now))
    }

    private func perform(_ acts: [DesktopAct]) {
        // The hub lives on this very thread: so they stay in their order.
        let ground = ground
        if let hub = ground as? DesktopHub {
            hub.assumeIsolated { $0.perform(acts) }
        } else {
            run { _ in await ground.performPanels(acts) }
        }
    }

    private func run(_ body: @escaping @Sendable (PanelStage) async -> Void) {
        Task(executorPreference: surroundings.loop.thread, priority: .medium) { await body(self) }
    }

    private func draw(_ pane: PaneID, _ request: DrawPanelRequest, _ ticket: Int64) async {
        do {
            let (path, answer) = try await easel.draw(request)
            act(director.drawn(pane, ticket: ticket, path: path, answer: answer, now))
        } catch {
            surroundings.log.problem("panel_not_drawn", error)
            act(director.drawn(pane, ticket: ticket, path: "", answer: nil, now))
        }
    }

    /// A limit of our own rules that ends in a shield: what other apps do at their thresholds nobody knows before.
    private func askBudget(_ app: String, _ ticket: Int64) async {
        do {
            let options = CallOptions(timeoutMs: Self.callMs)
            let list = RuleList.Request(kind: .limit, member: member)
            let rules = try await client.call(RuleList.self, list, options).rules.filter {
                $0.rule.then == .shield && $0.pausedUntil == nil
            }
            var crossing: Int64?
            if !rules.isEmpty {
                let explain = ActivityExplain.Request(app: BuiltInRules.app, member: member)
                let explained = try await client.call(ActivityExplain.self, explain, options).activities
                crossing = BudgetReading.crossing(rules: rules, explained)
            }
            act(director.budget(ticket: ticket, crossingBootMs: crossing, now))
        } catch {
            // Asked again after a while; what is shown stands until then.
            surroundings.log.problem("budget_unknown", (error as? Problem) ?? Problem("internal", "\(error)"))
        }
    }

    private func answer(_ answer: QuestionAnswer) async {
        let request = AuthAnswer.Request(
            request: answer.request,
            allow: answer.allow,
            by: answer.by,
            passcode: answer.passcode?.revealed
        )
        var refusal: Problem?
        do {
            let options = CallOptions(timeoutMs: Self.answerMs)
            refusal = try await client.call(AuthAnswer.self, request, options).refusal
        } catch {
            refusal = (error as? Problem) ?? Problem("internal", "It could not be answered.")
        }
        act(director.answered(answer.request, refusal: refusal, now))
    }

    /// Looks after a moment whether a notification found a desktop; where none shows them, a panel does.
    private func later(_ notice: PostedNotification) {
        guard member == nil || notice.member == member else { return }
        surroundings.loop.thread.after(milliseconds: Self.noticeMs) { [weak self] in
            self?.assumeIsolated { $0.run { await $0.warn(notice.number) } }
        }
    }

    private func warn(_ number: Int64) async {
        let request = NotifyList.Request(number: number)
        guard
            let reply = try? await client.call(NotifyList.self, request, CallOptions(timeoutMs: Self.callMs)),
            reply.desktop?.state == .absent, let notice = reply.notifications.first,
            notice.number == number, notice.state == .waiting
        else { return }
        act(director.warned(id: notice.id, title: notice.title, text: notice.body, now))
    }
}
