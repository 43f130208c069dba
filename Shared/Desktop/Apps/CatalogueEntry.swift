package import STContracts
package import STDomain

/// A program that has a desktop entry.
package struct CatalogueEntry: Sendable, Equatable {
    /// The name of its desktop entry, as that spells it.
    package var id: String
    package var name: String
    /// In other languages.
    package var names: [String: String]
    /// The path of a picture that can be read, or the name of an icon where none was found.
    package var icon: String?
    /// Nil when its entry says nothing of it.
    package var category: Category?
    package var origin: AppOrigin
    /// Whether menus show it, and so whether somebody can choose it.
    package var isShown: Bool
    /// The person who sits here wrote its entry, or could have.
    package var isOwn: Bool
    package var isBrowser: Bool
    package var windowClass: String?
    package var start: AppStart?
    package var flatpak: String?
    package var snap: String?

    /// In the language that is wanted, else in its own.
    package func name(in language: String?) -> String {
        guard let language, !names.isEmpty else { return name }
        for spelling in DesktopEntry.spellings(of: language) {
            if let name = names[spelling] { return name }
        }
        let wanted = language.prefix { $0 != "_" && $0 != "-" && $0 != "." && $0 != "@" }
        let near = names.first {
            $0.key.prefix { $0 != "_" && $0 != "-" && $0 != "." && $0 != "@" } == wanted
        }
        return near?.value ?? name
    }
}
