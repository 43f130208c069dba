import STPlatform

/// For bodies that are read by hand: the same problems as Codable gives.
package enum BodyText {
    package static func read(_ bytes: [UInt8], _ member: (Range<Int>, inout JSONCursor) throws -> Void) throws
    {
        do {
            try JSONText.object(bytes, member)
        } catch is JSONFault {
            throw Problem("body.invalid", "The body is not valid JSON.")
        }
    }

    /// A field that must be there and of its kind.
    package static func need<Value>(_ value: Value?, _ field: String) throws -> Value {
        guard let value else {
            throw Problem(
                "body.field_missing",
                "The field is missing, or something else stands there.",
                field: field
            )
        }
        return value
    }
}
