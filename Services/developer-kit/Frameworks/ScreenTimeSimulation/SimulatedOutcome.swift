public import Foundation
import STContracts
import STPlatform
import STSimulator

/// What came of a scenario.
///
/// Two plays of one scenario have equal outcomes.
public struct SimulatedOutcome: Sendable, Equatable, CustomStringConvertible {
    /// A callback to an app's extension.
    public struct Callback: Sendable, Equatable {
        /// Apple's name of it, such as `eventDidReachThreshold`.
        public let method: String
        /// The app whose extension is called; built-in rules are `screentime.rules`.
        public let app: String
        /// Whose time it is about.
        public let member: String
        /// The activity, or the rule.
        public let activity: String
        /// The event, where there is one.
        public let event: String?
        /// The exact moment that it is about, by the clock of the device.
        public let date: Date
        /// Whether the extension did its work; true where there is none to be called.
        public let isDelivered: Bool
        /// What the extension printed and logged meanwhile.
        public let lines: [String]
    }

    /// A notification that a person sees.
    public struct Notification: Sendable, Equatable {
        /// The app that posts it.
        public let app: String
        /// The person who sees it.
        public let member: String
        /// The title and the body.
        public let text: String
        /// When, by the clock of the device.
        public let date: Date
    }

    private let outcome: SimulatorOutcome

    init(_ outcome: SimulatorOutcome) { self.outcome = outcome }

    /// Compares all but what differs from run to run, such as how long it took.
    public static func == (one: SimulatedOutcome, other: SimulatedOutcome) -> Bool {
        one.outcome.report == other.outcome.report
    }

    /// Whether everything came as the scenario expects it.
    public var isMet: Bool { outcome.report.isMet }

    /// What was expected and did not come, with what came instead.
    public var unmet: [String] { outcome.unmet }

    /// The callbacks, in the order in which they came.
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

    /// The notifications, in the order in which they came.
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

    /// What a phone would have kept silent about.
    public var silences: [String] { outcome.report.silences }

    /// The whole timeline for a person to read.
    public var description: String { outcome.lines.map(\.text).joined(separator: "\n") }

    private static func date(_ text: String) -> Date {
        Date(timeIntervalSince1970: Double(RFC3339.wallMs(text) ?? 0) / 1_000)
    }
}
