import Glibc
import STAccountDoorCore
import STBus
import STContracts
import STPlatform
import STServiceKit
import STZeroMQ

/// Stands between one account and the services.
///
/// It passes on what the account's person may ask, and tells what they may hear. The services' own sockets are closed to every account.
actor AccountDoor {
    private static let everyMs: Int64 = 60_000
    private static let retryMs: Int64 = 1_000
    /// The package's desktop-agent runs under this group, and no other program can.
    private static let agentGroup = "_screentime-agent"

    private let uid: UInt32
    private let account: String
    private let core: Directories
    let loop: BusLoop
    private let log: Log
    private let client: BusClient
    private var sockets: [ServiceName: ServerSockets] = [:]
    private var relays: [ServiceName: DoorRelay] = [:]
    private var gates: [ServiceName: RequestGate] = [:]
    private var members: SubscriberPort?
    private var person: DoorPerson?
    /// Why there is no person.
    private var problem = Problem(
        "unavailable",
        "auth-service has not said yet whose account this is.",
        retryable: true
    )
    private var allowance = DoorAllowance()
    private var underWay = 0
    private var timer: UInt64?
    /// Nil where the computer has no such group: then every program of the account may be the agent.
    private let agentGID = getgrnam(agentGroup)?.pointee.gr_gid
    private var gate = SessionGate(nowMs: Stopwatch.bootMilliseconds())
    /// The same for sessions that call themselves locked or idle, too: the account may say so of its own.
    private var holdGate: SessionGate
    /// When an agent said last that it lives and sees nothing.
    private var blindMs = Int64.min / 2
    /// For what no agent could see, whether it lives or not.
    private var textGate = SessionGate(nowMs: Stopwatch.bootMilliseconds())
    private let sessions: SessionLook
    /// Whether a screen is locked that is used while nothing sees it.
    private let locks: Bool
    private let time = SystemTimeSource()
    /// Of the observations that this door itself makes while no agent does.
    private let run = Identifier.make(wallMs: Stopwatch.bootMilliseconds())
    private var told: Int64 = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

    init(uid: UInt32, account: String, core: Directories, locks: Bool, log: Log) throws {
        self.uid = uid
        self.account = account
        self.core = core
        self.locks = locks
        self.log = log
        sessions = SessionLook(uid: uid)
        // Where a door before this one has left its mark, apps stay held.
        let isUnseen = access(Directories.unseen(uid), F_OK) == 0
        holdGate = SessionGate(nowMs: Stopwatch.bootMilliseconds(), isUnseen: isUnseen)
        loop = try BusLoop()
        client = BusClient(loop: loop) { try core.endpoint(service: $0.rawValue, .rpc) }
    }

    /// Begins to answer on the sockets that systemd has made for this account.
    func open(_ handed: [String: Int32], below run: String) throws {
        let common = Catalogue.common
        for entry in Catalogue.entries where ServiceName.ofComputer.contains(entry.service) {
            let service = entry.service
            let rpc = "\(run)/\(service)/\(Endpoint.rpc.rawValue)"
            let events = "\(run)/\(service)/\(Endpoint.events.rawValue)"
            guard let rpcNumber = handed[rpc], let eventsNumber = handed[events] else {
                throw Problem("start.no_socket", "systemd did not hand over \(rpc) and \(events).")
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
                assumeIsolated { $0.relays[service]?.pass(frames, $0.person) }
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

    /// Of middle priority: a thread of a higher one asks for a better nice value, which the sandbox refuses aloud.
    private func begin(_ work: @escaping @Sendable (AccountDoor) async -> Void) {
        Task(executorPreference: loop.thread, priority: .medium) { await work(self) }
    }

    // MARK: - Whose account it is

    /// The number of an account that was deleted may be given to another person's. The door ends then, and systemd starts it anew.
    private func requireAccount() {
        guard let name = AccountName.of(uid), name != account else { return }
        log.info("other_account", "The account \(uid) was \(account) and is \(name) now.")
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
            let member = list.members.first { $0.account == account }
            let now = member.map { DoorPerson(account: account, member: $0.name, role: $0.role) }
            if now != person {
                log.info(
                    "person",
                    now.map { "This account is \($0.member)'s." } ?? "This account is no person's."
                )
            }
            person = now
            problem = Problem(
                "account.no_member",
                "The account \(account) is no person's here, so nothing of it is counted.",
                help: "sudo screentime member account NAME \(account)"
            )
            for relay in relays.values { relay.begin(now) }
        } catch {
            if person == nil { problem = Problem(error) }
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

    // MARK: - Who looks at the screen

    private func isAgent(_ principal: Principal) -> Bool { agentGID.map { $0 == principal.gid } ?? true }

    private func guardSession() {
        loop.thread.after(milliseconds: SessionGate.lookEveryMs) { [weak self] in
            self?.assumeIsolated { door in
                door.guardSession()
                let isSilent = door.gate.isSilent(nowMs: Stopwatch.bootMilliseconds())
                guard isSilent || door.person?.role == .child else { return }
                door.begin { await $0.lookAtSessions() }
            }
        }
    }

    private func lookAtSessions() async {
        guard let used = await sessions.used() else { return }
        let nowMs = Stopwatch.bootMilliseconds()
        let awake = used.filter { !$0.isAtRest }
        if person?.role == .child {
            await take(textGate.look(isUsed: UsedSession.areBlind(awake), nowMs: nowMs))
        }
        guard gate.isSilent(nowMs: nowMs) else { return }
        mark(holdGate.look(isUsed: !used.isEmpty, nowMs: nowMs))
        let news = gate.look(isUsed: !awake.isEmpty, nowMs: nowMs)
        await take(news)
        // A desktop that shows the agent nothing locks no person out; an X display shows it everything.
        let isBlind = nowMs - blindMs < SessionGate.silenceMs && !awake.contains(where: \.isX11)
        guard locks, news == .unseen, person?.role == .child, !isBlind else { return }
        do { for session in awake { try await sessions.lock(session) } } catch {
            log.problem("not_locked", Problem(error))
        }
    }

    /// Has systemd hold a child's shielded apps while the program that does it in the session is gone.
    private func mark(_ news: SessionGate.News) {
        let path = Directories.unseen(uid)
        switch news {
        case .nothing: break
        case .unseen where person?.role == .child:
            do throws(Problem) {
                try AtomicFile.write([], to: path, mode: 0o644, durable: false)
            } catch { log.problem("not_marked", error) }
        case .unseen, .over: unlink(path)
        }
    }

    private func take(_ news: SessionGate.News) async {
        guard news != .nothing, let person else { return }
        told += 1
        let now = time.now()
        let isUnseen = news == .unseen
        let seen = Observation(
            sequence: told,
            bootId: time.bootID,
            at: now,
            zone: time.zone(),
            member: person.member,
            presence: isUnseen ? .active : .away,
            app: isUnseen ? UsageObserve.unseenApp : nil,
            inputBootMs: isUnseen ? now.bootMs : nil
        )
        do {
            // No agent can have this name: one that comes through a door ends with its account.
            let agent = UsageObserve.doorAgentPrefix + account
            let request = UsageObserve.Request(agent: agent, run: run, observations: [seen])
            _ = try await client.call(UsageObserve.self, request)
        } catch {
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
            do {
                let body = try admit(request, to: service, nowMs)
                underWay += 1
                begin { door in
                    let reply = await door.ask(service, request, rule, body, nowMs)
                    await door.answer(service, peer, reply)
                }
            } catch {
                sockets.reply(
                    to: peer,
                    ReplyFrames.failure(id: request.header.id, envelope: request.envelope, error)
                )
            }
        }
    }

    private func answer(_ service: ServiceName, _ peer: [UInt8], _ reply: [[UInt8]]) {
        underWay -= 1
        sockets[service]?.reply(to: peer, reply)
    }

    private func admit(_ request: AdmittedRequest, to service: ServiceName, _ nowMs: Int64) throws(Problem)
        -> [UInt8]
    {
        guard underWay < DoorAllowance.underWayMax, allowance.take(nowMs: nowMs) else {
            throw Problem(
                "busy",
                "This account asks too much at once. Try again in a second.",
                retryable: true,
                details: ["retry_after_ms": "1000"]
            )
        }
        guard let person else { throw problem }
        if isAgent(request.principal) {
            let isPing = request.header.route == HealthPing.name
            if isPing, service == .auth { blindMs = nowMs }
            // An agent that sees the screen pings activity-center. An adult's may as well see nothing.
            if isPing, service == .activity || person.role != .child {
                mark(holdGate.heard(nowMs: nowMs))
                let news = gate.heard(nowMs: nowMs)
                if news != .nothing { begin { await $0.take(news) } }
            }
        } else if DoorRules.isAgents(request.header.route) {
            throw Problem(
                "access.agent_only",
                "Only the program that looks at this screen may say what it sees: desktop-agent of the package."
            )
        }
        var asking = person
        if warnsGuardians(request) { asking.role = .guardian }
        return try DoorRules.pass(request.header.route, request.body, for: asking)
    }

    /// Whether desktop-agent requests a notification. It may notify guardians even though it runs in the child's account.
    private func warnsGuardians(_ request: AdmittedRequest) -> Bool {
        request.header.route == NotifyPost.name && isAgent(request.principal)
    }

    private func ask(
        _ service: ServiceName,
        _ request: AdmittedRequest,
        _ rule: RequestGate.Rule,
        _ body: [UInt8],
        _ nowMs: Int64
    ) async -> [[UInt8]] {
        let (header, envelope) = (request.header, request.envelope)
        do {
            guard let person else { throw problem }
            let options = CallOptions(
                timeoutMs: request.deadlineBootMs - nowMs,
                // What is lost on the way is asked again, which must not do it twice.
                idempotencyKey: header.idempotencyKey
                    ?? (rule.kind == .write ? Identifier.make(wallMs: nowMs) : nil),
                trace: request.trace,
                cause: header.cause,
                behalf: person.role == .guardian || warnsGuardians(request) ? nil : person.member
            )
            var reply = try await client.callRaw(header.route, to: service, body, options)
            if [EventsSince.name, EventsSnapshot.name].contains(header.route) {
                reply = try DoorEvents.shown(EventPage.decodedBody(reply), to: person).encodedBody()
            }
            return ReplyFrames.success(id: header.id, envelope: envelope, body: reply)
        } catch {
            let problem = person.map { DoorRules.answer(Problem(error), for: $0) } ?? Problem(error)
            return ReplyFrames.failure(id: header.id, envelope: envelope, problem)
        }
    }
}

/// The events of one service, for one account.
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

    func pass(_ frames: [[UInt8]], _ person: DoorPerson?) {
        guard let person, frames.count == 3 else { return }
        guard frames[0].first != UInt8(ascii: "~") else {
            return sockets.publish(String(decoding: frames[0], as: UTF8.self), frames[1], frames[2])
        }
        guard let event = WireEvent(frames: frames), DoorEvents.isOpen(event.header.stream, to: person) else {
            return
        }
        let shown = DoorEvents.shown(event, to: person)
        sockets.publish(shown.header.type, shown.header.encoded(), shown.body)
    }
}
