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
    private static let waitMs: Int64 = 10_000
    private static let machinesMs: Int64 = 4_000
    /// A person asks for several things in a row.
    private static let trustMs: Int64 = 60_000
    private static let underWayMax = 32

    private struct Question: WireBody, Codable {
        var letter: String
        var by: String?
        var passcode: String?
        var service: String
        var route: String
        var body: String
    }

    private struct Answer: WireBody, Codable {
        var body: String?
        var problem: Problem?
    }

    private struct Waiting {
        var key: [UInt8]
        var continuation: CheckedContinuation<Answer?, Never>
    }

    private let host: ServiceHost<LinkMemory>
    private let surroundings: Surroundings
    private let bus: BusClient
    private var waiting: [String: Waiting] = [:]
    /// Letters that are being answered.
    private(set) var holding: Set<String> = []
    /// Who has given a right passcode, from which machine and until when.
    private var trusted: [String: (person: DoorPerson, untilMs: Int64)] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(_ host: ServiceHost<LinkMemory>, _ surroundings: Surroundings, _ bus: BusClient) {
        self.host = host
        self.surroundings = surroundings
        self.bus = bus
    }

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
            let id = Identifier.make(wallMs: surroundings.time.now().wallMs)
            let question = Question(
                letter: id,
                by: request.by,
                passcode: request.passcode,
                service: request.service,
                route: request.route,
                body: request.body
            )
            let letter = HouseholdLetter(
                letter: id,
                to: machine.device,
                sealed: try sealed(question, membership, to: key)
            )
            async let heard = wait(for: id, from: key)
            do {
                _ = try await client.call(HouseholdPost.self, .init(send: letter))
            } catch {
                resume(id, nil)
                _ = await heard
                throw error
            }
            if let answer = await heard { return LetterAsk.Reply(body: answer.body, problem: answer.problem) }
            // It would be answered for no one.
            _ = try? await client.call(HouseholdPost.self, .init(taken: [id]))
            throw Problem(
                "household.machine_silent",
                "\(machine.name) does not answer: it is off, asleep or away from the household. Last heard of: \(machine.seenAt ?? "never").",
                retryable: true,
                help: "screentime household show"
            )
        } catch {
            return LetterAsk.Reply(problem: Problem(error))
        }
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

    private func wait(for letter: String, from key: [UInt8]) async -> Answer? {
        await withCheckedContinuation { continuation in
            waiting[letter] = Waiting(key: key, continuation: continuation)
            surroundings.loop.thread.after(milliseconds: Self.waitMs) { [weak self] in
                self?.assumeIsolated { $0.resume(letter, nil) }
            }
        }
    }

    private func resume(_ letter: String, _ answer: Answer?) {
        waiting.removeValue(forKey: letter)?.continuation.resume(returning: answer)
    }

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
        for letter in letters where !holding.contains(letter.letter) && holding.count < Self.underWayMax {
            holding.insert(letter.letter)
            Task(executorPreference: surroundings.loop.thread) {
                await self.handle(letter, membership, client)
                await self.letGo(letter)
            }
        }
    }

    private func letGo(_ letter: HouseholdLetter) { holding.remove(letter.letter) }

    private func handle(
        _ letter: HouseholdLetter,
        _ membership: LinkMemory.Membership,
        _ client: HouseholdClient
    ) async {
        var done = HouseholdPost.Request(taken: [letter.letter])
        do {
            let own = try KeyPair(secret: membership.secret)
            guard let key = letter.key.flatMap({ TextFormat.bytes(hex: $0) }), let from = letter.from,
                let bytes = Base64.decode(letter.sealed),
                let text = SealedLetter.open(bytes, to: own, from: key)
            else {
                throw Problem("household.bad_letter", "A letter to this machine was not written for it.")
            }
            if let asked = letter.answers {
                // No other machine can answer in the place of the one that was asked.
                if waiting[asked]?.key == key { resume(asked, try Answer.decodedBody(text)) }
            } else {
                let question = try Question.decodedBody(text)
                guard question.letter == letter.letter else {
                    throw Problem("household.bad_letter", "A letter came under another one's name.")
                }
                let answer = await self.answer(question, from: from)
                done.send = HouseholdLetter(
                    letter: Identifier.make(wallMs: surroundings.time.now().wallMs),
                    to: from,
                    answers: letter.letter,
                    sealed: try sealed(answer, membership, to: key)
                )
            }
        } catch {
            surroundings.log.problem("letter_put_aside", Problem(error))
        }
        do {
            _ = try await client.call(HouseholdPost.self, done)
        } catch {
            surroundings.log.problem("letter_not_answered", Problem(error))
        }
    }

    private func answer(_ question: Question, from machine: String) async -> Answer {
        do {
            let service = ServiceName(question.service)
            let routes = Catalogue.common + (Catalogue.entry(service)?.routes ?? [])
            guard DoorRules.isOpenFromAfar(question.route),
                let rule = routes.first(where: { $0.name == question.route })
            else {
                throw Problem(
                    "household.not_from_afar",
                    "That can only be done on the machine itself.",
                    details: ["route": question.route]
                )
            }
            let person = try await person(question, from: machine)
            let body = try DoorRules.pass(question.route, Array(question.body.utf8), for: person)
            if rule.kind == .write {
                let isNew = try await host.step("link.letter") { _, _, change in
                    try LinkMemory.begins(question.letter, change.database)
                }
                guard isNew else {
                    throw Problem("household.letter_again", "This was asked before, and is not done twice.")
                }
            }
            guard access(try surroundings.directories.endpoint(service: service.rawValue, .rpc), F_OK) == 0
            else {
                throw Problem(
                    "service.not_running",
                    "\(service) does not run on that machine.",
                    retryable: true
                )
            }
            let options = CallOptions(
                timeoutMs: Self.waitMs - 2_000,
                idempotencyKey: rule.kind == .write ? "letter/\(question.letter)" : nil,
                behalf: person.role == .guardian ? nil : person.member
            )
            let reply = try await bus.callRaw(question.route, to: service, body, options)
            return Answer(body: String(decoding: reply, as: UTF8.self))
        } catch {
            return Answer(problem: Problem(error))
        }
    }

    /// By their passcode here: a person who has none cannot be told from another one.
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
        let given = Digest.blake2b(Array("\(machine) \(member.name) \(question.passcode ?? "")".utf8))
        let (name, nowMs) = (TextFormat.hex(given), surroundings.time.now().bootMs)
        trusted = trusted.filter { $0.value.untilMs > nowMs }
        if let known = trusted[name], known.person.role == member.role { return known.person }
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
                passcode: question.passcode,
                purpose: "Use of Screen Time from another machine of the household"
            )
        )
        if let refusal = proved.refusal { throw refusal }
        let person = DoorPerson(account: member.name, member: member.name, role: member.role)
        trusted[name] = (person, nowMs + Self.trustMs)
        return person
    }
}
