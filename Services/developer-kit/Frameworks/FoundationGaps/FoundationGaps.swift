// Scoped imports win over unscoped ones, also when they come from a module that re-exports them. So `UserDefaults` means
// ours in every file that imports one of the frameworks, even where it imports Foundation, too.
@_exported public import Combine
@_exported public import Foundation
@_exported public import STFoundationTypes

@_exported public import class STFoundationTypes.DateComponentsFormatter
@_exported public import class STFoundationTypes.UserDefaults
