// The modules that Apple's module also exports and that apps rely on, and the entry point of an extension.
@_exported public import Combine
@_exported public import STClientLink
@_exported public import STFoundationGaps
