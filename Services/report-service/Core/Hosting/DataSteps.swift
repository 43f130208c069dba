package import STContracts
package import STPlatform

/// Steps that the service takes by itself to tell an app what its filter matches: nobody may call them over the bus, as
/// they have no role at all.
package enum DataLook: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var data: ReportData.Request
        /// Who is asked about; has allowed the app.
        package var member: String
        /// What the tokens of the filter stand for, in their order.
        package var items: [TokenItem]

        package init(data: ReportData.Request, member: String, items: [TokenItem]) {
            self.data = data
            self.member = member
            self.items = items
        }
    }

    /// Without tokens yet.
    package typealias Reply = ReportData.Reply

    package static let name = "report.data.look"
    package static let kind = RouteKind.query
    package static let access: Access = []
    package static let summary = "What a filter matches, before its things have tokens."
}

package enum DataAsk: Route {
    package typealias Request = DataLook.Request

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
