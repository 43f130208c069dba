import STContracts
import STPlatform
import STTestSupport
import STWire
import Testing

@Suite("Messages on the wire")
struct MessageCodecTests {
    private struct Sent: WireBody, Codable, Equatable {
        var wayOut: Message
        var note: Message?
        var steps: [Message] = []
    }

    private static let opens = Message(
        "test.opens",
        "\("Chess", "app") opens in \(MessageValue.duration(ms: 90_000), "length")."
    )

    private static func text(_ sent: Sent) throws -> String {
        String(decoding: try sent.encodedBody(), as: UTF8.self)
    }

    private static func decoded(_ text: String) throws -> Sent { try Sent.decodedBody(Array(text.utf8)) }

    @Test("A message is encoded as its English text and a second field with its key and values")
    func field() throws {
        let sent = Sent(wayOut: Self.opens, note: Message(verbatim: "as is"))
        let expected =
            #"{"way_out":"Chess opens in 1 min 30 s.","way_out_message":{"key":"test.opens","#
            + #""values":{"app":"Chess","length":{"duration_ms":90000}}},"note":"as is","steps":[]}"#
        #expect(try Self.text(sent) == expected)
        #expect(try Self.decoded(expected) == sent)
    }

    @Test("A list keeps the order of messages and plain texts")
    func list() throws {
        let counted = Message("test.apps", count: 2, one: "1 app", other: "\(2, "count") apps")
        let parts = Message("test.parts", "\(MessageValue.list([.message(counted), .text("b")]), "parts")")
        let sent = Sent(wayOut: Message(verbatim: ""), steps: [parts, Message(verbatim: "x"), counted])
        #expect(parts.english == "2 apps, b")
        #expect(try Self.decoded(Self.text(sent)) == sent)
    }

    @Test(
        "A message with unusable parts is decoded as its English text",
        arguments: [
            #""way_out_message":7"#, #""way_out_message":{"key":{}}"#, #""way_out_message":{}"#,
            #""way_out_message":{"key":"test.a","values":{"app":{"moment_ms":7}}}"#,
            #""way_out_message":null"#, #""steps_messages":[{"key":"a.b"}]"#, #""steps_messages":"no""#,
        ]
    )
    func unknownParts(part: String) throws {
        let found = try Self.decoded(#"{"way_out":"Text","steps":["a","b"],\#(part)}"#)
        #expect(
            found == Sent(wayOut: Message(verbatim: "Text"), steps: ["a", "b"].map { Message(verbatim: $0) })
        )
    }

    private struct Page: WireBody, Codable, Equatable {
        var lines: [Sent]
    }

    @Test(
        "Nested messages keep all levels, and one with too many levels or values is only its English text"
    )
    func nested() throws {
        func nest(_ levels: Int) -> Message {
            levels == 0
                ? Self.opens
                : Message("test.nested", "\(MessageValue.list([.message(nest(levels - 1))]), "inner")")
        }
        let page = Page(lines: [Sent(wayOut: nest(3), steps: [nest(2)])])
        #expect(try Page.decodedBody(page.encodedBody()) == page)
        let deep = try Page.decodedBody(Page(lines: [Sent(wayOut: nest(9))]).encodedBody())
        #expect(deep.lines[0].wayOut.english == Self.opens.english)
        let many = MessageValue.list(Array(repeating: .text("a"), count: 100))
        let wide = Sent(wayOut: Message("test.wide", "\(many, "inner")"))
        #expect(try Self.decoded(Self.text(wide)).wayOut == Message(verbatim: wide.wayOut.english))
    }

    @Test("JSON for a page contains texts in its language and no message parts")
    func translated() throws {
        let sent = Sent(wayOut: Message("date.monday", "Monday"), steps: [Message("date.sunday", "Sunday")])
        let json = try JSONValue(text: Page(lines: [sent]).encodedBody()).translated(into: .korean)
        #expect(json == ["lines": [["way_out": "월요일", "steps": ["일요일"]]]])
    }

    @Test("A message of another type is rejected")
    func wrongType() {
        #expect(throws: Problem.self) { try Self.decoded(#"{"way_out":7,"steps":[]}"#) }
        #expect(throws: Problem.self) { try Self.decoded(#"{"way_out":"a","steps":[7]}"#) }
    }

    @Test("The schema of a message describes both fields and requires only the first")
    func schema() throws {
        let schema = Sent.schema
        #expect(schema["required"] == ["steps", "way_out"])
        #expect(schema["properties"]?["way_out"] == ["type": "string"])
        #expect(schema["properties"]?["way_out_message"]?["type"] == "object")
        #expect(schema["properties"]?["steps_messages"]?["type"] == "array")
    }

    @Test("Random messages survive encoding and decoding")
    func random() throws {
        var random = SeededRandom(seed: 1)
        for _ in 0..<500 {
            let sent = Sent(
                wayOut: Self.message(&random, depth: 3),
                note: random.chance(percent: 50) ? Self.message(&random, depth: 2) : nil,
                steps: (0..<random.number(0...3)).map { _ in Self.message(&random, depth: 1) }
            )
            #expect(try Self.decoded(Self.text(sent)) == sent)
        }
    }

    private static func message(_ random: inout SeededRandom, depth: Int) -> Message {
        let english = "Text \(random.number(0...9))"
        guard random.chance(percent: 80) else { return Message(verbatim: english) }
        var values: [String: MessageValue] = [:]
        for name in ["a", "b"] where random.chance(percent: 60) {
            values[name] = value(&random, depth: depth)
        }
        let count = random.chance(percent: 30) ? random.number(0...9) : nil
        return Message(key: "test.key", english: english, values: values, count: count)
    }

    private static func value(_ random: inout SeededRandom, depth: Int) -> MessageValue {
        switch random.number(0...(depth > 0 ? 3 : 1)) {
        case 0: .text("“{x}” \u{202E} \(random.number(0...9))")
        case 1: .duration(ms: Int64(random.number(-5...5)) * 60_000)
        case 2:
            .message(
                Message(key: "test.inner", english: "Inner", values: ["v": value(&random, depth: depth - 1)])
            )
        default:
            .list([
                .message(
                    Message(
                        key: "test.item",
                        english: "Item",
                        values: ["v": value(&random, depth: depth - 1)]
                    )
                ),
                .text("z"),
            ])
        }
    }
}
