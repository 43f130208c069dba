import DeviceActivity
import Foundation
import STAppSupport
import STPromiseKit
import os

/// Called by the system, also when the app does not run.
final class PromiseMonitor: DeviceActivityMonitor {
    private let log = Logger(subsystem: "promise", category: "monitor")
    private let words = PromiseWords(.current)
    private var store = PromiseStore()

    override func intervalDidStart(for activity: DeviceActivityName) {
        super.intervalDidStart(for: activity)
        guard activity == .daily, let day = dayOfInterval(activity) else { return }
        store.book.begin(day)
        log.notice("The promise of \(day.text, privacy: .public) holds.")
    }

    override func intervalWillStartWarning(for activity: DeviceActivityName) {
        super.intervalWillStartWarning(for: activity)
        guard activity == .daily else { return }
        log.notice("A new day's promise begins soon.")
    }

    override func eventWillReachThresholdWarning(
        _ event: DeviceActivityEvent.Name,
        activity: DeviceActivityName
    ) {
        super.eventWillReachThresholdWarning(event, activity: activity)
        guard activity == .daily, event == .allowance else { return }
        let terms = store.terms
        guard let warning = terms.warning else { return }
        say(words.almost(left: warning, of: terms.allowance), about: "warning", on: currentDay(activity))
    }

    override func eventDidReachThreshold(_ event: DeviceActivityEvent.Name, activity: DeviceActivityName) {
        super.eventDidReachThreshold(event, activity: activity)
        guard activity == .daily, event == .allowance else { return }
        let day = store.book.breakPromise(on: dayOfInterval(activity))
        let terms = store.terms
        let text = terms.words.isEmpty ? words.reached(terms.allowance) : terms.words
        store.lastWords = (text, Date())
        say(text, about: "reached", on: day)
    }

    override func intervalWillEndWarning(for activity: DeviceActivityName) {
        super.intervalWillEndWarning(for: activity)
        guard activity == .daily, store.book.isBroken == false else { return }
        log.notice("The promise is almost kept.")
    }

    override func intervalDidEnd(for activity: DeviceActivityName) {
        super.intervalDidEnd(for: activity)
        guard activity == .daily else { return }
        guard let (day, mark) = store.book.end(ongoing: dayOfInterval(activity)) else {
            log.notice("The promise was changed or given up.")
            return
        }
        log.notice("\(day.text, privacy: .public): \(mark == .kept ? "kept" : "broken", privacy: .public).")
    }

    /// The day of the current interval, or else of the next one; nil when no promise holds.
    private func dayOfInterval(_ activity: DeviceActivityName) -> Day? {
        // The center has no schedule either when the service does not answer, which must not cost a promise.
        let promised = store.firstDay == nil ? nil : store.terms.schedule
        let schedule = DeviceActivityCenter().schedule(for: activity) ?? promised
        return schedule?.nextInterval.map { Day($0.start) }
    }

    private func currentDay(_ activity: DeviceActivityName) -> Day? {
        store.book.open ?? dayOfInterval(activity)
    }

    /// One notification per occasion and day, so that a repeated callback does not notify twice.
    private func say(_ text: String, about occasion: String, on day: Day?) {
        tell(text, title: words.title, id: "\(occasion).\(day?.text ?? "today")") { [log] error in
            log.error(
                "This could not be shown: \(text, privacy: .public) (\("\(error)", privacy: .public))"
            )
        }
    }
}

ExtensionMain.run { PromiseMonitor() }
