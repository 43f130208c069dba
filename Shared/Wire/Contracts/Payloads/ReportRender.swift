package import STPlatform

package enum ReportRender: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        package var member: String?
        package var context: String
        /// The filter. `nil` means today, by hours.
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
        /// The number of pieces that `report.piece` returns.
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
    package static let summary =
        "Makes a report with an app's report extension, and keeps it for a while for `report.piece`."
}

package enum ReportPiece: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var report: String
        /// The number of the piece, from 0.
        package var piece: Int64

        package init(report: String, piece: Int64) {
            self.report = report
            self.piece = piece
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// The bytes in base64.
        package var bytes: String
        package var isLast: Bool

        package init(bytes: String, isLast: Bool) {
            self.bytes = bytes
            self.isLast = isLast
        }
    }

    /// The number of pieces of the largest page.
    private static let most = Int64(PageLimits.bytes / ReportRender.pieceBytes + 2)

    /// Returns all pieces of a report as one page. Throws `report.broken` if they are not a page.
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
    package static let summary =
        "Returns one piece of a report from `report.render`. All pieces together are a page in JSON."
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
    package static let summary = "Lists the reports that an app offers."
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
        /// True to start a rebuild. False only requests the progress.
        package var starts: Bool

        package init(starts: Bool) {
            self.starts = starts
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var state: RebuildState
        package var rows: Int64
        package var tookMs: Int64
        /// The percentage of the stream that has been read. `nil` until it is known.
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
        "Rebuilds the report figures from the ledger and then replaces the old ones, or returns the progress."
}

/// The arguments of a call to a report extension.
package struct ReportCallBody: WireBody, Codable, Equatable {
    /// The context. `nil` requests only the list of contexts.
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

/// The result of a call to a report extension.
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

/// An app, category or site of a report as an app receives it: with the app's own token.
package struct ReportSubject: WireBody, Codable, Equatable {
    package var id: String
    package var token: String
    package var name: String

    package init(id: String, token: String, name: String) {
        self.id = id
        self.token = token
        self.name = name
    }
}

/// A part of the usage in one segment, as an app receives it.
package struct ReportDataRow: WireBody, Codable, Equatable {
    package var category: ReportSubject
    /// The app. `nil` if no app was in the foreground.
    package var application: ReportSubject?
    package var webDomain: ReportSubject?
    package var usedMs: Int64
    package var pickups: Int64
    package var notifications: Int64

    package init(
        category: ReportSubject,
        application: ReportSubject? = nil,
        webDomain: ReportSubject? = nil,
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
    /// The displayed name of the member.
    package var name: String
    package var isChild: Bool
    package var device: ReportDevice
    /// The number of the segment for this person and device. -1 if nothing is known about them.
    package var number: Int64
    package var startWallMs: Int64
    package var endWallMs: Int64
    package var usedMs: Int64
    package var idlePickups: Int64
    package var firstPickupWallMs: Int64?
    package var longestStartWallMs: Int64?
    package var longestEndWallMs: Int64?
    package var updatedWallMs: Int64
    /// The rows. A segment with many rows has several parts with the same number.
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
    package static let summary =
        "Returns the usage that matches an app's filter, segment by segment, for DeviceActivityResults."
}
