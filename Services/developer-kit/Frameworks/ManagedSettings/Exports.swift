// What Apple's module brings along, and files rely on; and the entry point of an extension.
@_exported public import Combine
@_exported public import STClientLink
@_exported public import STFoundationGaps
