import STBus
import STContracts
import STDomain
import STNotices
import STPlatform
import STServiceKit
import STZeroMQ

/// Shows a person's notifications on their own desktop on a protected computer, because the notifier has no screen there.
///
/// The notifier stores the results. Runs on the bus thread.
actor SessionNotices {
    /// The age above which a notification is not shown at a login, except requests that still wait for an answer.
    private static let ageMax: Duration = .seconds(600)
    private static let callTimeout: Duration = .seconds(5)
    private static let waitingMax = 100
    private static let triesMax = 12

    private let surroundings: ServiceEnvironment
    private let client: BusClient
    private let language: DisplayLanguage
    private var link: NotificationDaemonLink?
    private var dialog: RequestDialog?
    private var waiting: [PostedNotification] = []
    /// The visible notifications, by their ids in the present notification daemon.
    private var shown: [Int64: PostedNotification] = [:]
    private var owner = ""
    private var closing: [Int64] = []
    /// The number of the notification that is being shown, and true if it has ended meanwhile.
    private var showing: (number: Int64, hasEnded: Bool)?
    private var isBusy = false
    private var isSignalled = false

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    /// Returns nil if the notifier reaches the desktop itself.
    init?(_ surroundings: ServiceEnvironment, _ client: BusClient, language: String) {
        guard surroundings.directories.isProtectedAccount else { return nil }
        self.surroundings = surroundings
        self.client = client
        self.language = DisplayLanguage(of: language)
    }

    func begin() {
        let thread = surroundings.loop.thread
        link = NotificationDaemonLink(thread, log: surroundings.log) { [weak self] in
            thread.post { [weak self] in self?.assumeIsolated { $0.signal() } }
        }
        dialog = RequestDialog(client, thread: thread, log: surroundings.log) { [weak self] posted, problem in
            await self?.repeatQuestion(again: posted, problem)
        }
        signal()
    }

    func close() async {
        await link?.close()
        await dialog?.close()
        link = nil
    }

    /// Shows the waiting notifications of this session's member.
    func setMember(_ member: String) async {
        let request = NotifyList.Request(member: member, state: .waiting)
        let options = CallOptions(timeoutMs: Self.callTimeout.ms)
        for _ in 0..<Self.triesMax where link != nil {
            if let page = try? await client.call(NotifyList.self, request, options: options) {
                for posted in page.notifications.reversed() {
                    receive(posted, isOpen: posted.askedRequest != nil)
                }
                return
            }
            try? await Task.sleep(for: Self.callTimeout)
        }
    }

    /// Handles the state of a notification of this member. The state may be an old one. `isOpen` is true if the notification
    /// waits for an answer.
    func receive(_ posted: PostedNotification, isOpen: Bool = false) {
        switch posted.state {
        case .waiting, nil:
            waiting.removeAll { $0.app == posted.app && $0.id == posted.id }
            let since = surroundings.time.now().wall - Self.ageMax
            guard isOpen || RFC3339.wallMs(posted.postedAt) ?? 0 >= since.ms else { return }
            if waiting.count < Self.waitingMax { waiting.append(posted) }
        case .answered, .closed, .withdrawn, .failed:
            waiting.removeAll { $0.number == posted.number }
            if showing?.number == posted.number { showing?.hasEnded = true }
            closing += shown.filter { $0.value.number == posted.number }.keys
        case .shown: waiting.removeAll { $0.number == posted.number }
        case .scheduled, .sending, .uncertain, .unknown: return
        }
        signal()
    }

    private func repeatQuestion(again posted: PostedNotification, _ problem: Problem) {
        // The request may have been answered elsewhere, or may have ended.
        guard problem.code != "request.not_waiting" else { return }
        receive(posted.repeated(problem, in: language), isOpen: true)
    }

    // MARK: - The desktop

    private func signal() {
        isSignalled = true
        guard !isBusy else { return }
        isBusy = true
        Task(executorPreference: surroundings.loop.thread, priority: .medium) { await self.processAll() }
    }

    private func processAll() async {
        while isSignalled {
            isSignalled = false
            await process()
        }
        isBusy = false
    }

    private func process() async {
        guard let link else { return }
        await link.refresh()
        for heard in await link.takeResponses() { await handle(heard) }
        guard let daemon = await link.daemon else { return }
        if daemon.owner != owner {
            owner = daemon.owner
            shown = [:]
        }
        while let screen = closing.popLast() {
            // This fails if the notification is already gone, which has no consequence.
            if shown.removeValue(forKey: screen) != nil { _ = try? await daemon.close(screen) }
        }
        while !waiting.isEmpty {
            let next = waiting.removeFirst()
            do { try await show(next, by: daemon) } catch {
                surroundings.log.problem(
                    "not_shown",
                    Problem(error),
                    fields: ["number": .number(next.number)]
                )
                // The next desktop shows it. Until then a panel shows the notifications of our own rules.
                waiting.insert(next, at: 0)
                return await link.daemonDidVanish(daemon)
            }
        }
    }

    private func show(_ posted: PostedNotification, by daemon: NotificationDaemon) async throws {
        let before = shown.first { $0.value.app == posted.app && $0.value.id == posted.id }?.key
        showing = (posted.number, false)
        defer { showing = nil }
        let screen = try await daemon.show(posted, replacing: before)
        if showing?.hasEnded == true { closing.append(screen) }
        if let before { shown[before] = nil }
        shown[screen] = posted
        let request = NotifyShown.Request(numbers: [posted.number], via: .desktop)
        let options = CallOptions(timeoutMs: Self.callTimeout.ms)
        _ = try? await client.call(NotifyShown.self, request, options: options)
    }

    private func handle(_ heard: NotificationDaemonLink.Response) async {
        guard heard.owner == owner, let posted = shown[heard.screen] else { return }
        guard let action = heard.action else {
            shown[heard.screen] = nil
            // The person closed the notification.
            if heard.reason == 2 { await answer(posted, "dismiss") }
            return
        }
        // A press on a request counts only after a guardian's passcode was correct.
        guard posted.askedRequest != nil, action != "default" else { return await answer(posted, action) }
        guard let dialog else { return }
        // The notification is shown again if the request is repeated.
        shown[heard.screen] = nil
        if let daemon = await link?.daemon { _ = try? await daemon.close(heard.screen) }
        // The passcode takes a while to type, and other notifications must continue.
        Task { await dialog.handleAction(action, of: posted) }
    }

    private func answer(_ posted: PostedNotification, _ action: String) async {
        let request = NotifyAnswer.Request(number: posted.number, action: action, via: .desktop)
        let options = CallOptions(timeoutMs: Self.callTimeout.ms)
        _ = try? await client.call(NotifyAnswer.self, request, options: options)
    }
}
