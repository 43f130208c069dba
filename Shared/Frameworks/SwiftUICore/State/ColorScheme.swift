/// Whether the ground is light or dark.
public enum ColorScheme: CaseIterable, Sendable {
    /// Dark words on light ground.
    case light

    /// Light words on dark ground.
    case dark
}
