package import DeviceActivity
package import FamilyControls
import Foundation
package import STAppSupport

/// The data shared by the app and its extension.
///
/// The app writes the terms and the choice. The extension writes the days and the last words. No value is written by both.
package struct PromiseStore {
    package static let group = "group.promise"

    private enum Key {
        static let allowance = "AllowanceSeconds"
        static let warning = "WarningSeconds"
        static let words = "Words"
        static let from = "From"
        static let to = "To"
        static let selection = "Selection"
        static let names = "ChosenNames"
        static let firstDay = "FirstDay"
        static let marks = "Days"
        static let open = "OpenDay"
        static let lastWords = "LastWords"
        static let lastWordsDate = "LastWordsDate"
    }

    private let defaults: UserDefaults

    package init(defaults: UserDefaults = UserDefaults(suiteName: Self.group) ?? .standard) {
        self.defaults = defaults
    }

    // MARK: - Written by the app

    package var terms: PromiseTerms {
        get {
            guard let seconds = defaults.object(forKey: Key.allowance) as? Int else { return PromiseTerms() }
            let warning = defaults.integer(forKey: Key.warning)
            return PromiseTerms(
                allowance: Length(seconds: seconds),
                warning: warning > 0 ? Length(seconds: warning) : nil,
                words: defaults.string(forKey: Key.words) ?? "",
                from: defaults.string(forKey: Key.from).flatMap { TimeOfDay($0) } ?? .midnight,
                to: defaults.string(forKey: Key.to).flatMap { TimeOfDay($0) } ?? .lastSecond
            )
        }
        nonmutating set {
            defaults.set(newValue.allowance.seconds, forKey: Key.allowance)
            defaults.set(newValue.warning?.seconds ?? 0, forKey: Key.warning)
            defaults.set(newValue.words, forKey: Key.words)
            defaults.set(newValue.from.text, forKey: Key.from)
            defaults.set(newValue.to.text, forKey: Key.to)
        }
    }

    /// Returns the stored choice, or `nil` if there is none.
    package func selection() throws -> FamilyActivitySelection? {
        try defaults.selection(forKey: Key.selection)
    }

    package func save(_ selection: FamilyActivitySelection) throws {
        try defaults.set(selection, forKey: Key.selection)
    }

    /// The choice as the person typed it, because a token has no readable name.
    package var names: [String] {
        get { defaults.stringArray(forKey: Key.names) ?? [] }
        nonmutating set { defaults.set(newValue, forKey: Key.names) }
    }

    /// The first day of uninterrupted monitoring. `nil` if the person has stopped it.
    package var firstDay: Day? {
        get { day(Key.firstDay) }
        nonmutating set { defaults.set(newValue?.text, forKey: Key.firstDay) }
    }

    // MARK: - Written by the extension

    package var book: PromiseBook {
        get {
            var book = PromiseBook()
            book.marks = DayMarks(text: defaults.string(forKey: Key.marks) ?? "")
            book.open = day(Key.open)
            return book
        }
        nonmutating set {
            defaults.set(newValue.marks.text, forKey: Key.marks)
            defaults.set(newValue.open?.text, forKey: Key.open)
        }
    }

    package var lastWords: (text: String, date: Date)? {
        get {
            guard let text = defaults.string(forKey: Key.lastWords),
                let date = defaults.object(forKey: Key.lastWordsDate) as? Date
            else { return nil }
            return (text, date)
        }
        nonmutating set {
            defaults.set(newValue?.text, forKey: Key.lastWords)
            defaults.set(newValue?.date, forKey: Key.lastWordsDate)
        }
    }

    private func day(_ key: String) -> Day? { defaults.string(forKey: key).flatMap { Day($0) } }
}
