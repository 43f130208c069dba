package import STContracts

/// The stretches of a day as few enough pieces to be drawn: neighbours of one kind become one.
package enum TimelineFold {
    /// What a piece is in.
    package enum Lane: Hashable, Sendable {
        /// Nil: nothing in front but the desktop.
        case app(String?)
        case person(String)
        case away
        case unseen
        case shield
    }

    package struct Piece: Equatable, Sendable {
        package var lane: Lane
        package var category: String?
        package var startMs: Int64
        package var endMs: Int64

        package var ms: Int64 { endMs - startMs }
    }

    /// A gap that no eye finds in a picture of a day.
    private static let firstGapMs: Int64 = 20_000
    package static let piecesMax = 600

    package static func pieces(
        _ stretches: [Segment],
        in period: Range<Int64>,
        byPerson: Bool
    ) -> [Piece] {
        let pieces = stretches.compactMap { piece($0, period, byPerson) }.sorted {
            ($0.startMs, $0.endMs) < ($1.startMs, $1.endMs)
        }
        var gapMs = firstGapMs
        var folded = fold(pieces, gapMs: gapMs)
        while folded.count > piecesMax {
            gapMs *= 2
            folded = fold(pieces, gapMs: gapMs)
            // Nothing is left to join: the longest stand for all.
            if gapMs > 86_400_000 {
                return Array(folded.sorted { $0.ms > $1.ms }.prefix(piecesMax)).sorted {
                    $0.startMs < $1.startMs
                }
            }
        }
        return folded
    }

    private static func piece(_ stretch: Segment, _ period: Range<Int64>, _ byPerson: Bool) -> Piece? {
        let start = max(period.lowerBound, stretch.startWallMs)
        let end = min(period.upperBound, stretch.startWallMs + stretch.durationMs)
        guard start < end else { return nil }
        let lane: Lane
        switch stretch.presence {
        case .active where stretch.shielded == true: lane = .shield
        case .active: lane = byPerson ? .person(stretch.member) : .app(stretch.app)
        case .unobserved, .unknown: lane = .unseen
        case .idle, .locked, .away, .suspended: lane = .away
        }
        let category: String?
        switch lane {
        case .app, .person: category = stretch.category
        case .away, .unseen, .shield: category = nil
        }
        return Piece(lane: lane, category: category, startMs: start, endMs: end)
    }

    private static func fold(_ pieces: [Piece], gapMs: Int64) -> [Piece] {
        var folded: [Piece] = []
        var last: [Lane: Int] = [:]
        for piece in pieces {
            if let place = last[piece.lane], folded[place].category == piece.category,
                piece.startMs - folded[place].endMs <= gapMs
            {
                folded[place].endMs = max(folded[place].endMs, piece.endMs)
            } else {
                last[piece.lane] = folded.count
                folded.append(piece)
            }
        }
        return folded
    }
}
