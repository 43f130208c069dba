// Scoped imports take precedence over unscoped ones, even if another module re-exports them. So `UserDefaults` means the type of
// these frameworks in every file that imports one of them, even if the file also imports Foundation.
@_exported public import Combine
@_exported public import Foundation
@_exported public import STFoundationTypes

@_exported public import class STFoundationTypes.DateComponentsFormatter
@_exported public import class STFoundationTypes.UserDefaults
