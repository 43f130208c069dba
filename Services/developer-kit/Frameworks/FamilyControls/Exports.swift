// What Apple's module brings along, and files rely on.
@_exported public import Combine
@_exported public import ManagedSettings
@_exported public import STFoundationGaps
