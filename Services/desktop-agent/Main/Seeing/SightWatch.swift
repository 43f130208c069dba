import STContracts
import STDesktop
import STDesktopCore
import STPlatform
import STScreen
import STServiceKit
import STZeroMQ

/// Says it once a day, to the person and a child's guardians, where Screen Time does not see what it needs: a desktop that tells
/// nothing, such as GNOME without our extension, or a browser that does not say which site is in front while a rule is over a site.
///
/// Lives on the bus thread.
actor SightWatch: SceneFollower {
    /// A desktop or a browser that starts needs some of it.
    private static let patienceMs: Int64 = 30_000

    private struct Notice {
        var id: String
        var title: String
        var body: String
    }

    private let loop: BusLoop
    private let client: BusClient
    private let names: AppNames
    private let hub: DesktopHub
    private let isKorean: Bool
    private let time: any TimeSource
    private let log: Log
    private var alarm: Alarm?
    private var isWaiting = false
    /// By id, the day on which it was said.
    private var said: [String: Int64] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

    init(
        _ surroundings: Surroundings,
        _ client: BusClient,
        _ names: AppNames,
        _ hub: DesktopHub,
        language: String
    ) {
        loop = surroundings.loop
        time = surroundings.time
        log = surroundings.log
        self.client = client
        self.names = names
        self.hub = hub
        isKorean = language.hasPrefix("ko")
    }

    nonisolated func sceneChanged(_ scene: DesktopScene, _ event: DesktopEvent) {
        if case .focus = event { assumeIsolated { $0.look() } }
    }

    nonisolated func looked() { assumeIsolated { $0.look() } }

    private func look() {
        guard !isWaiting, isNeeded(desktop) || isNeeded(silentBrowser.map(browser)) else { return }
        isWaiting = true
        alarm = alarm ?? Alarm(loop.thread) { [weak self] in self?.assumeIsolated { $0.rung() } }
        alarm?.ring(afterMs: Self.patienceMs)
    }

    private func rung() {
        isWaiting = false
        guard let member else { return }
        let notices = (desktop, silentBrowser.map(browser))
        Task(executorPreference: loop.thread) {
            do {
                if let notice = notices.0 { try await self.say(notice, to: member) }
                if let notice = notices.1, try await self.isOverSites(member) {
                    try await self.say(notice, to: member)
                }
            } catch {
                self.log.problem("sight_not_told", Problem(error))
            }
        }
    }

    // MARK: - What is not seen

    private var member: String? { hub.assumeIsolated { $0.member } }

    private var desktop: Notice? {
        guard hub.assumeIsolated({ $0.choice?.choice.wayOut }) != nil else { return nil }
        return Notice(
            id: "desktop/\(member ?? "")",
            title: isKorean ? "스크린 타임이 이 화면을 다 보지 못합니다" : "Screen Time does not see all of this desktop",
            body: isKorean
                ? "`screentime doctor`가 이유와 할 일을 알려 줍니다." : "Why, and what to do: `screentime doctor`."
        )
    }

    private var silentBrowser: AppIdentity? {
        let app = hub.assumeIsolated { $0.silentFront }
        return app.flatMap { app in names.assumeIsolated { $0.isBrowser(app.id) } ? app : nil }
    }

    private func browser(_ app: AppIdentity) -> Notice {
        let name = app.name ?? app.id
        return Notice(
            id: "browser/\(app.id)/\(member ?? "")",
            title: isKorean ? "\(name)에서는 사이트 규칙이 적용되지 않습니다" : "Rules over sites do not hold in \(name)",
            body: isKorean
                ? "\(name)이(가) 어느 사이트가 앞에 있는지 알려 주지 않습니다. `screentime browser list`가 할 일을 알려 줍니다."
                : "\(name) does not say which site is in front. What to do: `screentime browser list`."
        )
    }

    private func isOverSites(_ member: String) async throws -> Bool {
        try await client.call(RuleList.self, .init(member: member)).rules.contains { view in
            (view.rule.targets + (view.rule.opens ?? [])).contains { $0.kind == .domain }
        }
    }

    // MARK: - Saying it

    private var today: Int64 { time.now().wallMs / 86_400_000 }

    private func isNeeded(_ notice: Notice?) -> Bool { notice.map { said[$0.id] != today } ?? false }

    private func say(_ notice: Notice, to member: String) async throws {
        let people = try await client.call(MemberList.self, Empty()).members
        let isChild = people.contains { $0.name == member && $0.role == .child }
        for person in [member] + people.filter({ isChild && $0.role == .guardian }).map(\.name) {
            let request = NotifyPost.Request(
                app: BuiltInRules.app,
                member: person,
                id: "sight/\(notice.id)/\(today)",
                title: notice.title,
                body: notice.body
            )
            _ = try await client.call(NotifyPost.self, request)
        }
        said[notice.id] = today
    }
}
