package import STContracts

/// A step that a service takes by itself: nobody may call it over the bus, as it has no role at all.
package enum OutputAppend: Route {
    package struct Request: WireBody, Codable {
        package var lines: [AppLogLine]

        package init(lines: [AppLogLine]) { self.lines = lines }
    }

    package typealias Reply = Empty

    package static let linesMax = 500
    package static let name = "extension.output.append"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Keeps what extensions wrote."
}
