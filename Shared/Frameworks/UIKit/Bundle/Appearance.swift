/// What a thing in an asset catalogue is for.
struct Appearance: Decodable {
    var appearance: String
    var value: String
}

extension [Appearance]? {
    var isDark: Bool { self?.contains { $0.appearance == "luminosity" && $0.value == "dark" } ?? false }
    /// Others are for high contrast or for a tint, which nobody asks for here.
    var isPlain: Bool { self?.allSatisfy { $0.appearance == "luminosity" } ?? true }
}
