import Synchronization

/// Clocks that another process moves, for a whole system in virtual time.
///
/// Reading never waits. Whoever moves them says so afterwards, and `clockTurned` then wakes what has become due.
package final class VirtualTimeSource: TimeSource {
    private let page: ClockPage
    private let alarms = DueBook()
    private let sleepers = SleepBook()
    /// Wall minus boot time and the zone when they were last looked at: others mean that somebody set them.
    private let setting: Mutex<Setting>

    private struct Setting: Equatable {
        var offsetMs: Int64
        var zone: String
    }

    package init(_ page: ClockPage) {
        self.page = page
        let face = page.face
        setting = Mutex(Setting(offsetMs: face.reading.offsetMs, zone: face.zone))
    }

    package func now() -> TimeReading { page.face.reading }

    package var bootID: String { page.face.bootID }

    package func zone() -> String { page.face.zone }

    package func sleep(untilBootMs: Int64) async throws {
        try await sleepers.sleep(untilBootMs: untilBootMs) { self.now().bootMs }
    }

    package func makeWaker(_ callbacks: DueCallbacks) -> any DueWaker {
        BookedWaker(alarms, callbacks) { self.now() }
    }

    /// The clocks stand somewhere else now.
    ///
    /// Called on the loop's thread, all that has its alarms there has been woken when this returns.
    package func clockTurned() {
        let face = page.face
        let now = face.reading
        let isStep = setting.withLock { setting in
            let new = Setting(offsetMs: now.offsetMs, zone: face.zone)
            defer { setting = new }
            return setting != new
        }
        sleepers.wake(nowBootMs: now.bootMs)
        alarms.moved(to: now, isStep: isStep)
    }

    /// The earliest moments that anything here waits for; one that is not later than now is being woken.
    package var nextDue: DueMoments { alarms.next.merged(with: DueMoments(bootMs: sleepers.nextBootMs)) }

    package var path: String { page.path }

    package var generation: UInt64 { page.generation }
}

extension TimeReading {
    fileprivate var offsetMs: Int64 { wallMs - bootMs }
}
