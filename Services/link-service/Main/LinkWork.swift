import STBus
import STContracts
import STCrypto
import STEngine
import STLinkCore
import STPlatform
import STServiceKit
import STWire
import STZeroMQ

/// Tells the household what was used here, and this machine what was used elsewhere.
///
/// The ledger itself is what waits while the household is away: this reads the stream `usage` from where the household says that
/// it stands. So a stretch reaches it once, also when both were killed in between.
actor LinkWork {
    private static let askEveryMs: Int64 = 2_000
    private static let surprisesMax = 3
    private static let othersMax = 64
    private static let retry = Backoff(firstMs: 500, limitMs: 15_000)
    /// A clock that is kept right is off by less.
    private static let clockMs: Int64 = 2_000

    private let host: ServiceHost<LinkMemory>
    private let surroundings: Surroundings
    private let bus: BusClient
    private let alarm: Alarm
    private let correspondence: Correspondence
    /// The membership that `client` and `pulling` serve.
    private var served: LinkMemory.Membership?
    private var client: HouseholdClient?
    private var pulling: Task<Void, Never>?
    /// Where the household stands in this machine's stream; nil: it was not asked yet.
    private var cursor: HouseholdCursor?
    /// The rows of this machine's records whose links the household noted last.
    private var noted: [String: Int64] = [:]
    private var failures = 0
    /// Where else the household can be reached, as it said last.
    private var others: [String] = []
    /// How many changes of rules the household has taken, as it said last.
    private var ruleNews: Int64?
    /// Another number once there is something new of requests, as it said last.
    private var requestNews: Int64?
    private let rules: Exchange<RuleExchange.Seen>
    private let requests: Exchange<RequestExchange.Seen>
    /// How often another address of the household was taken.
    private var turns = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(_ host: ServiceHost<LinkMemory>, _ surroundings: Surroundings) {
        self.host = host
        self.surroundings = surroundings
        bus = surroundings.makeClient()
        correspondence = Correspondence(host, surroundings, bus)
        let ring: @Sendable () -> Void = { [bell = host.bell] in bell.ring() }
        alarm = Alarm(surroundings.loop.thread, ring)
        let (ruleWork, requestWork) = (RuleExchange(bus, surroundings), RequestExchange(bus, surroundings))
        rules = Exchange(surroundings, ring) { try await ruleWork.run($0, $1) }
        requests = Exchange(surroundings, ring) { try await requestWork.run($0, $1) }
    }

    func run() async throws {
        await host.answer(KnockAsk.self) { ask, _ in await self.knock(ask) }
        await host.answer(MachinesAsk.self) { _, _ in await self.correspondence.machines(self.client) }
        await host.answer(LetterAsk.self) { ask, _ in await self.correspondence.ask(ask, self.client) }
        host.bell.ring()
        for await _ in host.bell.rings {
            let asked = client
            do {
                try await turn()
            } catch {
                await failed(Problem(error), at: asked ?? client)
            }
        }
        await end()
        await bus.close()
    }

    private func turn() async throws {
        let membership = try await host.state.membership
        if !isServed(membership) { try await serve(membership) }
        guard let membership, let client else { return }
        if membership.isAsking {
            try await ask(membership, client)
        } else {
            if let next = membership.next, try await renew(next, membership, client) { return }
            try await correspondence.tell(membership, client)
            try await push(membership, client)
            try await exchange(membership, client)
        }
    }

    /// Whether it is the same household, and this machine as far with it.
    private func isServed(_ membership: LinkMemory.Membership?) -> Bool {
        served?.secret == membership?.secret && served?.isAsking == membership?.isAsking
            && served?.address == membership?.address
    }

    private func serve(_ membership: LinkMemory.Membership?) async throws {
        await end()
        guard let membership else {
            // What counted until now stays counted, and nothing more is under way elsewhere.
            _ = try await bus.call(UsageElsewhere.self, .init(devices: [], rows: [], open: []))
            served = nil
            return
        }
        let own = try KeyPair(secret: membership.invitation ?? membership.secret)
        let client = try HouseholdClient(
            surroundings.loop,
            address: membership.address(after: turns),
            server: membership.server,
            own: own
        )
        self.client = client
        served = membership
        others = membership.others
        await client.hasOthers(!others.isEmpty)
        cursor = nil
        (ruleNews, requestNews) = (nil, nil)
        guard !membership.isAsking else { return }
        pulling = Task(executorPreference: surroundings.loop.thread) { await self.pull(client) }
    }

    private func end() async {
        pulling?.cancel()
        pulling = nil
        await rules.end()
        await requests.end()
        client?.close()
        client = nil
    }

    private func failed(_ problem: Problem, at asked: HouseholdClient?) async {
        failures += 1
        // Another service of the household may be there. What was asked of the one before fails as well, and says nothing of this one.
        if problem.code == HouseholdClient.unreached.code, !others.isEmpty, asked === client {
            turns += 1
            await end()
            served = nil
            if failures == 1 { host.bell.ring() }
        }
        if failures == 1 { surroundings.log.problem("household_not_reached", problem) }
        alarm.ring(afterMs: Self.retry.delayMs(attempt: failures))
        await note { contact in
            contact.isConnected = false
            contact.isRefused = problem.code == HouseholdClient.refused.code
            contact.problem = problem
        }
    }

    private func heard() async {
        failures = 0
        let nowMs = surroundings.time.now().wallMs
        await note { contact in
            // Not at every word, because it is written down with the next change anyway.
            if contact.isConnected, nowMs - (contact.heardMs ?? 0) < 10_000 { return }
            contact.heardMs = nowMs
            contact.isConnected = true
            contact.isRefused = false
            contact.problem = nil
        }
    }

    private func note(_ change: @escaping @Sendable (inout LinkMemory.Contact) -> Void) async {
        guard var contact = try? await host.state.contact else { return }
        let before = contact
        change(&contact)
        guard contact != before else { return }
        try? await host.step("link.contact") { state, _, _ in change(&state.contact) }
    }

    // MARK: - Joining

    private func knock(_ ask: KnockAsk.Request) async -> KnockAsk.Reply {
        do {
            let code = try InvitationCode(ask.code)
            let known = try await host.state.secret
            let own = try known.map { try KeyPair(secret: $0) } ?? KeyPair.make()
            let client = try HouseholdClient(
                surroundings.loop,
                address: code.address,
                server: code.server,
                own: try KeyPair(secret: code.secret)
            )
            defer { client.close() }
            let asked = request(own, ask.accounts, ask.guardians)
            let told = try await client.call(HouseholdJoin.self, asked, timeoutMs: 4_000)
            return KnockAsk.Reply(
                members: told.members,
                secret: TextFormat.hex(own.secret),
                number: told.number
            )
        } catch {
            return KnockAsk.Reply(members: [], secret: "", problem: Problem(error))
        }
    }

    private func request(_ own: KeyPair, _ accounts: [HouseholdAccount], _ guardians: [String])
        -> HouseholdJoin.Request
    {
        HouseholdJoin.Request(
            name: TextFormat.fitting(HostName.current(), bytes: HouseholdJoin.nameBytesMax),
            key: TextFormat.hex(own.publicKey),
            accounts: accounts,
            guardians: guardians.isEmpty ? nil : guardians
        )
    }

    private func ask(_ membership: LinkMemory.Membership, _ client: HouseholdClient) async throws {
        let own = try KeyPair(secret: membership.secret)
        do {
            let asked = request(own, membership.accounts, membership.guardians)
            let reply = try await client.call(HouseholdJoin.self, asked)
            await heard()
            guard reply.device != nil else { return alarm.ring(afterMs: Self.askEveryMs) }
            try await joined(membership)
        } catch let problem as Problem
            where problem.code.hasPrefix("household.") && problem.code != HouseholdClient.unreached.code
        {
            // The invitation is over, or another machine has used it; unless a person has let this machine in meanwhile.
            if try await isIn(membership, own) { return try await joined(membership) }
            try await host.step("link.turned_away") { state, _, change in
                guard state.membership == membership else { return }
                try state.put(nil, change.database)
                state.contact.problem = problem
            }
        }
    }

    private func isIn(_ membership: LinkMemory.Membership, _ own: KeyPair) async throws -> Bool {
        let client = try HouseholdClient(
            surroundings.loop,
            address: membership.address(after: turns),
            server: membership.server,
            own: own
        )
        defer { client.close() }
        let asked = push(after: .unsaid, through: .unsaid, [], [], isWhole: false)
        do {
            _ = try await client.call(HouseholdPush.self, asked)
            return true
        } catch let problem as Problem where problem.code == HouseholdClient.refused.code {
            return false
        }
    }

    /// Takes the new key once the household knows it. It may know it already, where its answer was lost.
    ///
    /// False: the household does not take it, and the old one stays.
    private func renew(
        _ next: [UInt8],
        _ membership: LinkMemory.Membership,
        _ client: HouseholdClient
    ) async throws -> Bool {
        let own = try KeyPair(secret: next)
        var isKnown = true
        do {
            _ = try await client.call(HouseholdRenew.self, .init(key: TextFormat.hex(own.publicKey)))
        } catch let problem as Problem {
            if try await !isIn(membership, own) {
                if problem.retryable { throw problem }
                surroundings.log.problem("key_not_taken", problem)
                isKnown = false
            }
        }
        let isTaken = isKnown
        try await host.step("link.renewed") { state, _, change in
            guard state.membership?.next == next else { return }
            try state.renewed(isTaken: isTaken, change.database)
        }
        if isTaken { host.bell.ring() }
        return isTaken
    }

    private func joined(_ membership: LinkMemory.Membership) async throws {
        try await host.step("link.joined") { state, _, change in
            // A person may have left meanwhile.
            guard state.membership == membership else { return }
            var joined = membership
            joined.invitation = nil
            try state.put(joined, change.database)
        }
    }

    // MARK: - Telling

    private func push(_ membership: LinkMemory.Membership, _ client: HouseholdClient) async throws {
        var after: HouseholdCursor
        if let cursor {
            after = cursor
        } else {
            let asked = push(after: .unsaid, through: .unsaid, [], [], isWhole: false)
            let reply = try await client.call(HouseholdPush.self, asked)
            (after, noted) = (reply.cursor, reply.noted ?? [:])
            await heard()
        }
        var next: String?
        var surprises = 0
        while surprises < Self.surprisesMax {
            guard isServed(try await host.state.membership) else { return }
            let isBegin = after.epoch == nil
            let page: EventPage
            do {
                page = try await isBegin ? snapshot(next) : events(after)
            } catch let problem as Problem where Self.isAnew(problem) {
                // The ledger was begun anew, or a part of it deleted, or this machine was away for long.
                surprises += 1
                (after, next) = (HouseholdCursor(), nil)
                continue
            }
            next = page.next
            var through = after
            if isBegin {
                through = HouseholdCursor(
                    epoch: page.head.epoch,
                    sequence: page.head.sequence,
                    id: page.head.id
                )
            } else if let last = page.events.last?.header {
                through = HouseholdCursor(epoch: last.epoch, sequence: last.sequence, id: last.id)
            }
            let isWhole = isBegin ? next == nil : through.sequence ?? 0 >= page.head.sequence
            let rows = try page.events.filter { $0.header.type == SegmentClosed.type }
                .compactMap { told(try $0.decoded(SegmentClosed.self), membership) }
            let open = isWhole ? try await open(membership) : []
            var sent = push(after: after, through: through, rows, open, isWhole: isWhole)
            if isWhole {
                let links = try await bus.call(UsageLinks.self, .init(rows: noted)).links
                sent.records = RecordWord(noted: noted, links: links)
            }
            let reply = try await client.call(HouseholdPush.self, sent)
            noted = reply.noted ?? [:]
            if let why = reply.why { surroundings.log.problem("rows_left_out", why) }
            let reached = reply.cursor
            await heard()
            cursor = reached
            if isWhole, reached == through { return }
            if reached == (isWhole || !isBegin ? through : after) {
                after = reached
            } else {
                // The household stands elsewhere: on from there.
                surprises += 1
                (after, next) = (reached, nil)
            }
        }
        throw Problem(
            "household.out_of_step",
            "The household and this machine do not agree how far it has come. It is tried again.",
            retryable: true
        )
    }

    private static func isAnew(_ problem: Problem) -> Bool {
        ["epoch.changed", "cursor.too_old", "snapshot.moved"].contains(problem.code)
    }

    private func push(
        after: HouseholdCursor,
        through: HouseholdCursor,
        _ rows: [Segment],
        _ open: [OpenStretch],
        isWhole: Bool
    ) -> HouseholdPush.Request {
        HouseholdPush.Request(
            after: after,
            through: through,
            rows: rows,
            open: open,
            isWhole: isWhole,
            wallMs: surroundings.time.now().wallMs
        )
    }

    /// What this machine tells the household of a stretch: nil unless this machine saw it itself, of a person whom the household knows.
    private func told(_ row: Segment, _ membership: LinkMemory.Membership) -> Segment? {
        guard row.device == nil, row.knownBy != .imported, row.knownBy != .elsewhere,
            membership.accounts.contains(where: { $0.here == row.member })
        else { return nil }
        var row = row
        if membership.share != .all { row.domain = nil }
        if membership.share == .time { (row.app, row.category) = (nil, nil) }
        return row
    }

    private func events(_ after: HouseholdCursor) async throws -> EventPage {
        let request = EventsSince.Request(
            stream: StreamName.usage.rawValue,
            epoch: after.epoch,
            sequence: after.sequence,
            id: after.id
        )
        return try await bus.call(EventsSince.self, to: .activity, request)
    }

    /// All of it, also what is too old for `events`.
    private func snapshot(_ next: String?) async throws -> EventPage {
        try await bus.call(
            EventsSnapshot.self,
            to: .activity,
            .init(stream: StreamName.usage.rawValue, next: next)
        )
    }

    private func open(_ membership: LinkMemory.Membership) async throws -> [OpenStretch] {
        let now = surroundings.time.now()
        let bootID = surroundings.time.bootID
        return try await bus.call(UsageNow.self, Empty()).open
            .filter { $0.presence == .active && $0.bootId == bootID }
            .filter { now.bootMs - $0.endBootMs < 86_400_000 }
            .compactMap { told($0, membership) }
            .suffix(HouseholdPush.openMax)
            .map { OpenStretch(segment: $0, agoMs: max(0, now.bootMs - $0.endBootMs)) }
    }

    // MARK: - Rules and requests

    /// Exchanges rules and requests where there may be something new, beside what else is to do: services may be slow, or start anew.
    private func exchange(_ membership: LinkMemory.Membership, _ client: HouseholdClient) async throws {
        let state = try await host.state
        guard let places = state.membership?.places, let children = state.children else { return }
        let accounts = membership.accounts.filter { state.sharesRules(of: $0) }
        let household = [TextFormat.hex(membership.server), places, membership.number].joined(separator: "/")
        if let news = ruleNews {
            let seen = RuleExchange.Seen(
                household: household,
                changes: state.ruleChanges,
                news: news,
                accounts: accounts,
                children: accounts.filter { children.contains($0.here) }.map(\.member),
                share: membership.share
            )
            await rules.offer(seen, client)
        }
        if let news = requestNews {
            let seen = RequestExchange.Seen(
                household: household,
                changes: state.requestChanges,
                news: news,
                accounts: accounts,
                share: membership.share
            )
            await requests.offer(seen, client)
        }
    }

    // MARK: - Hearing

    private func pull(_ client: HouseholdClient) async {
        var news: Int64 = -1
        var failures = 0
        while !Task.isCancelled {
            do {
                guard let membership = try await host.state.membership, isServed(membership) else { return }
                // With its hands full it would be given the same letters at once, again and again.
                while await correspondence.isFull, !Task.isCancelled {
                    await surroundings.loop.thread.pause(ms: 50)
                }
                let reply = try await client.call(
                    HouseholdPull.self,
                    .init(
                        after: membership.read,
                        news: news,
                        waitMs: HouseholdPull.waitMsMax,
                        places: membership.places,
                        holding: Array(await correspondence.holding),
                        rules: ruleNews ?? -1,
                        forgets: membership.forgets.values.reduce(0, &+),
                        requests: requestNews ?? -1
                    ),
                    timeoutMs: HouseholdPull.waitMsMax + 10_000
                )
                await heard()
                await correspondence.take(reply.letters ?? [], membership, client)
                try await take(reply, membership)
                news = reply.news
                if ruleNews != reply.rules || requestNews != reply.requests { host.bell.ring() }
                (ruleNews, requestNews) = (reply.rules, reply.requests)
                try await clean(reply.forgets ?? [:], client)
                failures = 0
            } catch {
                if Task.isCancelled { return }
                failures += 1
                await failed(Problem(error), at: client)
                await surroundings.loop.thread.pause(ms: Self.retry.delayMs(attempt: failures))
            }
        }
    }

    /// Deletes the copies of rows that their own machines have deleted.
    private func clean(_ forgets: [String: Int64], _ client: HouseholdClient) async throws {
        guard let membership = try await host.state.membership, membership.forgets != forgets else { return }
        // A household from an older copy of its records may lack rows that were never deleted.
        for (device, count) in forgets where count > membership.forgets[device] ?? 0 {
            var asked = UsageCopies.Request(device: device, after: 0, gone: [])
            while true {
                let page = try await bus.call(UsageCopies.self, asked)
                guard let last = page.last else { break }
                let gone = try await client.call(
                    HouseholdGone.self,
                    .init(device: device, segments: page.segments)
                )
                asked = .init(device: device, after: last, gone: gone.gone)
            }
        }
        try await host.step("link.cleaned") { state, _, change in
            guard state.membership == membership else { return }
            try state.clean(forgets, change.database)
        }
    }

    private func take(_ reply: HouseholdPull.Reply, _ membership: LinkMemory.Membership) async throws {
        let here = Dictionary(reply.accounts.map { ($0.member, $0.here) }) { first, _ in first }
        guard reply.wallMs.magnitude < 1 << 53, reply.open.allSatisfy({ $0.agoMs >= 0 }) else {
            throw Problem("household.bad_clock", "The clock of the machine is no time.", field: "/wall_ms")
        }
        let offMs = surroundings.time.now().wallMs - reply.wallMs
        func row(_ sent: Segment) -> Segment? {
            guard let member = here[sent.member] else { return nil }
            var row = sent
            row.member = member
            if abs(offMs) > Self.clockMs, sent.startWallMs.magnitude < 1 << 53 { row.startWallMs += offMs }
            return row
        }
        let open = reply.open.compactMap { open in
            row(open.segment).map { OpenStretch(segment: $0, agoMs: open.agoMs) }
        }
        let used = Set((reply.rows + reply.open.map(\.segment)).compactMap(\.device))
        let devices = reply.devices.filter { used.contains($0.device) }
        let taken = try await bus.call(
            UsageElsewhere.self,
            .init(devices: devices, rows: reply.rows.compactMap(row), open: open)
        )
        if let why = taken.why { surroundings.log.problem("rows_put_aside", why) }
        let names = Dictionary(devices.map { ($0.device, $0.name) }) { first, _ in first }
        let elsewhere = open.map { open in
            LinkElsewhere(
                member: open.segment.member,
                device: names[open.segment.device ?? ""] ?? "",
                app: open.segment.app,
                domain: open.segment.domain,
                sinceMs: open.segment.startWallMs
            )
        }
        let state = try await host.state
        let others = (reply.addresses ?? []).prefix(Self.othersMax).filter {
            $0 != membership.address && (try? InvitationCode.checked(address: $0)) != nil
        }
        self.others = others
        await client?.hasOthers(!others.isEmpty)
        let isSame =
            state.membership?.read == reply.through && state.membership?.places == reply.places
            && state.membership?.others == others
        if isSame, state.contact.elsewhere == elsewhere { return }
        try await host.step("link.pulled") { state, _, change in
            // Another household, or a ledger that was begun anew meanwhile, is read from its own beginning.
            guard state.membership == membership else { return }
            state.contact.elsewhere = elsewhere
            try state.read(through: reply.through, of: reply.places, change.database)
            try state.hear(of: others, change.database)
        }
    }
}

extension HouseholdCursor {
    /// Stands nowhere, so that the household takes nothing and says where it stands.
    fileprivate static let unsaid = HouseholdCursor(epoch: "unsaid", sequence: 0)
}
