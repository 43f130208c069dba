public import Foundation
public import SwiftUICore

extension ChartContent {
    /// With words at the mark: of a view only its words are shown.
    public func annotation<C: View>(
        position: AnnotationPosition = .automatic,
        alignment: Alignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: @escaping () -> C
    ) -> some ChartContent {
        noted { _ in AnyView(content()) }
    }

    /// With words at the mark that may know about it: of a view only its words are shown.
    public func annotation<C: View>(
        position: AnnotationPosition = .automatic,
        alignment: Alignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: @escaping (AnnotationContext) -> C
    ) -> some ChartContent {
        noted { AnyView(content($0)) }
    }

    /// With words at the mark: of a view only its words are shown.
    public func annotation<C: View>(
        position: AnnotationPosition = .automatic,
        alignment: Alignment = .center,
        spacing: CGFloat? = nil,
        overflowResolution: AnnotationOverflowResolution,
        @ViewBuilder content: @escaping () -> C
    ) -> some ChartContent {
        noted { _ in AnyView(content()) }
    }

    private func noted(_ view: @escaping @MainActor (AnnotationContext) -> AnyView) -> some ChartContent {
        marked { mark, page in
            let element = try page.collectOne { try page.lower(view(AnnotationContext())) }
            guard let words = element?.words, !words.isEmpty else { return }
            mark.note = [mark.note, words].compactMap { $0 }.joined(separator: " ")
        }
    }

    /// What those hear who cannot see the mark.
    public func accessibilityLabel(_ label: Text) -> some ChartContent {
        marked { mark, page in
            if mark.says == nil { mark.says = label.words(in: page.environment) }
        }
    }

    /// What those hear who cannot see the mark.
    public func accessibilityLabel(_ labelKey: LocalizedStringKey) -> some ChartContent {
        accessibilityLabel(Text(labelKey))
    }

    /// What those hear who cannot see the mark.
    @_disfavoredOverload
    public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some ChartContent {
        accessibilityLabel(Text(label))
    }

    /// The value that those hear who cannot see the mark.
    public func accessibilityValue(_ value: Text) -> some ChartContent {
        marked { mark, page in
            if mark.saysValue == nil { mark.saysValue = value.words(in: page.environment) }
        }
    }

    /// The value that those hear who cannot see the mark.
    public func accessibilityValue(_ valueKey: LocalizedStringKey) -> some ChartContent {
        accessibilityValue(Text(valueKey))
    }

    /// The value that those hear who cannot see the mark.
    @_disfavoredOverload
    public func accessibilityValue<S: StringProtocol>(_ value: S) -> some ChartContent {
        accessibilityValue(Text(value))
    }

    /// Not told to those who cannot see the mark; here its value still stands in the table.
    public func accessibilityHidden(_ hidden: Bool) -> some ChartContent { self }

    /// A name for tests; a page has none.
    public func accessibilityIdentifier(_ identifier: String) -> some ChartContent { self }
}
