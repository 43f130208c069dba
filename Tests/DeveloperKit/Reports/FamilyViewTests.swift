import FamilyControls
import Foundation
import ManagedSettings
import STClientLink
import STContracts
import STPlatform
import SwiftUI
import Synchronization
import Testing

@testable import DeviceActivity
@testable import _DeviceActivity_SwiftUI

@Suite("Names of tokens")
@MainActor
struct FamilyViewTests {
    private func token<T>(_ bytes: UInt8...) throws -> Token<T> {
        let json = #"{"data": "\#(Data(bytes).base64EncodedString())"}"#
        return try JSONDecoder().decode(Token<T>.self, from: Data(json.utf8))
    }

    private func words(_ view: some View, language: String = "en") throws -> [String] {
        try PageBuilder.page(of: view, language: language).variants[0].nodes.compactMap {
            $0.runs?.map(\.text).joined()
        }
    }

    @Test("An app requests each token's name once, and an unknown name is nil")
    func asked() {
        let channel = ReportLink { request in
            let tokens = try TokenResolve.Request.decodedBody(request.body).tokens
            guard tokens != ["AA=="] else { throw Problem("token.unknown", "No.") }
            let item =
                tokens == ["AQ=="]
                ? TokenItem(kind: .category, id: "games")
                : TokenItem(kind: .application, id: "org.example.mail")
            return try TokenResolve.Reply(items: [item]).encodedBody()
        }
        let names = TokenNames(link: channel.link, things: ReportThings())
        for _ in 0..<3 {
            #expect(names.name(of: Data([1]), language: "en") == "Games")
            #expect(names.name(of: Data([2]), language: "en") == "org.example.mail")
            #expect(names.name(of: Data([0]), language: "en") == nil)
        }
        #expect(channel.requests.count == 3)
    }

    @Test("Token names are requested again only after a pause if the services do not reply")
    func unanswered() {
        let isUp = Mutex(false)
        let channel = ReportLink { _ in
            guard isUp.withLock({ $0 }) else { throw Problem("service.not_running", "No.", retryable: true) }
            return try TokenResolve.Reply(items: [TokenItem(kind: .application, id: "org.example.mail")])
                .encodedBody()
        }
        let names = TokenNames(link: channel.link, things: ReportThings())
        for number in 0..<100 { #expect(names.name(of: Data([UInt8(number)]), language: "en") == nil) }
        #expect(channel.requests.count == 1)
        let hasty = TokenNames(link: channel.link, things: ReportThings(), pause: .zero)
        #expect(hasty.name(of: Data([1]), language: "en") == nil)
        isUp.withLock { $0 = true }
        #expect(hasty.name(of: Data([1]), language: "en") == "org.example.mail")
    }

    @Test("A token's label shows the name from the report, or else the name of its kind")
    func labels() async throws {
        let pages = ReportPages(filter: Pages.filter, things: .shared) { _ in
            ReportData.Reply(parts: [
                Pages.part("owner", number: 0, rows: [Pages.row("mail", category: "work", usedMs: 1)])
            ])
        }
        var found: [String] = []
        for await data in pages.results {
            for await segment in data.activitySegments {
                for await category in segment.categories {
                    found += try words(Label(try #require(category.category.token)))
                    for await app in category.applications {
                        found += try words(Label(try #require(app.application.token)))
                    }
                }
            }
        }
        #expect(found == ["W", "WORK", "T", "The mail"])
    }

    @Test("A picker shows the selection and the command that changes it")
    func picker() throws {
        var selection = FamilyActivitySelection()
        let empty = try words(
            FamilyActivityPicker(headerText: "Head", footerText: "Foot", selection: .constant(selection))
        )
        #expect(empty == ["Head", "Nothing is chosen. To choose, run: screentime pick", "Foot"])
        for number in 0..<150 { selection.applicationTokens.insert(try token(9, UInt8(number))) }
        let many = try words(FamilyActivityPicker(selection: .constant(selection)), language: "ko")
        #expect(many.count == 102 && many.contains("+ 50") && many.last?.contains("screentime pick") == true)

        let view = Text("Page")
        let hidden = view.familyActivityPicker(isPresented: .constant(false), selection: .constant(selection))
        #expect(try words(hidden) == ["Page"])
        let shown = view.familyActivityPicker(
            title: "Apps",
            isPresented: .constant(true),
            selection: .constant(FamilyActivitySelection())
        )
        #expect(try words(shown).prefix(2) == ["Page", "Apps"])
    }
}
