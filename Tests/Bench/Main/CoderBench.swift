import FoundationEssentials
import STContracts
import STPlatform

/// Compares this project's payload coder with Foundation's, on the same values in alternating turns.
struct CoderBench {
    private let rounds: Int

    init(isShort: Bool) { rounds = isShort ? 20 : 100 }

    func run() throws -> [Figure] {
        let body = BenchEvent.Body(number: 7)
        let bytes = try body.encodedBody()
        let theirBytes = Data(try JSONEncoder().encode(body))
        var times = Times()
        for round in 0...rounds {
            let turn = Times(
                ourDecoding: try time { _ = try BenchEvent.Body.decodedBody(bytes) },
                theirDecoding: try time {
                    _ = try JSONDecoder().decode(BenchEvent.Body.self, from: theirBytes)
                },
                ourEncoding: try time { _ = try body.encodedBody() },
                theirEncoding: try time { _ = Array(try JSONEncoder().encode(body)) }
            )
            // The first turn fills the caches of the runtime.
            if round > 0 { times.add(turn) }
        }
        let count = Double(rounds * Self.perTurn)
        func us(_ ns: Int64) -> Double { Double(ns) / count / 1000 }
        return [
            Figure(bench: "coder", name: "payload", value: Double(bytes.count), unit: "bytes"),
            Figure(bench: "coder", name: "decoding, ours", value: us(times.ourDecoding), unit: "us"),
            Figure(
                bench: "coder",
                name: "decoding, Foundation's",
                value: us(times.theirDecoding),
                unit: "us"
            ),
            Figure(bench: "coder", name: "encoding, ours", value: us(times.ourEncoding), unit: "us"),
            Figure(
                bench: "coder",
                name: "encoding, Foundation's",
                value: us(times.theirEncoding),
                unit: "us"
            ),
            // The reason for an own coder: if it is slower than this, it should be removed.
            Figure(
                bench: "coder",
                name: "decoding, ours against Foundation's",
                value: Double(times.ourDecoding) / Double(times.theirDecoding),
                unit: "x",
                bar: .atMost(0.6)
            ),
        ]
    }

    private struct Times {
        var ourDecoding: Int64 = 0
        var theirDecoding: Int64 = 0
        var ourEncoding: Int64 = 0
        var theirEncoding: Int64 = 0

        mutating func add(_ other: Times) {
            ourDecoding += other.ourDecoding
            theirDecoding += other.theirDecoding
            ourEncoding += other.ourEncoding
            theirEncoding += other.theirEncoding
        }
    }

    private static let perTurn = 1_000

    private func time(_ work: () throws -> Void) rethrows -> Int64 {
        let start = Stopwatch.nanoseconds()
        for _ in 0..<Self.perTurn { try work() }
        return Stopwatch.nanoseconds() - start
    }
}
