package import STContracts
package import STPlatform

/// Asks the companion for the data that an app's filter matches, with tokens of the app from auth-service.
package enum DataQuery: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var data: ReportData.Request
        /// The member whose usage is requested, and who has allowed the app.
        package var member: String
        /// The items for the tokens of the filter, in their order.
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

/// A requested report: the extension to call, and its parameters.
package struct RenderJob: Sendable, Equatable {
    package var app: String
    /// The app's name from its manifest.
    package var name: String
    package var member: String
    package var executable: String
    package var bundle: String
    package var zone: String
    /// The report. `nil` requests only the list of reports.
    package var context: String?
    package var filter: ReportFilter?
    package var language: String?
    /// The members whose usage the report may show. Each must allow the app to see it for as long as the report is kept.
    package var people: [String]
    /// Generation of the figures. A report of an earlier generation is no longer shown.
    package var generation: Int64
}

/// Asks the companion to make a report. No role may call this route over the bus.
package enum RenderCall: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        /// The name in the request, until auth-service has identified the member.
        package var member: String?
        package var context: String?
        package var filter: ReportFilter?
        package var language: String?
        /// The reason why the report may not be made.
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

package enum PieceQuery: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var piece: ReportPiece.Request
        /// Generation of the present figures.
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
