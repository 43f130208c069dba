package import STPlatform

package enum ReportRender: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        package var member: String?
        package var context: String
        /// Nil is today, by hours.
        package var filter: ReportFilter?
        package var language: String?

        package init(
            app: String,
            member: String? = nil,
            context: String,
            filter: ReportFilter? = nil,
            language: String? = nil
        ) {
            self.app = app
            self.member = member
            self.context = context
            self.filter = filter
            self.language = language
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var report: String
        package var app: String
        package var context: String
        /// How many pieces `report.piece` gives.
        package var pieces: Int64
        package var bytes: Int64
        package var tookMs: Int64

        package init(
            report: String,
            app: String,
            context: String,
            pieces: Int64,
            bytes: Int64,
            tookMs: Int64
        ) {
            self.report = report
            self.app = app
            self.context = context
            self.pieces = pieces
            self.bytes = bytes
            self.tookMs = tookMs
        }
    }

    package static let pieceBytes = 128 * 1024
    package static let name = "report.render"
    package static let kind = RouteKind.query
    package static let isConfidential = true
    package static let summary = "Has an app's report extension make a report, and keeps it for a while."
}

package enum ReportPiece: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var report: String
        /// From 0.
        package var piece: Int64

        package init(report: String, piece: Int64) {
            self.report = report
            self.piece = piece
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// Base64.
        package var bytes: String
        package var isLast: Bool

        package init(bytes: String, isLast: Bool) {
            self.bytes = bytes
            self.isLast = isLast
        }
    }

    /// As many as a page of the largest size has.
    private static let most = Int64(PageLimits.bytes / ReportRender.pieceBytes + 2)

    /// All of a report that was made, piece by piece; throws `report.broken` where they are none.
    package static func all(
        of made: ReportRender.Reply,
        _ ask: (Request) async throws -> Reply
    ) async throws -> Page {
        let broken = Problem(
            "report.broken",
            "The report from \(made.app, "app") cannot be read as a page.",
            help: "screentime app log \(made.app)"
        )
        var bytes: [UInt8] = []
        for piece in 0..<min(made.pieces, most) {
            let part = try await ask(.init(report: made.report, piece: piece))
            guard let some = Base64.decode(part.bytes) else { throw broken }
            bytes += some
            if part.isLast { break }
        }
        guard let page = try? Page.decodedBody(bytes) else { throw broken }
        return page
    }

    package static let name = "report.piece"
    package static let kind = RouteKind.query
    package static let isConfidential = true
    package static let summary = "A piece of a report that was made: JSON text of a page."
}

package enum ReportContexts: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        package var member: String?

        package init(app: String, member: String? = nil) {
            self.app = app
            self.member = member
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var app: String
        package var contexts: [String]

        package init(app: String, contexts: [String]) {
            self.app = app
            self.contexts = contexts
        }
    }

    package static let name = "report.contexts"
    package static let kind = RouteKind.query
    package static let summary = "The reports that an app offers."
}

package enum RebuildState: String, WireEnum {
    case idle
    case running
    case done
    case failed
    case unknown
}

package enum ReportRebuild: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// False only asks how far it is.
        package var starts: Bool

        package init(starts: Bool) {
            self.starts = starts
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var state: RebuildState
        package var rows: Int64
        package var tookMs: Int64
        /// How much of the stream has been read; nil before that is known.
        package var percent: Int64?
        package var problem: Problem?

        package init(state: RebuildState, rows: Int64, tookMs: Int64, problem: Problem? = nil) {
            self.state = state
            self.rows = rows
            self.tookMs = tookMs
            self.problem = problem
        }
    }

    package static let name = "report.rebuild"
    package static let kind = RouteKind.query
    package static let summary =
        "Rebuilds the figures from the ledger, beside the old ones, and then replaces those."
}

