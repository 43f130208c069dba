import STContracts
import STPlatform
import Synchronization

@testable import DeviceActivity

/// Pages of a report in the form of the service's replies.
enum Pages {
    static let filter = ReportFilter(
        segment: .hour,
        fromWallMs: 0,
        toWallMs: 7_200_000,
        applications: [],
        categories: [],
        webDomains: []
    )

    static func row(
        _ app: String,
        category: String,
        usedMs: Int64,
        pickups: Int64 = 0,
        site: String? = nil
    )
        -> ReportDataRow
    {
        ReportDataRow(
            category: ReportSubject(
                id: category,
                token: "Yy0\(category)".base64Padded,
                name: category.uppercased()
            ),
            application: ReportSubject(id: app, token: "YXAt\(app)".base64Padded, name: "The \(app)"),
            webDomain: site.map { ReportSubject(id: $0, token: "c2l0\($0)".base64Padded, name: "") },
            usedMs: usedMs,
            pickups: pickups,
            notifications: 2
        )
    }

    static func part(_ member: String, number: Int64, rows: [ReportDataRow], device: String = "here")
        -> ReportDataPart
    {
        ReportDataPart(
            member: member,
            name: member.capitalized,
            isChild: member != "owner",
            device: ReportDevice(device: device, name: "", model: .mac, isThis: device == "here"),
            number: number,
            startWallMs: number * 3_600_000,
            endWallMs: (number + 1) * 3_600_000,
            usedMs: rows.reduce(0) { $0 + $1.usedMs },
            idlePickups: 1,
            firstPickupWallMs: 5_000,
            longestStartWallMs: 5_000,
            longestEndWallMs: 6_000,
            updatedWallMs: 9_000,
            rows: rows
        )
    }

    /// Each page has the parts of one list. The cursor `1`, `2` … leads to the next page.
    static func desk(
        _ pages: [[ReportDataPart]],
        asked: Asked = Asked(),
        patience: WaitLimit = WaitLimit(milliseconds: 60_000)
    ) -> ReportPages {
        ReportPages(filter: filter, things: ReportThings(), patience: patience) { next in
            asked.cursors.withLock { $0.append(next ?? "") }
            let number = next.flatMap { Int($0) } ?? 0
            return ReportData.Reply(
                parts: pages[number],
                next: number + 1 < pages.count ? "\(number + 1)" : nil
            )
        }
    }

    final class Asked: Sendable {
        let cursors = Mutex<[String]>([])

        var count: Int { cursors.withLock { $0.count } }
    }
}

extension String {
    /// Letters and digits only, padded to a multiple of four, which is valid base64.
    fileprivate var base64Padded: String {
        let plain = filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return plain + String(repeating: "A", count: (4 - plain.count % 4) % 4)
    }
}
