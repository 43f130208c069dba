package import DeviceActivity
package import FamilyControls
import Foundation
package import STAppSupport

/// The terms of a promise without its apps: the allowance, the hours and the words.
package struct PromiseTerms: Equatable, Sendable {
    /// The maximum length of the words, which must fit into a notification.
    package static let wordsBytesMax = 1_000

    package var allowance: Length
    /// The time of the warning. `nil` for no warning.
    package var warning: Length?
    /// The person's own words. If they are empty, the app selects some.
    package var words: String
    package var from: TimeOfDay
    package var to: TimeOfDay

    package init(
        allowance: Length = Length(minutes: 30),
        warning: Length? = Length(minutes: 5),
        words: String = "",
        from: TimeOfDay = .midnight,
        to: TimeOfDay = .lastSecond
    ) {
        self.allowance = allowance
        self.warning = warning
        self.words = words
        self.from = from
        self.to = to
    }

    /// Throws a refusal if the terms are not valid.
    package func check() throws {
        guard allowance.seconds > 0, allowance < .day else {
            throw Refusal(
                .usage,
                "The allowance is \(allowance.text). Give more than 0m and less than a day, such as 30m"
            )
        }
        if let warning {
            guard warning.seconds > 0, warning < allowance else {
                throw Refusal(
                    .usage,
                    "A warning of \(warning.text) is too early for an allowance of \(allowance.text). Give less than \(allowance.text), or 0m for none"
                )
            }
        }
        guard words.utf8.count <= Self.wordsBytesMax else {
            throw Refusal(
                .usage,
                "Your words have \(words.utf8.count) bytes, and the limit is \(Self.wordsBytesMax). Make them shorter"
            )
        }
        guard words.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw Refusal(.usage, "Your words have characters that cannot be shown. Write them as one line")
        }
    }

    package var window: String { "\(from.text)–\(to.text)" }

    /// Returns true if monitoring must be restarted. The system does not use the words, so they are not compared.
    package func isWatchedOtherwise(than other: PromiseTerms) -> Bool {
        var same = self
        same.words = other.words
        return same != other
    }

    package var schedule: DeviceActivitySchedule {
        DeviceActivitySchedule(
            intervalStart: from.components,
            intervalEnd: to.components,
            repeats: true,
            warningTime: warning?.components
        )
    }

    /// Returns the event to monitor. `includesPastActivity` is true if the current promise was changed, so that the person does
    /// not receive a second allowance.
    package func events(
        for selection: FamilyActivitySelection,
        includesPastActivity: Bool
    ) -> [DeviceActivityEvent.Name: DeviceActivityEvent] {
        [
            .allowance: DeviceActivityEvent(
                applications: selection.applicationTokens,
                categories: selection.categoryTokens,
                webDomains: selection.webDomainTokens,
                threshold: allowance.components,
                includesPastActivity: includesPastActivity
            )
        ]
    }
}

extension DeviceActivityName {
    /// The only activity of this app. It covers every day.
    package static let daily = Self("daily")
}

extension DeviceActivityEvent.Name {
    /// The event that is reached when the day's allowance is used up.
    package static let allowance = Self("allowance")
}
