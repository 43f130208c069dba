import FoundationEssentials
import STContracts
import Testing

@Suite("Golden files")
struct GoldenTests {
    @Test("A golden file is decoded and encoded without loss", arguments: Golden.all)
    func roundTrip(golden: Golden) throws {
        let text = try golden.text()
        let bytes = Array(text.utf8)
        let file = try JSONDecoder().decode(JSONValue.self, from: Data(bytes))

        let again = try golden.recode(bytes)

        #expect(try JSONDecoder().decode(JSONValue.self, from: Data(again)) == file)
    }

    @Test("The keys of a golden file are sorted", arguments: Golden.all)
    func sorted(golden: Golden) throws {
        let text = try golden.text()
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]

        let compact = String(decoding: try encoder.encode(value), as: UTF8.self)

        // The file is indented. White space outside of strings has no meaning.
        #expect(text.filter { !$0.isWhitespace } == compact.filter { !$0.isWhitespace })
    }

    @Test("A golden file contains every field, including optional ones", arguments: Golden.all)
    func complete(golden: Golden) throws {
        guard case .object(let properties) = golden.schema["properties"] ?? [:],
            case .object(let file) = try JSONDecoder().decode(
                JSONValue.self,
                from: Data(try golden.text().utf8)
            )
        else {
            Issue.record("\(golden.name) is no object")
            return
        }

        let missing = Set(properties.keys).subtracting(file.keys)
        #expect(missing.isEmpty)
    }

    @Test("A golden file with an additional field is decoded like before", arguments: Golden.all)
    func additive(golden: Golden) throws {
        let bytes = Array(try golden.text().utf8)
        let open = try #require(bytes.firstIndex(of: UInt8(ascii: "{")))
        let isEmpty = try JSONDecoder().decode(JSONValue.self, from: Data(bytes)) == [:]
        let added = Array("\"a_later_field\":{\"x\":[1]}\(isEmpty ? "" : ",")".utf8)

        let again = try golden.recode(Array(bytes[...open]) + added + Array(bytes[(open + 1)...]))

        #expect(again == (try golden.recode(bytes)))
    }

    @Test("Every golden file has a type that checks it")
    func known() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Golden.folder).sorted()

        #expect(files == Set(Golden.all.map { $0.name + ".json" }).sorted())
    }
}
