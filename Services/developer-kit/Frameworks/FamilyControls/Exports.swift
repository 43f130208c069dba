// The modules that Apple's module also exports and that apps rely on.
@_exported public import Combine
@_exported public import ManagedSettings
@_exported public import STFoundationGaps
