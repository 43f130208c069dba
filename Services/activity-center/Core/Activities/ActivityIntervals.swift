import STContracts
import STDomain
import STPlatform

extension IntervalSpan {
    init(_ interval: Interval) {
        self.init(startWallMs: interval.startMs, endWallMs: interval.endMs, zone: interval.zone)
    }

    var interval: Interval { Interval(startMs: startWallMs, endMs: endWallMs, zone: zone) }
}
