import Glibc
import STPlatform
package import STTestSupport

/// A real media player: cmus, which plays silence in a hidden terminal.
package final class RealPlayer: Sendable {
    private static let program = "/usr/bin/cmus"

    private let process: SpawnedProcess
    private let terminal: PseudoTerminal
    private let environment: [String: String]
    private let socket: String
    private let sound: String

    package static var isAvailable: Bool { access(program, X_OK) == 0 }

    package var pid: Int32 { process.pid }

    /// The content of its terminal.
    package var screen: String { terminal.screen }

    package init(_ bus: SessionBus, _ scratch: ScratchDirectory) throws {
        // ALSA's null device.
        try scratch.write("pcm.!default { type null }\nctl.!default { type null }\n", to: ".asoundrc")
        sound = scratch.file("silence.wav")
        try AtomicFile.write(Self.silence(seconds: 600), to: sound, mode: 0o600, durable: false)
        socket = scratch.file("cmus-socket")
        environment = [
            "PATH": "/usr/bin:/bin", "HOME": scratch.path, "TERM": "xterm", "LANG": "C.UTF-8",
            "CMUS_HOME": scratch.path, "DBUS_SESSION_BUS_ADDRESS": bus.address,
        ]
        let terminal = try PseudoTerminal()
        self.terminal = terminal
        process = try SpawnedProcess(
            SpawnPlan(
                executable: Self.program,
                arguments: ["--listen", socket],
                environment: environment,
                standardOutput: terminal.number,
                standardError: terminal.number,
                descriptors: [0: terminal.number]
            )
        )
        let path = socket
        guard comesTrue({ access(path, F_OK) == 0 }) else { throw NotYet("cmus: \(terminal.screen)") }
        try remote(["-C", "set output_plugin=alsa"])
    }

    package func play() throws { try remote(["--file", sound]) }

    package func pause() throws { try remote(["--pause"]) }

    package func kill() {
        process.signal(SIGKILL)
        _ = process.wait(deadlineMs: 5_000)
    }

    deinit { kill() }

    private func remote(_ arguments: [String]) throws {
        let remote = try SpawnedProcess(
            SpawnPlan(
                executable: "/usr/bin/cmus-remote",
                arguments: ["--server", socket] + arguments,
                environment: environment
            )
        )
        guard remote.wait(deadlineMs: 20_000) == .exited(0) else {
            throw NotYet("cmus-remote \(arguments): \(terminal.screen.suffix(500))")
        }
    }

    /// Returns a WAV file with eight bits, one channel and 8000 Hz.
    private static func silence(seconds: UInt32) -> [UInt8] {
        let count = seconds * 8_000
        func little(_ number: UInt32, _ bytes: Int) -> [UInt8] {
            (0..<bytes).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        var file = Array("RIFF".utf8) + little(36 + count, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
        file +=
            little(1, 2) + little(1, 2) + little(8_000, 4) + little(8_000, 4) + little(1, 2) + little(8, 2)
        file += Array("data".utf8) + little(count, 4)
        return file + [UInt8](repeating: 0x80, count: Int(count))
    }
}
