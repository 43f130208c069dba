import STContracts
import STDesktop
import STDesktopCore
import STPlatform
import STServiceKit
import STZeroMQ

/// Says it once a day, to the person and a child's guardians, where rules over sites do not hold: in a browser that does not say
/// which site is in front.
///
/// Lives on the bus thread.
actor BrowserWatch: SceneFollower {
    /// A browser that starts, or whose extension does, needs some of it.
    private static let patienceMs: Int64 = 30_000

    private let loop: BusLoop
    private let client: BusClient
    private let names: AppNames
    private let hub: DesktopHub
    private let language: String
    private let time: any TimeSource
    private let log: Log
    private var alarm: Alarm?
    private var isWaiting = false

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
        self.language = language
    }

    nonisolated func sceneChanged(_ scene: DesktopScene, _ event: DesktopEvent) {
        guard case .focus = event else { return }
        assumeIsolated { $0.look() }
    }

    private func look() {
        guard !isWaiting, silentBrowser != nil else { return }
        isWaiting = true
        alarm = alarm ?? Alarm(loop.thread) { [weak self] in self?.assumeIsolated { $0.rung() } }
        alarm?.ring(afterMs: Self.patienceMs)
    }

    private var silentBrowser: AppIdentity? {
        let app = hub.assumeIsolated { $0.silentFront }
        return app.flatMap { app in names.assumeIsolated { $0.isBrowser(app.id) } ? app : nil }
    }

    private func rung() {
        isWaiting = false
        guard let app = silentBrowser, let member = hub.assumeIsolated({ $0.member }) else { return }
        Task(executorPreference: loop.thread) {
            do {
                try await self.say(app, to: member)
            } catch {
                self.log.problem("browser_not_told", Problem(error))
            }
        }
    }

    private func say(_ app: AppIdentity, to member: String) async throws {
        let rules = try await client.call(RuleList.self, .init(member: member)).rules
        let isNeeded = rules.contains { view in
            (view.rule.targets + (view.rule.opens ?? [])).contains { $0.kind == .domain }
        }
        guard isNeeded else { return }
        let people = try await client.call(MemberList.self, Empty()).members
        let isChild = people.contains { $0.name == member && $0.role == .child }
        let guardians = people.filter { isChild && $0.role == .guardian }.map(\.name)
        let name = app.name ?? app.id
        let isKorean = language.hasPrefix("ko")
        for person in [member] + guardians {
            let request = NotifyPost.Request(
                app: BuiltInRules.app,
                member: person,
                id: "browser/\(app.id)/\(member)/\(time.now().wallMs / 86_400_000)",
                title: isKorean
                    ? "\(name)에서는 사이트 규칙이 적용되지 않습니다" : "Rules over sites do not hold in \(name)",
                body: isKorean
                    ? "\(name)이(가) 어느 사이트가 앞에 있는지 알려 주지 않습니다. `screentime browser list`가 할 일을 알려 줍니다."
                    : "\(name) does not say which site is in front. What to do: `screentime browser list`."
            )
            _ = try await client.call(NotifyPost.self, request)
        }
    }
}
