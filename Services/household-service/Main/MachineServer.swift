import STContracts
import STEngine
import STHouseholdCore
import STPlatform
import STServiceKit
import STZeroMQ

/// Keeps the port open for machines of the household, and holds their requests until there is news.
actor MachineServer {
    private static let retryDelay = Duration.seconds(2)
    private static let refreshInterval = Duration.seconds(10)

    private let host: ServiceHost<HouseholdState>
    private let surroundings: ServiceEnvironment
    private let alarm: LoopTimer
    private var port = MachinePort()
    private var news = NewsWaiters()
    private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    private let stores: HouseholdStores
    private let steps: HouseholdSteps
    private let phones: PhoneServer
    private var hook: HookRunner?
    private var watch: NewsListener?
    /// True if other services have changed something.
    private var hasNews = false
    private var isRefreshing = false

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(_ host: ServiceHost<HouseholdState>, surroundings: ServiceEnvironment, stores: HouseholdStores) {
        self.host = host
        self.stores = stores
        steps = HouseholdSteps(stores)
        self.surroundings = surroundings
        phones = PhoneServer(host, surroundings: surroundings, stores: stores)
        alarm = LoopTimer(surroundings.loop.thread) { [bell = host.changeSignal] in bell.signal() }
    }

    func run() async throws {
        await host.setWorkerHandler(NewsQuery.self) { ask, _ in
            await self.wait(ask)
            return Empty()
        }
        await host.setWorkerHandler(PresenceQuery.self) { _, _ in await self.news.present }
        await host.setWorkerHandler(PhoneLinkQuery.self) { ask, _ in await self.phones.makeLink(ask) }
        hook = try HookRunner(host, surroundings)
        await hook?.startTimer()
        if let address = stores.address {
            watch = try NewsListener(address) { [surroundings] in
                surroundings.loop.thread.post { self.assumeIsolated { $0.handleNews() } }
            }
            handleNews()
            refreshPeriodically()
        }
        host.changeSignal.signal()
        for await _ in host.changeSignal.signals {
            do {
                try await update()
            } catch {
                surroundings.log.problem("door_closed", Problem(error))
                alarm.fire(afterMs: 5_000)
            }
        }
    }

    /// Refreshes regularly, because a notification can be lost: its service is killed before sending it, or the connection is dead
    /// without a sign.
    private func refreshPeriodically() {
        surroundings.loop.thread.after(milliseconds: Self.refreshInterval.ms) { [weak self] in
            self?.assumeIsolated {
                $0.handleNews()
                $0.refreshPeriodically()
            }
        }
    }

    /// Refreshes the state outside the turns, which must not wait for PostgreSQL: an invitation is admitted before its code has
    /// been typed.
    private func handleNews() {
        hasNews = true
        guard !isRefreshing else { return }
        isRefreshing = true
        Task(executorPreference: surroundings.loop.thread) { await self.refresh() }
    }

    private func refresh() async {
        while hasNews {
            hasNews = false
            do {
                try await host.step("household.refresh", steps.refresh)
            } catch {
                surroundings.log.problem("household_not_read", Problem(error))
                await surroundings.loop.thread.pause(ms: Self.retryDelay.ms)
                hasNews = true
            }
        }
        isRefreshing = false
    }

    private func update() async throws {
        let state = try await host.state
        // The port stays closed until the keys that may connect are known.
        guard stores.isRead(state), state.identity != nil else { return }
        let now = surroundings.time.now().wall
        await phones.reconcileServers(state)
        await hook?.startNext()
        if state.hasExpiredMessages(at: now) {
            try await host.step("household.letters_over", steps.removeExpiredMessages)
        }
        try await movePort(to: state, at: now)
        if let end = state.nextEnd(after: now) { alarm.fire(afterMs: (end - now).ms + 1) }
        for number in news.answered(by: state) { resume(number) }
        if state.hasEndedLessons(at: now) {
            try await host.step("household.lessons_over", steps.endLessons)
            host.changeSignal.signal()
        }
        if steps.hasOldUsage(state, at: now) {
            try await host.step("household.old", steps.deleteOldUsage)
            host.changeSignal.signal()
        }
    }

    private func movePort(to state: HouseholdState, at now: WallTime) async throws {
        let step = port.step(for: state, at: now)
        switch step {
        case nil: break
        case .open(let own)?:
            try await host.openDeviceEndpoint(
                at: own.endpoint,
                secret: own.secret,
                to: state.admittedKeys(at: now)
            )
            surroundings.log.info(
                "door_open",
                "Other machines are answered.",
                fields: ["address": .text(own.address)]
            )
        case .admit?: await host.admit(state.admittedKeys(at: now))
        case .close?: await host.closeDeviceEndpoint()
        }
        port.finish(step, for: state, at: now)
    }

    private func wait(_ ask: NewsQuery.Request) async {
        await withCheckedContinuation { continuation in
            let (number, earlier) = news.add(ask, at: surroundings.time.now().wall)
            if let earlier { resume(earlier) }
            waiting[number] = continuation
            surroundings.loop.thread.after(milliseconds: ask.pull.waitMs) { [weak self] in
                self?.assumeIsolated { $0.resume(number) }
            }
            // News may have arrived since the request was sent.
            if let state = try? host.assumeIsolated({ try $0.state }), state.hasNews(ask) { resume(number) }
        }
    }

    private func resume(_ number: Int) {
        news.remove(number)
        waiting.removeValue(forKey: number)?.resume()
    }
}
