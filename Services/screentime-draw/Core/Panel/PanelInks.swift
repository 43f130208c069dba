import STContracts

/// The colours of panels: opaque, so that what lies behind never makes them hard to read.
struct PanelInks {
    let surface: Ink
    /// A little off the surface: what belongs together lies on it.
    let inset: Ink
    let edge: Ink
    let label: Ink
    let secondary: Ink
    let accent: Ink
    let button: Ink
    let quietButton: Ink
    let error: Ink

    init(_ face: DrawAppearance, isUrgent: Bool) {
        let isDark = face == .dark
        surface = isUrgent ? Ink(hex: isDark ? 0xC2410C : 0xB93A0B) : Ink(hex: isDark ? 0x26262A : 0xFBFBFD)
        inset = Ink(hex: isDark ? 0x323238 : 0xF0F0F4)
        edge = (isDark ? Ink.white : .black).with(alpha: isDark ? 0.16 : 0.14)
        label = isUrgent ? .white : SystemInk.label(face)
        secondary = isUrgent ? Ink(hex: 0xFFEDE3) : SystemInk.secondaryLabel(face)
        accent = SystemInk.accent(face)
        button = SystemInk.button(face)
        quietButton = Ink(hex: isDark ? 0x45454C : 0xE3E3E9)
        error = Ink(hex: isDark ? 0xFF9B8A : 0xB3261E)
    }
}
