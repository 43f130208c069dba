import STBus
import STContracts
import STDesktop
import STDesktopCore
import STPlatform
import STScreen
import STServiceKit
import STZeroMQ

/// Executes the orders of `PanelDirector`, and requests data from the other services for it.
///
/// Runs on the bus thread. The scene and the presence come from the hub, the shielded apps from `DesktopFacts`, and questions and
/// notifications from the streams.
actor PanelStage: SceneFollower {
    /// The time that a notification may wait for a desktop. After it, the agent treats the desktop as one that shows no
    /// notifications.
    private static let noticeMs: Int64 = 1_500
    private static let callMs: Int64 = 5_000
    private static let answerMs: Int64 = 12_000

    /// Upper bound on the pages of apps to read. No household has that many.
    private static let pagesMax = 20

    private let surroundings: Surroundings
    private let client: BusClient
    private let hub: DesktopHub
    private let easel: Easel
    private let facts: DesktopFacts
    private let notices: SessionNotices?
    private var covered: Set<String> = []
    private var director: PanelDirector
    private var access: AccessTeller
    private var alarm: DueAlarm?
    private var member: String?
    private var present: Presence?
    private var policy: ShieldPolicy?
    private var isClosed = false

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    /// Throws if pictures cannot be drawn. Everything else works without panels.
    init(
        _ surroundings: Surroundings,
        _ hub: DesktopHub,
        client: BusClient,
        facts: DesktopFacts,
        notices: SessionNotices?,
        environment: [String: String],
        access: AccessiblePanes?
    ) throws {
        self.surroundings = surroundings
        self.hub = hub
        self.client = client
        self.facts = facts
        self.notices = notices
        easel = try Easel(
            thread: surroundings.loop.thread,
            program: DoctorAnswer.drawer,
            folder: "\(surroundings.directories.run)/\(ServiceName.desktop)/panels",
            environment: environment
        )
        director = PanelDirector(.session(environment, surroundings.configuration))
        self.access = AccessTeller(access)
    }

    func begin() async throws {
        await notices?.begin()
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
        await notices?.close()
        await easel.close()
    }

    private var now: TimeReading { surroundings.time.now() }

    // MARK: - Events

    nonisolated func sceneChanged(_ scene: DesktopScene, _ event: DesktopEvent) {
        assumeIsolated { stage in
            stage.look()
            stage.act(stage.director.take(scene, event, stage.now))
        }
    }

    nonisolated func presenceChanged() { assumeIsolated { $0.look() } }

    /// Reads the state beside the scene: the shielded apps, the member of this screen and the presence.
    private func look() {
        // The countdown must not close before the cover is visible. Its removal would start a frame without the cover.
        let apps = Set(facts.shields.shields.filter { $0.stage != .rising }.map(\.app))
        if apps != covered {
            covered = apps
            act(director.shielded(apps, now))
        }
        guard let sight = facts.sight else { return }
        if sight.member != member {
            member = sight.member
            act(director.sits(member, now))
            if let member {
                run { await $0.askWaiting() }
                if let notices { run { _ in await notices.sits(member) } }
            }
        }
        if let presence = sight.presence, presence != present {
            present = presence
            act(director.presence(presence, now))
        }
    }

    func take(_ policy: ShieldPolicy) {
        self.policy = policy
        look()
        act(director.policyChanged(now))
    }

    func hear(_ news: PanelNews) {
        look()
        switch news {
        case .asked(let question):
            // Other programs of this account could record a passcode.
            let isChild = policy?.isChild(question.member) == true
            if isChild, surroundings.directories.isProtectedAccount, !question.provers.isEmpty { return }
            act(director.asked(question, now))
        case .posted(let notice):
            guard member == nil || notice.member == member else { return }
            if let notices, notice.member == member { run { _ in await notices.take(notice) } }
            later(notice)
        }
    }

    // MARK: - Orders

    private func act(_ orders: [PanelOrder]) {
        guard !isClosed else { return }
        for order in orders {
            switch order {
            case .screen(let acts): hub.assumeIsolated { $0.perform(acts) }
            case .draw(let pane, let request, let ticket): run { await $0.draw(pane, request, ticket) }
            case .forget(let paths): run { await $0.easel.forget(paths) }
            case .askBudget(let app, let ticket): run { await $0.askBudget(app, ticket) }
            case .answer(let answer): run { await $0.answer(answer) }
            }
        }
        access.tell(director.accessible, director.accessibleFocus)
        alarm?.set(bootMs: director.nextBootMs(now))
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

    /// Requests the next limit of our own rules that ends in a shield. The effect of other apps' thresholds is unknown beforehand.
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
            if let policy, let member {
                crossing = policy.shieldBootMs(app, member: member, crossingBootMs: crossing, now)
            }
            act(director.budget(ticket: ticket, crossingBootMs: crossing, now))
        } catch {
            // The plan repeats the request later. Until then the panel remains as it is.
            surroundings.log.problem("budget_unknown", Problem(error))
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
            refusal = Problem(error)
        }
        act(director.answered(answer.request, refusal: refusal, now))
    }

    /// Checks after a moment if a desktop showed the notification. Otherwise a panel shows it.
    private func later(_ notice: PostedNotification) {
        guard notice.app == BuiltInRules.app, notice.state ?? .waiting == .waiting else { return }
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

    /// Requests the questions from before the member was known. Each app has at most one.
    private func askWaiting() async {
        let options = CallOptions(timeoutMs: Self.callMs)
        do {
            var next: String?
            for _ in 0..<Self.pagesMax {
                let page = try await client.call(AppList.self, .init(next: next), options)
                for app in page.apps {
                    // Most apps have no question, which the reply reports as a problem.
                    let request = AuthQuestionShow.Request(app: app.manifest.id)
                    guard let question = try? await client.call(AuthQuestionShow.self, request, options),
                        question.state == .pending
                    else { continue }
                    hear(.asked(question))
                }
                guard page.next != nil else { return }
                next = page.next
            }
        } catch {
            // The questions can also be answered in the terminal.
            surroundings.log.problem("questions_unknown", Problem(error))
        }
    }
}
