import FoundationEssentials
import STContracts
import STPlatform
import Testing

/// Foundation's coders with the names of the wire format.
enum FoundationCoders {
    static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }

    static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return encoder
    }
}

/// Compares the payload coder and handwritten payloads with Foundation's coders.
@Suite("The payload coder")
struct PayloadCoderTests {
    private static let texts = [
        "", "plain", "한국어 앱", "quote \" backslash \\ slash /", "line\nfeed\ttab\u{1}",
        "🙂 \u{1F468}\u{200D}\u{1F4BB}",
    ]

    private func agrees<Body: WireBody & Codable & Equatable>(_ body: Body) throws {
        let ours = try body.encodedBody()
        let theirs = Array(try FoundationCoders.encoder.encode(body))

        let readByThem = try FoundationCoders.decoder.decode(Body.self, from: Data(ours))
        let readByUs = try Body.decodedBody(theirs)

        #expect(readByThem == body)
        #expect(readByUs == body)
    }

    @Test("The payload coder and Foundation read each other's settings with any JSON")
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

    @Test("The payload coder and Foundation read each other's observations, lists, options and maps")
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
            let proof = Proof(by: text, passcode: text)
            try agrees(RuleAdd.Request(RuleSpec(kind: .allow, name: text), proof: proof))
            try agrees(
                Problem(
                    text,
                    verbatim: text,
                    field: nil,
                    retryable: true,
                    help: text,
                    details: [text: text, "z": "y"]
                )
            )
        }
    }

    private struct Named: WireBody, Codable, Equatable {
        var plain = 1
        var countedMs: Int64? = 2
        var bootID = "b"
        var urlOfASite = true
        var p50Ms = 0.5
        var isX = false
        var byName = ["camelCase": 1, "snake_case": 2]
        var any: JSONValue = ["aKey": 1]
        var inner: [String: Inner] = ["oneTwo": Inner()]
        var list = [Inner()]

        struct Inner: Codable, Equatable {
            var deepDown = 3
        }
    }

    private struct Sizes: WireBody, Codable, Equatable {
        var small: Int8 = .min
        var short: UInt16 = .max
        var process: Int32 = -7
        var user: UInt32? = .max
        var bytes: [UInt8] = [0, 255]
        var count: UInt = 9
        var size: UInt64 = 10
        var share: Float = 0.25
    }

    @Test(
        "The payload coder and Foundation read each other's numbers, and numbers that do not fit are rejected"
    )
    func sizes() throws {
        try agrees(Sizes())
        #expect(throws: Problem.self) { try Sizes(size: .max).encodedBody() }
        let text = String(decoding: try Sizes().encodedBody(), as: UTF8.self)
        for (fits, doesNot) in [
            ("-128", "128"), ("-7", "2147483648"), ("-7", "1.5"), ("-7", #""7""#), ("4294967295", "-1"),
        ] {
            let changed = text.replacing(":\(fits),", with: ":\(doesNot),")
            #expect(changed != text)
            #expect(throws: Problem.self) { try Sizes.decodedBody(Array(changed.utf8)) }
        }
        #expect(Sizes.schema["properties"]?["user"]?["type"] == "integer")
        #expect(Sizes.schema["properties"]?["share"]?["type"] == "number")
    }

    private struct Apples: WireBody, Codable, Equatable {
        static let keepsNames = true

        var applicationTokens: [Int64]
    }

    private struct Needs: WireBody, Codable {
        var lastWords: String
    }

    @Test("The payload coder writes property names in snake case and keys of maps unchanged")
    func names() throws {
        let text = String(decoding: try Named().encodedBody(), as: UTF8.self)
        let expected = """
            {"plain":1,"counted_ms":2,"boot_id":"b","url_of_a_site":true,"p50_ms":0.5,"is_x":false,\
            "by_name":{"camelCase":1,"snake_case":2},"any":{"aKey":1},"inner":{"oneTwo":{"deep_down":3}},\
            "list":[{"deep_down":3}]}
            """

        #expect(text == expected)
        #expect(try Named.decodedBody(Array(text.utf8)) == Named())
        #expect(try FoundationCoders.encoder.encode(Named()).count == text.utf8.count)
        guard case .object(let properties) = Named.schema["properties"] ?? [:] else {
            Issue.record("no properties")
            return
        }
        #expect(properties.keys.contains("url_of_a_site") && properties.keys.contains("by_name"))
    }

    @Test("The payload coder reads escaped names, and the Swift names in databases of version 0.5")
    func oldNames() throws {
        let new = Array(#"{"last\u005fwords":"new","lastWords":"old"}"#.utf8)
        let old = Array(#"{"lastWords":"old"}"#.utf8)

        #expect(try Needs.decodedBody(new).lastWords == "new")
        #expect(try Needs.decodedBody(old).lastWords == "old")
    }

    @Test("The payload coder keeps the names of a foreign format")
    func kept() throws {
        let text = #"{"applicationTokens":[1]}"#
        let snake = Array(#"{"application_tokens":[1]}"#.utf8)
        let wrong = Array(#"{"applicationTokens":[true]}"#.utf8)

        #expect(String(decoding: try Apples(applicationTokens: [1]).encodedBody(), as: UTF8.self) == text)
        #expect(try Apples.decodedBody(Array(text.utf8)).applicationTokens == [1])
        #expect(throws: Problem.self) { try Apples.decodedBody(snake) }
        #expect(
            #expect(throws: Problem.self) { try Apples.decodedBody(wrong) }?.field == "/applicationTokens/0"
        )
    }

    @Test("A decoding problem names the field as on the wire")
    func problems() throws {
        let missing = #expect(throws: Problem.self) { try Needs.decodedBody(Array("{}".utf8)) }
        let deep = Array(
            #"{"plain":1,"boot_id":"b","url_of_a_site":true,"p50_ms":1,"is_x":true,"by_name":{"aB":"x"}}"#
                .utf8
        )
        let inMap = #expect(throws: Problem.self) { try Named.decodedBody(deep) }

        #expect(missing?.field == "/last_words")
        #expect(missing?.message == "The field last_words is missing.")
        #expect(inMap?.field == "/by_name/aB")
    }

    @Test("A value of the wrong type gives a problem with the path of its field")
    func errors() throws {
        let wrong = Array("{\"agent\":\"a\",\"run\":\"r\",\"observations\":[{\"sequence\":\"one\"}]}".utf8)

        let problem = #expect(throws: Problem.self) { try UsageObserve.Request.decodedBody(wrong) }

        #expect(problem?.code == "body.wrong_type")
        #expect(problem?.field == "/observations/0/sequence")
    }
}
