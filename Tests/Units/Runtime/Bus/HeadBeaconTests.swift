import STBus
import STContracts
import Testing

@Suite("Head beacons")
struct HeadBeaconTests {
    private var beacon = HeadBeacon()

    @Test("The beacon sends nothing while a stream has no subscriber")
    mutating func silent() {
        beacon.published(.usage, nowMs: 0)

        #expect(beacon.nextMs == nil)
        #expect(beacon.tick(nowMs: 100_000) == [])
    }

    @Test("The beacon sends a head to a new subscriber, 1 s and 6 s after an event, then every 15 s")
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

    @Test("The beacon of a stream stops with its last subscriber and leaves other streams unchanged")
    mutating func streams() {
        _ = beacon.subscribed(.usage, nowMs: 0)
        _ = beacon.subscribed(.policy, nowMs: 0)
        beacon.unsubscribed(.usage)
        beacon.published(.usage, nowMs: 1)

        #expect(beacon.tick(nowMs: 5_000) == [.policy])
    }
}
