import STContracts

/// Which colour a text gets on what lies behind it.
struct Legibility {
    /// What is below this nobody can read, and the look is overruled.
    private static let invisible = 1.6
    /// What is below this is hard to read; WCAG asks for 3 of large text.
    private static let hard = 3.0
    /// What WCAG asks for of text.
    private static let good = 4.5

    let face: DrawAppearance
    let warnings: Warnings

    /// The look's own colour, as long as anybody can read it.
    func ink(_ text: ShieldText, of what: String, on ground: Ink) -> Ink {
        let automatic = automatic(SystemInk.label, on: ground)
        var own = warnings.ink(text.color, face, of: what, otherwise: automatic)
        // A dark style on a light desktop: the colour's other face is the one that was made for it.
        let other = Ink(face == .dark ? text.color.light : text.color.dark)
        if own.contrast(on: ground) < Self.hard, let other, other.contrast(on: ground) >= Self.good {
            own = other
        }
        let contrast = own.contrast(on: ground)
        let figure = Double(Int(contrast * 10)) / 10
        if contrast < Self.invisible {
            warnings.add(
                "The \(what) cannot be read in its colour (contrast \(figure)); another one is "
                    + "shown. Choose one that stands out."
            )
            return automatic
        }
        if contrast < Self.hard {
            warnings.add(
                "The \(what) is hard to read in its colour: its contrast is \(figure), and should be 4.5."
            )
        }
        return own
    }

    /// Of our own two colours the one that stands out more.
    func automatic(_ ink: (DrawAppearance) -> Ink, on ground: Ink) -> Ink {
        let (light, dark) = (ink(.light), ink(.dark))
        let better = light.contrast(on: ground) >= dark.contrast(on: ground) ? light : dark
        guard better.contrast(on: ground) < Self.good else { return better }
        // On a ground of middling light one of these always stands out.
        return Ink.black.contrast(on: ground) >= Ink.white.contrast(on: ground) ? .black : .white
    }
}
