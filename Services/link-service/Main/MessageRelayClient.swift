import Glibc
import STBus
import STContracts
import STCrypto
import STEngine
import STLinkCore
import STPlatform
import STServiceKit
import STZeroMQ

/// Sends questions to other machines, and answers their questions, in sealed letters that the household delivers.
///
/// A question has the rights that an account's door grants to the same person, who must have a passcode on
/// this machine.
actor MessageRelayClient {
    private static let machineListTimeout = Duration.seconds(4)
    /// The time for the delivery of both letters and for checking the passcode.
    private static let transferTime = Duration.seconds(5)
    private static let underWayMax = 32

    private struct Waiting {
        var answer: PartialReply
        var continuation: CheckedContinuation<RelayedReply?, Never>?
    }

    private let host: ServiceHost<LinkServiceState>
    private let surroundings: ServiceEnvironment
    private let bus: BusClient
    private var waiting: [String: Waiting] = [:]
    /// Letters that this machine is handling.
    private(set) var handledMessages: Set<String> = []
    /// Answers that the household may request again.
    private var answered: [String: (answer: RelayedReply, until: BootTime)] = [:]
    private var proofs = ProofCache<Task<DoorPerson, any Error>>()

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(_ host: ServiceHost<LinkServiceState>, surroundings: ServiceEnvironment, bus: BusClient) {
        self.host = host
        self.surroundings = surroundings
        self.bus = bus
    }

    var isFull: Bool { handledMessages.count >= Self.underWayMax }

    private var now: BootTime { surroundings.time.now().boot }

    // MARK: - Asking

    func machines(_ client: HouseholdClient?) async -> MachinesQuery.Reply {
        do {
            guard let client else { throw HouseholdProblem.unreached }
            let found = try await client.call(
                HouseholdMachines.self,
                .init(),
                timeout: Self.machineListTimeout
            )
            return MachinesQuery.Reply(devices: found.devices)
        } catch {
            return MachinesQuery.Reply(devices: [], problem: Problem(error))
        }
    }

    func send(_ request: LinkAsk.Request, _ client: HouseholdClient?) async -> RelayQuery.Reply {
        do {
            guard let client, let membership = try await host.state.membership else {
                throw HouseholdProblem.unreached
            }
            let (machine, key) = try await machine(request.machine, client)
            let question = RelayedRequest(request, to: key, at: surroundings.time.now().wall)
            let own = try KeyPair(secret: membership.secret)
            let letter = try question.letter(from: own, to: machine.device, key: key)
            // The answer can arrive before the household's reply to this request.
            waiting[question.letter] = Waiting(answer: PartialReply(from: key))
            defer { waiting[question.letter] = nil }
            _ = try await client.call(HouseholdPost.self, .init(send: letter))
            let timeout = .milliseconds(question.timeoutMs) + Self.transferTime
            if let answer = await wait(for: question.letter, timeout: timeout) {
                return RelayQuery.Reply(body: answer.body, problem: answer.problem)
            }
            // Withdraw the question, because no person waits for its answer any more.
            _ = try? await client.call(HouseholdPost.self, .init(taken: [question.letter]))
            throw question.noAnswer(from: machine)
        } catch {
            return RelayQuery.Reply(problem: Problem(error))
        }
    }

    private func machine(_ name: String, _ client: HouseholdClient) async throws -> (
        machine: HouseholdDevice, key: [UInt8]
    ) {
        let found = try await client.call(
            HouseholdMachines.self,
            .init(machine: name),
            timeout: Self.machineListTimeout
        )
        if let machine = found.devices.first,
            let key = found.keys[machine.device].flatMap({ TextFormat.bytes(hex: $0) })
        {
            return (machine, key)
        }
        let all = try await client.call(HouseholdMachines.self, .init(), timeout: Self.machineListTimeout)
            .devices
        throw HouseholdDevice.unknown(name, among: all.map(\.name), field: "/machine")
    }

    private func wait(for letter: String, timeout: Duration) async -> RelayedReply? {
        if let answer = waiting[letter]?.answer.whole { return answer }
        return await withCheckedContinuation { continuation in
            waiting[letter]?.continuation = continuation
            surroundings.loop.thread.after(milliseconds: timeout.ms) { [weak self] in
                self?.assumeIsolated { $0.resume(letter, nil) }
            }
        }
    }

    private func resume(_ letter: String, _ answer: RelayedReply?) {
        let continuation = waiting[letter]?.continuation
        waiting[letter]?.continuation = nil
        continuation?.resume(returning: answer)
    }

    private func receive(_ part: RelayedReplyPart, from key: [UInt8]) throws {
        try waiting[part.answers]?.answer.insert(part, from: key)
        if let answer = waiting[part.answers]?.answer.whole { resume(part.answers, answer) }
    }

    // MARK: - Answering

    func receive(
        _ letters: [HouseholdMessage],
        membership: LinkServiceState.Membership,
        client: HouseholdClient
    ) {
        for letter in letters where !handledMessages.contains(letter.letter) && !isFull {
            handledMessages.insert(letter.letter)
            let arrival = now
            Task(executorPreference: surroundings.loop.thread) {
                await self.handle(letter, arrival: arrival, membership: membership, client: client)
            }
        }
    }

    private func handle(
        _ letter: HouseholdMessage,
        arrival: BootTime,
        membership: LinkServiceState.Membership,
        client: HouseholdClient
    ) async {
        do {
            let own = try KeyPair(secret: membership.secret)
            let opened = try OpenedMessage(letter, to: own)
            switch opened.text {
            case .part(let part): try receive(part, from: opened.key)
            case .notice(let notice): try await show(notice, from: opened.machine, membership)
            case .question(let question):
                let answer = await self.answer(question, from: opened.machine, arrival)
                for part in try answer.parts(to: question.letter) {
                    let sent = HouseholdMessage(
                        letter: Identifier.make(wallMs: surroundings.time.now().wallMs),
                        to: opened.from,
                        answers: letter.letter,
                        sealed: try OpenedMessage.seal(part, from: own, to: opened.key)
                    )
                    _ = try await client.call(HouseholdPost.self, .init(send: sent))
                }
            }
        } catch {
            surroundings.log.problem("letter_put_aside", Problem(error))
        }
        await finish(letter, client)
    }

    /// Sends one letter in a separate request. The household then does not deliver a letter again that this
    /// machine cannot answer.
    private func finish(_ letter: HouseholdMessage, _ client: HouseholdClient) async {
        do {
            _ = try await client.call(HouseholdPost.self, .init(taken: [letter.letter]))
        } catch {
            surroundings.log.problem("letter_not_taken", Problem(error))
        }
        handledMessages.remove(letter.letter)
    }

    private func answer(_ question: RelayedRequest, from machine: String, _ arrival: BootTime) async
        -> RelayedReply
    {
        answered = answered.filter { $0.value.until > now }
        if let known = answered[question.letter] { return known.answer }
        let answer: RelayedReply
        do {
            let body = try await perform(question, from: machine, arrival)
            answer = RelayedReply(body: String(decoding: body, as: UTF8.self))
        } catch {
            answer = RelayedReply(problem: Problem(error))
        }
        answered[question.letter] = (answer, now + .milliseconds(HouseholdPost.lastsMs))
        return answer
    }

    private func perform(_ question: RelayedRequest, from machine: String, _ arrival: BootTime) async throws
        -> [UInt8]
    {
        let service = ServiceName(question.service)
        try question.check(at: surroundings.time.now().wall)
        let person = try await person(question, from: machine)
        let body = try question.body(for: person)
        guard access(try surroundings.directories.endpoint(service: service.rawValue, .rpc), F_OK) == 0 else {
            throw Problem(
                "service.not_running",
                """
                \(service, "service") is not running on that machine. Start Screen Time there and try again.
                """,
                key: "service.not_running.does-not-run",
                retryable: true
            )
        }
        if question.isWrite {
            let isNew = try await host.step("link.letter") {
                try LinkSteps.begin(letter: question.letter, $2)
            }
            try RelayedRequest.checkChange(isNew: isNew, age: now - arrival)
        }
        let options = CallOptions(
            timeoutMs: min(max(1, question.timeoutMs), LinkAsk.timeoutMsMax),
            idempotencyKey: question.isWrite ? "letter/\(question.letter)" : nil,
            behalf: person.role == .guardian ? nil : person.member
        )
        return try await bus.callRaw(question.route, to: service, body, options: options)
    }

    private func person(_ question: RelayedRequest, from machine: String) async throws -> DoorPerson {
        let members = try await bus.call(MemberList.self, Empty()).members
        let member = try question.sender(among: members)
        let key = question.proofKey(of: member, from: machine)
        if let known = proofs.outcome(of: key, at: now) { return try await known.value }
        let outcome = Task(executorPreference: surroundings.loop.thread) {
            try await self.prove(member, passcode: question.passcode, machine: machine)
        }
        proofs.insert(outcome, of: key, member: member.name, at: now)
        do {
            return try await outcome.value
        } catch {
            proofs.fail(key, member: member.name, at: now)
            throw error
        }
    }

    private func prove(_ member: Member, passcode: String?, machine: String) async throws -> DoorPerson {
        guard try await bus.call(MemberShow.self, .init(member: member.name)).passcode.isSet else {
            throw Problem(
                "household.no_passcode",
                """
                \(member.name, "name") has no passcode on that machine, and so cannot send requests to it \
                from another one.
                """,
                help: "screentime member passcode \(member.name)"
            )
        }
        let proved = try await bus.call(
            AuthProve.self,
            .init(
                member: member.name,
                passcode: passcode,
                purpose: Message(
                    "purpose.use-from-machine",
                    "use Screen Time from \(TextFormat.truncated(machine, bytes: 80), "machine")"
                )
            )
        )
        if let refusal = proved.refusal { throw refusal }
        return DoorPerson(account: member.name, member: member.name, role: member.role)
    }

    // MARK: - Requests for more time

    /// Sends requests that only a guardian can answer to the other machines of this machine's guardians.
    func sendNews(_ membership: LinkServiceState.Membership, _ client: HouseholdClient) async throws {
        let state = try await host.state
        guard let last = state.news.last?.place else { return }
        let own = try KeyPair(secret: membership.secret)
        let ownKey = TextFormat.hex(own.publicKey)
        for account in membership.accounts where state.guardians.contains(account.here) {
            let found = try await client.call(HouseholdMachines.self, .init(member: account.member))
            for (machine, key) in found.keys.sorted(by: { $0.key < $1.key }) where key != ownKey {
                for news in state.news {
                    let notice = RelayedNotice(news, of: account.member, to: key)
                    let letter = try notice.sealed(from: own, to: machine, place: news.place)
                    _ = try await client.call(HouseholdPost.self, .init(send: letter))
                }
            }
        }
        try await host.step("link.news_told") { try LinkSteps.removeNews(through: last, &$0, $2) }
    }

    private func show(
        _ notice: RelayedNotice,
        from machine: String,
        _ membership: LinkServiceState.Membership
    )
        async throws
    {
        guard let here = membership.accounts.first(where: { $0.member == notice.member })?.here else {
            throw OpenedMessage.unreadable
        }
        _ = try await bus.call(NotifyRequest.self, .init(member: here, machine: machine, news: notice.news))
    }
}
