import Glibc
import STCommandCore
import STContracts
import STPlatform
import STTestSupport
import Testing

@Suite("The child that draws", .timeLimit(.minutes(5)))
struct DrawingChildTests {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    /// What a program does that stands in for `screentime-draw`.
    private func draw(_ script: String, timeout: Duration = .seconds(20)) throws -> DrawAnswer {
        try scratch.write("#!/bin/sh\n\(script)\n", to: "draw", mode: 0o700)
        let request = DrawRequest(
            look: ShieldAppearance(submenu: []),
            width: 64,
            height: 48,
            output: scratch.file("a.png")
        )
        return try DrawingRunner(path: scratch.file("draw"), timeout: timeout).draw(request)
    }

    private func problem(_ script: String, timeout: Duration = .seconds(20)) -> Problem? {
        do {
            _ = try draw(script, timeout: timeout)
            return nil
        } catch {
            return error as? Problem
        }
    }

    @Test("The program screentime-draw receives the request, and its reply is returned")
    func answer() throws {
        let script =
            "/usr/bin/grep -q a.png || exit 9; "
            + #"echo '{"width":64,"height":48,"bytes":3,"buttons":[],"warnings":["w"]}'"#
        #expect(
            try draw(script)
                == DrawAnswer(
                    width: 64,
                    height: 48,
                    bytes: 3,
                    buttons: [],
                    warnings: [Message(verbatim: "w")]
                )
        )
    }

    @Test("If screentime-draw exceeds its deadline, its child process ends and its output is reported")
    func hangs() throws {
        let found = try #require(
            problem(
                "echo stuck here >&2; /bin/sleep 600 & echo $! >\(scratch.file("pid")); wait",
                timeout: .seconds(6)
            )
        )

        #expect(found.code == "draw.too_slow")
        #expect(found.message.contains("stuck here"))
        let pid = try #require(
            Int32(ScratchDirectory.text(scratch.file("pid")).split(separator: "\n").first ?? "")
        )
        #expect(comesTrue { OtherProcessState.isGone(pid) })
    }

    @Test("A crash of screentime-draw is reported with its signal and its error output")
    func crashes() throws {
        let found = try #require(problem("echo '\u{1B}[31mno memory' >&2; kill -SEGV $$"))

        #expect(found.code == "draw.failed")
        #expect(found.message.contains("SIGSEGV") && found.message.contains("no memory"))
        #expect(!found.message.contains("\u{1B}"))
    }

    @Test("A problem from screentime-draw is returned, and an invalid reply is reported as a failure")
    func refuses() throws {
        let own = problem(#"echo '{"code":"draw.bad_size","message":"too large","retryable":false}'; exit 2"#)
        #expect(own?.code == "draw.bad_size")
        #expect(problem("echo nonsense")?.code == "draw.failed")
        #expect(problem("exit 0")?.code == "draw.failed")
        #expect(problem("/usr/bin/head -c 3000000 /dev/zero; exit 1")?.code == "draw.failed")
    }

    @Test("If screentime-draw exits without reading its request, a failure is reported")
    func deaf() throws {
        try scratch.write("#!/bin/sh\nexit 3\n", to: "draw", mode: 0o700)
        let look = ShieldAppearance(
            icon: ShieldIcon(kind: .data, data: String(repeating: "A", count: 4 << 20)),
            submenu: []
        )
        let request = DrawRequest(look: look, width: 64, height: 48, output: "-")
        #expect { try DrawingRunner(path: scratch.file("draw")).draw(request) } throws: {
            ($0 as? Problem)?.code == "draw.failed"
        }
    }

    @Test("A missing screentime-draw is reported as not installed")
    func missing() {
        let request = DrawRequest(look: ShieldAppearance(submenu: []), width: 64, height: 48, output: "-")
        #expect { try DrawingRunner(path: scratch.file("none")).draw(request) } throws: {
            ($0 as? Problem)?.code == "draw.not_installed"
        }
    }
}

private enum OtherProcessState {
    /// Ended, reaped or not: it was not ours to reap.
    static func isGone(_ pid: Int32) -> Bool {
        guard kill(pid, 0) == 0 else { return true }
        let fields = ScratchDirectory.text("/proc/\(pid)/stat").split(separator: " ")
        return fields.count > 2 && fields[2] == "Z"
    }
}
