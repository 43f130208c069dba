import STContracts

extension View {
    /// What is said instead of what is shown.
    public func accessibilityLabel(_ label: Text) -> some View {
        lowered { page, content in
            let words = label.words(in: page.environment)
            try page.each(content) {
                $0.node.label = words
                $0.node.isDecoration = nil
            }
        }
    }

    /// What is said instead of what is shown.
    public func accessibilityLabel(_ labelKey: LocalizedStringKey) -> some View {
        accessibilityLabel(Text(labelKey))
    }

    /// What is said instead of what is shown.
    @_disfavoredOverload
    public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View {
        accessibilityLabel(Text(label))
    }

    /// What is said after that.
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

    /// What is said after that.
    public func accessibilityValue(_ valueKey: LocalizedStringKey) -> some View {
        accessibilityValue(Text(valueKey))
    }

    /// What is said after that.
    @_disfavoredOverload
    public func accessibilityValue<S: StringProtocol>(_ value: S) -> some View {
        accessibilityValue(Text(value))
    }

    /// What it does, for those who listen; a page does nothing.
    public func accessibilityHint(_ hint: Text) -> some View { self }
    /// What it does, for those who listen; a page does nothing.
    public func accessibilityHint(_ hintKey: LocalizedStringKey) -> some View { self }
    /// What it does, for those who listen; a page does nothing.
    @_disfavoredOverload
    public func accessibilityHint<S: StringProtocol>(_ hint: S) -> some View { self }

    /// Only to be looked at.
    public func accessibilityHidden(_ hidden: Bool) -> some View {
        marked { $0.node.isDecoration = hidden ? true : $0.node.isDecoration }
    }

    /// What it is, for those who listen: a header is a heading.
    public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View {
        lowered { page, content in
            try page.changing({ if traits.contains(.isHeader) { $0.look.heading = 2 } }, content)
        }
    }

    /// What it is not, for those who listen.
    public func accessibilityRemoveTraits(_ traits: AccessibilityTraits) -> some View {
        changed { if traits.contains(.isHeader) { $0.look.heading = nil } }
    }

    /// How its parts are said: together, each, or not at all.
    public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View {
        marked { if children == .combine { $0.node.label = $0.node.label ?? $0.words } }
    }

    /// A name for tests, which a page does not have.
    public func accessibilityIdentifier(_ identifier: String) -> some View { self }
}
