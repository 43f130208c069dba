import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

@Suite("Input of browser-host")
struct BrowserHostTests {
    /// Runs the program with these bytes, as from a browser, and then the end of the input.
    private func run(_ bytes: [UInt8], _ environment: [String: String] = [:]) throws -> (
        STPlatform.ExitStatus?, String
    ) {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let path = scratch.file("errors")
        let number = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError.last("open") }
        let errors = OwnedDescriptor(number)
        let words = try OwnedDescriptor.unnamedFile(holding: bytes)
        let own = [
            "HOME": scratch.path, "SCREENTIME_RUN": scratch.file("run"),
            "SCREENTIME_STATE": scratch.file("state"),
        ]
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: try BuiltTree.program("browser-host"),
                environment: own.merging(environment) { $1 },
                standardError: errors.number,
                descriptors: [0: words.number]
            )
        )
        let end = process.wait(deadlineMs: 20_000)
        if end == nil { process.signalGroup(SIGKILL) }
        return (end, ScratchDirectory.text(path))
    }

    private func frame(_ text: String) -> [UInt8] {
        withUnsafeBytes(of: UInt32(text.utf8.count)) { Array($0) } + text.utf8
    }

    private static let word =
        #"{"tab":{"version":"0.6","focused":true,"is_private":false,"host":"example.org"},"hosts":["example.org"]}"#

    @Test("Closing the pipe ends browser-host with code 0, even after half a message or without services")
    func ends() throws {
        #expect(try run([]).0 == .exited(0))
        #expect(try run([9]).0 == .exited(0))
        #expect(try run(Array(frame(Self.word).dropLast())).0 == .exited(0))
        let (end, text) = try run(frame(Self.word) + frame(Self.word))
        #expect(end == .exited(0), "\(text)")
    }

    @Test(
        "An invalid message ends browser-host with code 1 and a problem",
        arguments: [
            "{", "[]", "null", #"{"tab":{"version":1}}"#, #"{"hosts":"all"}"#, #"{"press":{"host":1}}"#,
            "\u{0}",
            String(repeating: "[", count: 4_000),
        ]
    )
    func wrong(_ text: String) throws {
        let (end, said) = try run(frame(text))
        #expect(end == .exited(1))
        #expect(said.contains("\"code\""))
    }

    @Test("A message length beyond the limit is refused with browser.message_too_large")
    func long() throws {
        for length in [65_537, 1 << 20, UInt32.max] {
            let (end, said) = try run(withUnsafeBytes(of: length) { Array($0) } + Array("{}".utf8))
            #expect(end == .exited(1))
            #expect(said.contains("browser.message_too_large"))
        }
    }

    @Test("Random messages do not crash browser-host")
    func random() throws {
        var random = SeededRandom(seed: 9)
        for _ in 0..<(Soak.isOn ? 300 : 30) {
            var bytes: [UInt8] = []
            for _ in 0..<10 {
                let body = (0..<random.number(0...60)).map { _ in UInt8(random.number(0...255)) }
                bytes +=
                    random.chance(percent: 50)
                    ? frame(Self.word) : withUnsafeBytes(of: UInt32(body.count)) { Array($0) } + body
            }
            let (end, said) = try run(bytes)
            #expect(end == .exited(0) || end == .exited(1), "\(said)")
        }
    }
}
