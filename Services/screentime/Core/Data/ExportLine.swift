package import STContracts

/// One line of an export: an object with one member, whose name says what it is.
package struct ExportLine: WireBody, Codable, Equatable {
    /// What a line can be, in the order in which they stand in a file: what others need comes first.
    package enum Kind: String, CaseIterable {
        case device, member, category, list, rule, allowed, store, usage, notified, notification, request

        /// Nil for what is brought back.
        package var whyLeft: String? {
            switch self {
            case .device, .member, .category, .list, .rule, .usage, .notified: nil
            case .allowed: Speech.say("rules bring these back", "규칙이 되돌립니다")
            case .store: Speech.say("only the apps themselves can set these again", "앱만 다시 정할 수 있습니다")
            case .notification: Speech.say("they came when they were due", "이미 제때 왔습니다")
            case .request: Speech.say("granted time does not come back", "승인된 시간은 돌아오지 않습니다")
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
        return Speech.say("\(count) \(name)", "\(name) \(count)")
    }

    package static func name(_ kind: ExportLine.Kind, _ count: Int64) -> String {
        let (one, more, korean) =
            switch kind {
            case .device: ("other device", "other devices", "다른 기기")
            case .member: ("person", "people", "사람")
            case .category: ("moved app or site", "moved apps and sites", "옮긴 앱과 사이트")
            case .list: ("part of a list of sites", "parts of lists of sites", "사이트 목록의 부분")
            case .rule: ("rule", "rules", "규칙")
            case .allowed:
                ("list of what is always allowed", "lists of what is always allowed", "항상 허용된 것의 목록")
            case .store: ("store of an app", "stores of apps", "앱의 저장소")
            case .usage: ("stretch of time", "stretches of time", "사용 구간")
            case .notified: ("count of notifications", "counts of notifications", "알림의 수")
            case .notification: ("notification of ours", "notifications of ours", "스크린 타임의 알림")
            case .request: ("request for more time", "requests for more time", "시간을 더 달라는 요청")
            }
        return Speech.say(count == 1 ? one : more, korean)
    }
}
