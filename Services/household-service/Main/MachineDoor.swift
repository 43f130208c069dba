import STContracts
import STEngine
import STHouseholdCore
import STPlatform
import STServiceKit
import STZeroMQ

/// Keeps the port open for machines of the household, and holds their requests until there is news.
actor MachineDoor {
    private static let againMs: Int64 = 2_000
    private static let lookMs: Int64 = 10_000

    private let host: ServiceHost<HouseholdState>
    private let surroundings: Surroundings
    private let alarm: Alarm
    private var port = MachinePort()
    private var news = NewsWaiting()
    private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    private let stores: HouseholdStores
    private let steps: HouseholdSteps
    private let phones: PhoneDoor
    private var hook: HookRunner?
    private var watch: NewsWatch?
    /// True if other services have changed something.
    private var hasNews = false
    private var isRefreshing = false

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(_ host: ServiceHost<HouseholdState>, _ surroundings: Surroundings, _ stores: HouseholdStores) {
        self.host = host
        self.stores = stores
        steps = HouseholdSteps(stores)
        self.surroundings = surroundings
        phones = PhoneDoor(host, surroundings, stores)
        alarm = Alarm(surroundings.loop.thread) { [bell = host.bell] in bell.ring() }
    }

    func run() async throws {
        await host.answer(NewsAsk.self) { ask, _ in
            await self.wait(ask)
            return Empty()
        }
        await host.answer(PresentAsk.self) { _, _ in await self.news.present }
        await host.answer(PhoneAsk.self) { ask, _ in await self.phones.ask(ask) }
        hook = try HookRunner(host, surroundings)
        await hook?.begin()
        if let address = stores.address {
            watch = try NewsWatch(address) { [surroundings] in
                surroundings.loop.thread.post { self.assumeIsolated { $0.heard() } }
            }
            heard()
            look()
        }
        host.bell.ring()
        for await _ in host.bell.rings {
            do {
                try await turn()
            } catch {
                surroundings.log.problem("door_closed", Problem(error))
                alarm.ring(afterMs: 5_000)
            }
        }
    }

    /// Refreshes regularly, because a notification can be lost: its service is killed before sending it, or the connection is dead
    /// without a sign.
    private func look() {
        surroundings.loop.thread.after(milliseconds: Self.lookMs) { [weak self] in
            self?.assumeIsolated {
                $0.heard()
                $0.look()
            }
        }
    }

    /// Refreshes the state outside the turns, which must not wait for PostgreSQL: an invitation is admitted before its code has
    /// been typed.
    private func heard() {
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
                await surroundings.loop.thread.pause(ms: Self.againMs)
                hasNews = true
            }
        }
        isRefreshing = false
    }

    private func turn() async throws {
        let state = try await host.state
        // The port stays closed until the keys that may connect are known.
        guard stores.isRead(state), state.own != nil else { return }
        let nowMs = surroundings.time.now().wallMs
        await phones.keepOpen(state)
        await hook?.turn()
        if state.hasOldLetters(wallMs: nowMs) {
            try await host.step("household.letters_over", steps.removeOldLetters)
        }
        try await movePort(to: state, nowMs: nowMs)
        if let dueMs = state.dueMs(after: nowMs) { alarm.ring(afterMs: dueMs - nowMs + 1) }
        for number in news.answered(by: state) { end(number) }
        if state.hasEndedLessons(wallMs: nowMs) {
            try await host.step("household.lessons_over", steps.endLessons)
            host.bell.ring()
        }
        if steps.hasOldUsage(state, nowMs: nowMs) {
            try await host.step("household.old", steps.forgetOld)
            host.bell.ring()
        }
    }

    private func movePort(to state: HouseholdState, nowMs: Int64) async throws {
        let step = port.step(for: state, nowMs: nowMs)
        switch step {
        case nil: break
        case .open(let own)?:
            try await host.openDoor(at: own.endpoint, secret: own.secret, to: state.admitted(wallMs: nowMs))
            surroundings.log.info(
                "door_open",
                "Other machines are answered.",
                ["address": .text(own.address)]
            )
        case .admit?: await host.admit(state.admitted(wallMs: nowMs))
        case .close?: await host.closeDoor()
        }
        port.finish(step, for: state, nowMs: nowMs)
    }

    private func wait(_ ask: NewsAsk.Request) async {
        await withCheckedContinuation { continuation in
            let (number, earlier) = news.add(ask, nowMs: surroundings.time.now().wallMs)
            if let earlier { end(earlier) }
            waiting[number] = continuation
            surroundings.loop.thread.after(milliseconds: ask.pull.waitMs) { [weak self] in
                self?.assumeIsolated { $0.end(number) }
            }
            // News may have arrived since the request was sent.
            if let state = try? host.assumeIsolated({ try $0.state }), state.hasNews(ask) { end(number) }
        }
    }

    private func end(_ number: Int) {
        news.remove(number)
        waiting.removeValue(forKey: number)?.resume()
    }
}
