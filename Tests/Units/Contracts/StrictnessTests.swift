import FoundationEssentials
import STContracts
import STPlatform
import Testing

@Suite("The syntax check of bodies")
struct StrictnessTests {
    private static let documents = [
        #"{"a":[1,-2.5e+3,0,0.5,true,false,null],"b":{"c":"\u00e9\n\"","d":{}},"e":[]}"#,
        #" { "x" : [ { } , [ [ ] ] , "" ] , "y" : -0 } "#,
        #"{"v":1,"id":"01JD","route":"health.ping","timeout_ms":2000}"#,
    ]

    @Test("The syntax check rejects random bytes that are not an object, and truncated documents")
    func noise() {
        var random = RandomSource(seed: 5)
        var wrong: [[UInt8]] = []
        var taken = 0
        for _ in 0..<100_000 {
            let bytes = (0..<Int(random.next() % 24)).map { _ in Self.byte(&random) }
            guard (try? JSONText.requireObject(bytes)) != nil else { continue }
            taken += 1
            let dense = bytes.filter { !Array(" \n\r\t".utf8).contains($0) }
            if dense.first != UInt8(ascii: "{") || dense.last != UInt8(ascii: "}") { wrong.append(bytes) }
        }
        #expect(wrong == [])
        #expect(taken > 0)
        for document in Self.documents {
            let bytes = Array(document.utf8)
            for end in 0..<(bytes.lastIndex(of: UInt8(ascii: "}")) ?? 0) {
                let cut = Array(bytes[..<end])
                #expect(throws: JSONFault.self, "\(cut)") { try JSONText.requireObject(cut) }
                #expect(throws: (any Error).self) { try EventPage.decodedBody(cut) }
                #expect(EventHeader.read(cut) == nil && ReplyHeader.read(cut) == nil)
            }
        }
    }

    // Four differences are known. The check accepts invalid UTF-8, which decoding the body rejects. It reads a surrogate without
    // its counterpart as U+FFFD, which the decoder rejects. It accepts numbers beyond floating point as text. It rejects a trailing
    // comma, which the decoder accepts.
    @Test("The syntax check agrees with a general decoder on changed documents")
    func likeTheDecoder() {
        var random = RandomSource(seed: 6)
        var taken = 0
        for round in 0..<20_000 {
            var bytes = Array(Self.documents[round % Self.documents.count].utf8)
            for _ in 0...Int(random.next() % 3) { Self.mutate(&bytes, &random) }
            guard String(validating: bytes, as: UTF8.self) != nil else { continue }
            let ours = (try? JSONText.requireObject(bytes)) != nil
            let theirs = (try? JSONDecoder().decode([String: JSONValue].self, from: Data(bytes))) != nil
            if ours { taken += 1 }
            let text = String(decoding: bytes, as: UTF8.self)
            if ours != theirs, Self.isKnownDifference(text) { continue }
            #expect(ours == theirs, "\(text)")
            guard ours == theirs else { return }
        }
        #expect(taken > 1_000)
    }

    @Test(
        "Text that is almost JSON is rejected",
        arguments: [
            #"{"a":01}"#, #"{"a":-}"#, #"{"a":1.}"#, #"{"a":.5}"#, #"{"a":1e}"#, #"{"a":+1}"#, #"{"a":"\q"}"#,
            #"{"a":"\u12g4"}"#, #"{"a":"\u12"}"#, "{\"a\":\"\u{1}\"}", #"{"a":1,}"#, #"{,}"#, #"{"a"}"#,
            #"{"a":}"#,
            #"{'a':1}"#, #"{"a":[1,]}"#, #"{"a":nul}"#, #"{"a":True}"#, #"{"a":NaN}"#, #"{} {}"#,
            #"{"a":1 2}"#, "{\"a\\",
        ]
    )
    func notQuite(text: String) {
        #expect(throws: JSONFault.self) { try JSONText.requireObject(Array(text.utf8)) }
    }

    @Test("The syntax check stops at the depth limit without using up the stack")
    func depth() {
        let deep = { (depth: Int) in
            Array(
                (String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth)).utf8
            )
        }

        #expect(throws: Never.self) { try JSONText.requireObject(deep(BusLimits.depth)) }
        #expect(throws: JSONFault.tooDeep(limit: BusLimits.depth)) {
            try JSONText.requireObject(deep(BusLimits.depth + 1))
        }
        let mountain = Array("{\"a\":".utf8) + Array(repeating: UInt8(ascii: "["), count: 200_000)
        #expect(throws: JSONFault.tooDeep(limit: BusLimits.depth)) { try JSONText.requireObject(mountain) }
        #expect(throws: JSONFault.notAnObject) { try JSONText.requireObject(Array("[]".utf8)) }
    }

    private static func isKnownDifference(_ text: String) -> Bool {
        let dense = text.filter { !$0.isWhitespace }
        return ["\\ud", "\\uD", "e+3", ",]", ",}"].contains { dense.contains($0) }
    }

    private static func byte(_ random: inout RandomSource) -> UInt8 {
        let common = Array(#"{}[]",:\u0123-e+.tfn "#.utf8)
        return random.next() % 4 == 0
            ? UInt8(truncatingIfNeeded: random.next()) : common[Int(random.next() % UInt64(common.count))]
    }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout RandomSource) {
        guard !bytes.isEmpty else { return }
        let index = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 3 {
        case 0: bytes[index] = byte(&random)
        case 1: bytes.remove(at: index)
        default: bytes.insert(byte(&random), at: index)
        }
    }
}
