/// Deletes what the ledger holds of one's own past.
package enum UsageForget: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// Whose past; the owner of this account where it is absent.
        package var member: String?
        package var fromWallMs: Int64
        /// Not part of it any more.
        package var toWallMs: Int64

        package init(member: String? = nil, fromWallMs: Int64, toWallMs: Int64) {
            self.member = member
            self.fromWallMs = fromWallMs
            self.toWallMs = toWallMs
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var member: String
        /// Rows whose content is gone.
        package var rows: Int64
        /// Events of theirs that are gone.
        package var events: Int64
        /// Whether there are more in the range: ask again.
        package var more: Bool
        /// Whether a part of the range is still under way and stays until it is over.
        package var keptOpen: Bool

        package init(member: String, rows: Int64, events: Int64, more: Bool, keptOpen: Bool) {
            self.member = member
            self.rows = rows
            self.events = events
            self.more = more
            self.keptOpen = keptOpen
        }
    }

    package static let name = "usage.forget"
    package static let kind = RouteKind.write
    package static let summary =
        "Deletes one's own past, whole rows that touch the range; who follows the stream builds anew."
}

package enum UsageForgotten: EventType {
    package struct Body: WireBody, Codable, Equatable {
        package var member: String
        package var fromWallMs: Int64
        package var toWallMs: Int64
        package var rows: Int64

        package init(member: String, fromWallMs: Int64, toWallMs: Int64, rows: Int64) {
            self.member = member
            self.fromWallMs = fromWallMs
            self.toWallMs = toWallMs
            self.rows = rows
        }
    }

    package static let stream = StreamName.usage
    package static let type = "usage.forgotten"
    package static let summary = "A member had a part of their past deleted."
}
