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

        /// Without the gaps in it.
        package var usedMs: Int64
        /// Whose it is, and on what: only there one thing follows another.
        var owner: Owner

        struct Owner: Hashable, Sendable {
            var member: String
            var device: String?
        }
    }

    /// A gap that no eye finds in a picture of a day.
    private static let firstGapMs: Int64 = 20_000
    package static let piecesMax = 600

    package static func pieces(
        _ stretches: [Segment],
        in period: Range<Int64>,
        byPerson: Bool
    ) -> [Piece] {
        let pieces = sorted(stretches, period, byPerson)
        var gapMs = firstGapMs
        var folded = fold(pieces, gapMs: gapMs)
        while folded.count > piecesMax {
            gapMs *= 2
            folded = fold(pieces, gapMs: gapMs)
            // Nothing is left to join: the longest stand for all.
            if gapMs > 86_400_000 {
                return Array(folded.sorted { $0.usedMs > $1.usedMs }.prefix(piecesMax)).sorted {
                    $0.startMs < $1.startMs
                }
            }
        }
        return folded
    }

    /// What went on without anything else in between: no piece goes over what somebody turned to meanwhile.
    package static func unbroken(
        _ stretches: [Segment],
        in period: Range<Int64>,
        byPerson: Bool
    ) -> [Piece] {
        var unbroken: [Piece] = []
        var last: [Piece.Owner: Int] = [:]
        for piece in sorted(stretches, period, byPerson) {
            if let place = last[piece.owner], unbroken[place].lane == piece.lane,
                unbroken[place].category == piece.category,
                piece.startMs - unbroken[place].endMs <= firstGapMs
            {
                unbroken[place].join(piece)
            } else {
                last[piece.owner] = unbroken.count
                unbroken.append(piece)
            }
        }
        return unbroken
    }

    private static func sorted(_ stretches: [Segment], _ period: Range<Int64>, _ byPerson: Bool) -> [Piece] {
        stretches.compactMap { piece($0, period, byPerson) }.sorted {
            ($0.startMs, $0.endMs) < ($1.startMs, $1.endMs)
        }
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
        return Piece(
            lane: lane,
            category: category,
            startMs: start,
            endMs: end,
            usedMs: end - start,
            owner: Piece.Owner(member: stretch.member, device: stretch.device)
        )
    }

    private static func fold(_ pieces: [Piece], gapMs: Int64) -> [Piece] {
        var folded: [Piece] = []
        var last: [Lane: Int] = [:]
        for piece in pieces {
            if let place = last[piece.lane], folded[place].category == piece.category,
                piece.startMs - folded[place].endMs <= gapMs
            {
                folded[place].join(piece)
            } else {
                last[piece.lane] = folded.count
                folded.append(piece)
            }
        }
        return folded
    }
}

extension TimelineFold.Piece {
    fileprivate mutating func join(_ other: Self) {
        endMs = max(endMs, other.endMs)
        usedMs += other.usedMs
    }
}
