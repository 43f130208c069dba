import Glibc
import STBus
import STContracts
import STCrypto
import STEngine
import STLinkCore
import STPlatform
import STServiceKit
import STZeroMQ

/// Asks other machines, and answers what they ask, by letters that the household carries closed.
///
/// What a letter asks for is done here as an account's door would do it for the same person: who writes must have a passcode on
/// this machine.
actor Correspondence {
    private static let machinesMs: Int64 = 4_000
    /// The way there and back, and the passcode.
    private static let wayMs: Int64 = 5_000
    /// A change is not begun later than this after its letter came: this machine may have slept.
    private static let freshMs: Int64 = 5_000
    /// Machines whose clocks are further apart cannot tell an old letter from a new one.
    private static let clocksMs: Int64 = 600_000
    /// A command asks for several things in a row.
    private static let trustMs: Int64 = 20_000
    private static let slipMs: Int64 = 2_000
    private static let underWayMax = 32
    /// Twice in base64 it fits into a letter.
    private static let partBytes = 112 * 1024
    private static let partsMax: Int64 = 16

    private struct Question: WireBody, Codable {
        var letter: String
        /// The key of the machine that is asked: the household may not give it to another one.
        var to: String
        var askedMs: Int64
        var by: String?
        var passcode: String?
        var service: String
        var route: String
        var body: String
        var timeoutMs: Int64
    }

    /// What a machine says of itself.
    private struct Notice: WireBody, Codable {
        var to: String
        /// The guardian, by the household's name.
        var member: String
        var news: RequestNews
    }

    private struct Written: WireBody, Codable {
        var question: Question?
        var notice: Notice?
    }

    /// A part of an answer, in base64.
    private struct Part: WireBody, Codable {
        var answers: String
        var part: Int64
        var parts: Int64
        var text: String
    }

    private struct Answer: WireBody, Codable {
        var body: String?
        var problem: Problem?
    }

    private struct Waiting {
        var key: [UInt8]
        var parts: [[UInt8]?] = []
        var continuation: CheckedContinuation<Answer?, Never>?
    }

    /// What came of a passcode: another question with the same one waits for it.
    private struct Proof {
        var member: String
        var outcome: Task<DoorPerson, any Error>
        var untilMs: Int64
    }

    private let host: ServiceHost<LinkMemory>
    private let surroundings: Surroundings
    private let bus: BusClient
    private var waiting: [String: Waiting] = [:]
    /// Letters that are being answered.
    private(set) var holding: Set<String> = []
    /// Answers that may have to be sent again.
    private var answered: [String: (answer: Answer, untilMs: Int64)] = [:]
    private var proofs: [String: Proof] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(_ host: ServiceHost<LinkMemory>, _ surroundings: Surroundings, _ bus: BusClient) {
        self.host = host
        self.surroundings = surroundings
        self.bus = bus
    }

    var isFull: Bool { holding.count >= Self.underWayMax }

    private var nowMs: Int64 { surroundings.time.now().bootMs }

    // MARK: - Asking

    func machines(_ client: HouseholdClient?) async -> MachinesAsk.Reply {
        do {
            guard let client else { throw HouseholdClient.unreached }
            let found = try await client.call(HouseholdMachines.self, .init(), timeoutMs: Self.machinesMs)
            return MachinesAsk.Reply(devices: found.devices)
        } catch {
            return MachinesAsk.Reply(devices: [], problem: Problem(error))
        }
    }

    func ask(_ request: LinkAsk.Request, _ client: HouseholdClient?) async -> LetterAsk.Reply {
        do {
            guard let client, let membership = try await host.state.membership else {
                throw HouseholdClient.unreached
            }
            let found = try await client.call(
                HouseholdMachines.self,
                .init(machine: request.machine),
                timeoutMs: Self.machinesMs
            )
            guard let machine = found.devices.first,
                let key = found.keys[machine.device].flatMap({ TextFormat.bytes(hex: $0) })
            else { throw try await Self.unknown(request.machine, client) }
            let question = Question(
                letter: request.letter,
                to: TextFormat.hex(key),
                askedMs: surroundings.time.now().wallMs,
                by: request.by,
                passcode: request.passcode,
                service: request.service,
                route: request.route,
                body: request.body,
                timeoutMs: min(max(0, request.timeoutMs), LinkAsk.timeoutMsMax)
            )
            let letter = HouseholdLetter(
                letter: question.letter,
                to: machine.device,
                sealed: try sealed(Written(question: question), membership, to: key)
            )
            // An answer may be here before the household has said that it took the question.
            waiting[question.letter] = Waiting(key: key)
            defer { waiting[question.letter] = nil }
            _ = try await client.call(HouseholdPost.self, .init(send: letter))
            if let answer = await wait(for: question.letter, ms: question.timeoutMs + Self.wayMs) {
                return LetterAsk.Reply(body: answer.body, problem: answer.problem)
            }
            // Nothing waits for the answer any more.
            _ = try? await client.call(HouseholdPost.self, .init(taken: [question.letter]))
            throw Self.silent(machine, isWrite: Self.rule(question)?.kind == .write)
        } catch {
            return LetterAsk.Reply(problem: Problem(error))
        }
    }

    private static func silent(_ machine: HouseholdDevice, isWrite: Bool) -> Problem {
        let seen = machine.seenAt ?? "never"
        return isWrite
            ? Problem(
                "household.not_known",
                "\(machine.name) has not answered, so it is not known whether this was done. Look before you ask again. Last heard of: \(seen).",
                help: "screentime household show"
            )
            : Problem(
                "household.machine_silent",
                "\(machine.name) does not answer: it is off, asleep or away from the household. Last heard of: \(seen).",
                retryable: true,
                help: "screentime household show"
            )
    }

    private static func unknown(_ machine: String, _ client: HouseholdClient) async throws -> Problem {
        let names = try await client.call(HouseholdMachines.self, .init(), timeoutMs: machinesMs).devices
            .map(\.name)
        let near = TextFormat.closest(to: machine, in: names).map { " Did you mean \($0)?" }
        return Problem(
            "household.unknown_device",
            "The household has no machine called \(TextFormat.fitting(machine, bytes: 80)).\(near ?? "")",
            field: "/machine",
            help: "screentime household show"
        )
    }

    private func wait(for letter: String, ms: Int64) async -> Answer? {
        if let answer = whole(letter) { return answer }
        return await withCheckedContinuation { continuation in
            waiting[letter]?.continuation = continuation
            surroundings.loop.thread.after(milliseconds: ms) { [weak self] in
                self?.assumeIsolated { $0.resume(letter, nil) }
            }
        }
    }

    private func resume(_ letter: String, _ answer: Answer?) {
        let continuation = waiting[letter]?.continuation
        waiting[letter]?.continuation = nil
        continuation?.resume(returning: answer)
    }

    /// The answer, once all of its parts are here.
    private func whole(_ letter: String) -> Answer? {
        guard let parts = waiting[letter]?.parts, !parts.isEmpty, !parts.contains(where: { $0 == nil }) else {
            return nil
        }
        return (try? Answer.decodedBody(parts.flatMap { $0 ?? [] })) ?? Answer(problem: Self.unreadable)
    }

    private func take(_ part: Part, from key: [UInt8]) throws {
        // No other machine can answer in the place of the one that was asked.
        guard waiting[part.answers]?.key == key else { return }
        guard (1...Self.partsMax).contains(part.parts), (0..<part.parts).contains(part.part),
            let bytes = Base64.decode(part.text)
        else { throw Self.unreadable }
        if waiting[part.answers]?.parts.count != Int(part.parts) {
            waiting[part.answers]?.parts = Array(repeating: nil, count: Int(part.parts))
        }
        waiting[part.answers]?.parts[Int(part.part)] = bytes
        if let answer = whole(part.answers) { resume(part.answers, answer) }
    }

    private static let unreadable = Problem(
        "household.bad_letter",
        "A letter of another machine cannot be read."
    )

    private func sealed(_ text: some WireBody, _ membership: LinkMemory.Membership, to key: [UInt8]) throws
        -> String
    {
        let own = try KeyPair(secret: membership.secret)
        guard let sealed = SealedLetter.seal(try text.encodedBody(), from: own, to: key) else {
            throw Problem("household.bad_key", "The household gave a key that is none for this machine.")
        }
        return Base64.encode(sealed)
    }

    // MARK: - Answering

    func take(_ letters: [HouseholdLetter], _ membership: LinkMemory.Membership, _ client: HouseholdClient) {
        for letter in letters where !holding.contains(letter.letter) && !isFull {
            holding.insert(letter.letter)
            let cameMs = nowMs
            Task(executorPreference: surroundings.loop.thread) {
                await self.handle(letter, cameMs, membership, client)
            }
        }
    }

    private func handle(
        _ letter: HouseholdLetter,
        _ cameMs: Int64,
        _ membership: LinkMemory.Membership,
        _ client: HouseholdClient
    ) async {
        do {
            let own = try KeyPair(secret: membership.secret)
            guard let key = letter.key.flatMap({ TextFormat.bytes(hex: $0) }), let from = letter.from,
                let bytes = Base64.decode(letter.sealed),
                let text = SealedLetter.open(bytes, to: own, from: key)
            else { throw Self.unreadable }
            if letter.answers != nil {
                try take(try Part.decodedBody(text), from: key)
            } else {
                let written = try Written.decodedBody(text)
                let ownKey = TextFormat.hex(own.publicKey)
                if let notice = written.notice, notice.to == ownKey {
                    try await show(notice, of: letter.name ?? from, membership)
                    return await taken(letter, client)
                }
                guard let question = written.question, question.letter == letter.letter, question.to == ownKey
                else {
                    throw Self.unreadable
                }
                let answer = await self.answer(question, from: letter.name ?? from, cameMs)
                for part in try Self.parts(of: answer, to: question.letter) {
                    let sent = HouseholdLetter(
                        letter: Identifier.make(wallMs: surroundings.time.now().wallMs),
                        to: from,
                        answers: letter.letter,
                        sealed: try sealed(part, membership, to: key)
                    )
                    _ = try await client.call(HouseholdPost.self, .init(send: sent))
                }
            }
        } catch {
            surroundings.log.problem("letter_put_aside", Problem(error))
        }
        await taken(letter, client)
    }

    /// Apart from the answer: what cannot be answered must not come again and again.
    private func taken(_ letter: HouseholdLetter, _ client: HouseholdClient) async {
        do {
            _ = try await client.call(HouseholdPost.self, .init(taken: [letter.letter]))
        } catch {
            surroundings.log.problem("letter_not_taken", Problem(error))
        }
        holding.remove(letter.letter)
    }

    // MARK: - Requests for more time

    /// Tells guardians of this machine who have another one what only they can answer.
    func tell(_ membership: LinkMemory.Membership, _ client: HouseholdClient) async throws {
        let state = try await host.state
        guard let last = state.news.last?.place else { return }
        let own = TextFormat.hex(try KeyPair(secret: membership.secret).publicKey)
        for account in membership.accounts where state.guardians.contains(account.here) {
            let found = try await client.call(HouseholdMachines.self, .init(member: account.member))
            for (machine, key) in found.keys.sorted(by: { $0.key < $1.key }) where key != own {
                for one in state.news {
                    let notice = Notice(to: key, member: account.member, news: one.news)
                    let letter = HouseholdLetter(
                        // The same again where it is sent again.
                        letter: "news-\(own.prefix(12))-\(machine)-\(one.place)",
                        to: machine,
                        sealed: try sealed(
                            Written(notice: notice),
                            membership,
                            to: TextFormat.bytes(hex: key) ?? []
                        ),
                        lastsMs: HouseholdPost.lastsMsMax
                    )
                    _ = try await client.call(HouseholdPost.self, .init(send: letter))
                }
            }
        }
        try await host.step("link.news_told") { state, _, change in
            try state.removeNews(through: last, change.database)
        }
    }

    private func show(_ notice: Notice, of machine: String, _ membership: LinkMemory.Membership) async throws
    {
        guard let here = membership.accounts.first(where: { $0.member == notice.member })?.here else {
            throw Self.unreadable
        }
        _ = try await bus.call(
            NotifyRequest.self,
            .init(member: here, machine: machine, news: notice.news)
        )
    }

    private static func parts(of answer: Answer, to letter: String) throws -> [Part] {
        let bytes = try answer.encodedBody()
        let starts = stride(from: 0, to: max(1, bytes.count), by: partBytes)
        let count = Int64((max(1, bytes.count) + partBytes - 1) / partBytes)
        return starts.enumerated().map { number, start in
            Part(
                answers: letter,
                part: Int64(number),
                parts: count,
                text: Base64.encode(Array(bytes[start..<min(bytes.count, start + partBytes)]))
            )
        }
    }

    private static func rule(_ question: Question) -> RouteInfo? {
        Catalogue.entry(ServiceName(question.service)).flatMap { entry in
            (Catalogue.common + entry.routes).first { $0.name == question.route }
        }
    }

    private func answer(_ question: Question, from machine: String, _ cameMs: Int64) async -> Answer {
        answered = answered.filter { $0.value.untilMs > nowMs }
        if let known = answered[question.letter] { return known.answer }
        let answer: Answer
        do {
            answer = Answer(
                body: String(decoding: try await done(question, from: machine, cameMs), as: UTF8.self)
            )
        } catch {
            answer = Answer(problem: Problem(error))
        }
        answered[question.letter] = (answer, nowMs + HouseholdPost.lastsMs)
        return answer
    }

    private func done(_ question: Question, from machine: String, _ cameMs: Int64) async throws -> [UInt8] {
        let service = ServiceName(question.service)
        guard DoorRules.isOpenFromAfar(question.route), let rule = Self.rule(question) else {
            throw Problem(
                "household.not_from_afar",
                "That can only be done on the machine itself.",
                details: ["route": question.route]
            )
        }
        let apartMs = abs(surroundings.time.now().wallMs - question.askedMs)
        guard question.askedMs.magnitude < 1 << 53, apartMs < Self.clocksMs else {
            throw Problem(
                "household.clocks_apart",
                "The clocks of the two machines are more than ten minutes apart. Set them right, then ask again."
            )
        }
        let person = try await person(question, from: machine)
        let body = try DoorRules.pass(question.route, Array(question.body.utf8), for: person)
        guard access(try surroundings.directories.endpoint(service: service.rawValue, .rpc), F_OK) == 0 else {
            throw Problem(
                "service.not_running",
                "\(service) does not run on that machine.",
                retryable: true
            )
        }
        if rule.kind == .write { try await begin(question, cameMs) }
        let options = CallOptions(
            timeoutMs: min(max(1, question.timeoutMs), LinkAsk.timeoutMsMax),
            idempotencyKey: rule.kind == .write ? "letter/\(question.letter)" : nil,
            behalf: person.role == .guardian ? nil : person.member
        )
        return try await bus.callRaw(question.route, to: service, body, options)
    }

    /// A change is written down before it is made: a letter that comes again changes nothing.
    private func begin(_ question: Question, _ cameMs: Int64) async throws {
        let isNew = try await host.step("link.letter") { _, _, change in
            try LinkMemory.begins(question.letter, change.database)
        }
        guard isNew, nowMs - cameMs < Self.freshMs else {
            throw Problem(
                "household.letter_again",
                "This was asked before, or too long ago, and is not done now. Look whether it was done, then ask again."
            )
        }
    }

    // MARK: - Who asks

    /// By their passcode here: a person who has none cannot be told from another one.
    ///
    /// Several questions of one command wait for one proof, so that a slip of the finger is one wrong try. After a wrong one everything
    /// is asked of auth-service again: what is right and what is wrong sound the same while it pauses.
    private func person(_ question: Question, from machine: String) async throws -> DoorPerson {
        let members = try await bus.call(MemberList.self, Empty()).members
        let guardians = members.filter { $0.role == .guardian }
        let able = guardians.isEmpty ? members.filter { $0.role != .child } : guardians
        let asked =
            question.by.map { by in members.first { $0.name == by } } ?? (able.count == 1 ? able[0] : nil)
        guard let member = asked, member.role != .child else {
            throw Problem(
                "auth.who_proves",
                "Say who of that machine asks, such as mum@laptop. There: \(able.map(\.name).joined(separator: ", ")).",
                field: "/by",
                details: ["provers": able.map(\.name).joined(separator: "/")]
            )
        }
        let given = Digest.blake2b(
            Array("\(machine) \(member.name) \(member.role.rawValue) \(question.passcode ?? "")".utf8)
        )
        let name = TextFormat.hex(given)
        proofs = proofs.filter { $0.value.untilMs > nowMs }
        if let known = proofs[name] { return try await known.outcome.value }
        let outcome = Task(executorPreference: surroundings.loop.thread) {
            try await self.prove(member, question.passcode, machine)
        }
        proofs[name] = Proof(member: member.name, outcome: outcome, untilMs: nowMs + Self.trustMs)
        do {
            return try await outcome.value
        } catch {
            proofs = proofs.filter { $0.key == name || $0.value.member != member.name }
            // Long enough for the other questions of the same command.
            proofs[name]?.untilMs = nowMs + Self.slipMs
            throw error
        }
    }

    private func prove(_ member: Member, _ passcode: String?, _ machine: String) async throws -> DoorPerson {
        guard try await bus.call(MemberShow.self, .init(member: member.name)).passcode.isSet else {
            throw Problem(
                "household.no_passcode",
                "\(member.name) has no passcode on that machine, and so cannot ask from another one.",
                help: "screentime member passcode \(member.name)"
            )
        }
        let proved = try await bus.call(
            AuthProve.self,
            .init(
                member: member.name,
                passcode: passcode,
                purpose: TextFormat.fitting("Use of Screen Time from \(machine)", bytes: 100)
            )
        )
        if let refusal = proved.refusal { throw refusal }
        return DoorPerson(account: member.name, member: member.name, role: member.role)
    }
}
