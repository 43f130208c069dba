import SwiftUI

@freestanding(declaration)
macro Preview(
    _ name: String? = nil,
    traits: PreviewTrait...,
    @ViewBuilder body: @escaping @MainActor () -> any View
) = #externalMacro(module: "ScreenTimeMacros", type: "Preview")

struct PreviewTrait {
    static let defaultLayout = PreviewTrait()
    static let sizeThatFitsLayout = PreviewTrait()
    static let portrait = PreviewTrait()
    static let landscapeLeft = PreviewTrait()
    static let landscapeRight = PreviewTrait()
}
