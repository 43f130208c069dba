package import STContracts
import STPlatform

/// A line of an export: an object with one member, whose name is the line's kind.
package struct ExportLine: WireBody, Codable, Equatable {
    /// The kinds of lines in the order of a file. A kind that others depend on comes first.
    package enum Kind: String, CaseIterable {
        case device, member, category, list, rule, allowed, store, usage, notified, notification, request

        /// The reason why an import skips lines of this kind. `nil` if an import adds them.
        package var skipReason: String? {
            switch self {
            case .device, .member, .category, .list, .rule, .usage, .notified: nil
            case .allowed: Speech.say("data.rules-bring-these-back", "importing the rules restores these")
            case .store:
                Speech.say("data.only-the-apps-themselves", "only the apps themselves can set these again")
            case .notification: Speech.say("data.they-came-when-they", "these were shown when they were due")
            case .request: Speech.say("data.granted-time-does-not", "granted time is not restored")
            }
        }
    }

    /// Upper bound on the length of a line in bytes, without its line end.
    package static let bytesMax = 64 * 1024
    package static let version: Int64 = 1

    // An import adds these. The other kinds are for readers only.
    package var device: ImportedDevice?
    package var member: Member?
    package var category: CategoryChoice?
    package var list: ExportedList?
    package var rule: RuleView?
    package var usage: Segment?
    package var notified: NotificationCount?

    package static func text(_ kind: Kind, _ body: some WireBody) throws -> [UInt8] {
        Array("{\"\(kind.rawValue)\":".utf8) + (try body.encodedBody()) + [UInt8(ascii: "}")]
    }

    /// Returns the name of the first member. Returns `nil` if the text does not begin with an object that has one.
    package static func name(_ bytes: [UInt8]) -> String? {
        var rest = bytes[...]
        func skipSpace() { rest = rest.drop { [0x20, 0x09, 0x0D].contains($0) } }
        skipSpace()
        guard rest.popFirst() == UInt8(ascii: "{") else { return nil }
        skipSpace()
        guard rest.popFirst() == UInt8(ascii: "\""), let end = rest.firstIndex(of: UInt8(ascii: "\"")) else {
            return nil
        }
        return String(decoding: rest[..<end], as: UTF8.self)
    }
}

/// The first line of an export.
package struct ExportHeader: WireBody, Codable, Equatable {
    package struct Origin: WireBody, Codable, Equatable {
        package var id: String
        package var name: String
        package var model: ReportModel

        package init(id: String, name: String, model: ReportModel) {
            self.id = id
            self.name = name
            self.model = model
        }
    }

    package static let mark = "export"

    package var screentime: String
    package var version: Int64
    package var exportedAt: String
    package var device: Origin
    /// The start of the exported period. `nil` for all records.
    package var fromWallMs: Int64?
    package var toWallMs: Int64?
    package var member: String?
}

/// The members that the first line has in every version.
package struct ExportMark: WireBody, Codable, Equatable {
    package var screentime: String
    package var version: Int64
}

/// The last line of an export. A file without it is incomplete.
package struct ExportEnd: WireBody, Codable, Equatable {
    /// The time at which the line was written.
    package var end: String
    /// The number of lines before this one.
    package var lines: Int64
    /// The services that did not reply. Their data is missing from the file.
    package var missing: [String]?
}

/// A part of an added list of sites.
package struct ExportedList: WireBody, Codable, Equatable {
    package var name: String
    package var category: String
    /// The number of sites in all its parts.
    package var count: Int64
    package var domains: [String]

    static let partBytes = 32 * 1024
}

/// The names of the kinds of lines.
package enum TransferStrings {
    package static func counted(_ kind: ExportLine.Kind, _ count: Int64) -> String {
        let name = name(kind, count)
        return Speech.say("data.counted", "\(count, "count") \(name, "name")")
    }

    package static func name(_ kind: ExportLine.Kind, _ count: Int64) -> String {
        let count = Int(count)
        return switch kind {
        case .device:
            Speech.say("data.kind-device", count: count, one: "other device", other: "other devices")
        case .member: Speech.say("data.kind-member", count: count, one: "person", other: "people")
        case .category:
            Speech.say(
                "data.kind-category",
                count: count,
                one: "app or site with a changed category",
                other: "apps and sites with a changed category"
            )
        case .list:
            Speech.say(
                "data.kind-list",
                count: count,
                one: "part of a list of sites",
                other: "parts of lists of sites"
            )
        case .rule: Speech.say("data.kind-rule", count: count, one: "rule", other: "rules")
        case .allowed:
            Speech.say(
                "data.kind-allowed",
                count: count,
                one: "always-allowed list",
                other: "always-allowed lists"
            )
        case .store:
            Speech.say(
                "data.kind-store",
                count: count,
                one: "settings store of an app",
                other: "settings stores of apps"
            )
        case .usage:
            Speech.say("data.kind-usage", count: count, one: "usage interval", other: "usage intervals")
        case .notified:
            Speech.say(
                "data.kind-notified",
                count: count,
                one: "notification count",
                other: "notification counts"
            )
        case .notification:
            Speech.say(
                "data.kind-notification",
                count: count,
                one: "Screen Time notification",
                other: "Screen Time notifications"
            )
        case .request:
            Speech.say(
                "data.kind-request",
                count: count,
                one: "request for more time",
                other: "requests for more time"
            )
        }
    }
}
