import STContracts
import STHouseholdCore
import STPlatform
import STServiceKit
import STZeroMQ

/// Keeps the door for other machines open, to those that belong here, and lets their questions wait for news.
actor MachineDoor {
    private struct Waiting {
        var ask: NewsAsk.Request
        var continuation: CheckedContinuation<Void, Never>
    }

    private let host: ServiceHost<HouseholdState>
    private let surroundings: Surroundings
    private let alarm: Alarm
    private var openAt: HouseholdState.Own?
    private var waiting: [Int: Waiting] = [:]
    private var last = 0
    /// When each machine last asked.
    private var seenMs: [String: Int64] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(_ host: ServiceHost<HouseholdState>, _ surroundings: Surroundings) {
        self.host = host
        self.surroundings = surroundings
        alarm = Alarm(surroundings.loop.thread) { [bell = host.bell] in bell.ring() }
    }

    func run() async throws {
        await host.answer(NewsAsk.self) { ask, _ in
            await self.wait(ask)
            return Empty()
        }
        await host.answer(PresentAsk.self) { _, _ in await self.present() }
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

    private func turn() async throws {
        let state = try await host.state
        guard let own = state.own else { return }
        let nowMs = surroundings.time.now().wallMs
        let keys = state.admitted(wallMs: nowMs)
        if openAt?.address != own.address || openAt?.secret != own.secret {
            openAt = nil
            let address = Self.local(own.address) ?? "*:\(own.address.split(separator: ":").last ?? "")"
            try await host.openDoor(at: "tcp://" + address, secret: own.secret, to: keys)
            openAt = own
            surroundings.log.info(
                "door_open",
                "Other machines are answered.",
                ["address": .text(own.address)]
            )
        } else {
            await host.admit(keys)
        }
        if let dueMs = state.dueMs(after: nowMs) { alarm.ring(afterMs: dueMs - nowMs + 1) }
        for (number, waiter) in waiting
        where state.lastPlace > waiter.ask.after
            || state.news(besides: waiter.ask.device) != waiter.ask.news
        { end(number) }
    }

    /// An address that only this machine reaches is bound as it is; any other may be what a router or a name service makes of
    /// this machine's own, so that all of those are answered.
    private static func local(_ address: String) -> String? { address.hasPrefix("127.") ? address : nil }

    private func wait(_ ask: NewsAsk.Request) async {
        seenMs[ask.device] = surroundings.time.now().wallMs
        // A machine waits for one answer at a time.
        for (number, waiter) in waiting where waiter.ask.device == ask.device { end(number) }
        last += 1
        let number = last
        await withCheckedContinuation { continuation in
            waiting[number] = Waiting(ask: ask, continuation: continuation)
            surroundings.loop.thread.after(milliseconds: ask.waitMs) { [weak self] in
                self?.assumeIsolated { $0.end(number) }
            }
            // What has come since the question was put.
            host.bell.ring()
        }
    }

    private func end(_ number: Int) { waiting.removeValue(forKey: number)?.continuation.resume() }

    private func present() -> PresentAsk.Reply {
        let waitingNow = Set(waiting.values.map(\.ask.device))
        return PresentAsk.Reply(
            devices: seenMs.sorted { $0.key < $1.key }.map {
                DevicePresence(device: $0.key, wallMs: $0.value, isWaiting: waitingNow.contains($0.key))
            }
        )
    }
}
