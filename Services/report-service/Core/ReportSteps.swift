package import STContracts
package import STPlatform

/// What a filter of an app matches, with tokens of the app: report-service asks its companion, which asks auth-service.
package enum DataAsk: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var data: ReportData.Request
        /// The member whose use is asked for, who has allowed the app.
        package var member: String
        /// What the tokens of the filter stand for, in their order.
        package var items: [TokenItem]

        package init(data: ReportData.Request, member: String, items: [TokenItem]) {
            self.data = data
            self.member = member
            self.items = items
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var data: ReportData.Reply?
        package var problem: Problem?

        package init(data: ReportData.Reply? = nil, problem: Problem? = nil) {
            self.data = data
            self.problem = problem
        }
    }

    package static let name = "report.data.ask"
    package static let kind = RouteKind.query
    package static let access: Access = []
    package static let summary = "What a filter matches, with tokens of the app."
}

/// A report that is wanted: whom to call for it, and with what.
package struct RenderJob: Sendable, Equatable {
    package var app: String
    /// As the app calls itself.
    package var name: String
    package var member: String
    package var executable: String
    package var bundle: String
    package var zone: String
    /// Nil: only which reports there are.
    package var context: String?
    package var filter: ReportFilter?
    package var language: String?
    /// All whose use the report may show: each of them must let the app see it, for as long as it is kept.
    package var people: [String]
    /// Which figures these are; once there are others, nothing made of these is shown any more.
    package var generation: Int64
}

/// Asks the companion to have a report made. No role may call this over the bus.
package enum RenderAsk: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        /// As the request names it, until auth-service has said who that is.
        package var member: String?
        package var context: String?
        package var filter: ReportFilter?
        package var language: String?
        /// Why it may not be made.
        package var refusal: Problem?
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var made: ReportRender.Reply?
        package var contexts: [String]?
        package var problem: Problem?

        package init(
            made: ReportRender.Reply? = nil,
            contexts: [String]? = nil,
            problem: Problem? = nil
        ) {
            self.made = made
            self.contexts = contexts
            self.problem = problem
        }
    }

    package static let name = "report.render.ask"
    package static let kind = RouteKind.query
    package static let access: Access = []
    package static let summary = "Has an app's extension make a report, or say which ones it makes."
}

package enum PieceAsk: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var piece: ReportPiece.Request
        /// Which figures there are now.
        package var generation: Int64
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var piece: ReportPiece.Reply?
        package var problem: Problem?

        package init(piece: ReportPiece.Reply? = nil, problem: Problem? = nil) {
            self.piece = piece
            self.problem = problem
        }
    }

    package static let name = "report.piece.ask"
    package static let kind = RouteKind.query
    package static let access: Access = []
    package static let summary = "A piece of a report that is kept."
}
