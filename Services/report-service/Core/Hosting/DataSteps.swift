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
