import STContracts

/// Our own colours, where a look has none.
enum SystemInk {
    private static let look = SystemLook.look(name: nil, language: nil)

    static func label(_ face: DrawAppearance) -> Ink { ink(look.title?.color, face) }

    static func secondaryLabel(_ face: DrawAppearance) -> Ink { ink(look.subtitle?.color, face) }

    static func button(_ face: DrawAppearance) -> Ink { ink(look.primaryBackground, face) }

    /// Of what is marked: the button that the keyboard would press.
    static func accent(_ face: DrawAppearance) -> Ink { Ink(hex: face == .dark ? 0x7DB4FF : 0x0A62DB) }

    private static func ink(_ color: ShieldColor?, _ face: DrawAppearance) -> Ink {
        (face == .dark ? color?.dark : color?.light).flatMap { Ink($0) } ?? (face == .dark ? .white : .black)
    }
}
