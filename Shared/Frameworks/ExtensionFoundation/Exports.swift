@_exported public import STFoundationGaps
