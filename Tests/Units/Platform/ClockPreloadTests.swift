import Glibc
import STPlatform
import STTestSupport
import Testing

@Suite("The preloaded clock")
struct ClockPreloadTests {
    /// A child process that prints the time on request.
    private final class Probe {
        let process: SpawnedProcess
        private let input: DescriptorPipe
        private let output: DescriptorPipe

        init(_ arguments: [String] = [], environment: [String: String]) throws {
            input = try DescriptorPipe()
            output = try DescriptorPipe()
            process = try SpawnedProcess(
                SpawnPlan(
                    executable: "\(BuiltTree.programs)/screentime-clock-probe",
                    arguments: arguments,
                    environment: environment,
                    standardOutput: output.writeEnd.number,
                    descriptors: [0: input.readEnd.number],
                    hasLifeline: true
                )
            )
        }

        deinit {
            process.signalGroup(SIGKILL)
            _ = process.wait(deadlineMs: 10_000)
        }

        func ask() throws -> [String] {
            #expect(write(input.writeEnd.number, "?\n", 2) == 2)
            return try line()
        }

        func line() throws -> [String] {
            var text = ""
            var byte: UInt8 = 0
            while Readiness.wait(output.readEnd.number, withinMs: 20_000),
                read(output.readEnd.number, &byte, 1) == 1
            {
                if byte == UInt8(ascii: "\n") { return text.split(separator: "|").map(String.init) }
                text.unicodeScalars.append(Unicode.Scalar(byte))
            }
            throw NotYet("the probe said only: \(text)")
        }
    }

    private func environment(_ clock: String?, zone: String) -> [String: String] {
        var environment = ["PATH": "/usr/bin:/bin", "TZ": zone]
        environment["LD_PRELOAD"] = "\(BuiltTree.programs)/libscreentime-clock.so"
        environment["SCREENTIME_CLOCK"] = clock
        return environment
    }

    @Test(
        "The preloaded clock sets Date, time and gettimeofday, the zone follows TZ, and boot time stays real"
    )
    func follows() throws {
        let scratch = try ScratchDirectory()
        // 2026-10-25 00:59:59.999 UTC: the last millisecond of summer time in Berlin.
        var face = ClockPageTests.face
        face.reading.wallMs = 1_792_889_999_999
        let page = try ClockPage(creating: scratch.file("clock"), face)
        let probe = try Probe(environment: environment(page.path, zone: "Europe/Berlin"))

        let summer = try probe.ask()
        #expect(Array(summer[..<4]) == ["1792889999999", "1792889999", "1792889999999", "1792889999999"])
        #expect(summer[4] == "Europe/Berlin")
        #expect(summer[5] == "2026-10-25 02:59:59.999")

        face.reading.wallMs += 1
        try page.write(face)
        let winter = try probe.ask()
        #expect(winter[0] == "1792890000000")
        #expect(winter[5] == "2026-10-25 02:00:00.000")

        // Before 1970, seconds and their fractions must have the same sign.
        face.reading.wallMs = -1
        try page.write(face)
        #expect(try Array(probe.ask()[..<3]) == ["-1", "-1", "-1"])
        let boot = try #require(Int64(try probe.ask()[6]))
        #expect(abs(boot - Stopwatch.bootMilliseconds()) < 10_000)
    }

    @Test("Without a readable clock page, the preloaded clock shows the machine's own time")
    func falsePages() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("no clock", to: "broken")
        for clock in [nil, "", scratch.file("none"), scratch.file("broken")] {
            let probe = try Probe(environment: environment(clock, zone: "UTC"))
            let told = try #require(Int64(try probe.ask()[0]))
            #expect(abs(told - SystemTimeSource().now().wallMs) < 10_000)
        }
    }

    @Test(
        "A wait until a wall time takes real time, even if the clock page shows another time",
        arguments: [-1, 1]
    )
    func waits(_ direction: Int64) throws {
        let scratch = try ScratchDirectory()
        var face = ClockPageTests.face
        face.reading.wallMs = SystemTimeSource().now().wallMs + direction * 10 * 365 * 86_400_000
        let page = try ClockPage(creating: scratch.file("clock"), face)
        let probe = try Probe(["wait"], environment: environment(page.path, zone: "UTC"))

        let waited = try probe.line().compactMap { Int64($0) }

        #expect((190...5_000).contains(waited[0]), "a condition")
        #expect((90...5_000).contains(waited[1]), "a semaphore")
        #expect((90...5_000).contains(waited[2]), "a thread")
    }

    @Test("64 threads that read the preloaded clock see the same time")
    func threads() throws {
        let scratch = try ScratchDirectory()
        let page = try ClockPage(creating: scratch.file("clock"), ClockPageTests.face)
        let probe = try Probe(["children"], environment: environment(page.path, zone: "UTC"))

        #expect(try probe.line() == ["1793000000123"])
    }
}
