import STBus
import STContracts
import STPlatform
import Testing

@Suite("The gate of a service, under noise")
struct RequestGateNoiseTests {
    private static let cases = 20_000

    @Test("accepts or answers readably whatever bytes come, and never crashes")
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
        // Neither all nor nothing, or the noise would miss one side.
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
