import STContracts
import STStore

/// Timelines as they stand in rows.
enum TimelineStore {
    private struct Lanes: WireBody, Codable {
        var lanes: [Lane]
    }

    private struct Boots: WireBody, Codable {
        var boots: [String]
    }

    static func load(_ database: Database) throws -> [String: Timeline] {
        var timelines: [String: Timeline] = [:]
        try database.query(
            "SELECT member, lanes, boots FROM timelines LEFT JOIN past_boots USING (member)"
        ) { row in
            timelines[try row.text(0)] = Timeline(
                lanes: try Lanes.decodedBody(try row.blob(1)).lanes,
                past: try row.optionalBlob(2).map { try Boots.decodedBody($0).boots } ?? []
            )
        }
        return timelines
    }

    static func save(_ timeline: Timeline, of member: String, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO timelines (member, lanes) VALUES (?, ?)
            ON CONFLICT (member) DO UPDATE SET lanes = excluded.lanes
            """,
            [.text(member), .blob(try Lanes(lanes: timeline.lanes).encodedBody())]
        )
    }

    static func savePast(_ timeline: Timeline, of member: String, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO past_boots (member, boots) VALUES (?, ?)
            ON CONFLICT (member) DO UPDATE SET boots = excluded.boots
            """,
            [.text(member), .blob(try Boots(boots: timeline.past).encodedBody())]
        )
    }
}
