import STContracts
import STPlatform
import STTestKit

/// Observations one by one at a steady pace, and how long each took to be acknowledged.
struct IngestPace {
    static let perSecond = 1_000

    let sender: ObservationSender
    let bootId: String

    func run(seconds: Int) throws -> Measurement {
        let count = seconds * Self.perSecond
        let startNs = Stopwatch.nanoseconds()
        let stepNs = Int64(1_000_000_000 / Self.perSecond)
        var sentNs: [Int64] = []
        var times = Measurement()
        var answered = 0
        while answered < count {
            let now = Stopwatch.nanoseconds()
            if sentNs.count < count, now >= startNs + Int64(sentNs.count) * stepNs {
                let frames = try sender.frames([observation(sentNs.count)])
                sentNs.append(Stopwatch.nanoseconds())
                guard sender.peer.send(frames, withinMs: 10_000) else {
                    throw ObservationSender.failed("not taken")
                }
                continue
            }
            // A service answers one sender in order.
            guard let frames = sender.peer.receive(withinMs: sentNs.count < count ? 1 : 30_000) else {
                guard sentNs.count < count else { throw ObservationSender.failed("not answered") }
                continue
            }
            times.add([Stopwatch.nanoseconds() - sentNs[answered]])
            if let problem = RawReply(frames)?.problem { throw problem }
            answered += 1
        }
        return times
    }

    /// Each a change of what is in front, so each is a row and two events.
    private func observation(_ number: Int) -> Observation {
        let ms = Int64(number) * 1_000
        return Observation(
            sequence: Int64(number + 1),
            bootId: bootId,
            at: TimeReading(wallMs: YearOfUse.endWallMs + ms, bootMs: ms, monotonicMs: ms),
            zone: YearOfUse.zone,
            member: YearOfUse.member,
            presence: .active,
            app: "org.example.app\(number % 7)",
            unbroken: true
        )
    }
}
