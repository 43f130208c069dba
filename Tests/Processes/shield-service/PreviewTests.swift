import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension ShieldSuite {
    @Suite("Previews of shields")
    struct PreviewTests {
        @Test("A preview calls an app that shields nothing, and counts no shield")
        func preview() async throws {
            try await ShieldWorld.run { world in
                try await world.install("a")
                let view = try await eventually("the preview is available") { try await world.preview("a") }
                #expect(view.source == .app && view.problem == nil, "\(view)")
                #expect(view.look.title?.text == "app alone")
                var times: [Int64] = []
                for number in 0..<20 {
                    let start = Stopwatch.milliseconds()
                    _ = try await world.preview("a", language: "x\(number)")
                    times.append(Stopwatch.milliseconds() - start)
                }
                print("a look of a warm extension: \(times.sorted()[10]) ms, at most \(times.max() ?? 0) ms")
                let start = Stopwatch.milliseconds()
                for _ in 0..<20 { _ = try await world.preview("a") }
                print("a look from memory: \((Stopwatch.milliseconds() - start) / 20) ms")
                #expect(try await world.looks("a") == 21)
                #expect(try await world.system.client.call(ShieldList.self, .init()).shields.isEmpty)
            }
        }

        @Test("A preview of an app that hangs is the built-in one in time, and the next is requested again")
        func hang() async throws {
            try await ShieldWorld.run(environment: ["SCREENTIME_SHIELD_SERVICE_LOOK_MS": "500"]) { world in
                try await world.install("a", look: "hang")
                _ = try await eventually("the preview is available") { try await world.preview("a") }
                for count in 2...3 {
                    let start = Stopwatch.milliseconds()
                    let view = try await world.preview("a", language: "x\(count)")
                    let took = Stopwatch.milliseconds() - start
                    #expect(view.source == .builtIn)
                    let codes = ["shield.too_late", "extension.timed_out"]
                    #expect(codes.contains(view.problem?.code ?? ""), "\(view)")
                    #expect(took < 15_000, "\(took) ms")
                }
                try await eventually("the late reply is reported") {
                    if world.told("look_too_late").isEmpty { throw NotYet("not said") }
                }
            }
        }
    }
}
