import STBus
import STContracts
import Testing

@Suite("The head beacon")
struct HeadBeaconTests {
    private var beacon = HeadBeacon()

    @Test("is silent while a stream has no subscriber")
    mutating func silent() {
        beacon.published(.usage, nowMs: 0)

        #expect(beacon.nextMs == nil)
        #expect(beacon.tick(nowMs: 100_000) == [])
    }

    @Test("speaks at once to a new listener, a second after an event, after five more, then every fifteen")
    mutating func rhythm() {
        #expect(beacon.subscribed(.usage, nowMs: 0) == .usage)
        #expect(beacon.nextMs == 5_000)

        beacon.published(.usage, nowMs: 100)

        #expect(beacon.tick(nowMs: 1_099) == [])
        #expect(beacon.tick(nowMs: 1_100) == [.usage])
        #expect(beacon.nextMs == 6_100)
        #expect(beacon.tick(nowMs: 6_100) == [.usage])
        #expect(beacon.nextMs == 21_100)
        #expect(beacon.tick(nowMs: 21_100) == [.usage])
        #expect(beacon.nextMs == 36_100)
        beacon.published(.usage, nowMs: 30_000)
        #expect(beacon.nextMs == 31_000)
    }

    @Test("falls silent with the last listener, each stream for itself")
    mutating func streams() {
        _ = beacon.subscribed(.usage, nowMs: 0)
        _ = beacon.subscribed(.policy, nowMs: 0)
        beacon.unsubscribed(.usage)
        beacon.published(.usage, nowMs: 1)

        #expect(beacon.tick(nowMs: 5_000) == [.policy])
    }
}
