import STContracts
import STEngine
import STHouseholdCore
import STPlatform
import STServiceKit
import STZeroMQ

/// Keeps the door for other machines open, to those that belong here, and lets their questions wait for news.
actor MachineDoor {
    private static let againMs: Int64 = 2_000
    private static let lookMs: Int64 = 10_000

    private struct Waiting {
        var ask: NewsAsk.Request
        var continuation: CheckedContinuation<Void, Never>
    }

    private let host: ServiceHost<HouseholdState>
    private let surroundings: Surroundings
    private let alarm: Alarm
    private var openAt: HouseholdState.Own?
    private var waiting: [Int: Waiting] = [:]
    /// The questions of a machine's people and its own, and the one of each machine.
    private var ofMember: [String: Set<Int>] = [:]
    private var ofDevice: [String: Int] = [:]
    private var last = 0
    /// When each machine last asked.
    private var seenMs: [String: Int64] = [:]
    private let stores: HouseholdStores
    private let phones: PhoneDoor
    private var hook: HookRunner?
    private var watch: NewsWatch?
    /// Other services have changed something.
    private var hasNews = false
    private var isRefreshing = false
    /// Of the state that was looked at last.
    private var roster = -1
    private var touches = 0
    private var dueFromMs: Int64 = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(_ host: ServiceHost<HouseholdState>, _ surroundings: Surroundings, _ stores: HouseholdStores) {
        self.host = host
        self.stores = stores
        self.surroundings = surroundings
        phones = PhoneDoor(host, surroundings, stores)
        alarm = Alarm(surroundings.loop.thread) { [bell = host.bell] in bell.ring() }
    }

    func run() async throws {
        await host.answer(NewsAsk.self) { ask, _ in
            await self.wait(ask)
            return Empty()
        }
        await host.answer(PresentAsk.self) { _, _ in await self.present() }
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

    /// A notification can be lost: its service is killed before it sends it, or the connection has died without a sign.
    private func look() {
        surroundings.loop.thread.after(milliseconds: Self.lookMs) { [weak self] in
            self?.assumeIsolated {
                $0.heard()
                $0.look()
            }
        }
    }

    /// Beside the turns, which must not wait for PostgreSQL: an invitation is let in before its code has been typed.
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
                try await host.step("household.refresh") { [stores] state, _, change in
                    try stores.refresh(&state, change)
                }
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
        // The door stays shut until it is known who may come in.
        guard stores.isRead(state) else { return }
        guard let own = state.own else { return }
        let nowMs = surroundings.time.now().wallMs
        await phones.keepOpen(state)
        await hook?.turn()
        if state.letters.contains(where: { $0.isOver(wallMs: nowMs) }) {
            try await host.step("household.letters_over") { state, _, change in
                state.removeOldLetters(wallMs: change.now.wallMs)
            }
        }
        if !state.needsDoor(nowMs: nowMs) {
            if openAt != nil { await host.closeDoor() }
            openAt = nil
        } else if openAt?.address != own.address || openAt?.secret != own.secret {
            openAt = nil
            let address = Self.local(own.address) ?? "*:\(own.address.split(separator: ":").last ?? "")"
            try await host.openDoor(
                at: "tcp://" + address,
                secret: own.secret,
                to: state.admitted(wallMs: nowMs)
            )
            openAt = own
            surroundings.log.info(
                "door_open",
                "Other machines are answered.",
                ["address": .text(own.address)]
            )
        } else if roster != state.roster || state.dueMs(after: dueFromMs) ?? .max <= nowMs {
            await host.admit(state.admitted(wallMs: nowMs))
        }
        (roster, dueFromMs) = (state.roster, nowMs)
        if let dueMs = state.dueMs(after: nowMs) { alarm.ring(afterMs: dueMs - nowMs + 1) }
        let (members, all) = state.touched(since: touches)
        touches = all
        let asked = members.map { $0.reduce(into: Set<Int>()) { $0.formUnion(ofMember[$1] ?? []) } }
        for number in asked ?? Set(waiting.keys) {
            if let waiter = waiting[number], state.hasNews(waiter.ask) { end(number) }
        }
        if state.lessonEnds.values.contains(where: { $0 <= nowMs }) {
            try await host.step("household.lessons_over") { [stores] state, _, change in
                try stores.ready(&state, change)
                try Lessons.endOld(&state, change.now)
            }
            host.bell.ring()
        }
        if let day = stores.firstDay(nowMs), state.firstDay != day {
            try await host.step("household.old") { [stores] state, _, change in
                try stores.forgetOld(&state, change)
            }
            host.bell.ring()
        }
    }

    /// An address that only this machine reaches is bound as it is; any other may be what a router or a name service makes of
    /// this machine's own, so that all of those are answered.
    private static func local(_ address: String) -> String? { address.hasPrefix("127.") ? address : nil }

    private func wait(_ ask: NewsAsk.Request) async {
        seenMs[ask.device] = surroundings.time.now().wallMs
        // A machine waits for one answer at a time.
        if let number = ofDevice[ask.device] { end(number) }
        last += 1
        let number = last
        await withCheckedContinuation { continuation in
            waiting[number] = Waiting(ask: ask, continuation: continuation)
            ofDevice[ask.device] = number
            for name in ask.members + [ask.device] { ofMember[name, default: []].insert(number) }
            surroundings.loop.thread.after(milliseconds: ask.waitMs) { [weak self] in
                self?.assumeIsolated { $0.end(number) }
            }
            // What has come since the question was put.
            if let state = try? host.assumeIsolated({ try $0.state }), state.hasNews(ask) { end(number) }
        }
    }

    private func end(_ number: Int) {
        guard let waiter = waiting.removeValue(forKey: number) else { return }
        if ofDevice[waiter.ask.device] == number { ofDevice[waiter.ask.device] = nil }
        for name in waiter.ask.members + [waiter.ask.device] {
            ofMember[name]?.remove(number)
            if ofMember[name]?.isEmpty == true { ofMember[name] = nil }
        }
        waiter.continuation.resume()
    }

    private func present() -> PresentAsk.Reply {
        let waitingNow = Set(waiting.values.map(\.ask.device))
        return PresentAsk.Reply(
            devices: seenMs.sorted { $0.key < $1.key }.map {
                DevicePresence(device: $0.key, wallMs: $0.value, isWaiting: waitingNow.contains($0.key))
            }
        )
    }
}
