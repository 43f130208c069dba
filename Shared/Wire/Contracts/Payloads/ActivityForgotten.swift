/// Stretches of time that their person had deleted: whoever keeps evidence that names them takes them out of it.
package enum EvidenceForgotten: EventType {
    package struct Body: WireBody, Codable, Equatable {
        package var member: String
        /// Those that evidence named.
        package var segments: [String]
        /// All that was deleted lies between these, for whoever keeps something of that time without naming stretches.
        package var fromWallMs: Int64?
        package var toWallMs: Int64?

        package init(
            member: String,
            segments: [String],
            fromWallMs: Int64? = nil,
            toWallMs: Int64? = nil
        ) {
            self.member = member
            self.segments = segments
            self.fromWallMs = fromWallMs
            self.toWallMs = toWallMs
        }
    }

    /// In one event; more come in several.
    package static let segmentsMax = 200

    package static let stream = StreamName.activity
    package static let type = "activity.evidence.forgotten"
    package static let summary = "These stretches were deleted: they are evidence of nothing any more."
}

extension ActivityEvidence {
    /// Takes parts out and only counts them; says which.
    package mutating func forget(_ segments: Set<String>) -> Set<String> {
        let gone = parts.filter { segments.contains($0.segment) }
        parts.removeAll { segments.contains($0.segment) }
        more += Int64(gone.count)
        return Set(gone.map(\.segment))
    }
}
