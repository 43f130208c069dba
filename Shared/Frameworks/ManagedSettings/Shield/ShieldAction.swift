/// What a person has pressed on a shield.
public enum ShieldAction: Int, Sendable {
    /// The first button.
    case primaryButtonPressed

    /// The second button.
    case secondaryButtonPressed

    /// The first entry of the second button's menu.
    case firstSecondarySubmenuItemPressed

    /// The second entry of the second button's menu.
    case secondSecondarySubmenuItemPressed

    /// The third entry of the second button's menu.
    case thirdSecondarySubmenuItemPressed
}
