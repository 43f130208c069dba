import STContracts
import STPlatform
import STTestKit
import STTestSupport

/// Sends messages to an rpc socket and checks that each receives a readable reply.
struct HostileRequests {
    struct Figures {
        var sent = 0
        var accepted = 0
        var refused: [String: Int] = [:]

        mutating func add(_ other: Figures) {
            sent += other.sent
            accepted += other.accepted
            refused.merge(other.refused) { $0 + $1 }
        }
    }

    private static let window = 32
    private var peer: RawPeer
    private var figures = Figures()
    private var underWay: [[[UInt8]]] = []

    init(endpoint: String) throws { peer = try RawPeer(.dealer, endpoint) }

    /// Returns once all messages are answered.
    mutating func send(_ count: Int, _ next: () -> [[UInt8]]) throws -> Figures {
        defer { peer.close() }
        for _ in 0..<count {
            let frames = next()
            guard peer.send(frames, withinMs: 10_000) else {
                throw NotYet("the service takes no more messages")
            }
            figures.sent += 1
            underWay.append(frames)
            if underWay.count >= Self.window { try takeOne() }
        }
        while !underWay.isEmpty { try takeOne() }
        if let stray = peer.receive(withinMs: 0) { throw NotYet("an answer too many: \(Self.text(stray))") }
        return figures
    }

    /// Sends a full window of the largest messages that a service answers.
    mutating func sendLargest() throws {
        defer { peer.close() }
        let header = RequestHeader(id: "1", route: HealthPing.name).encoded()
        for index in 0..<Self.window {
            let size = index % 2 == 0 ? Int(BusLimits.socketBytes) : BusLimits.requestBodyBytes
            let body =
                Array(#"{"a":""#.utf8) + Array(repeating: UInt8(ascii: "x"), count: size - 8)
                + Array(#""}"#.utf8)
            guard peer.send([header, body], withinMs: 10_000) else { throw NotYet("no room") }
            underWay.append([header])
        }
        while !underWay.isEmpty { try takeOne() }
    }

    private mutating func takeOne() throws {
        guard let answer = peer.receive(withinMs: 20_000) else {
            let lost = underWay.map { "\($0.map(\.count)) \(Self.text($0))" }.joined(separator: "\n")
            throw NotYet("no answer; one of these got none:\n\(lost)")
        }
        underWay.removeFirst()
        guard let reply = RawReply(answer) else { throw NotYet("no reply: \(Self.text(answer))") }
        if reply.header.ok {
            figures.accepted += 1
        } else if let problem = reply.problem, !problem.code.isEmpty, !problem.message.isEmpty {
            guard problem.code != "internal" else { throw NotYet("\(problem)") }
            figures.refused[problem.code, default: 0] += 1
        } else {
            throw NotYet("a refusal without a code and a sentence: \(Self.text(answer))")
        }
    }

    private static func text(_ frames: [[UInt8]]) -> String {
        frames.map { String(decoding: $0.prefix(600), as: UTF8.self) }.joined(separator: " | ")
    }
}
