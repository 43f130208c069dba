import STPlatform
import STTestSupport

/// How bad a run is, drawn from its seed: some runs are nearly well, so that each fault is also met alone.
struct SimFaults {
    var lostPerMille: Int64
    var doubledPerMille: Int64
    var latePerMille: Int64
    var isTroubled = true

    init(_ random: inout SeededRandom) {
        lostPerMille = [0, 20, 100, 300][random.number(0...3)]
        doubledPerMille = [0, 50, 200][random.number(0...2)]
        latePerMille = [0, 100, 400][random.number(0...2)]
    }

    /// The delay of one message; a long one lets later messages overtake it.
    func delayMs(_ random: inout SeededRandom) -> Int64 {
        guard isTroubled, random.chance(perMille: latePerMille) else { return random.number(1...3) }
        return random.chance(perMille: 100) ? random.number(500...3_000) : random.number(5...150)
    }

    mutating func stop() {
        isTroubled = false
        lostPerMille = 0
        doubledPerMille = 0
    }
}
