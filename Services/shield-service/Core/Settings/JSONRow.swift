import STContracts
import STPlatform

/// JSON objects as they stand in rows.
enum JSONRow {
    static func members(_ bytes: [UInt8]) throws -> [String: JSONValue] {
        guard case .object(let members) = try JSONValue(text: bytes) else {
            throw Problem("store.wrong_type", "A row of settings is no object; restore a backup.")
        }
        return members
    }
}
