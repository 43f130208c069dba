import STContracts
import STDomain
import STPlatform

/// How far the events of one activity have come, in the order of its events.
///
/// It is written with every observation, so it is kept small: apart from what is watched, in columns, and what several
/// events have counted alike stands in it once.
struct ActivityCounts: WireBody, Codable, Equatable {
    /// What an event has counted, as evidence.
    struct Shown: Codable, Equatable {
        var parts: [EvidencePart]
        var more: Int64
    }

    private var usedMs: [Int64] = []
    private var carriedMs: [Int64] = []
    private var marks: [Int64] = []
    /// Which of `shown` is an event's.
    private var place: [Int] = []
    private var shown: [Shown] = []

    private static let reached: Int64 = 1
    private static let warned: Int64 = 2
    private static let lookBack = 4

    init(_ events: [WatchedEvent]) {
        for event in events {
            usedMs.append(event.progress.usedMs)
            carriedMs.append(event.carriedMs)
            marks.append(
                (event.progress.reached ? Self.reached : 0) + (event.progress.warned ? Self.warned : 0)
            )
            let own = Shown(parts: event.parts, more: event.more)
            // Several thresholds of one selection are the usual case, and they stand beside each other.
            if let known = shown.indices.suffix(Self.lookBack).last(where: { shown[$0] == own }) {
                place.append(known)
            } else {
                place.append(shown.count)
                shown.append(own)
            }
        }
    }

    /// Puts what was counted back into events that were read without it.
    func restore(_ events: inout [WatchedEvent]) throws {
        let isWhole = [usedMs.count, carriedMs.count, marks.count, place.count].allSatisfy {
            $0 == events.count
        }
        guard isWhole, place.allSatisfy(shown.indices.contains) else {
            throw Problem("store.corrupt", "What was counted for an activity does not belong to its events.")
        }
        for index in events.indices {
            let own = shown[place[index]]
            events[index].restore(
                BudgetProgress(
                    usedMs: usedMs[index],
                    reached: marks[index] & Self.reached != 0,
                    warned: marks[index] & Self.warned != 0
                ),
                carriedMs: carriedMs[index],
                parts: own.parts,
                more: own.more
            )
        }
    }
}
