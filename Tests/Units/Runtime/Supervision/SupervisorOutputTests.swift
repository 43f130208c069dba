import STPlatform
import STSupervision
import STTestSupport
import Testing

@Suite("What services write")
struct SupervisorOutputTests {
    @Test("cuts a line that is too long, keeps the last line without an end, and rotates the log")
    func output() throws {
        let scratch = try ScratchDirectory()
        var options = SupervisorOptions()
        options.logBytesMax = 100_000
        options.restartsAfterFailure = false
        let script = "head -c 200000 /dev/zero | tr '\\0' x; echo; echo short; echo err >&2; printf last"
        let fixture = try Fixture(scratch, [Fixture.shell("chatty", script, notify: false)], options: options)
        try fixture.supervisor.start()
        #expect(try fixture.waitUntil("chatty") { $0.state.isFailed })

        let lines = fixture.lines(of: "chatty")
        #expect(lines.count == 4)
        #expect(lines.first?.hasPrefix(String(repeating: "x", count: 65_536) + " … [cut here") == true)
        #expect(lines.suffix(3) == ["short", "err", "last"])
        try fixture.supervisor.stop()

        let again = try Fixture(scratch, [Fixture.shell("chatty", script, notify: false)], options: options)
        try again.supervisor.start()
        #expect(try again.waitUntil("chatty") { $0.state.isFailed })
        try again.supervisor.stop()
        let log = again.directories.log(service: "chatty")
        #expect(ScratchDirectory.text(log + ".1").hasSuffix("\nshort\nerr\nlast\n"))
        #expect(ScratchDirectory.text(log).hasSuffix("\nshort\nerr\nlast\n"))
    }
}
