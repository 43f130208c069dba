import STCommandCore
import STCommandKit
import STContracts
import STPlatform
import STTestSupport
import Testing

@Suite("Commands against a service", .timeLimit(.minutes(5)))
struct BusCommandTests {
    @Test("`bus call` prints the reply with the order of its fields and its numbers unchanged")
    func call() async throws {
        let (code, output) = try await run(["bus", "call", "health.ping", "--to", "notifier"]) { route in
            Array("{\"route\":\"\(route)\",\"number\":2.50}".utf8)
        }

        #expect(code == .done)
        #expect(output.standard == "{\"route\": \"health.ping\", \"number\": 2.50}\n")
    }

    @Test("An error reply is printed on standard error with its code, and a denial exits with code 4")
    func denied() async throws {
        let (code, output) = try await run(["bus", "call", "health.ping", "--to", "notifier"]) { _ in
            throw Problem("access.denied", "Only the owner may ask that.", help: "screentime status")
        }

        #expect(code == .notAllowed)
        #expect(output.standard.isEmpty)
        #expect(output.error == "Only the owner may ask that. [access.denied]\n  try: screentime status\n")
    }

    @Test("`bus call --json` prints an error reply as JSON on standard output")
    func deniedJSON() async throws {
        let (code, output) = try await run(["bus", "call", "x.y", "--to", "notifier", "--json"]) { _ in
            throw Problem("x.refused", "No.")
        }

        #expect(code == .no)
        #expect(try JSONOutput.value(Array(output.standard.utf8))["code"] == "x.refused")
    }

    @Test("`status` shows which services are running and which are not")
    func status() async throws {
        let (code, output) = try await run(["status"]) { _ in
            try HealthReport.Reply(
                service: "notifier",
                pid: 77,
                version: "0",
                uptimeMs: 90_000,
                state: "ready",
                pssKib: 6_000,
                databaseBytes: 4_096,
                streams: [],
                cursors: [],
                counters: [:],
                routes: []
            ).encodedBody()
        }

        #expect(code == .done)
        let lines = output.standard.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("notifier") && $0.contains("ready") && $0.contains("77") })
        #expect(lines.contains { $0.hasPrefix("auth-service") && $0.contains("not running") })
        #expect(lines[0].hasPrefix("Screen Time observes nothing"))
    }

    @Test("`bus listen` prints events and notes that it does not show earlier events")
    func listen() async throws {
        let header = EventHeader(
            id: "e1",
            source: "/d/activity-center",
            type: "usage.segment.closed",
            timeMs: 0,
            subject: "kid",
            schema: 1,
            stream: .usage,
            epoch: "e",
            sequence: 42,
            traceparent: nil,
            cause: nil
        )
        let event = ("usage.segment.closed", header.encoded(), Array("{\"a\":1}".utf8))

        let (code, output) = try await run(
            ["bus", "listen", "usage.", "--count", "1", "--for", "10s"],
            event: event
        )

        #expect(code == .done)
        #expect(output.standard.contains("usage.segment.closed  42  kid  {\"a\":1}"))
        #expect(output.error.contains("This command does not show earlier events"))
    }

    @Test("`trace` prints a span that a service sends")
    func trace() async throws {
        let body = try Spans.observation[0].encodedBody()

        let (code, output) = try await run(
            ["trace", "--count", "1", "--for", "10s"],
            event: ("~trace.notifier", Array("{}".utf8), body)
        )

        #expect(code == .done)
        #expect(output.standard.contains("usage.observe"))
        #expect(output.standard.contains("← 1000:4242  4bf92f35"))
    }

    @Test("`trace --chrome` writes a JSON file with trace events")
    func chrome() async throws {
        let body = try Spans.observation[0].encodedBody()
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let path = scratch.file("trace.json")

        let (code, _) = try await run(
            ["trace", "--chrome", path, "--count", "1", "--for", "10s"],
            event: ("~trace.notifier", Array("{}".utf8), body)
        )

        #expect(code == .done)
        let value = try JSONOutput.value(try AtomicFile.read(path, limitBytes: 1_000_000))
        #expect(value["traceEvents"] != nil)
    }

    private func run(
        _ line: [String],
        event: (String, [UInt8], [UInt8])? = nil,
        answer: @escaping @Sendable (String) throws -> [UInt8] = { _ in Array("{}".utf8) }
    ) async throws -> (ExitCode, CommandOutput) {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let directories = Directories(run: scratch.path, state: scratch.path, config: scratch.path)
        let publishing = event.map { [(topic: $0.0, header: $0.1, body: $0.2)] } ?? []
        let service = try FakeService(.notifier, publishing: publishing) { route, _ in try answer(route) }
        try await service.start(directories)
        let result = await CommandOutput.run(line, in: scratch.path)
        await service.stop()
        return result
    }
}
