import FamilyControls
import Foundation
import ManagedSettings
import STFoundationTypes
import Testing

@Suite("FamilyActivitySelection")
struct SelectionTests {
    private let keys: Set<String> = [
        "applicationTokens", "categoryTokens", "webDomainTokens", "includeEntireCategory",
        "untokenizedApplicationIdentifiers", "untokenizedCategoryIdentifiers",
        "untokenizedWebDomainIdentifiers",
    ]

    private func sample() -> FamilyActivitySelection {
        var selection = FamilyActivitySelection(includeEntireCategory: true)
        selection.applicationTokens = [Token(data: Data([1, 2, 3])), Token(data: Data([9]))]
        selection.categoryTokens = [Token(data: Data([4]))]
        return selection
    }

    @Test("A selection encodes to Apple's JSON with all seven parts")
    func json() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let text = String(decoding: try encoder.encode(sample()), as: UTF8.self)

        #expect(
            text
                == #"{"applicationTokens":[{"data":"AQID"},{"data":"CQ=="}],"categoryTokens":[{"data":"BA=="}],"#
                + #""includeEntireCategory":true,"untokenizedApplicationIdentifiers":[],"#
                + #""untokenizedCategoryIdentifiers":[],"untokenizedWebDomainIdentifiers":[],"webDomainTokens":[]}"#
        )
        #expect(try JSONDecoder().decode(FamilyActivitySelection.self, from: Data(text.utf8)) == sample())
    }

    @Test("A selection encodes to Apple's property list with tokens as data")
    func propertyList() throws {
        let data = try PropertyListEncoder().encode(sample())
        let list = try #require(
            PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        )

        #expect(Set(list.keys) == keys)
        let tokens = list["applicationTokens"] as? [[String: Data]]
        #expect(tokens?.first == ["data": Data([1, 2, 3])])
        #expect(try PropertyListDecoder().decode(FamilyActivitySelection.self, from: data) == sample())
    }

    @Test("A selection decodes incomplete and foreign data, and rejects data of the wrong type")
    func reading() throws {
        func read(_ text: String) throws -> FamilyActivitySelection {
            try JSONDecoder().decode(FamilyActivitySelection.self, from: Data(text.utf8))
        }

        #expect(try read("{}") == FamilyActivitySelection())
        let other = try read(
            #"{"untokenizedApplicationIdentifiers":["org.example"],"applicationTokens":[{"data":"AQID"}]}"#
        )
        #expect(other.applicationTokens.count == 1)
        #expect(other.applications.count == 2)
        #expect(other.applications.contains(Application(bundleIdentifier: "org.example")))
        let again = try JSONDecoder().decode(
            FamilyActivitySelection.self,
            from: try JSONEncoder().encode(other)
        )
        #expect(again == other)
        #expect(throws: DecodingError.self) { try read(#"{"applicationTokens":[{"data":7}]}"#) }
        #expect(throws: DecodingError.self) { try read("[]") }
    }

    @Test("Tokens with equal data are equal")
    func tokens() throws {
        let token = try JSONDecoder().decode(ApplicationToken.self, from: Data(#"{"data":"AQID"}"#.utf8))

        #expect(token == ApplicationToken(data: Data([1, 2, 3])))
        #expect(Set([token, ApplicationToken(data: Data([1, 2, 3]))]).count == 1)
        #expect(Application(token: token).token == token)
        #expect(Application(bundleIdentifier: "a").localizedDisplayName == nil)
        #expect(WebDomain(domain: "example.com").domain == "example.com")
    }

    @Test("Errors and states have Apple's raw values")
    func numbers() {
        #expect(FamilyControlsError.authorizationCanceled.rawValue == 5)
        #expect(FamilyControlsError.authenticationMethodUnavailable.rawValue == 7)
        #expect(FamilyControlsError(rawValue: 2) == .invalidAccountType)
        #expect((FamilyControlsError.unavailable as NSError).code == 1)
        #expect((FamilyControlsError.restricted as NSError).domain == "FamilyControls.FamilyControlsError")
        #expect(AuthorizationStatus.approved.rawValue == 2)
        #expect(FamilyControlsMember.individual.rawValue == 1)
        #expect("\(AuthorizationStatus.notDetermined)" == "Not Determined")
    }
}
