import STContracts

extension View {
    public func accessibilityLabel(_ label: Text) -> some View {
        lowered { page, content in
            let words = label.words(in: page.environment)
            try page.each(content) {
                $0.node.label = words
                $0.node.isDecoration = nil
            }
        }
    }

    public func accessibilityLabel(_ labelKey: LocalizedStringKey) -> some View {
        accessibilityLabel(Text(labelKey))
    }

    @_disfavoredOverload
    public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View {
        accessibilityLabel(Text(label))
    }

    public func accessibilityValue(_ value: Text) -> some View {
        lowered { page, content in
            let words = value.words(in: page.environment)
            try page.each(content) { element in
                let before = element.words
                element.node.label = before.isEmpty ? words : "\(before), \(words)"
                element.node.isDecoration = nil
            }
        }
    }

    public func accessibilityValue(_ valueKey: LocalizedStringKey) -> some View {
        accessibilityValue(Text(valueKey))
    }

    @_disfavoredOverload
    public func accessibilityValue<S: StringProtocol>(_ value: S) -> some View {
        accessibilityValue(Text(value))
    }

    // No effect: a page has no actions that a hint could describe.
    public func accessibilityHint(_ hint: Text) -> some View { self }
    public func accessibilityHint(_ hintKey: LocalizedStringKey) -> some View { self }
    @_disfavoredOverload
    public func accessibilityHint<S: StringProtocol>(_ hint: S) -> some View { self }

    public func accessibilityHidden(_ hidden: Bool) -> some View {
        marked { $0.node.isDecoration = hidden ? true : $0.node.isDecoration }
    }

    /// Makes a text a heading if the traits contain `.isHeader`. Other traits have no effect.
    public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View {
        lowered { page, content in
            try page.changing({ if traits.contains(.isHeader) { $0.look.heading = 2 } }, content)
        }
    }

    public func accessibilityRemoveTraits(_ traits: AccessibilityTraits) -> some View {
        changed { if traits.contains(.isHeader) { $0.look.heading = nil } }
    }

    public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View {
        marked { if children == .combine { $0.node.label = $0.node.label ?? $0.words } }
    }

    /// Has no effect, because identifiers are for tests and a page does not contain them.
    public func accessibilityIdentifier(_ identifier: String) -> some View { self }
}

public struct AccessibilityTraits: OptionSet, Sendable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static let isButton = AccessibilityTraits(rawValue: 1)
    public static let isHeader = AccessibilityTraits(rawValue: 2)
    public static let isSelected = AccessibilityTraits(rawValue: 4)
    public static let isLink = AccessibilityTraits(rawValue: 8)
    public static let isImage = AccessibilityTraits(rawValue: 16)
    public static let isStaticText = AccessibilityTraits(rawValue: 32)
    public static let isSummaryElement = AccessibilityTraits(rawValue: 64)
    public static let updatesFrequently = AccessibilityTraits(rawValue: 128)
    public static let isModal = AccessibilityTraits(rawValue: 256)
    public static let isToggle = AccessibilityTraits(rawValue: 512)
}

public struct AccessibilityChildBehavior: Hashable, Sendable {
    private let name: String

    public static let ignore = AccessibilityChildBehavior(name: "ignore")
    public static let contain = AccessibilityChildBehavior(name: "contain")
    public static let combine = AccessibilityChildBehavior(name: "combine")
}
