import Glibc
import STAccountDoorCore
import STBus
import STContracts
import STPlatform
import STServiceKit
import STZeroMQ

/// Forwards requests and events between one account and the services.
///
/// The door forwards the requests and events that the account's person may send and receive. The services' own sockets are closed
/// to every account.
actor AccountDoor {
    private static let everyMs: Int64 = 60_000
    private static let retryMs: Int64 = 1_000
    /// The group under which the package's desktop-agent runs. No other program can run under it.
    private static let agentGroup = "_screentime-agent"

    private let uid: UInt32
    private var account: DoorAccount
    private let core: Directories
    let loop: BusLoop
    private let log: Log
    private let client: BusClient
    private var sockets: [ServiceName: ServerSockets] = [:]
    private var relays: [ServiceName: DoorRelay] = [:]
    private var gates: [ServiceName: RequestGate] = [:]
    private var members: SubscriberPort?
    private var allowance = DoorAllowance()
    private var timer: UInt64?
    private let agentGID = getgrnam(agentGroup)?.pointee.gr_gid
    private var watch: ScreenWatch
    private let sessions: SessionLook
    private let time = SystemTimeSource()

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

    init(uid: UInt32, account: String, core: Directories, locks: Bool, log: Log) throws {
        self.uid = uid
        self.account = DoorAccount(account)
        self.core = core
        self.log = log
        sessions = SessionLook(uid: uid)
        let nowMs = Stopwatch.bootMilliseconds()
        watch = ScreenWatch(
            locks: locks,
            isHeld: access(Directories.unseen(uid), F_OK) == 0,
            run: Identifier.make(wallMs: nowMs),
            nowMs: nowMs
        )
        loop = try BusLoop()
        client = BusClient(loop: loop) { try core.endpoint(service: $0.rawValue, .rpc) }
    }

    /// Starts to reply on the sockets that systemd created for this account.
    func open(_ handed: [String: Int32], below run: String) throws {
        let common = Catalogue.common
        for entry in Catalogue.entries where ServiceName.ofComputer.contains(entry.service) {
            let service = entry.service
            let rpc = "\(run)/\(service)/\(Endpoint.rpc.rawValue)"
            let events = "\(run)/\(service)/\(Endpoint.events.rawValue)"
            guard let rpcNumber = handed[rpc], let eventsNumber = handed[events] else {
                throw Problem(
                    "start.no_socket",
                    "systemd did not pass the sockets \(rpc, "rpc") and \(events, "events")."
                )
            }
            gates[service] = RequestGate(
                service: service,
                owner: uid,
                rules: Dictionary(
                    (entry.routes + Catalogue.forwarded(by: service) + common).map {
                        ($0.name, .init(access: .owner, kind: $0.kind))
                    }
                ) { $1 }
            )
            let sockets = try ServerSockets(
                loop,
                rpc: rpc,
                events: events,
                handover: .init(rpc: rpcNumber, events: eventsNumber)
            )
            let relay = DoorRelay(sockets)
            relay.source = try SubscriberPort(
                loop,
                endpoint: try core.endpoint(service: service.rawValue, .events),
                topics: []
            ) { [unowned self] frames in
                assumeIsolated { $0.relays[service]?.pass(frames) }
            }
            sockets.onRequest = { [unowned self] peer, frames, principal in
                assumeIsolated { $0.received(service, peer, frames, principal) }
            }
            sockets.onSubscription = { [unowned self] topic, isNew in
                assumeIsolated { door in
                    door.requireAccount()
                    door.relays[service]?.subscription(topic, isNew: isNew)
                }
            }
            self.sockets[service] = sockets
            relays[service] = relay
        }
        members = try SubscriberPort(
            loop,
            endpoint: try core.endpoint(service: ServiceName.auth.rawValue, .events),
            topics: ["authorization.member."]
        ) { [unowned self] _ in assumeIsolated { $0.look() } }
        look()
        beat()
        guardSession()
    }

    /// Starts a task of medium priority. A thread of higher priority requests a better nice value, which the sandbox denies and
    /// logs.
    private func begin(_ work: @escaping @Sendable (AccountDoor) async -> Void) {
        Task(executorPreference: loop.thread, priority: .medium) { await work(self) }
    }

    // MARK: - Owner of the account

    /// Ends the process if the account's number belongs to another account, because the first was deleted. systemd restarts it.
    private func requireAccount() {
        guard let name = AccountName.of(uid), name != account.name else { return }
        log.info("other_account", "The account \(uid) was \(account.name) and is \(name) now.")
        unlink(Directories.unseen(uid))
        exit(0)
    }

    private func look() {
        if let timer { loop.thread.cancelTimer(timer) }
        timer = nil
        begin { await $0.learn() }
    }

    private func learn() async {
        requireAccount()
        var delayMs = Self.everyMs
        do {
            let list = try await client.call(MemberList.self, Empty())
            if let news = account.learn(list.members) { log.info("person", news) }
            for relay in relays.values { relay.begin(account.person) }
        } catch {
            account.fail(error)
            delayMs = Self.retryMs
        }
        if let timer { loop.thread.cancelTimer(timer) }
        timer = loop.thread.after(milliseconds: delayMs) { [weak self] in
            self?.assumeIsolated { $0.look() }
        }
    }

    private func beat() {
        guard let everyMs = Systemd.watchdogMs() else { return }
        Systemd.notify("WATCHDOG=1")
        loop.thread.after(milliseconds: everyMs / 3) { [weak self] in self?.assumeIsolated { $0.beat() } }
    }

    // MARK: - Observation of the screen

    private func guardSession() {
        loop.thread.after(milliseconds: SessionGate.lookEveryMs) { [weak self] in
            self?.assumeIsolated { door in
                door.guardSession()
                let isSilent = door.watch.isSilent(nowMs: Stopwatch.bootMilliseconds())
                guard isSilent || door.account.isChild else { return }
                door.begin { await $0.lookAtSessions() }
            }
        }
    }

    private func lookAtSessions() async {
        guard let used = await sessions.used() else { return }
        let nowMs = Stopwatch.bootMilliseconds()
        if account.isChild { await report(watch.lookForBlind(used, nowMs: nowMs)) }
        guard let found = watch.look(used, nowMs: nowMs) else { return }
        mark(found.hold)
        await report(found.news)
        do {
            for session in watch.locked(used, found.news, isChild: account.isChild, nowMs: nowMs) {
                try await sessions.lock(session)
            }
        } catch {
            log.problem("not_locked", Problem(error))
        }
    }

    /// Has systemd pause a child's shielded apps while desktop-agent does not run in the session.
    private func mark(_ news: SessionGate.News) {
        let path = Directories.unseen(uid)
        switch news {
        case .nothing: break
        case .unseen where account.isChild:
            do throws(Problem) {
                try AtomicFile.write([], to: path, mode: 0o644, durable: false)
            } catch { log.problem("not_marked", error) }
        case .unseen, .over: unlink(path)
        }
    }

    private func report(_ news: SessionGate.News) async {
        guard news != .nothing, let person = account.person else { return }
        let observed = watch.report(news, of: person, time)
        do { _ = try await client.call(UsageObserve.self, observed) } catch {
            log.problem("unseen_not_told", Problem(error))
        }
    }

    // MARK: - Requests

    private func received(
        _ service: ServiceName,
        _ peer: [UInt8],
        _ frames: [[UInt8]],
        _ principal: Principal
    ) {
        guard let gate = gates[service], let sockets = sockets[service] else { return }
        requireAccount()
        let nowMs = Stopwatch.bootMilliseconds()
        let admission = gate.admit(
            frames,
            from: principal,
            bootMs: nowMs,
            ns: Stopwatch.nanoseconds(),
            isTraced: false
        )
        switch admission {
        case .refused(let reply, _, _, _): sockets.reply(to: peer, reply)
        case .accepted(let request, let rule):
            let wanted = DoorRequest(request.header.route, group: principal.gid, agentGroup: agentGID)
            do {
                let body = try admit(wanted, request, to: service, nowMs)
                allowance.underWay += 1
                begin { door in
                    let reply = await door.forward(wanted, request, rule, to: service, body, nowMs)
                    await door.answer(service, peer, reply)
                }
            } catch {
                let (id, envelope) = (request.header.id, request.envelope)
                sockets.reply(to: peer, ReplyFrames.failure(id: id, envelope: envelope, error))
            }
        }
    }

    private func answer(_ service: ServiceName, _ peer: [UInt8], _ reply: [[UInt8]]) {
        allowance.underWay -= 1
        sockets[service]?.reply(to: peer, reply)
    }

    private func admit(
        _ wanted: DoorRequest,
        _ request: AdmittedRequest,
        to service: ServiceName,
        _ nowMs: Int64
    ) throws(Problem) -> [UInt8] {
        guard allowance.take(nowMs: nowMs) else { throw DoorAllowance.busy }
        let person = try account.known()
        if wanted.isPing {
            let (news, hold) = watch.pinged(service, isChild: account.isChild, nowMs: nowMs)
            mark(hold)
            if news != .nothing { begin { await $0.report(news) } }
        }
        return try wanted.forwarded(request.body, for: person)
    }

    private func forward(
        _ wanted: DoorRequest,
        _ request: AdmittedRequest,
        _ rule: RequestGate.Rule,
        to service: ServiceName,
        _ body: [UInt8],
        _ nowMs: Int64
    ) async -> [[UInt8]] {
        let (header, envelope) = (request.header, request.envelope)
        do {
            let person = try account.known()
            let options = CallOptions(
                timeoutMs: request.deadlineBootMs - nowMs,
                // A request that was lost on the way is sent again. The key ensures that it is not processed twice.
                idempotencyKey: header.idempotencyKey
                    ?? (rule.kind == .write ? Identifier.make(wallMs: nowMs) : nil),
                trace: request.trace,
                cause: header.cause,
                behalf: wanted.behalf(of: person)
            )
            let reply = try await client.callRaw(header.route, to: service, body, options)
            let shown = try wanted.shown(reply, to: person)
            return ReplyFrames.success(id: header.id, envelope: envelope, body: shown)
        } catch {
            let problem = account.person.map { DoorRules.answer(Problem(error), for: $0) } ?? Problem(error)
            return ReplyFrames.failure(id: header.id, envelope: envelope, problem)
        }
    }
}

/// Forwards the events of one service to one account.
final class DoorRelay {
    private let sockets: ServerSockets
    var source: SubscriberPort?
    private var topics = DoorTopics()

    init(_ sockets: ServerSockets) { self.sockets = sockets }

    func begin(_ person: DoorPerson?) { carryOut(topics.begin(person)) }

    func subscription(_ topic: String, isNew: Bool) {
        carryOut(isNew ? topics.subscribed(topic) : topics.unsubscribed(topic))
    }

    private func carryOut(_ changes: [DoorTopics.Change]) {
        for change in changes {
            switch change {
            case .subscribe(let topic): try? source?.subscribe(topic)
            case .unsubscribe(let topic): source?.unsubscribe(topic)
            }
        }
    }

    func pass(_ frames: [[UInt8]]) {
        guard let shown = topics.shown(frames) else { return }
        sockets.publish(shown.topic, shown.header, shown.body)
    }
}
