import FoundationEssentials
import STContracts
import STPlatform
import Testing

@Suite("The header codec")
struct HeaderCodecTests {
    private static let cases = 5_000

    @Test("The general decoder reads encoded request headers")
    func written() throws {
        var random = RandomSource(seed: 1)
        for _ in 0..<Self.cases {
            let header = RandomText.header(&random)
            let read = try FoundationCoders.decoder.decode(RequestHeader.self, from: Data(header.encoded()))
            #expect(read == header)
        }
    }

    @Test("The header codec reads headers of the general encoder")
    func read() throws {
        var random = RandomSource(seed: 2)
        for _ in 0..<Self.cases {
            let header = RandomText.header(&random)
            let partial = try RequestHeader.read(Array(try FoundationCoders.encoder.encode(header)))
            var found = partial.rest
            found.v = partial.v ?? 0
            found.id = partial.id ?? ""
            found.route = partial.route ?? ""
            #expect(found == header)
        }
    }

    @Test(
        "The header codec reads escapes like the general decoder",
        arguments: [
            #"\u0041"#, #"\ud83d\ude00"#, #"\"\\\/\b\f\n\r\t"#, #"\u0000\u001f"#, #"é😀"#, #"\u00e9\u00E9"#,
            #"\uFFFF"#, "",
        ]
    )
    func escapes(text: String) throws {
        let bytes = Array("{\"v\":1,\"id\":\"\(text)\",\"route\":\"r\"}".utf8)

        let general = try FoundationCoders.decoder.decode(RequestHeader.self, from: Data(bytes))

        #expect(try RequestHeader.read(bytes).id == general.id)
    }

    @Test("A surrogate without its counterpart is read as the replacement character")
    func loneSurrogates() throws {
        for text in [#"\ud83d"#, #"\ude00"#, #"\ud83dx"#, #"\ud83d\u0041"#] {
            let id = try RequestHeader.read(Array("{\"id\":\"\(text)\"}".utf8)).id
            #expect(id?.contains("\u{FFFD}") == true)
        }
    }

    @Test("A number field of a header accepts only valid integers of 64 bits")
    func numbers() throws {
        let read = { (text: String) in
            try RequestHeader.read(Array("{\"timeout_ms\":\(text)}".utf8)).rest.timeoutMs
        }

        #expect(try read("-9223372036854775808") == .min)
        #expect(try read("9223372036854775807") == .max)
        #expect(try read("9223372036854775808") == nil)
        #expect(try read("1.5") == nil)
        #expect(try read("\"5\"") == nil)
        #expect(try read("0") == 0)
        #expect(throws: JSONFault.self) { try read("05") }
    }

    @Test("An event header with random texts survives encoding and decoding")
    func events() throws {
        var random = RandomSource(seed: 3)
        for _ in 0..<2_000 {
            let header = RandomText.eventHeader(&random)
            #expect(EventHeader.read(header.encoded()) == header)
        }
    }

    @Test("A page of events survives encoding and decoding, with its bodies byte for byte")
    func pages() throws {
        var random = RandomSource(seed: 4)
        for _ in 0..<200 {
            let events = (0..<Int(random.next() % 4)).map { _ in
                WireEvent(
                    header: RandomText.eventHeader(&random),
                    body: Array(#"{"a": [1, {"b":"\u00e9"}] }"#.utf8)
                )
            }
            let head = StreamPoint(stream: "s", epoch: RandomText.text(&random), sequence: 4, id: nil)
            let page = EventPage(
                head: head,
                events: events,
                next: random.next() % 2 == 0 ? nil : RandomText.text(&random)
            )
            #expect(try EventPage.decodedBody(try page.encodedBody()) == page)
        }
    }

    @Test("An enum value from a later version is decoded as unknown")
    func enums() throws {
        let member = try Member.decodedBody(Array(#"{"name":"kim","role":"grandparent"}"#.utf8))

        #expect(member.role == .unknown)
        #expect(throws: Problem.self) { try member.role.required("/role") }
        #expect(try Member.decodedBody(Array(#"{"name":"kim","role":"child"}"#.utf8)).role == .child)
    }
}
