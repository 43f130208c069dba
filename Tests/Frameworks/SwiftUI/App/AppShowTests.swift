import Foundation
import STContracts
import STPlatform
import STTestSupport
import Testing

@testable import SwiftUICore

@Suite("An app's page as it is shown")
@MainActor
struct AppShowTests {
    /// Of three marks the last two are one choice.
    private let page = Page(
        language: "en",
        controls: [PageControl(kind: .selection, label: "", options: ["", "Mail", "Game"], chosen: 0)],
        variants: [0, 2].map { option in
            PageVariant(chosen: [option], nodes: [PageNode(kind: .text, runs: [PageRun(text: "Hours")])])
        }
    )

    @Test("in a file that only its owner reads")
    func file() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.path + "/week.html"
        try AppRun.show(page, AppOptions(["--html", path], environment: [:]), [:])
        let values = try FileManager.default.attributesOfItem(atPath: path)
        #expect((values[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("Hours"))
    }

    @Test("what has no page of its own cannot be chosen, and what has is named")
    func choices() throws {
        let scratch = try ScratchDirectory()
        let words = ["--html", scratch.path + "/week.html", "--select"]
        try AppRun.show(page, AppOptions(words + ["Game"], environment: [:]), [:])
        let problem = try #require(
            #expect(throws: Problem.self) {
                try AppRun.show(page, AppOptions(words + ["Mail"], environment: [:]), [:])
            }
        )
        #expect(problem.code == "usage.unknown_choice" && problem.message.hasSuffix("There are Game."))
    }
}
