// What Apple's module brings along, and files rely on.
@_exported public import STFoundationGaps
@_exported public import UserNotifications
