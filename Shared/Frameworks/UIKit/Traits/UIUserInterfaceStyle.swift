/// Whether a desktop is light or dark.
public enum UIUserInterfaceStyle: Int, Sendable {
    /// Nobody has said.
    case unspecified

    /// Dark words on light ground.
    case light

    /// Light words on dark ground.
    case dark
}
