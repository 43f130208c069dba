import DeviceActivity
import Foundation
import STAppSupport
import STPromiseKit
import os

/// Handles the callbacks, which the system makes even if the app is not running.
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

    /// Returns the day of the current interval, or else of the next one. Returns `nil` if there is no promise.
    private func dayOfInterval(_ activity: DeviceActivityName) -> Day? {
        // If the service does not reply, the center has no schedule either. The stored terms then prevent the loss of a promise.
        let promised = store.firstDay == nil ? nil : store.terms.schedule
        let schedule = DeviceActivityCenter().schedule(for: activity) ?? promised
        return schedule?.nextInterval.map { Day($0.start) }
    }

    private func currentDay(_ activity: DeviceActivityName) -> Day? {
        store.book.open ?? dayOfInterval(activity)
    }

    /// Shows one notification per occasion and day. A repeated callback does not notify again.
    private func say(_ text: String, about occasion: String, on day: Day?) {
        tell(text, title: words.title, id: "\(occasion).\(day?.text ?? "today")") { [log] error in
            log.error(
                "This could not be shown: \(text, privacy: .public) (\("\(error)", privacy: .public))"
            )
        }
    }
}

ExtensionMain.run { PromiseMonitor() }
