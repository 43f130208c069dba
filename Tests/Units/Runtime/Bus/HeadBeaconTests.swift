import STBus
import STContracts
import STPlatform
import Testing

@Suite("Head beacons")
struct HeadBeaconTests {
    private var beacon = HeadBeacon()

    @Test("The beacon sends nothing while a stream has no subscriber")
    mutating func silent() {
        beacon.published(.usage, now: BootTime(ms: 0))

        #expect(beacon.next == nil)
        #expect(beacon.tick(now: BootTime(ms: 100_000)) == [])
    }

    @Test("The beacon sends a head to a new subscriber, 1 s and 6 s after an event, then every 15 s")
    mutating func rhythm() {
        #expect(beacon.subscribed(.usage, now: BootTime(ms: 0)) == .usage)
        #expect(beacon.next == BootTime(ms: 5_000))

        beacon.published(.usage, now: BootTime(ms: 100))

        #expect(beacon.tick(now: BootTime(ms: 1_099)) == [])
        #expect(beacon.tick(now: BootTime(ms: 1_100)) == [.usage])
        #expect(beacon.next == BootTime(ms: 6_100))
        #expect(beacon.tick(now: BootTime(ms: 6_100)) == [.usage])
        #expect(beacon.next == BootTime(ms: 21_100))
        #expect(beacon.tick(now: BootTime(ms: 21_100)) == [.usage])
        #expect(beacon.next == BootTime(ms: 36_100))
        beacon.published(.usage, now: BootTime(ms: 30_000))
        #expect(beacon.next == BootTime(ms: 31_000))
    }

    @Test("The beacon of a stream stops with its last subscriber and leaves other streams unchanged")
    mutating func streams() {
        _ = beacon.subscribed(.usage, now: BootTime(ms: 0))
        _ = beacon.subscribed(.policy, now: BootTime(ms: 0))
        beacon.unsubscribed(.usage)
        beacon.published(.usage, now: BootTime(ms: 1))

        #expect(beacon.tick(now: BootTime(ms: 5_000)) == [.policy])
    }
}
