import STContracts
import STPlatform
import STScreen
import STWire
import Testing

@Suite("Browsers in the doctor's report")
struct DoctorReportTests {
    @Test(
        "The doctor reports each browser as silent, working, or with another version of the extension",
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
        let findings = DoctorReport.make(ScreenProbeResult(sessionType: "x11"), choice: choice, facts: facts)
            .findings
        let found = try #require(findings.first { $0.text.english.hasPrefix("Chromium ") })
        #expect(found.state == state)
        #expect(found.text.english.contains(text))
    }
}
