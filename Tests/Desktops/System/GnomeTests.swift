import Glibc
import STContracts
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@Suite("Screen Time on a real GNOME Shell", .serialized, .enabled(if: GnomeShell.isPossible))
struct GnomeTests {
    @Test("sees which app is in front, covers it when its time is over, pauses it, and gives it back")
    func limit() async throws {
        try await GnomeHouse.run { house in
            try await house.grantAtOnce()
            let windows = try house.windows(named: "alpha")
            try windows.program.ask("map alpha alpha")
            try await house.inFront("alpha")
            try await house.shell.press("k", "e", "p", "t")
            #expect(comesTrue { try windows.program.ask("text") == "kept" })
            try await house.limit("alpha")
            try await house.reaches(.paused, "alpha")
            #expect(house.isStill(windows.program.process.pid, windows.folder))
            #expect(try await house.picture("gnome-shield") > 50, "the shield has words and buttons")
            try await house.shell.press("l", "o", "s", "t")
            try await house.grant("alpha")
            try await house.isLifted("alpha")
            try await house.shell.press("1")
            #expect(comesTrue { try windows.program.ask("text") == "kept1" })
        }
    }
}
