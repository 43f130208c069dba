package import STContracts
import STPlatform

/// One line of an export: an object with one member, whose name says what it is.
package struct ExportLine: WireBody, Codable, Equatable {
    /// What a line can be, in the order in which they stand in a file: what others need comes first.
    package enum Kind: String, CaseIterable {
        case device, member, category, list, rule, allowed, store, usage, notified, notification, request

        /// Nil for what is brought back.
        package var whyLeft: String? {
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

    /// In bytes, without its end.
    package static let bytesMax = 64 * 1024
    package static let version: Int64 = 1

    // What is brought back; the others are for reading.
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

    /// The name of the first member; nil when the text does not begin like an object with one.
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

/// The first line.
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
    /// What of the past it holds; nil is all of it.
    package var fromWallMs: Int64?
    package var toWallMs: Int64?
    package var member: String?
}

/// What every version's first line says.
package struct ExportMark: WireBody, Codable, Equatable {
    package var screentime: String
    package var version: Int64
}

/// The last line: without it the file was cut off.
package struct ExportEnd: WireBody, Codable, Equatable {
    /// When it was written.
    package var end: String
    /// How many lines stand before it.
    package var lines: Int64
    /// Services that did not answer, so that what they keep is not in the file.
    package var missing: [String]?
}

/// A part of a list of sites.
package struct ExportedList: WireBody, Codable, Equatable {
    package var name: String
    package var category: String
    /// The number of sites in all its parts.
    package var count: Int64
    package var domains: [String]

    static let partBytes = 32 * 1024
}

/// What the lines of an export are called.
package enum TransferWords {
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
