/// Says when nothing moves in a system of processes any more.
///
/// Processes cannot be asked all at one instant. But when everybody is at rest twice in a row, has done nothing in
/// between, and as many messages have come as have left, then nothing was on its way between the two rounds either.
package struct QuietJudge: Sendable {
    package enum Verdict: Sendable, Equatable {
        case quiet
        /// A sentence about who is not at rest.
        case restless(String)
    }

    /// So many rounds without any change say that what is missing will not come: a process that was killed takes its
    /// counts with it.
    private static let roundsToForget = 12

    private var last: ClockWave?
    private var equalRounds = 0
    /// Messages that left and will never come.
    private var lost: Int64 = 0

    package init() {}

    package mutating func hear(_ wave: ClockWave) -> Verdict {
        let isEqual = last == wave
        equalRounds = isEqual ? equalRounds + 1 : 0
        last = wave
        if let reason = wave.restless { return .restless(reason) }
        guard isEqual else { return .restless("something has just happened") }
        if wave.onTheirWay == lost { return .quiet }
        guard equalRounds >= Self.roundsToForget else {
            return .restless("\(wave.onTheirWay - lost) messages more have left than have come")
        }
        lost = wave.onTheirWay
        return .quiet
    }

    /// Something is going to happen: what was seen before says nothing about it.
    package mutating func forget() {
        last = nil
        equalRounds = 0
    }
}
