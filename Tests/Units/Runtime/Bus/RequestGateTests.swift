import STBus
import STContracts
import STPlatform
import Testing

@Suite("Request gate of a service")
struct RequestGateTests {
    @Test("The gate admits a plain request and replaces a missing body with an empty object")
    func plain() throws {
        let request = try #require(Requests.admit([Requests.header()]).request)

        #expect(request.header.id == "1")
        #expect(request.body == Requests.bytes("{}"))
        #expect(request.envelope.isEmpty)
        #expect(request.deadlineBootMs == 1_000 + BusLimits.timeoutMsDefault)
    }

    @Test("The reply to a REQ peer begins with the empty frame, after acceptance and refusal")
    func envelope() throws {
        let accepted = try #require(Requests.admit([[], Requests.header()]).request)
        let refused = try #require(Requests.admit([[], Requests.bytes("nonsense")]).reply)

        #expect(accepted.envelope == [[]])
        #expect(refused.first == [])
        #expect(ReplyHeader.read(refused[1]) == ReplyHeader(id: nil, ok: false))
    }

    @Test("The reply to a request without a readable id has a null id")
    func nullID() throws {
        let long = String(repeating: "x", count: BusLimits.idBytes + 1)
        let frames = [
            [], [[]], [Requests.bytes("[]")], [Requests.bytes("{\"v\":1}")],
            [Requests.bytes("{\"id\":7,\"v\":1}")],
            [Requests.header { $0.id = long }],
        ]
        for frames in frames {
            let reply = try #require(Requests.admit(frames).reply)
            let header = String(decoding: reply[reply.count - 2], as: UTF8.self)
            #expect(header == #"{"v":1,"id":null,"ok":false}"#)
        }
    }