/// What a report extension is asked.
package struct ReportCallBody: WireBody, Codable, Equatable {
    /// Nil: only which contexts there are.
    package var context: String?
    package var filter: ReportFilter?
    package var language: String?
    package var zone: String?

    package init(
        context: String? = nil,
        filter: ReportFilter? = nil,
        language: String? = nil,
        zone: String? = nil
    ) {
        self.context = context
        self.filter = filter
        self.language = language
        self.zone = zone
    }
}

/// What it answers.
package struct ReportCallResult: WireBody, Codable, Equatable {
    package var contexts: [String]
    package var page: Page?

    package init(contexts: [String], page: Page? = nil) {
        self.contexts = contexts
        self.page = page
    }
}

package enum ReportMethod: String, WireEnum {
    case contexts
    case makeReport = "make_report"
    case unknown
}

/// A thing of a report as an app sees it: with its own token.
package struct ReportThing: WireBody, Codable, Equatable {
    package var id: String
    package var token: String
    package var name: String

    package init(id: String, token: String, name: String) {
        self.id = id
        self.token = token
        self.name = name
    }
}

/// A part of the use in one segment, as an app sees it.
package struct ReportDataRow: WireBody, Codable, Equatable {
    package var category: ReportThing
    /// Nil: nothing was in front.
    package var application: ReportThing?
    package var webDomain: ReportThing?
    package var usedMs: Int64
    package var pickups: Int64
    package var notifications: Int64

    package init(
        category: ReportThing,
        application: ReportThing? = nil,
        webDomain: ReportThing? = nil,
        usedMs: Int64,
        pickups: Int64,
        notifications: Int64
    ) {
        self.category = category
        self.application = application
        self.webDomain = webDomain
        self.usedMs = usedMs
        self.pickups = pickups
        self.notifications = notifications
    }
}

/// One segment of one person on one device.
package struct ReportDataPart: WireBody, Codable, Equatable {
    package var member: String
    /// What people call the member.
    package var name: String
    package var isChild: Bool
    package var device: ReportDevice
    /// The number of the segment for this person and device; -1 stands for one of whom nothing is known.
    package var number: Int64
    package var startWallMs: Int64
    package var endWallMs: Int64
    package var usedMs: Int64
    package var idlePickups: Int64
    package var firstPickupWallMs: Int64?
    package var longestStartWallMs: Int64?
    package var longestEndWallMs: Int64?
    package var updatedWallMs: Int64
    /// A segment with many rows comes in several parts with one number.
    package var rows: [ReportDataRow]

    package init(
        member: String,
        name: String,
        isChild: Bool,
        device: ReportDevice,
        number: Int64,
        startWallMs: Int64,
        endWallMs: Int64,
        usedMs: Int64,
        idlePickups: Int64,
        firstPickupWallMs: Int64? = nil,
        longestStartWallMs: Int64? = nil,
        longestEndWallMs: Int64? = nil,
        updatedWallMs: Int64,
        rows: [ReportDataRow]
    ) {
        self.member = member
        self.name = name
        self.isChild = isChild
        self.device = device
        self.number = number
        self.startWallMs = startWallMs
        self.endWallMs = endWallMs
        self.usedMs = usedMs
        self.idlePickups = idlePickups
        self.firstPickupWallMs = firstPickupWallMs
        self.longestStartWallMs = longestStartWallMs
        self.longestEndWallMs = longestEndWallMs
        self.updatedWallMs = updatedWallMs
        self.rows = rows
    }
}

package enum ReportData: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        package var member: String?
        package var filter: ReportFilter
        package var language: String?
        package var next: String?

        package init(
            app: String,
            member: String? = nil,
            filter: ReportFilter,
            language: String? = nil,
            next: String? = nil
        ) {
            self.app = app
            self.member = member
            self.filter = filter
            self.language = language
            self.next = next
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var parts: [ReportDataPart]
        package var next: String?

        package init(parts: [ReportDataPart], next: String? = nil) {
            self.parts = parts
            self.next = next
        }
    }

    package static let name = "report.data"
    package static let kind = RouteKind.query
    package static let isConfidential = true
    package static let summary = "What a filter of an app matches, segment by segment: DeviceActivityResults."
}
