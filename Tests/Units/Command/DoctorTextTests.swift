import STCommandCore
import STContracts
import STPlatform
import Testing

@Suite("doctor")
struct DoctorTextTests {
    private let plain = Terminal(isTerminal: true, isColoured: false, columns: 60)

    private func visit(isBlind: Bool, isAgents: Bool = true) -> DoctorResults {
        DoctorResults(
            report: DesktopDoctor.Reply(
                adapter: isBlind ? .none : .x11,
                reason: Message(
                    verbatim: isBlind ? "GNOME on Wayland does not tell." : "The X server tells."
                ),
                isBlind: isBlind,
                wayOut: isBlind ? Message(verbatim: "Choose “GNOME on Xorg”.") : nil,
                findings: [
                    DoctorFinding(
                        topic: .shields,
                        state: .missing,
                        text: Message(verbatim: "No shield."),
                        mend: Message(verbatim: "Do this.")
                    ),
                    DoctorFinding(
                        topic: .session,
                        state: .fine,
                        text: Message(
                            verbatim:
                                "A session\u{1B}[31m with a name that is so long that it does not fit into one line."
                        )
                    ),
                ]
            ),
            isRunning: true,
            isAgents: isAgents
        )
    }

    @Test("`doctor` first reports that the screen cannot be observed and how to change that")
    func blind() {
        let text = DoctorText.lines(visit(isBlind: true), plain).joined(separator: " ")

        #expect(
            text.hasPrefix("Screen Time cannot see anything on this screen. GNOME on Wayland does not tell.")
        )
        #expect(text.contains("“GNOME on Xorg”"))
    }

    @Test("`doctor` lists findings by topic with their remedies and fits the width of the terminal")
    func topics() {
        let lines = DoctorText.lines(visit(isBlind: false, isAgents: false), plain)
        let text = lines.joined(separator: "\n")

        #expect(lines[0] == "Screen Time sees this desktop through X11.")
        #expect(text.contains("desktop-agent does not report what it sees"))
        #expect(text.contains("✗ No shield.\n    → Do this."))
        #expect(!text.contains("\u{1B}"))
        #expect(lines.allSatisfy { DisplayWidth.columns($0) <= 60 })
        let session = lines.firstIndex { $0 == "Session" }
        let shields = lines.firstIndex { $0 == "Shields" }
        #expect(session != nil && shields != nil && session ?? 0 < shields ?? 0)
    }
}
