package import STContracts

/// A rebuild is about to end: from here on what is applied is kept, until the new figures have taken it over.
package enum RebuildReady: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable {
        /// How far the figures of now are; the new ones must have come as far.
        package var epoch: String
        package var sequence: Int64
    }

    package static let name = "report.rebuild.ready"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "How far the figures are that a rebuild is to take the place of."
}

/// Puts the new figures in the place of the old ones.
package enum RebuildTake: Route {
    package struct Request: WireBody, Codable {
        /// How far the new figures are.
        package var epoch: String
        package var sequence: Int64

        package init(epoch: String, sequence: Int64) {
            self.epoch = epoch
            self.sequence = sequence
        }
    }

    package struct Reply: WireBody, Codable {
        /// False: more has happened than was kept, or the stream is another one; the new figures must read on.
        package var isTaken: Bool
    }

    package static let name = "report.rebuild.take"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Takes over what a rebuild has made."
}

/// Lets go of the file that was taken over.
package enum RebuildEnd: Route {
    package typealias Request = Empty
    package typealias Reply = Empty

    package static let name = "report.rebuild.end"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Ends a rebuild, whatever became of it."
}
