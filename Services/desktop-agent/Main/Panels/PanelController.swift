import STBus
import STContracts
import STDesktop
import STDesktopCore
import STPlatform
import STScreen
import STServiceKit
import STZeroMQ

/// Executes the orders of `PanelStateMachine`, and requests data from the other services for it.
///
/// Runs on the bus thread. The scene and the presence come from the hub, the shielded apps from `DesktopFacts`, and questions and
/// notifications from the streams.
actor PanelController: DesktopModelObserver {
    /// The time that a notification may wait for a desktop. After it, the agent treats the desktop as one that shows no
    /// notifications.
    private static let noticeWait: Duration = .milliseconds(1_500)
    private static let callTimeout: Duration = .seconds(5)
    private static let answerTimeout: Duration = .seconds(12)

    /// Upper bound on the pages of apps to read. No household has that many.
    private static let pagesMax = 20

    private let surroundings: ServiceEnvironment
    private let client: BusClient
    private let hub: DesktopHub
    private let drawingClient: DrawingClient
    private let facts: DesktopFacts
    private let notices: SessionNotices?
    private var coveredApps: Set<String> = []
    private var director: PanelStateMachine
    private var accessibility: AccessibilityPublisher
    private var timer: DeadlineTimer?
    private var member: String?
    private var sessionPresence: Presence?
    private var policy: ShieldPolicy?
    private var isClosed = false

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    /// Throws if pictures cannot be drawn. Everything else works without panels.
    init(
        _ surroundings: ServiceEnvironment,
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
        drawingClient = try DrawingClient(
            thread: surroundings.loop.thread,
            program: DoctorFactCollector.drawingProgram,
            folder: "\(surroundings.directories.run)/\(ServiceName.desktop)/panels",
            environment: environment
        )
        director = PanelStateMachine(.session(environment, surroundings.configuration))
        self.accessibility = AccessibilityPublisher(access)
    }

    func begin() async throws {
        await notices?.begin()
        timer = try DeadlineTimer(surroundings.loop.thread, time: surroundings.time) { [weak self] in
            self?.assumeIsolated { stage in
                stage.refresh()
                stage.perform(stage.director.tick(stage.now))
            }
        }
    }

    func close() async {
        isClosed = true
        timer?.set()
        await notices?.close()
        await drawingClient.close()
    }

    private var now: TimeReading { surroundings.time.now() }

    // MARK: - Events

    nonisolated func desktopDidChange(_ scene: DesktopModel, _ event: DesktopEvent) {
        assumeIsolated { stage in
            stage.refresh()
            stage.perform(stage.director.take(scene, event: event, now: stage.now))
        }
    }

    nonisolated func presenceDidChange() { assumeIsolated { $0.refresh() } }

    /// Reads the state beside the scene: the shielded apps, the member of this screen and the presence.
    private func refresh() {
        // The countdown must not close before the cover is visible. Its removal would start a frame without the cover.
        let apps = Set(facts.shields.shields.filter { $0.stage != .rising }.map(\.app))
        if apps != coveredApps {
            coveredApps = apps
            perform(director.updateShieldedApps(apps, now))
        }
        guard let sight = facts.observation else { return }
        if sight.member != member {
            member = sight.member
            perform(director.updateMember(member, now))
            if let member {
                run { await $0.loadPendingQuestions() }
                if let notices { run { _ in await notices.setMember(member) } }
            }
        }
        if let presence = sight.presence, presence != sessionPresence {
            sessionPresence = presence
            perform(director.updatePresence(presence, now))
        }
    }

    func apply(_ policy: ShieldPolicy) {
        self.policy = policy
        refresh()
        perform(director.policyDidChange(now))
    }

    func receive(_ news: PanelEvent) {
        refresh()
        switch news {
        case .asked(let question):
            // Other programs of this account could record a passcode.
            let isChild = policy?.isChild(question.member) == true
            if isChild, surroundings.directories.isProtectedAccount, !question.provers.isEmpty { return }
            perform(director.receiveQuestion(question, now))
        case .posted(let notice):
            guard member == nil || notice.member == member else { return }
            if let notices, notice.member == member { run { _ in await notices.receive(notice) } }
            scheduleWarning(notice)
        }
    }

    // MARK: - Orders

    private func perform(_ orders: [PanelEffect]) {
        guard !isClosed else { return }
        for order in orders {
            switch order {
            case .screen(let acts): hub.assumeIsolated { $0.perform(acts) }
            case .draw(let pane, let request, let ticket):
                run { await $0.draw(pane, request: request, ticket: ticket) }
            case .forget(let paths): run { await $0.drawingClient.discard(paths) }
            case .askBudget(let app, let ticket): run { await $0.requestBudget(app, ticket) }
            case .answer(let answer): run { await $0.sendAnswer(answer) }
            }
        }
        accessibility.publish(director.accessible, director.accessibleFocus)
        timer?.set(bootMs: director.nextTick(now)?.ms)
    }

    private func run(_ body: @escaping @Sendable (PanelController) async -> Void) {
        Task(executorPreference: surroundings.loop.thread, priority: .medium) { await body(self) }
    }

    private func draw(_ pane: PaneID, request: DrawPanelRequest, ticket: Int64) async {
        do {
            let (path, answer) = try await drawingClient.draw(request)
            perform(director.drawingDidFinish(pane, ticket: ticket, path: path, answer: answer, now))
        } catch {
            surroundings.log.problem("panel_not_drawn", error)
            perform(director.drawingDidFinish(pane, ticket: ticket, path: "", answer: nil, now))
        }
    }

    /// Requests the next limit of our own rules that ends in a shield. The effect of other apps' thresholds is unknown beforehand.
    private func requestBudget(_ app: String, _ ticket: Int64) async {
        do {
            let options = CallOptions(timeoutMs: Self.callTimeout.ms)
            let list = RuleList.Request(kind: .limit, member: member)
            let rules = try await client.call(RuleList.self, list, options: options).rules.filter {
                $0.rule.then == .shield && $0.pausedUntil == nil
            }
            var crossing: BootTime?
            if !rules.isEmpty {
                let explain = ActivityExplain.Request(app: BuiltInRules.app, member: member)
                let explained = try await client.call(ActivityExplain.self, explain, options: options)
                    .activities
                crossing = BudgetReading.crossing(rules: rules, explained)
            }
            if let policy, let member {
                crossing = policy.shieldTime(app, member: member, crossing: crossing, now)
            }
            perform(director.receiveBudget(ticket: ticket, crossing: crossing, now))
        } catch {
            // The plan repeats the request later. Until then the panel remains as it is.
            surroundings.log.problem("budget_unknown", Problem(error))
        }
    }

    private func sendAnswer(_ answer: QuestionAnswer) async {
        let request = AuthAnswer.Request(
            request: answer.request,
            allow: answer.allow,
            by: answer.by,
            passcode: answer.passcode?.revealed
        )
        var refusal: Problem?
        do {
            let options = CallOptions(timeoutMs: Self.answerTimeout.ms)
            refusal = try await client.call(AuthAnswer.self, request, options: options).refusal
        } catch {
            refusal = Problem(error)
        }
        perform(director.receiveAnswerResult(answer.request, refusal: refusal, now))
    }

    /// Checks after a moment if a desktop showed the notification. Otherwise a panel shows it.
    private func scheduleWarning(_ notice: PostedNotification) {
        guard notice.app == BuiltInRules.app, notice.state ?? .waiting == .waiting else { return }
        surroundings.loop.thread.after(milliseconds: Self.noticeWait.ms) { [weak self] in
            self?.assumeIsolated { $0.run { await $0.warn(notice.number) } }
        }
    }

    private func warn(_ number: Int64) async {
        let request = NotifyList.Request(number: number)
        guard
            let reply = try? await client.call(
                NotifyList.self,
                request,
                options: CallOptions(timeoutMs: Self.callTimeout.ms)
            ),
            reply.desktop?.state == .absent, let notice = reply.notifications.first,
            notice.number == number, notice.state == .waiting
        else { return }
        perform(director.receiveWarning(id: notice.id, title: notice.title, text: notice.body, now))
    }

    /// Requests the questions from before the member was known. Each app has at most one.
    private func loadPendingQuestions() async {
        let options = CallOptions(timeoutMs: Self.callTimeout.ms)
        do {
            var next: String?
            for _ in 0..<Self.pagesMax {
                let page = try await client.call(AppList.self, .init(next: next), options: options)
                for app in page.apps {
                    // Most apps have no question, which the reply reports as a problem.
                    let request = AuthQuestionShow.Request(app: app.manifest.id)
                    guard
                        let question = try? await client.call(
                            AuthQuestionShow.self,
                            request,
                            options: options
                        ),
                        question.state == .pending
                    else { continue }
                    receive(.asked(question))
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
