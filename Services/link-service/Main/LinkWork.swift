import STBus
import STContracts
import STCrypto
import STEngine
import STFollowing
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
    private enum Work { case telling, hearing }

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
    private let joining: Joining
    /// The membership that `client` and `pulling` serve.
    private var served: LinkMemory.Membership?
    private var client: HouseholdClient?
    private var pulling: Task<Void, Never>?
    /// Where the household stands in this machine's stream; nil: it was not asked yet.
    private var cursor: HouseholdCursor?
    /// The rows of this machine's records whose links the household noted last.
    private var noted: [String: Int64] = [:]
    /// The number of consecutive failures of each kind of work.
    private var failures: [Work: Int] = [:]
    /// The boot time of the next attempt after a failure.
    private var againAtMs: Int64 = 0
    /// In how many ways the household may be reached.
    private var ways = 1
    /// The household's key that `client` looks for.
    private var server: [UInt8] = []
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
        joining = Joining(host: host, surroundings: surroundings)
        let ring: @Sendable () -> Void = { [bell = host.bell] in bell.ring() }
        alarm = Alarm(surroundings.loop.thread, ring)
        let (ruleWork, requestWork) = (RuleExchange(bus, surroundings), RequestExchange(bus, surroundings))
        rules = Exchange(surroundings, ring) { try await ruleWork.run($0, $1) }
        requests = Exchange(surroundings, ring) { try await requestWork.run($0, $1) }
    }

    func run() async throws {
        await host.answer(KnockAsk.self) { ask, _ in await self.joining.knock(ask) }
        await host.answer(MachinesAsk.self) { _, _ in await self.correspondence.machines(self.client) }
        await host.answer(LetterAsk.self) { ask, _ in await self.correspondence.ask(ask, self.client) }
        host.bell.ring()
        for await _ in host.bell.rings {
            guard await isDue() else { continue }
            let asked = client
            do {
                try await turn()
                if let client { await succeeded(.telling, client) }
            } catch {
                await failed(.telling, Problem(error), at: asked ?? client)
            }
        }
        await end()
        await bus.close()
    }

    /// Storing a failure also rings the bell, which must not start the next attempt.
    private func isDue() async -> Bool {
        let restMs = againAtMs - Stopwatch.bootMilliseconds()
        guard restMs > 0, isServed(try? await host.state.membership) else { return true }
        alarm.ring(afterMs: restMs)
        return false
    }

    private func turn() async throws {
        let membership = try await host.state.membership
        if !isServed(membership) { try await serve(membership) }
        guard let membership, let client else { return }
        if membership.isAsking {
            try await ask(membership, client)
        } else {
            if let next = membership.next, try await renew(next, membership, client) { return }
            if try await welcome(Set(host.state.household.members.map(\.name)), membership, client) { return }
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
        if membership == nil, served?.isAsking == false, let client {
            await joining.reportLeaving(to: client)
        }
        await end()
        guard let membership else {
            // What counted until now stays counted, and nothing more is under way elsewhere.
            _ = try await bus.call(UsageElsewhere.self, .init(devices: [], rows: [], open: []))
            served = nil
            return
        }
        let own = try KeyPair(secret: membership.invitation ?? membership.secret)
        let way = membership.way(after: turns)
        let client = try HouseholdClient(surroundings.loop, way, own: own)
        self.client = client
        served = membership
        (ways, server) = (membership.ways, way.server)
        await client.hasOthers(ways > 1)
        (cursor, ruleNews, requestNews) = (nil, nil, nil)
        guard !membership.isAsking else { return }
        pulling = Task(executorPreference: surroundings.loop.thread) { await self.pull(client) }
    }

    private func end() async {
        client?.close()  // All requests fail together, which counts as one failure.
        pulling?.cancel()
        (client, pulling) = (nil, nil)
        await rules.end()
        await requests.end()
    }

    private func succeeded(_ work: Work, _ client: HouseholdClient) async {
        guard failures.removeValue(forKey: work) != nil else { return }
        // The other kind of work may succeed now, so it does not wait any longer.
        switch work {
        case .telling: (failures[.hearing], againAtMs) = (nil, 0)
        case .hearing where failures[.telling] != nil:
            againAtMs = 0
            host.bell.ring()
        case .hearing: break
        }
        await heard(client)
    }

    private func failed(_ work: Work, _ problem: Problem, at asked: HouseholdClient?) async {
        let count = failures[work, default: 0] + 1
        failures[work] = count
        // Another service of the household may be there. What was asked of the one before fails as well, and says nothing of this one.
        if problem.code == HouseholdClient.unreached.code, ways > 1, let asked, asked === client {
            turns += 1
            await end()
            served = nil
            if count == 1 { host.bell.ring() }
        }
        if count == 1 { surroundings.log.problem("household_not_reached", problem) }
        if work == .telling {
            let delayMs = Self.retry.delayMs(attempt: count)
            againAtMs = Stopwatch.bootMilliseconds() + delayMs
            alarm.ring(afterMs: delayMs)
        }
        await note { contact in
            contact.isConnected = false
            contact.isRefused = problem.code == HouseholdClient.refused.code
            contact.problem = problem
        }
    }

    private func heard(_ client: HouseholdClient) async {
        guard client === self.client else { return }
        if let membership = try? await host.state.membership, membership.nextServer == server {
            turns = 0
            try? await host.step("link.new_key") { [server] state, _, change in
                try state.takeServer(server, change.database)
            }
        }
        // The household replies, but other work still fails.
        guard failures.isEmpty else { return }
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

    private func ask(_ membership: LinkMemory.Membership, _ client: HouseholdClient) async throws {
        let own = try KeyPair(secret: membership.secret)
        do {
            let reply = try await client.call(HouseholdJoin.self, joining.request(own, membership))
            await heard(client)
            guard reply.device != nil else { return alarm.ring(afterMs: Self.askEveryMs) }
            try await joined(membership)
        } catch let problem as Problem
            where problem.code.hasPrefix("household.") && problem.code != HouseholdClient.unreached.code
        {
            // The invitation is over, or another machine has used it; unless a person has let this machine in meanwhile.
            if try await joining.isIn(membership, own, turns) { return try await joined(membership) }
            try await host.step("link.turned_away") { state, _, change in
                guard state.membership == membership else { return }
                try state.put(nil, change.database)
                state.contact.problem = problem
            }
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
            if try await !joining.isIn(membership, own, turns) {
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

    /// Tells the household of people who came to this machine after it had joined; true: there are some, and it goes on with them.
    ///
    /// The first of them make room for those who come: they come again with what they use.
    private func welcome(
        _ seen: Set<String>,
        _ membership: LinkMemory.Membership,
        _ client: HouseholdClient,
        makesRoom: Bool = false
    ) async throws -> Bool {
        guard membership.everyone else { return false }
        let unknown = seen.subtracting(membership.accounts.map(\.here))
        guard !unknown.isEmpty, makesRoom || membership.accounts.count < HouseholdAccount.max else {
            return false
        }
        let people = Set(try await bus.call(MemberList.self, Empty()).members.map(\.name))
        let new = unknown.intersection(people).sorted()
        guard !new.isEmpty else { return false }
        let known =
            membership.accounts.filter { !seen.contains($0.here) }
            + membership.accounts.filter { seen.contains($0.here) }
        let all = known + new.map { HouseholdAccount(here: $0, member: $0) }
        let accounts = Array(all.suffix(HouseholdAccount.max))
        do {
            _ = try await client.call(HouseholdAccounts.self, .init(accounts: accounts))
        } catch let problem as Problem where !problem.retryable {
            // It hears of the others all the same.
            surroundings.log.problem("people_not_taken", problem)
            return false
        }
        try await host.step("link.welcomed") { state, _, change in
            guard state.membership == membership else { return }
            try state.welcome(accounts, change.database)
        }
        host.bell.ring()
        return true
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
            let reply = try await client.call(HouseholdPush.self, joining.question())
            (after, noted) = (reply.cursor, reply.noted ?? [:])
            await heard(client)
        }
        var next: String?
        var surprises = 0
        while surprises < Self.surprisesMax {
            guard isServed(try await host.state.membership) else { return }
            let isBegin = after.epoch == nil
            let page: EventPage
            do {
                page = try await isBegin ? snapshot(next) : events(after)
            } catch let problem as Problem where UsagePage.isAnew(problem) {
                // The ledger was begun anew, or a part of it deleted, or this machine was away for long.
                surprises += 1
                (after, next) = (HouseholdCursor(), nil)
                continue
            }
            next = page.next
            let events = isBegin ? page.events[...] : try UsagePage.fitting(page.events)
            var through = after
            if isBegin {
                through = HouseholdCursor(
                    epoch: page.head.epoch,
                    sequence: page.head.sequence,
                    id: page.head.id
                )
            } else if let last = events.last?.header {
                through = HouseholdCursor(epoch: last.epoch, sequence: last.sequence, id: last.id)
            }
            let isWhole = isBegin ? next == nil : through.sequence ?? 0 >= page.head.sequence
            let seen = try events.filter { $0.header.type == SegmentClosed.type }
                .map { try $0.decoded(SegmentClosed.self) }.filter(UsagePage.isOwn)
            let people = Set(seen.map(\.member))
            if try await welcome(people, membership, client, makesRoom: !isBegin) { return }
            let rows = seen.compactMap { told($0, membership) }
            let open = isWhole ? try await open(membership) : []
            var sent = push(after: after, through: through, rows, open, isWhole: isWhole)
            sent.nextKey = try await host.state.membership?.nextServer.map { TextFormat.hex($0) }
            if isWhole {
                let links = try await bus.call(UsageLinks.self, .init(rows: noted)).links
                sent.records = RecordWord(noted: noted, links: links)
            }
            let reply = try await client.call(HouseholdPush.self, sent)
            noted = reply.noted ?? [:]
            if let why = reply.why { surroundings.log.problem("rows_left_out", why) }
            let reached = reply.cursor
            await heard(client)
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

    /// What this machine tells the household of a stretch: nil unless it is of a person whom the household knows.
    private func told(_ row: Segment, _ membership: LinkMemory.Membership) -> Segment? {
        guard membership.accounts.contains(where: { $0.here == row.member }) else { return nil }
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
            .filter { $0.presence == .active && $0.bootId == bootID && UsagePage.isOwn($0) }
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
        let household = [TextFormat.hex(membership.firstServer), places, membership.number].joined(
            separator: "/"
        )
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
                await heard(client)
                await correspondence.take(reply.letters ?? [], membership, client)
                try await take(reply, membership)
                news = reply.news
                if ruleNews != reply.rules || requestNews != reply.requests { host.bell.ring() }
                (ruleNews, requestNews) = (reply.rules, reply.requests)
                try await clean(reply.forgets ?? [:], client)
                await succeeded(.hearing, client)
            } catch {
                if Task.isCancelled { return }
                await failed(.hearing, Problem(error), at: client)
                await surroundings.loop.thread.pause(ms: Self.retry.delayMs(attempt: failures[.hearing] ?? 1))
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
        // Do not use the accounts in the reply. They could assign a person's usage to another person of this machine.
        let people = AccountNames(membership.accounts)
        guard reply.wallMs.magnitude < 1 << 53, reply.open.allSatisfy({ $0.agoMs >= 0 }) else {
            throw Problem("household.bad_clock", "The clock of the machine is no time.", field: "/wall_ms")
        }
        let offMs = surroundings.time.now().wallMs - reply.wallMs
        func row(_ sent: Segment) -> Segment? {
            guard var row = people.heard(sent, \.member) else { return nil }
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
        if let next = reply.nextKey.flatMap({ TextFormat.bytes(hex: $0) }), next.count == KeyPair.bytes,
            let membership = state.membership, membership.nextServer != next, membership.server != next
        {
            try await host.step("link.next_key") { state, _, change in
                try state.hear(ofKey: next, change.database)
            }
            // The household waits for this machine's word that it knows it.
            host.bell.ring()
        }
        ways = try await host.state.membership?.ways ?? 1
        await client?.hasOthers(ways > 1)
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
