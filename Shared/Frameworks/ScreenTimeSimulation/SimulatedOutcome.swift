public import Foundation
import STContracts
import STPlatform
import STSimulation

/// What came of a scenario.
///
/// Two plays of one scenario have equal outcomes.
public struct SimulatedOutcome: Sendable, Equatable, CustomStringConvertible {
    /// A callback to an app, as its extension is told of it.
    public struct Callback: Sendable, Equatable {
        /// Apple's name of it, such as `eventDidReachThreshold`.
        public let method: String
        /// The app that is told; built-in rules are `screentime.rules`.
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

    /// Something a person is told.
    public struct Notification: Sendable, Equatable {
        /// Who tells it.
        public let app: String
        /// Who is told.
        public let member: String
        /// The title and the body.
        public let text: String
        /// When, by the clock of the device.
        public let date: Date
    }

    private let outcome: SimulationOutcome
    private let text: [UInt8]

    init(_ outcome: SimulationOutcome, _ text: [UInt8]) {
        self.outcome = outcome
        self.text = text
    }

    /// Whether everything came as the scenario expects it.
    public var isMet: Bool { outcome.isMet }

    /// What was expected and did not come, with what came instead.
    public var unmet: [String] {
        outcome.verdicts.filter { !$0.isMet }.map { verdict in
            let line = JSONPlaces.line(of: verdict.path, in: text).map { "line \($0): " } ?? ""
            return line + verdict.expected + (verdict.instead.map { "; \($0)" } ?? "")
        }
    }

    /// The callbacks, in the order in which they came.
    public var callbacks: [Callback] {
        outcome.timeline.compactMap { entry in
            guard let method = entry.method else { return nil }
            return Callback(
                method: method,
                app: entry.app ?? "",
                member: entry.member ?? "",
                activity: entry.activity ?? "",
                event: entry.event,
                date: Self.date(entry.atMs),
                isDelivered: entry.callback.map { $0.state == .done } ?? true,
                lines: entry.callback?.lines ?? []
            )
        }
    }

    /// The notifications, in the order in which they came.
    public var notifications: [Notification] {
        outcome.timeline.filter { $0.kind == .notification }.map { entry in
            Notification(
                app: entry.app ?? "",
                member: entry.member ?? "",
                text: entry.text ?? "",
                date: Self.date(entry.atMs)
            )
        }
    }

    /// What a phone would have kept silent about.
    public var silences: [String] { outcome.silences }

    /// The whole timeline for a person to read.
    public var description: String {
        OutcomeText(outcome) { JSONPlaces.line(of: $0, in: text) }.text
    }

    private static func date(_ wallMs: Int64) -> Date { Date(timeIntervalSince1970: Double(wallMs) / 1_000) }
}
