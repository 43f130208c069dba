package import STContracts

// Steps that the service takes by itself. Nobody may call them over the bus: they have no role at all.

/// When something about requests happens by itself.
package enum RequestDue: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable {
        /// Whether it is time already.
        package var isDue: Bool
        package var wallMs: Int64?
        package var bootMs: Int64?
    }

    package static let name = "request.due"
    package static let kind = RouteKind.read
    package static let access: Access = []
    package static let summary = "When the next grant begins or ends."
}

package enum RequestAdvance: Route {
    package typealias Request = Empty
    package typealias Reply = Empty

    package static let name = "request.advance"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Begins and ends the grants whose moment has come."
}
