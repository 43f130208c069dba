import STContracts
import STPlatform
import STScreen
import STWire
import Testing

@Suite("What the doctor says of browsers")
struct DoctorReportTests {
    @Test(
        "each that has a window is named: silent, right, or with the extension of another version",
        arguments: [
            (String?.none, DoctorState.limited, "does not report the foreground site"),
            (Version.text, .fine, "reports the foreground site"),
            ("0.5", .limited, "has the extension of another version of Screen Time (0.5)"),
        ]
    )
    func browser(version: String?, state: DoctorState, text: String) throws {
        var facts = DoctorFacts()
        facts.browsers = ["Chromium": version]
        let choice = AdapterChoice(kind: .x11, reason: Message(verbatim: "It is a test."))
        let findings = DoctorReport.make(ScreenSigns(sessionType: "x11"), choice, facts).findings
        let found = try #require(findings.first { $0.text.english.hasPrefix("Chromium ") })
        #expect(found.state == state)
        #expect(found.text.english.contains(text))
    }
}