    @Test(
        "The gate refuses each mistake in a header with its own code",
        arguments: [
            ("", "frame.missing"),
            ("nonsense", "header.invalid"),
            (#"{"v":1,"id":"1","route":"health.ping"} "#, "ok"),
            (#"{"v":1,"id":"1","route":"health.ping"}x"#, "header.invalid"),
            (#"{"v":1,"route":"health.ping"}"#, "header.no_id"),
            (#"{"v":1,"id":"","route":"health.ping"}"#, "header.no_id"),
            (#"{"v":2,"id":"1","route":"health.ping"}"#, "version.unsupported"),
            (#"{"id":"1","route":"health.ping"}"#, "version.unsupported"),
            (#"{"v":1,"id":"1"}"#, "header.no_route"),
            (#"{"v":1,"id":"1","route":"no.such"}"#, "route.not_found"),
            (#"{"v":1,"id":"1","route":"rule.follow"}"#, "access.not_service"),
            (#"{"v":1,"id":"1","route":"health.ping","idempotency_key":""}"#, "header.bad_idempotency_key"),
            (#"{"v":1,"id":"1","route":"health.ping","timeout_ms":0}"#, "deadline.exceeded"),
            (#"{"v":1,"id":"1","route":"health.ping","deadline_boot_ms":1000}"#, "deadline.exceeded"),
            (#"{"v":1,"id":"1","route":"health.ping","timeout_ms":"soon"}"#, "ok"),
        ]
    )
    func codes(header: String, code: String) {
        let frames = header.isEmpty ? [] : [Requests.bytes(header)]

        #expect(Requests.admit(frames).code ?? "ok" == code)
    }

    @Test(
        "The gate refuses a body that is not one JSON object",
        arguments: [
            ("[]", "body.not_an_object"), ("3", "body.not_an_object"), ("{", "body.invalid"),
            ("{}{}", "body.invalid"),
        ]
    )
    func bodies(body: String, code: String) {
        #expect(Requests.admit([Requests.header(), Requests.bytes(body)]).code == code)
    }

    @Test("The gate accepts frames up to the size limits and refuses one byte more")
    func sizes() {
        let body = { (size: Int) in
            Requests.bytes("{\"a\":\"") + Array(repeating: 120, count: size - 8) + Requests.bytes("\"}")
        }
        let header = { (size: Int) in
            let head = Requests.bytes(#"{"v":1,"id":"1","route":"health.ping","x":""#)
            return head + Array(repeating: UInt8(120), count: size - head.count - 2) + Requests.bytes("\"}")
        }

        #expect(Requests.admit([Requests.header(), body(BusLimits.requestBodyBytes)]).code == nil)
        #expect(
            Requests.admit([Requests.header(), body(BusLimits.requestBodyBytes + 1)]).code
                == "frame.too_large"
        )
        #expect(Requests.admit([header(BusLimits.headerBytes)]).code == nil)
        #expect(Requests.admit([header(BusLimits.headerBytes + 1)]).code == "frame.too_large")
        #expect(Requests.admit([Requests.header { $0.id = String(repeating: "x", count: 64) }]).code == nil)
        #expect(
            Requests.admit([Requests.header { $0.id = String(repeating: "x", count: 65) }]).code
                == "header.id_too_long"
        )
        let key = String(repeating: "k", count: BusLimits.idempotencyKeyBytes + 1)
        #expect(
            Requests.admit([Requests.header { $0.idempotencyKey = key }]).code == "header.bad_idempotency_key"
        )
    }

    @Test("The gate accepts four frames, not counting the empty frame of a REQ peer")
    func frames() {
        let four = [Requests.header()] + Array(repeating: Requests.bytes("{}"), count: 3)

        #expect(Requests.admit(four).code == nil)
        #expect(Requests.admit([[]] + four).code == nil)
        #expect(Requests.admit(four + [[]]).code == "frame.too_many")
    }

    @Test("The gate accepts nesting up to the limit, in the header and in the body")
    func depth() {
        let nested = { (depth: Int) in
            Requests.bytes(
                String(repeating: "{\"a\":", count: depth - 1) + "{}"
                    + String(repeating: "}", count: depth - 1)
            )
        }
        let header = { (depth: Int) in
            Requests.bytes(#"{"v":1,"id":"1","route":"health.ping","x":"#) + nested(depth - 1)
                + Requests.bytes("}")
        }

        #expect(Requests.admit([Requests.header(), nested(BusLimits.depth)]).code == nil)
        #expect(Requests.admit([Requests.header(), nested(BusLimits.depth + 1)]).code == "frame.too_deep")
        #expect(Requests.admit([header(BusLimits.depth)]).code == nil)
        #expect(Requests.admit([header(BusLimits.depth + 1)]).code == "frame.too_deep")
    }

    @Test("The gate admits the owner, root on routes for root, and no other account")
    func access() {
        let ping = [Requests.header()]
        let add = [Requests.header { $0.route = "member.add" }]

        #expect(Requests.admit(ping).code == nil)
        #expect(Requests.admit(add).code == nil)
        #expect(Requests.admit(ping, from: Requests.root).code == nil)
        #expect(Requests.admit(add, from: Requests.root).code == "access.denied")
        #expect(Requests.admit(ping, from: Requests.stranger).code == "access.denied")
        #expect(Requests.admit(ping, from: .unknown).code == "access.denied")
    }

    @Test("The refusal of another service's route names that service")
    func elsewhere() throws {
        let reply = try #require(Requests.admit([Requests.header { $0.route = "usage.observe" }]).reply)

        let problem = try Problem.decodedBody(reply[1])

        #expect(problem.code == "route.not_found")
        #expect(problem.message.contains("activity-center"))
    }

    @Test("An absolute deadline overrides the timeout, and the maximum limits both")
    func deadlines() {
        let deadline = { (change: (inout RequestHeader) -> Void) in
            Requests.admit([Requests.header(change)]).request?.deadlineBootMs
        }

        #expect(deadline { $0.timeoutMs = 20 } == 1_020)
        #expect(deadline { $0.timeoutMs = .max } == 1_000 + BusLimits.timeoutMsMax)
        #expect(deadline { ($0.timeoutMs, $0.deadlineBootMs) = (5, 9_000) } == 9_000)
        #expect(deadline { $0.deadlineBootMs = .max } == 1_000 + BusLimits.timeoutMsMax)
        #expect(Requests.admit([Requests.header { $0.deadlineBootMs = .min }]).code == "deadline.exceeded")
    }
}

@Suite("Request gate under noise")
struct RequestGateNoiseTests {
    private static let cases = 20_000

    @Test("The gate accepts random bytes or answers with a readable refusal")
    func noise() {
        var random = RandomSource(seed: 20)
        var accepted = 0
        for _ in 0..<Self.cases {
            let frames = Self.frames(&random)
            switch Requests.admit(frames, from: random.next() % 4 == 0 ? Requests.stranger : Requests.owner) {
            case .accepted: accepted += 1
            case .refused(let reply, let problem, let id, _):
                let isREQ = frames.first?.isEmpty == true
                let shape = isREQ ? Array(reply.dropFirst()) : reply
                let header = shape.first.flatMap { ReplyHeader.read($0) }
                let isReadable =
                    shape.count == 2 && header == ReplyHeader(id: id, ok: false) && !problem.code.isEmpty
                #expect(isReadable, "\(frames)")
                guard isReadable else { return }
            }
        }
        // The noise must cover both outcomes.
        #expect(accepted > 100 && accepted < Self.cases - 100)
    }

    private static func frames(_ random: inout RandomSource) -> [[UInt8]] {
        var frames = [
            Requests.header {
                $0.idempotencyKey = "key"
                $0.timeoutMs = 100
            },
            Requests.bytes(#"{"a":[1,-2.5e3,true,null,"\u00e9\n"],"b":{}}"#),
        ]
        switch random.next() % 6 {
        case 0: frames = (0..<Int(random.next() % 7)).map { _ in noise(&random) }
        case 1: frames.insert([], at: 0)
        case 2: frames.append(contentsOf: Array(repeating: noise(&random), count: Int(random.next() % 4)))
        default: break
        }
        for _ in 0..<Int(random.next() % 4) where !frames.isEmpty {
            mutate(&frames[Int(random.next() % UInt64(frames.count))], &random)
        }
        return frames
    }

    private static func noise(_ random: inout RandomSource) -> [UInt8] {
        (0..<Int(random.next() % 60)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    private static func mutate(_ frame: inout [UInt8], _ random: inout RandomSource) {
        guard !frame.isEmpty else { return }
        let index = Int(random.next() % UInt64(frame.count))
        switch random.next() % 4 {
        case 0: frame[index] = UInt8(truncatingIfNeeded: random.next())
        case 1: frame.remove(at: index)
        case 2: frame.removeSubrange(index...)
        default: frame.insert(Array(#"{}[]",:\u0-e"#.utf8)[Int(random.next() % 12)], at: index)
        }
    }
}

@Suite("Senders of requests")
struct PrincipalTests {
    @Test("A principal is read from the peer's address")
    func reads() {
        #expect(
            Principal(peerAddress: "localhost:1000:100:4242") == Principal(uid: 1000, pid: 4242, gid: 100)
        )
        #expect(Principal(peerAddress: "localhost:0:0:1")?.roles(owner: 1000) == .root)
        #expect(Principal(peerAddress: "localhost:0:0:1")?.roles(owner: 0) == .owner)
    }

    @Test(
        "A malformed peer address gives no principal",
        arguments: [
            "", "localhost", "localhost:", "localhost:1:2", "localhost:1:2:", "localhost:1:2:3:4",
            "localhost:a:2:3",
            "localhost:-1:2:3", "localhost::2:3", "localhost:4294967296:0:1", "localhost:99999999999:0:1",
        ]
    )
    func refuses(address: String) {
        #expect(Principal(peerAddress: address) == nil)
    }
}

/// A gate of one service with three kinds of routes, and requests for it.
enum Requests {
    static let owner = Principal(uid: 1000, pid: 7)
    static let root = Principal(uid: 0, pid: 8)
    static let stranger = Principal(uid: 1001, pid: 9)

    static let gate = RequestGate(
        service: .auth,
        owner: 1000,
        rules: [
            "health.ping": .init(access: [.owner, .root], kind: .read),
            "member.add": .init(access: .owner, kind: .write),
            "rule.follow": .init(access: .owner, kind: .write, caller: .link),
        ]
    )

    static func header(_ change: (inout RequestHeader) -> Void = { _ in }) -> [UInt8] {
        var header = RequestHeader(id: "1", route: "health.ping")
        change(&header)
        return header.encoded()
    }

    static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    static func admit(_ frames: [[UInt8]], from principal: Principal = owner, bootMs: Int64 = 1_000)
        -> RequestGate.Admission
    {
        gate.admit(frames, from: principal, bootMs: bootMs, ns: 0)
    }
}

extension RequestGate.Admission {
    var request: AdmittedRequest? {
        guard case .accepted(let request, _) = self else { return nil }
        return request
    }

    var code: String? {
        guard case .refused(_, let problem, _, _) = self else { return nil }
        return problem.code
    }

    var reply: [[UInt8]]? {
        guard case .refused(let reply, _, _, _) = self else { return nil }
        return reply
    }
}
