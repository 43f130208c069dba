import Glibc
import STBus
import STEngine
import STPlatform
import STZeroMQ

/// What the engine tells of this process to whoever moves the virtual clock.
extension ServiceHost {
    func virtualClock() -> ServiceClock? {
        guard let time = surroundings.time as? VirtualTimeSource else { return nil }
        return ServiceClock {
            time.clockTurned()
        } vitals: { [unowned self] in
            assumeIsolated { $0.clockVitals(time) }
        }
    }

    private func clockVitals(_ time: VirtualTimeSource) -> ServiceClock.Vitals {
        let traffic = surroundings.loop.traffic
        return ServiceClock.Vitals(
            pid: Int64(getpid()),
            generation: Int64(clamping: time.generation),
            requestsSent: traffic.requestsSent,
            repliesReceived: traffic.repliesReceived,
            eventsHeard: traffic.eventsHeard,
            asked: traffic.asked,
            jobs: Int64(outstanding),
            busy: Int64(surroundings.pulse.busy),
            begun: surroundings.pulse.total,
            due: time.nextDue
        )
    }
}
