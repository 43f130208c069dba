/// The look of a shield where nobody else says what it is: our own words, in the person's language.
package enum SystemLook {
    package static let label = ShieldColor(light: "#1D1D1FFF", dark: "#F5F5F7FF")
    package static let secondaryLabel = ShieldColor(light: "#4B4B52FF", dark: "#CDCDD4FF")
    package static let onButton = ShieldColor(light: "#FFFFFFFF", dark: "#FFFFFFFF")
    /// White words on it have a contrast of 5 and more.
    package static let button = ShieldColor(light: "#0A62DBFF", dark: "#1D6FE5FF")

    private struct Words {
        var named: (String) -> String
        var unnamed: String
        var explanation: String
        var close: String
    }

    /// Everything filled in; `name` is what people call the app or site.
    package static func look(name: String?, language: String?) -> ShieldLook {
        filled(ShieldLook(submenu: []), name: name, language: language)
    }

    /// The same look with our own words and colours where it has none.
    ///
    /// A title of its own stands without our explanation, which could say something else.
    package static func filled(_ look: ShieldLook, name: String?, language: String?) -> ShieldLook {
        let words = words(language)
        var result = look
        result.icon = look.icon ?? ShieldIcon(kind: .system, name: "hourglass")
        if look.title == nil {
            let name = name.flatMap { $0.isEmpty ? nil : $0 }
            result.title = ShieldText(text: name.map(words.named) ?? words.unnamed, color: label)
            result.subtitle = look.subtitle ?? ShieldText(text: words.explanation, color: secondaryLabel)
        }
        result.primary = look.primary ?? ShieldText(text: words.close, color: onButton)
        result.primaryBackground = look.primaryBackground ?? button
        return result
    }

    private static func words(_ language: String?) -> Words {
        let code = language.map { $0.prefix { $0.isLetter }.lowercased() }
        if code == "ko" {
            return Words(
                // Without a particle after the name: which one it is depends on how the name ends.
                named: { "\($0) 사용 제한" },
                unnamed: "사용 제한",
                explanation: "지금은 사용할 수 없습니다.",
                close: "확인"
            )
        }
        return Words(
            named: { "\($0) has to wait" },
            unnamed: "This has to wait",
            explanation: "You cannot use it at the moment.",
            close: "OK"
        )
    }
}
