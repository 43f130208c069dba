public import Foundation
import STContracts
import STPlatform
import STSimulator

/// The outcome of a scenario.
///
/// Two simulations of the same scenario have equal outcomes.
public struct SimulatedOutcome: Sendable, Equatable, CustomStringConvertible {
    /// A callback to an app's extension.
    public struct Callback: Sendable, Equatable {
        /// The name of the method in Apple's API, for example `eventDidReachThreshold`.
        public let method: String
        /// The app whose extension is called. For built-in rules it is `screentime.rules`.
        public let app: String
        /// The person whose time is measured.
        public let member: String
        /// The name of the activity or of the rule.
        public let activity: String
        /// The name of the event, for callbacks about an event.
        public let event: String?
        /// The exact time of the event or interval, by the clock of the simulated device.
        public let date: Date
        /// True if the extension completed the callback, or if there is no extension.
        public let isDelivered: Bool
        /// The lines that the extension printed and logged during the callback.
        public let lines: [String]
    }

    /// A notification shown to a person.
    public struct Notification: Sendable, Equatable {
        /// The app that posts the notification.
        public let app: String
        /// The person who sees the notification.
        public let member: String
        /// The title and the body.
        public let text: String
        /// The time of the notification, by the clock of the simulated device.
        public let date: Date
    }

    private let outcome: SimulatorOutcome

    init(_ outcome: SimulatorOutcome) { self.outcome = outcome }

    /// Compares everything except values that differ from run to run, for example the duration of the simulation.
    public static func == (one: SimulatedOutcome, other: SimulatedOutcome) -> Bool {
        one.outcome.report == other.outcome.report
    }

    /// True if all expectations of the scenario are met.
    public var isMet: Bool { outcome.report.isMet }

    /// The expectations that are not met, each with what happened instead.
    public var unmet: [String] { outcome.unmet }

    /// The callbacks in chronological order.
    public var callbacks: [Callback] {
        outcome.report.timeline.compactMap { entry in
            guard let method = entry.method else { return nil }
            return Callback(
                method: method,
                app: entry.app ?? "",
                member: entry.member ?? "",
                activity: entry.activity ?? "",
                event: entry.event,
                date: Self.date(entry.at),
                isDelivered: entry.callback.map { $0.state == .done } ?? true,
                lines: entry.callback?.lines ?? []
            )
        }
    }

    /// The notifications in chronological order.
    public var notifications: [Notification] {
        outcome.report.timeline.filter { $0.kind == "notification" }.map { entry in
            Notification(
                app: entry.app ?? "",
                member: entry.member ?? "",
                text: entry.text ?? "",
                date: Self.date(entry.at)
            )
        }
    }

    /// The problems that a phone would not report.
    public var silences: [String] { outcome.report.silences }

    /// The whole timeline as text for people.
    public var description: String { outcome.lines.map(\.text).joined(separator: "\n") }

    private static func date(_ text: String) -> Date {
        Date(timeIntervalSince1970: Double(RFC3339.wallMs(text) ?? 0) / 1_000)
    }
}
