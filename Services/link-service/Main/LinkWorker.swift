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

/// Sends this machine's usage to the household, and usage of other machines to activity-center.
///
/// While the household cannot be reached, the ledger of activity-center keeps the rows to send. `LinkWorker`
/// reads the stream `usage` from the household's cursor, so the household receives each row once, even if a
/// process is killed.
actor LinkWorker {
    private static let admissionPollInterval = Duration.seconds(2)
    private static let retry = Backoff(firstMs: 500, limitMs: 15_000)

    private let host: ServiceHost<LinkServiceState>
    private let surroundings: ServiceEnvironment
    private let bus: BusClient
    private let alarm: LoopTimer
    private let correspondence: MessageRelayClient
    private let joining: JoinClient
    /// The membership that `client` and `pulling` serve.
    private var served: LinkServiceState.Membership?
    private var client: HouseholdClient?
    private var pulling: Task<Void, Never>?
    /// The household's cursor in this machine's stream. `nil` until the household has sent it.
    private var cursor: HouseholdCursor?
    /// The last rows of this machine's records whose links the household noted.
    private var auditedRows: [String: Int64] = [:]
    private var attempts = LinkAttempts()
    /// The household's key that `client` expects.
    private var serverKey: [UInt8] = []
    /// The last count of rule changes that the household has reported.
    private var ruleNews: Int64?
    /// The last count of request changes that the household has reported.
    private var requestNews: Int64?
    private let rules: ExchangeRunner
    private let requests: ExchangeRunner

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(_ host: ServiceHost<LinkServiceState>, _ surroundings: ServiceEnvironment) {
        self.host = host
        self.surroundings = surroundings
        bus = surroundings.makeClient()
        correspondence = MessageRelayClient(host, surroundings: surroundings, bus: bus)
        joining = JoinClient(host: host, surroundings: surroundings)
        let ring: @Sendable () -> Void = { [bell = host.changeSignal] in bell.signal() }
        alarm = LoopTimer(surroundings.loop.thread, ring)
        let exchanger = HouseholdExchange(bus: bus, log: surroundings.log)
        rules = ExchangeRunner(surroundings, ring: ring) { try await exchanger.exchangeRules($0, $1) }
        requests = ExchangeRunner(surroundings, ring: ring) { try await exchanger.exchangeRequests($0, $1) }
    }

    func run() async throws {
        await host.setWorkerHandler(JoinQuery.self) { ask, _ in await self.joining.requestJoin(ask) }
        await host.setWorkerHandler(MachinesQuery.self) { _, _ in
            await self.correspondence.machines(self.client)
        }
        await host.setWorkerHandler(RelayQuery.self) { ask, _ in
            await self.correspondence.send(ask, self.client)
        }
        host.changeSignal.signal()
        for await _ in host.changeSignal.signals {
            guard await isDue() else { continue }
            let asked = client
            do {
                try await runDue()
                if let client { await succeeded(.sending, client) }
            } catch {
                await failed(.sending, Problem(error), at: asked ?? client)
            }
        }
        await end()
        await bus.close()
    }

    /// Storing a failure also rings the bell, which must not start the next attempt.
    private func isDue() async -> Bool {
        let rest = attempts.next - BootTime(ms: Stopwatch.bootMilliseconds())
        guard rest > .zero, isServed(try? await host.state.membership) else { return true }
        alarm.fire(afterMs: rest.ms)
        return false
    }

    private func runDue() async throws {
        let membership = try await host.state.membership
        if !isServed(membership) { try await serve(membership) }
        guard let membership, let client else { return }
        if membership.isAsking { return try await requestAdmission(membership, client) }
        if let next = membership.next, try await renew(next, membership: membership, client: client) {
            return
        }
        if try await addNewAccounts(
            Set(host.state.household.members.map(\.name)),
            membership: membership,
            client: client
        ) {
            return
        }
        try await correspondence.sendNews(membership, client)
        try await push(membership, client)
        let state = try await host.state
        if let input = ExchangeInput.rules(state, membership, news: ruleNews) {
            await rules.offer(input, client)
        }
        if let input = ExchangeInput.requests(state, membership, news: requestNews) {
            await requests.offer(input, client)
        }
    }

    /// True if the current connection also serves this membership.
    private func isServed(_ membership: LinkServiceState.Membership?) -> Bool {
        served?.secret == membership?.secret && served?.isAsking == membership?.isAsking
            && served?.address == membership?.address
    }

    private func serve(_ membership: LinkServiceState.Membership?) async throws {
        if membership == nil, served?.isAsking == false, let client {
            await joining.reportLeaving(to: client)
        }
        await end()
        guard let membership else {
            // The received usage of other machines still counts, but no other machine is in use any more.
            _ = try await bus.call(RemoteUsageRoute.self, .init(devices: [], rows: [], open: []))
            served = nil
            return
        }
        let own = try KeyPair(secret: membership.invitation ?? membership.secret)
        let way = membership.endpoint(after: attempts.turns)
        let client = try HouseholdClient(surroundings.loop, way, own: own)
        self.client = client
        served = membership
        (attempts.endpointCount, serverKey) = (membership.endpointCount, way.server)
        await client.hasOthers(attempts.endpointCount > 1)
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

    private func succeeded(_ work: LinkAttempts.Direction, _ client: HouseholdClient) async {
        guard attempts.succeed(work) else { return }
        if attempts.hasFailures { host.changeSignal.signal() }
        await recordReply(of: client)
    }

    private func failed(_ work: LinkAttempts.Direction, _ problem: Problem, at asked: HouseholdClient?) async
    {
        let count = attempts.fail(work)
        // A request to a previous address fails later and does not concern the current address.
        if let asked, asked === client, attempts.turn(after: problem) {
            await end()
            served = nil
            if count == 1 { host.changeSignal.signal() }
        }
        if count == 1 { surroundings.log.problem("household_not_reached", problem) }
        if work == .sending {
            let delay = Duration.milliseconds(Self.retry.delayMs(attempt: count))
            attempts.next = BootTime(ms: Stopwatch.bootMilliseconds()) + delay
            alarm.fire(afterMs: delay.ms)
        }
        await updateContact { $0.fail(problem) }
    }

    private func recordReply(of client: HouseholdClient) async {
        guard client === self.client else { return }
        if let membership = try? await host.state.membership, membership.nextServer == serverKey {
            attempts.turns = 0
            try? await host.step("link.new_key") { [serverKey] in
                try LinkSteps.adoptServer(serverKey, state: &$0, change: $2)
            }
        }
        // The household replies, but other work still fails.
        guard !attempts.hasFailures else { return }
        let now = surroundings.time.now().wall
        await updateContact { $0.succeed(at: now) }
    }

    private func updateContact(_ change: @escaping @Sendable (inout LinkServiceState.Contact) -> Void) async {
        guard var contact = try? await host.state.contact else { return }
        let before = contact
        change(&contact)
        guard contact != before else { return }
        try? await host.step("link.contact") { state, _, _ in change(&state.contact) }
    }

    // MARK: - Joining

    private func requestAdmission(_ membership: LinkServiceState.Membership, _ client: HouseholdClient)
        async throws
    {
        let own = try KeyPair(secret: membership.secret)
        do {
            let reply = try await client.call(HouseholdJoin.self, joining.request(own, membership))
            await recordReply(of: client)
            guard reply.device != nil else { return alarm.fire(afterMs: Self.admissionPollInterval.ms) }
            try await joined(membership)
        } catch let problem as Problem where HouseholdProblem.endsInvitation(problem) {
            // Another request with this invitation, whose reply was lost, may have succeeded.
            if try await joining.isKnown(membership, by: own, attempts.turns) {
                return try await joined(membership)
            }
            try await host.step("link.turned_away") {
                try LinkSteps.cancelJoining(membership, because: problem, state: &$0, change: $2)
            }
        }
    }

    /// Sends this machine's next key to the household. Returns false if the household refuses the key. The
    /// current key then stays.
    private func renew(
        _ next: [UInt8],
        membership: LinkServiceState.Membership,
        client: HouseholdClient
    ) async throws -> Bool {
        let own = try KeyPair(secret: next)
        var isKnown = true
        do {
            _ = try await client.call(HouseholdRenew.self, .init(key: TextFormat.hex(own.publicKey)))
        } catch let problem as Problem {
            // If the reply to an earlier request was lost, the household has already accepted the key.
            if try await !joining.isKnown(membership, by: own, attempts.turns) {
                if problem.retryable { throw problem }
                surroundings.log.problem("key_not_taken", problem)
                isKnown = false
            }
        }
        let isTaken = isKnown
        try await host.step("link.renewed") {
            try LinkSteps.completeRenewal(of: next, isTaken: isTaken, &$0, $2)
        }
        if isTaken { host.changeSignal.signal() }
        return isTaken
    }

    /// Adds people to the household who were added to this machine after it joined. Returns true if people
    /// were added.
    private func addNewAccounts(
        _ seen: Set<String>,
        membership: LinkServiceState.Membership,
        client: HouseholdClient,
        makesRoom: Bool = false
    ) async throws -> Bool {
        let unknown = membership.unknown(among: seen, makesRoom: makesRoom)
        guard !unknown.isEmpty else { return false }
        let people = Set(try await bus.call(MemberList.self, Empty()).members.map(\.name))
        let new = unknown.intersection(people).sorted()
        guard !new.isEmpty else { return false }
        let accounts = membership.accounts(adding: new, seen: seen)
        do {
            _ = try await client.call(HouseholdAccounts.self, .init(accounts: accounts))
        } catch let problem as Problem where !problem.retryable {
            // The household still receives the usage of the others.
            surroundings.log.problem("people_not_taken", problem)
            return false
        }
        try await host.step("link.welcomed") {
            try LinkSteps.setAccounts(accounts, of: membership, state: &$0, change: $2)
        }
        host.changeSignal.signal()
        return true
    }

    private func joined(_ membership: LinkServiceState.Membership) async throws {
        try await host.step("link.joined") { try LinkSteps.join(membership, state: &$0, change: $2) }
    }

    // MARK: - Sending

    private func push(_ membership: LinkServiceState.Membership, _ client: HouseholdClient) async throws {
        var progress = LedgerProgress(after: try await currentCursor(client))
        while progress.canContinue {
            guard isServed(try await host.state.membership) else { return }
            let page: UsagePage
            do {
                let events = try await events(progress)
                page = try progress.read(events)
            } catch let problem as Problem {
                guard progress.restart(after: problem) else { throw problem }
                continue
            }
            let makesRoom = !progress.isFromBeginning
            if try await addNewAccounts(
                page.people,
                membership: membership,
                client: client,
                makesRoom: makesRoom
            ) {
                return
            }
            let request = try await request(page, membership)
            let reply = try await client.call(HouseholdPush.self, request)
            auditedRows = reply.noted ?? [:]
            if let why = reply.why { surroundings.log.problem("rows_left_out", why) }
            await recordReply(of: client)
            cursor = reply.cursor
            if progress.advance(behind: page, to: reply.cursor) { return }
        }
        throw LedgerProgress.outOfStep
    }

    private func currentCursor(_ client: HouseholdClient) async throws -> HouseholdCursor {
        if let cursor { return cursor }
        let question = LedgerProgress.cursorRequest(at: surroundings.time.now().wall)
        let reply = try await client.call(HouseholdPush.self, question)
        auditedRows = reply.noted ?? [:]
        await recordReply(of: client)
        return reply.cursor
    }

    private func events(_ progress: LedgerProgress) async throws -> EventPage {
        try await progress.isFromBeginning
            ? bus.call(EventsSnapshot.self, to: .activity, progress.snapshotRequest)
            : bus.call(EventsSince.self, to: .activity, progress.eventsRequest)
    }

    private func request(_ page: UsagePage, _ membership: LinkServiceState.Membership) async throws
        -> HouseholdPush.Request
    {
        var open: [OpenUsageInterval] = []
        if page.isWhole {
            let (now, bootID) = (surroundings.time.now(), surroundings.time.bootID)
            let segments = try await bus.call(UsageNow.self, Empty()).open
            open = UsagePage.open(segments, for: membership, now, bootID: bootID)
        }
        var request = page.request(for: membership, open, at: surroundings.time.now().wall)
        request.nextKey = try await host.state.membership?.nextServer.map { TextFormat.hex($0) }
        if page.isWhole {
            let links = try await bus.call(UsageLinks.self, .init(rows: auditedRows)).links
            request.records = RecordDigest(noted: auditedRows, links: links)
        }
        return request
    }

    // MARK: - Receiving

    private func pull(_ client: HouseholdClient) async {
        var news: Int64 = -1
        while !Task.isCancelled {
            do {
                guard let membership = try await host.state.membership, isServed(membership) else { return }
                // Wait, because the household would repeatedly send letters that do not fit.
                while await correspondence.isFull, !Task.isCancelled {
                    await surroundings.loop.thread.pause(ms: 50)
                }
                let request = HouseholdPull.Request(
                    after: membership.read,
                    news: news,
                    waitMs: HouseholdPull.waitMsMax,
                    places: membership.places,
                    holding: Array(await correspondence.handledMessages),
                    rules: ruleNews ?? -1,
                    forgets: membership.forgets.values.reduce(0, &+),
                    requests: requestNews ?? -1
                )
                let timeout = Duration.milliseconds(HouseholdPull.waitMsMax) + .seconds(10)
                let reply = try await client.call(HouseholdPull.self, request, timeout: timeout)
                await recordReply(of: client)
                await correspondence.receive(reply.letters ?? [], membership: membership, client: client)
                try await receive(reply, membership)
                news = reply.news
                if ruleNews != reply.rules || requestNews != reply.requests { host.changeSignal.signal() }
                (ruleNews, requestNews) = (reply.rules, reply.requests)
                try await deleteCopies(reply.forgets ?? [:], client)
                await succeeded(.receiving, client)
            } catch {
                if Task.isCancelled { return }
                await failed(.receiving, Problem(error), at: client)
                let count = max(1, attempts.count(.receiving))
                await surroundings.loop.thread.pause(ms: Self.retry.delayMs(attempt: count))
            }
        }
    }

    /// Deletes the copies of rows that their own machines have deleted.
    private func deleteCopies(_ forgets: [String: Int64], _ client: HouseholdClient) async throws {
        guard let membership = try await host.state.membership, membership.forgets != forgets else { return }
        // Check each row, because a household that was restored from a backup may lack rows that were not
        // deleted.
        for (device, count) in forgets where count > membership.forgets[device] ?? 0 {
            var request = UsageCopies.Request(device: device, after: 0, gone: [])
            while true {
                let page = try await bus.call(UsageCopies.self, request)
                guard let last = page.last else { break }
                let reply = try await client.call(
                    HouseholdGone.self,
                    .init(device: device, segments: page.segments)
                )
                request = .init(device: device, after: last, gone: reply.gone)
            }
        }
        try await host.step("link.cleaned") {
            try LinkSteps.recordDeletions(forgets, for: membership, state: &$0, change: $2)
        }
    }

    private func receive(_ reply: HouseholdPull.Reply, _ membership: LinkServiceState.Membership) async throws
    {
        let usage = try RemoteUsage(reply, for: membership, at: surroundings.time.now().wall)
        let stored = try await bus.call(RemoteUsageRoute.self, usage.request)
        if let why = stored.why { surroundings.log.problem("rows_put_aside", why) }
        let state = try await host.state
        if let key = usage.nextKey(unknownTo: state) {
            try await host.step("link.next_key") { try LinkSteps.setNextServer(key, state: &$0, change: $2) }
            // The household waits until this machine reports that it has the key.
            host.changeSignal.signal()
        }
        attempts.endpointCount = try await host.state.membership?.endpointCount ?? 1
        await client?.hasOthers(attempts.endpointCount > 1)
        if usage.isRecorded(in: state) { return }
        try await host.step("link.pulled") {
            try LinkSteps.record(usage, for: membership, state: &$0, change: $2)
        }
    }
}
