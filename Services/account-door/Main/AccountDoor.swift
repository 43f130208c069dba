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
    private static let refreshInterval = Duration.seconds(60)
    private static let retryDelay = Duration.seconds(1)
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
    private var requestGates: [ServiceName: RequestGate] = [:]
    private var members: SubscriberPort?
    private var rateLimit = RequestRateLimit()
    private var timer: UInt64?
    private let agentGID = getgrnam(agentGroup)?.pointee.gr_gid
    private var screenMonitor: ScreenMonitor
    private let sessions: SessionInspector
    private let time = SystemTimeSource()

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

    init(uid: UInt32, account: String, core: Directories, locks: Bool, log: Log) throws {
        self.uid = uid
        self.account = DoorAccount(account)
        self.core = core
        self.log = log
        sessions = SessionInspector(uid: uid)
        let now = BootTime(ms: Stopwatch.bootMilliseconds())
        screenMonitor = ScreenMonitor(
            locks: locks,
            isHeld: access(Directories.observationGapFile(uid), F_OK) == 0,
            run: Identifier.make(wallMs: now.ms),
            at: now
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
            requestGates[service] = RequestGate(
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
                assumeIsolated { $0.relays[service]?.forward(frames) }
            }
            sockets.onRequest = { [unowned self] peer, frames, principal in
                assumeIsolated { $0.received(service, peer: peer, frames: frames, principal: principal) }
            }
            sockets.onSubscription = { [unowned self] topic, isNew in
                assumeIsolated { door in
                    door.requireAccount()
                    door.relays[service]?.subscriptionDidChange(topic, isNew: isNew)
                }
            }
            self.sockets[service] = sockets
            relays[service] = relay
        }
        members = try SubscriberPort(
            loop,
            endpoint: try core.endpoint(service: ServiceName.auth.rawValue, .events),
            topics: ["authorization.member."]
        ) { [unowned self] _ in assumeIsolated { $0.refresh() } }
        refresh()
        tick()
        checkSession()
    }

    /// Starts a task of medium priority. A thread of higher priority requests a better nice value, which the sandbox denies and
    /// logs.
    private func begin(_ work: @escaping @Sendable (AccountDoor) async -> Void) {
        Task(executorPreference: loop.thread, priority: .medium) { await work(self) }
    }

    // MARK: - Owner of the account

    /// Ends the process if the account's number belongs to another account, because the first was deleted. systemd restarts it.
    private func requireAccount() {
        guard let name = AccountName.name(uid), name != account.name else { return }
        log.info("other_account", "The account \(uid) was \(account.name) and is \(name) now.")
        unlink(Directories.observationGapFile(uid))
        exit(0)
    }

    private func refresh() {
        if let timer { loop.thread.cancelTimer(timer) }
        timer = nil
        begin { await $0.loadMembers() }
    }

    private func loadMembers() async {
        requireAccount()
        var delay = Self.refreshInterval
        do {
            let list = try await client.call(MemberList.self, Empty())
            if let news = account.update(list.members) { log.info("person", news) }
            for relay in relays.values { relay.begin(account.member) }
        } catch {
            account.fail(error)
            delay = Self.retryDelay
        }
        if let timer { loop.thread.cancelTimer(timer) }
        timer = loop.thread.after(milliseconds: delay.ms) { [weak self] in
            self?.assumeIsolated { $0.refresh() }
        }
    }

    private func tick() {
        guard let everyMs = Systemd.watchdogMs() else { return }
        Systemd.notify("WATCHDOG=1")
        loop.thread.after(milliseconds: everyMs / 3) { [weak self] in self?.assumeIsolated { $0.tick() } }
    }

    // MARK: - Observation of the screen

    private func checkSession() {
        loop.thread.after(milliseconds: SessionMonitor.checkInterval.ms) { [weak self] in
            self?.assumeIsolated { door in
                door.checkSession()
                let isSilent = door.screenMonitor.isAgentOverdue(
                    at: BootTime(ms: Stopwatch.bootMilliseconds())
                )
                guard isSilent || door.account.isChild else { return }
                door.begin { await $0.checkSessions() }
            }
        }
    }

    private func checkSessions() async {
        guard let used = await sessions.usedSessions() else { return }
        let now = BootTime(ms: Stopwatch.bootMilliseconds())
        if account.isChild { await report(screenMonitor.checkUnobservable(used, at: now)) }
        guard let found = screenMonitor.check(used, at: now) else { return }
        writeMarker(found.hold)
        await report(found.news)
        do {
            for session in screenMonitor.lockTargets(used, found.news, isChild: account.isChild, at: now) {
                try await sessions.lock(session)
            }
        } catch {
            log.problem("not_locked", Problem(error))
        }
    }

    /// Has systemd pause a child's shielded apps while desktop-agent does not run in the session.
    private func writeMarker(_ news: SessionMonitor.Transition) {
        let path = Directories.observationGapFile(uid)
        switch news {
        case .unchanged: break
        case .unobserved where account.isChild:
            do throws(Problem) {
                try AtomicFile.write([], to: path, mode: 0o644, durable: false)
            } catch { log.problem("not_marked", error) }
        case .unobserved, .observed: unlink(path)
        }
    }

    private func report(_ news: SessionMonitor.Transition) async {
        guard news != .unchanged, let person = account.member else { return }
        let observed = screenMonitor.report(news, of: person, time)
        do { _ = try await client.call(UsageObserve.self, observed) } catch {
            log.problem("unseen_not_told", Problem(error))
        }
    }

    // MARK: - Requests

    private func received(
        _ service: ServiceName,
        peer: [UInt8],
        frames: [[UInt8]],
        principal: Principal
    ) {
        guard let gate = requestGates[service], let sockets = sockets[service] else { return }
        requireAccount()
        let now = BootTime(ms: Stopwatch.bootMilliseconds())
        let admission = gate.admit(
            frames,
            from: principal,
            bootMs: now.ms,
            ns: Stopwatch.nanoseconds(),
            isTraced: false
        )
        switch admission {
        case .refused(let reply, _, _, _): sockets.reply(to: peer, reply)
        case .accepted(let request, let rule):
            let wanted = DoorRequest(request.header.route, group: principal.gid, agentGroup: agentGID)
            do {
                let body = try admit(wanted, request: request, to: service, at: now)
                rateLimit.activeRequests += 1
                begin { door in
                    let reply = await door.forward(
                        wanted,
                        request: request,
                        rule: rule,
                        to: service,
                        body: body,
                        at: now
                    )
                    await door.answer(service, peer: peer, reply: reply)
                }
            } catch {
                let (id, envelope) = (request.header.id, request.envelope)
                sockets.reply(to: peer, ReplyFrames.failure(id: id, envelope: envelope, error))
            }
        }
    }

    private func answer(_ service: ServiceName, peer: [UInt8], reply: [[UInt8]]) {
        rateLimit.activeRequests -= 1
        sockets[service]?.reply(to: peer, reply)
    }

    private func admit(
        _ wanted: DoorRequest,
        request: AdmittedRequest,
        to service: ServiceName,
        at now: BootTime
    ) throws(Problem) -> [UInt8] {
        guard rateLimit.allows(at: now) else { throw RequestRateLimit.busy }
        let person = try account.requireMember()
        if wanted.isPing {
            let (news, hold) = screenMonitor.receivePing(service, isChild: account.isChild, at: now)
            writeMarker(hold)
            if news != .unchanged { begin { await $0.report(news) } }
        }
        return try wanted.forwarded(request.body, for: person)
    }

    private func forward(
        _ wanted: DoorRequest,
        request: AdmittedRequest,
        rule: RequestGate.Rule,
        to service: ServiceName,
        body: [UInt8],
        at now: BootTime
    ) async -> [[UInt8]] {
        let (header, envelope) = (request.header, request.envelope)
        do {
            let person = try account.requireMember()
            let options = CallOptions(
                timeoutMs: request.deadlineBootMs - now.ms,
                // A request that was lost on the way is sent again. The key ensures that it is not processed twice.
                idempotencyKey: header.idempotencyKey
                    ?? (rule.kind == .write ? Identifier.make(wallMs: now.ms) : nil),
                trace: request.trace,
                cause: header.cause,
                behalf: wanted.behalf(of: person)
            )
            let reply = try await client.callRaw(header.route, to: service, body, options: options)
            let shown = try wanted.filtered(reply, to: person)
            return ReplyFrames.success(id: header.id, envelope: envelope, body: shown)
        } catch {
            let problem = account.member.map { DoorRules.refusal(Problem(error), for: $0) } ?? Problem(error)
            return ReplyFrames.failure(id: header.id, envelope: envelope, problem)
        }
    }
}

/// Forwards the events of one service to one account.
final class DoorRelay {
    private let sockets: ServerSockets
    var source: SubscriberPort?
    private var topics = RelayedTopics()

    init(_ sockets: ServerSockets) { self.sockets = sockets }

    func begin(_ person: DoorPerson?) { perform(topics.begin(person)) }

    func subscriptionDidChange(_ topic: String, isNew: Bool) {
        perform(isNew ? topics.subscribe(topic) : topics.unsubscribe(topic))
    }

    private func perform(_ changes: [RelayedTopics.Change]) {
        for change in changes {
            switch change {
            case .subscribe(let topic): try? source?.subscribe(topic)
            case .unsubscribe(let topic): source?.unsubscribe(topic)
            }
        }
    }

    func forward(_ frames: [[UInt8]]) {
        guard let shown = topics.filtered(frames) else { return }
        sockets.publish(shown.topic, header: shown.header, body: shown.body)
    }
}
