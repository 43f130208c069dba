import STBus
import STContracts
import STPlatform

/// What a service tells whoever moves its virtual clock.
extension ServiceEngine {
    /// Requests that came and replies that left, but for those that only ask how it goes.
    struct Tally {
        var received: Int64 = 0
        var answered: Int64 = 0
        var published: Int64 = 0

        mutating func received(_ request: AdmittedRequest) {
            if BusTraffic.counts(request.header.route) { received += 1 }
        }

        mutating func answered(_ request: AdmittedRequest) {
            if BusTraffic.counts(request.header.route) { answered += 1 }
        }

        /// Answered where it came in.
        mutating func refused(_ route: String?) {
            guard BusTraffic.counts(route ?? "") else { return }
            received += 1
            answered += 1
        }
    }

    func clockStatus(isTurned: Bool) throws -> ClockStatus.Reply {
        guard let clock else {
            throw Problem(
                "clock.real",
                "\(definition.name) runs on the machine's own clock, which nobody turns by a message. Start the system "
                    + "with \(ClockPage.variable) naming the page of a virtual one.",
                help: "screentime simulate --help"
            )
        }
        if isTurned { clock.turn() }
        let vitals = clock.vitals()
        let now = time.now()
        var reply = ClockStatus.Reply(service: definition.name.rawValue, pid: vitals.pid)
        reply.generation = vitals.generation
        reply.wallMs = now.wallMs
        reply.bootMs = now.bootMs
        reply.sent = vitals.requestsSent + tally.answered
        reply.handled = vitals.repliesReceived + tally.received
        reply.published = tally.published
        reply.heard = vitals.eventsHeard
        reply.open = vitals.asked + tally.received - tally.answered
        reply.jobs = vitals.jobs
        reply.busy = vitals.busy
        reply.begun = vitals.begun
        reply.dueWallMs = vitals.due.wallMs
        reply.dueBootMs = vitals.due.bootMs
        reply.heads = heads
        reply.cursors = zip(definition.subscriptions, followers).map { subscription, follower in
            ClockStatus.Cursor(
                source: subscription.source.rawValue,
                at: follower.applied
                    ?? StreamPoint(
                        stream: subscription.stream.rawValue,
                        epoch: "",
                        sequence: 0,
                        id: nil
                    ),
                isLive: follower.isSettled
            )
        }
        return reply
    }
}
