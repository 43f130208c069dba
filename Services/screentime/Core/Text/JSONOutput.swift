import FoundationEssentials
package import STContracts
package import STPlatform

/// JSON for people to read: two spaces, short leaves on one line, members in the order they came in.
package enum JSONOutput {
    /// A list or object of plain values that fits into so many columns stays on one line.
    private static let inlineColumns = 72

    /// The bytes laid out anew.
    ///
    /// Numbers and texts stay exactly as they are; broken JSON comes back as it was.
    package static func pretty(_ bytes: [UInt8]) -> String {
        var layout = JSONLayout(bytes, inlineColumns: inlineColumns)
        return layout.text()
    }

    package static func pretty(_ value: JSONValue) -> String { pretty(compact(value)) }

    /// On one line with sorted keys, so that the same value is always the same text.
    package static func compact(_ value: JSONValue) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { Array($0) } ?? Array("null".utf8)
    }

    package static func value(_ bytes: [UInt8]) throws(Problem) -> JSONValue {
        do {
            return try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
        } catch {
            throw Problem("json.invalid", "This is not valid JSON.")
        }
    }

    static func value(of body: some WireBody) throws -> JSONValue { try value(try body.encodedBody()) }
}
