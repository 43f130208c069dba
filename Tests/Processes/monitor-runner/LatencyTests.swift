import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

extension MonitorSuite {
    @Suite("Latency from event to callback")
    struct LatencyTests {
        private static let warmCount = 100
        private static let coldCount = 10

        /// The limits are far above the times of a quiet machine, because tests run in parallel. The figures are printed.
        @Test("A callback's median latency is under 2 s in a warm extension and under 3 s in a cold one")
        func latency() async throws {
            try await MonitorWorld.run(environment: ["SCREENTIME_MONITOR_RUNNER_KEEP_WARM_MS": "300"]) {
                world in
                try await world.allow("app", try world.program())
                _ = try await Self.sample(world, 1)
                let warm = try await Self.sample(world, Self.warmCount)
                var cold: [Int64] = []
                for _ in 0..<Self.coldCount {
                    try await eventually { try Self.expectNone(world) }
                    cold += try await Self.sample(world, 1)
                }
                print("warm: \(Self.figures(warm)); cold: \(Self.figures(cold))")

                #expect(Self.quantile(warm, 0.5) < 2_000_000)
                #expect(Self.quantile(cold, 0.5) < 3_000_000)
            }
        }

        /// Returns the times in microseconds of callbacks, each started after the preceding one.
        private static func sample(_ world: MonitorWorld, _ count: Int) async throws -> [Int64] {
            var starts: [Int64] = []
            let before = try await stamps(world).count
            for index in 0..<count {
                starts.append(Stopwatch.bootMicroseconds())
                try await world.happen([("app", "stamp")])
                try await eventually(within: .seconds(20)) {
                    if try await stamps(world).count <= before + index { throw NotYet("no callback") }
                }
            }
            return zip(try await stamps(world)[before...], starts).map { $0 - $1 }
        }

        private static func stamps(_ world: MonitorWorld) async throws -> [Int64] {
            try await world.log("app").compactMap { line in
                line.text.hasPrefix("at ") ? Int64(line.text.dropFirst(3)) : nil
            }
        }

        private static func expectNone(_ world: MonitorWorld) throws {
            let names = try DirectoryTree.names(in: "\(world.system.directories.run)/extensions")
            if !names.isEmpty { throw NotYet("\(names)") }
        }

        private static func quantile(_ values: [Int64], _ part: Double) -> Int64 {
            let sorted = values.sorted()
            return sorted.isEmpty ? .max : sorted[Int(Double(sorted.count - 1) * part)]
        }

        private static func figures(_ values: [Int64]) -> String {
            [0.5, 0.9, 0.99, 1].map { "p\(Int($0 * 100)) \(Double(quantile(values, $0)) / 1000) ms" }
                .joined(separator: ", ")
        }
    }
}
