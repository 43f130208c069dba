/// What the calculator may do.
///
/// Apple's module has it without a store's property that leads to it, and so has this one.
public struct CalculatorSettings: ManagedSettingsGroup, Sendable {
    /// What holds where nobody sets `denyMathPaperSolving`.
    public static let denyMathPaperSolving = SettingMetadata<Bool>(defaultValue: false)

    /// Whether it may not solve what is written by hand.
    public var denyMathPaperSolving: Bool?
}
