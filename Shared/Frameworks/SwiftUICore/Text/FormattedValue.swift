import Foundation

/// A value that becomes text where it is known in which language.
final class FormattedValue: @unchecked Sendable {
    // @unchecked: formats and what they are given are values that nobody changes.
    private let make: (Locale, TimeZone) -> String

    init(_ make: @escaping (Locale, TimeZone) -> String) { self.make = make }

    func text(_ environment: EnvironmentValues) -> String { make(environment.locale, environment.timeZone) }
}
