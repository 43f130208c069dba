import STBus
import STContracts
import STPlatform
import Testing

@Suite("The gate of a service")
struct RequestGateTests {
    @Test("lets a plain request in, with an empty object for a missing body")
    func plain() throws {
        let request = try #require(Requests.admit([Requests.header()]).request)

        #expect(request.header.id == "1")
        #expect(request.body == Requests.bytes("{}"))
        #expect(request.envelope.isEmpty)
        #expect(request.deadlineBootMs == 1_000 + BusLimits.timeoutMsDefault)
    }

    @Test("puts the empty frame of a REQ peer in front of the reply, whether it accepts or refuses")
    func envelope() throws {
        let accepted = try #require(Requests.admit([[], Requests.header()]).request)
        let refused = try #require(Requests.admit([[], Requests.bytes("nonsense")]).reply)

        #expect(accepted.envelope == [[]])
        #expect(refused.first == [])
        #expect(ReplyHeader.read(refused[1]) == ReplyHeader(id: nil, ok: false))
    }

    @Test("answers with null for an id that could not be read")
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
        "refuses each mistake with its own code",
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
        "refuses a body that is not one JSON object",
        arguments: [
            ("[]", "body.not_an_object"), ("3", "body.not_an_object"), ("{", "body.invalid"),
            ("{}{}", "body.invalid"),
        ]
    )
    func bodies(body: String, code: String) {
        #expect(Requests.admit([Requests.header(), Requests.bytes(body)]).code == code)
    }

    @Test("takes what is exactly as large as a limit and refuses one more")
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

    @Test("counts four frames without the empty one of a REQ peer")
    func frames() {
        let four = [Requests.header()] + Array(repeating: Requests.bytes("{}"), count: 3)

        #expect(Requests.admit(four).code == nil)
        #expect(Requests.admit([[]] + four).code == nil)
        #expect(Requests.admit(four + [[]]).code == "frame.too_many")
    }

    @Test("lets nesting go as deep as the limit, in header and body")
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

    @Test("answers the owner, root only where root is meant, and nobody else")
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

    @Test("says who answers a route of another service")
    func elsewhere() throws {
        let reply = try #require(Requests.admit([Requests.header { $0.route = "usage.observe" }]).reply)

        let problem = try Problem.decodedBody(reply[1])

        #expect(problem.code == "route.not_found")
        #expect(problem.message.contains("activity-center"))
    }

    @Test("lets the absolute deadline win over the timeout, and cuts both to the longest there is")
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
