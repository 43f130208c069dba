package import STContracts
package import STCrypto
package import STPlatform

/// A request that a person sends to a service of another machine.
package struct RelayedRequest: WireBody, Codable {
    /// The maximum time between the arrival of a letter and its change. Later changes are refused, because
    /// this machine may have been suspended.
    private static let maxAge = Duration.seconds(5)
    /// The maximum difference between the clocks. Beyond it, a machine cannot recognise an old letter.
    private static let clockDifferenceMax = Duration.seconds(600)

    package var letter: String
    /// The public key of the addressed machine, so that the household cannot deliver the question to another one.
    var to: String
    var askedMs: Int64
    var by: String?
    package var passcode: String?
    package var service: String
    package var route: String
    package var body: String
    package var timeoutMs: Int64

    package init(_ request: LinkAsk.Request, to key: [UInt8], at now: WallTime) {
        letter = request.letter
        to = TextFormat.hex(key)
        askedMs = now.ms
        by = request.by
        passcode = request.passcode
        service = request.service
        route = request.route
        body = request.body
        timeoutMs = min(max(0, request.timeoutMs), LinkAsk.timeoutMsMax)
    }

    package func letter(from own: KeyPair, to machine: String, key: [UInt8]) throws -> HouseholdMessage {
        HouseholdMessage(
            letter: letter,
            to: machine,
            sealed: try OpenedMessage.seal(MessagePayload(question: self), from: own, to: key)
        )
    }

    private var info: RouteInfo? {
        Catalogue.entry(ServiceName(service)).flatMap { entry in
            (Catalogue.common + entry.routes).first { $0.name == route }
        }
    }

    package var isWrite: Bool { info?.kind == .write }

    /// Throws unless people may send this request from another machine and the clocks of the two machines agree.
    package func check(at now: WallTime) throws {
        guard DoorRules.isRemoteRoute(route), info != nil else {
            throw Problem(
                "household.not_from_afar",
                "That can only be done on the machine itself.",
                details: ["route": route]
            )
        }
        guard askedMs.magnitude < 1 << 53, abs((now - WallTime(ms: askedMs)).ms) < Self.clockDifferenceMax.ms
        else {
            throw Problem(
                "household.clocks_apart",
                "The clocks of the two machines are more than ten minutes apart. Correct them, then try again."
            )
        }
    }

    /// Throws unless a change is made for the first time and soon after its letter arrived.
    package static func checkChange(isNew: Bool, age: Duration) throws {
        guard isNew, age < maxAge else {
            throw Problem(
                "household.letter_again",
                """
                This request was received before or is too old, so it was not carried out now. If it was not \
                carried out earlier, send it again.
                """
            )
        }
    }

    /// The body for the service, if the person may send the request. The rules are those of an account's door.
    package func body(for person: DoorPerson) throws -> [UInt8] {
        try DoorRules.admit(route, Array(body.utf8), for: person)
    }

    /// The person of this machine who must prove the request. A person without a passcode cannot be recognised.
    package func sender(among members: [Member]) throws -> Member {
        let guardians = members.filter { $0.role == .guardian }
        let able = guardians.isEmpty ? members.filter { $0.role != .child } : guardians
        let asked = by.map { by in members.first { $0.name == by } } ?? (able.count == 1 ? able[0] : nil)
        guard let member = asked, member.role != .child else {
            let list = able.map(\.name).joined(separator: ", ")
            throw Problem(
                "auth.who_proves",
                """
                Name a person on that machine who may send this request, such as mum@laptop. Possible names: \
                \(list, "names").
                """,
                key: "auth.who_proves.say-who-of",
                field: "/by",
                details: ["provers": able.map(\.name).joined(separator: "/")]
            )
        }
        return member
    }

    /// A digest of everything that a proof of the passcode depends on.
    package func proofKey(of member: Member, from machine: String) -> String {
        let text = "\(machine) \(member.name) \(member.role.rawValue) \(passcode ?? "")"
        return TextFormat.hex(Digest.blake2b(Array(text.utf8)))
    }

    /// The problem that the person sees when no answer has arrived.
    package func noAnswer(from machine: HouseholdDevice) -> Problem {
        let seen =
            machine.seenAt.map { MessageValue.text($0) }
            ?? .message(Message("household.never-connected", "never"))
        return isWrite
            ? Problem(
                "household.not_known",
                """
                \(machine.name, "name") has not answered, so it is unclear whether the request was carried \
                out. Check before you send it again. Last connected: \(seen, "seen").
                """,
                help: "screentime household show"
            )
            : Problem(
                "household.machine_silent",
                """
                \(machine.name, "name") does not answer: it is off, asleep or away from the household. Last \
                connected: \(seen, "seen").
                """,
                retryable: true,
                help: "screentime household show"
            )
    }
}
