import STPlatform
import Testing

@testable import SwiftUICore

@Suite("What an app of views is started with")
struct AppOptionsTests {
    @Test("is read with the language of its surroundings")
    func reads() throws {
        let options = try AppOptions(
            ["--html", "week.html", "--select", "Bars", "--select", "Maps"],
            environment: ["LANG": "ko_KR.UTF-8"]
        )
        #expect(options.html == "week.html")
        #expect(options.select == ["Bars", "Maps"])
        #expect(options.language == "ko")
        #expect(try AppOptions(["--language", "de"], environment: ["LC_ALL": "ko_KR"]).language == "de")
        #expect(try AppOptions([], environment: ["LANG": "C.UTF-8"]).language == "en")
        #expect(try AppOptions([], environment: ["LANG": "en_US.UTF-8"]).language == "en")
        #expect(try AppOptions(["--language", "ko_KR"], environment: [:]).language == "ko")
    }

    @Test(
        "is refused when it is unknown, or has no value",
        arguments: [["--htm", "a"], ["--html"], ["week"]]
    )
    func refuses(_ words: [String]) {
        let problem = #expect(throws: Problem.self) { try AppOptions(words, environment: [:]) }
        #expect(problem?.code.hasPrefix("usage.") == true)
    }
}
