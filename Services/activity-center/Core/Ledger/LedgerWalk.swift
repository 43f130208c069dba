import STContracts
import STPlatform
import STStore

/// One pass over the rows, from link to link.
struct LedgerWalk {
    /// Where the next page goes on.
    struct Place: WireBody, Codable {
        struct End: WireBody, Codable {
            var member: String
            var boot: String
            var bootMs: Int64
        }

        var row: Int64 = 0
        var forgotten: Int64 = 0
        /// Where the latest rows of each member end, by start of the machine.
        var ends: [End] = []

        /// A member has two starts of the machine under way at most, and a household has a few members.
        static let endsMax = 64

        func text() throws -> String { String(decoding: try encodedBody(), as: UTF8.self) }
    }

    private(set) var place: Place
    private(set) var chain: LedgerChain
    var fault: LedgerFault?

    init(_ next: String?, _ database: Database) throws {
        place = Place()
        chain = LedgerChain()
        guard let next else { return }
        guard let place = try? Place.decodedBody(Array(next.utf8)), place.row > 0 else {
            throw Problem("page.invalid", "Send back `next` exactly as the reply had it.", field: "/next")
        }
        self.place = place
        let link = try database.first("SELECT chain_hash FROM ledger WHERE row = ?", [.integer(place.row)]) {
            try $0.blob(0)
        }
        chain = LedgerChain(row: place.row, link: link ?? [])
    }

    mutating func take(_ row: borrowing Row) throws {
        let number = try row.int(0)
        guard number == place.row + 1 else {
            let missing = place.row + 1
            return fail(missing, .rowMissing, "Row \(missing) is missing: after it comes row \(number).")
        }
        let content = try row.blob(18)
        if try row.bool(17) {
            guard (1...16).allSatisfy({ row.isNull($0) }), row.isNull(20), row.isNull(21) else {
                return fail(
                    number,
                    .contentChanged,
                    "Row \(number) counts as forgotten and still says something."
                )
            }
            place.forgotten += 1
        } else {
            let segment = try LedgerStore.segment(row)
            guard LedgerChain.content(segment) == content else {
                return fail(
                    number,
                    .contentChanged,
                    "Row \(number) does not say what it said when it was written."
                )
            }
            if let fault = faultOfTimes(segment, number) {
                self.fault = fault
                return
            }
        }
        chain.append(content: content)
        guard try row.blob(19) == chain.link else {
            return fail(number, .chainBroken, "Row \(number) does not follow from the row before it.")
        }
        place.row = number
    }

    private mutating func fail(_ row: Int64, _ reason: LedgerFaultReason, _ text: String) {
        fault = LedgerFault(row: row, reason: reason, text: text)
    }

    private mutating func faultOfTimes(_ segment: Segment, _ row: Int64) -> LedgerFault? {
        guard segment.endBootMs >= segment.startBootMs else {
            return LedgerFault(row: row, reason: .timesReversed, text: "Row \(row) ends before it begins.")
        }
        // What was brought here comes in any order; whether it overlaps was looked at when it came.
        if segment.knownBy == .imported { return nil }
        let index = place.ends.firstIndex { $0.member == segment.member && $0.boot == segment.bootId }
        if let index {
            let end = place.ends.remove(at: index).bootMs
            guard segment.startBootMs >= end else {
                return LedgerFault(
                    row: row,
                    reason: .rowsOverlap,
                    text:
                        "Row \(row) begins before an earlier one of the same member ends, so time counts twice."
                )
            }
        }
        place.ends.append(.init(member: segment.member, boot: segment.bootId, bootMs: segment.endBootMs))
        if place.ends.count > Place.endsMax { place.ends.removeFirst() }
        return nil
    }
}
