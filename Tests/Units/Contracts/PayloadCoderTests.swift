import FoundationEssentials
import STContracts
import STPlatform
import Testing

/// Our coder of payloads and the payloads written by hand, held against Foundation's coders.
@Suite("The coder of payloads")
struct PayloadCoderTests {
    private static let texts = [
        "", "plain", "한국어 앱", "quote \" backslash \\ slash /", "line\nfeed\ttab\u{1}",
        "🙂 \u{1F468}\u{200D}\u{1F4BB}",
    ]

    private func agrees<Body: WireBody & Codable & Equatable>(_ body: Body) throws {
        let ours = try body.encodedBody()
        let theirs = Array(try JSONEncoder().encode(body))

        let readByThem = try JSONDecoder().decode(Body.self, from: Data(ours))
        let readByUs = try Body.decodedBody(theirs)

        #expect(readByThem == body)
        #expect(readByUs == body)
    }

    @Test("and Foundation's read each other's settings, whatever stands in them")
    func settings() throws {
        let value: JSONValue = [
            "nothing": .null, "flag": true, "whole": .integer(.min), "part": .number(0.25),
            "list": [1, "two", []],
            "map": ["deep": ["er": false]],
        ]
        for text in Self.texts {
            try agrees(SettingsGet.Request(app: text, member: text, store: text))
            try agrees(
                SettingsGet.Reply(
                    app: text,
                    member: text,
                    store: text,
                    version: 7,
                    settings: [text: value, "b": .string(text)]
                )
            )
            try agrees(SettingsSet.Request(app: text, store: text, settings: [text: value]))
        }
    }

    @Test("and Foundation's read each other's observations, lists, options and maps")
    func shapes() throws {
        let reading = TimeReading(wallMs: .max, bootMs: 0, monotonicMs: .min)
        for text in Self.texts {
            let seen = Observation(
                sequence: 1,
                bootId: text,
                at: reading,
                zone: text,
                member: text,
                presence: .active,
                app: text.isEmpty ? nil : text
            )
            try agrees(UsageObserve.Request(agent: text, run: text, observations: [seen, seen]))
            try agrees(UsageObserve.Request(agent: text, run: text, observations: []))
            try agrees(
                Problem(text, text, field: nil, retryable: true, help: text, details: [text: text, "z": "y"])
            )
        }
    }

    @Test("names the field as Foundation's does when something else stands there")
    func errors() throws {
        let wrong = Array("{\"agent\":\"a\",\"run\":\"r\",\"observations\":[{\"sequence\":\"one\"}]}".utf8)

        let problem = #expect(throws: Problem.self) { try UsageObserve.Request.decodedBody(wrong) }

        #expect(problem?.code == "body.wrong_type")
        #expect(problem?.field == "/observations/0/sequence")
    }
}
