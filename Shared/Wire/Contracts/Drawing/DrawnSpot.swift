/// Where something that can be pressed lies in a picture, in pixels from its upper left corner.
package struct DrawnSpot: WireBody, Codable, Equatable {
    /// Of `DrawRequest.more`.
    package static let moreTime = "more_time"
    /// Of a question.
    package static let allow = "allow"
    package static let deny = "deny"
    package static let passcode = "passcode"
    package static func prover(_ index: Int) -> String { "prover:\(index)" }

    package var id: String
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(id: String, x: Int, y: Int, width: Int, height: Int) {
        self.id = id
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}
