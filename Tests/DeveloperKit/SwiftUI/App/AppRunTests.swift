import Foundation
import STContracts
import STPlatform
import STTestSupport
import Testing

@testable import SwiftUICore

@Suite("Options of view apps")
struct AppOptionsTests {
    @Test("The options of an app are read from its arguments, and the language from the environment")
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
        "An unknown option or an option without a value is rejected",
        arguments: [["--htm", "a"], ["--html"], ["week"]]
    )
    func refuses(_ words: [String]) {
        let problem = #expect(throws: Problem.self) { try AppOptions(words, environment: [:]) }
        #expect(problem?.code.hasPrefix("usage.") == true)
    }
}

@Suite("AppRun")
@MainActor
struct AppShowTests {
    /// A selection of three marks, of which the last two form one choice.
    private let page = Page(
        language: "en",
        controls: [PageControl(kind: .selection, label: "", options: ["", "Mail", "Game"], chosen: 0)],
        variants: [0, 2].map { option in
            PageVariant(chosen: [option], nodes: [PageNode(kind: .text, runs: [PageRun(text: "Hours")])])
        }
    )

    @Test("The HTML page of an app is readable only by its owner")
    func file() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.path + "/week.html"
        try AppRun.show(page, options: AppOptions(["--html", path], environment: [:]), environment: [:])
        let values = try FileManager.default.attributesOfItem(atPath: path)
        #expect((values[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("Hours"))
    }

    @Test("The option --select accepts only choices that have a variant, and the error names them")
    func choices() throws {
        let scratch = try ScratchDirectory()
        let words = ["--html", scratch.path + "/week.html", "--select"]
        try AppRun.show(page, options: AppOptions(words + ["Game"], environment: [:]), environment: [:])
        let mail = try AppOptions(words + ["Mail"], environment: [:])
        let problem = try #require(
            #expect(throws: Problem.self) {
                try AppRun.show(page, options: mail, environment: [:])
            }
        )
        #expect(problem.code == "usage.unknown_choice" && problem.message.hasSuffix("Valid choices: Game."))
    }
}
