import STContracts
import STPlatform

/// What could not be drawn as it was asked for, as sentences, each once.
final class Warnings {
    private(set) var all: [String] = []

    func add(_ sentence: String) {
        guard all.count < DrawLimits.warnings, !all.contains(sentence) else { return }
        all.append(sentence)
    }

    /// The ink of a colour, or the other one when the colour is none.
    func ink(_ color: ShieldColor?, _ face: DrawAppearance, of what: String, otherwise: Ink) -> Ink {
        guard let color else { return otherwise }
        let text = face == .dark ? color.dark : color.light
        if let ink = Ink(text) { return ink }
        add("The colour of the \(what), “\(text.prefix(20))”, is not one: it wants #RRGGBBAA.")
        return otherwise
    }
}
