import STContracts
import STPlatform

/// The places at which an app is called, in words.
extension ExtensionPoint {
    /// What an app with such an extension can do, as a person is told who is asked for permission.
    var reason: String? {
        switch self {
        case .monitor:
            "Be told when times that it agreed on with you begin, end or are used up, and act on it."
        case .shieldConfiguration: "Say what a shield looks like that it has put up."
        case .shieldAction: "Act when a button on its shield is pressed."
        case .report: "Draw reports of your use on this computer."
        default: nil
        }
    }

    /// What was meant by an identifier that is none: a wrong one is silently never called on a phone.
    static func near(_ text: String) -> ExtensionPoint? {
        if let same = all.first(where: { $0.rawValue.lowercased() == text.lowercased() }) { return same }
        if let near = TextFormat.closest(to: text, in: all.map(\.rawValue)) { return ExtensionPoint(near) }
        // Some know only the last part by heart, or mix up the frameworks in front of it.
        let tails = all.map { tail(of: $0.rawValue) }
        guard let near = TextFormat.closest(to: tail(of: text), in: tails) else { return nil }
        return tails.firstIndex(of: near).map { all[$0] }
    }

    private static func tail(of text: String) -> String {
        text.split(separator: ".").last.map { $0.lowercased() } ?? ""
    }
}
