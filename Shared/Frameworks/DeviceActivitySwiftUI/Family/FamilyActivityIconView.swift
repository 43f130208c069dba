/// A picture of what a token stands for.
public struct FamilyActivityIconView: View {
    let kind: FamilyActivityKind

    /// A picture of its kind.
    public var body: some View { Image(systemName: kind.symbol).accessibilityHidden(true) }
}
