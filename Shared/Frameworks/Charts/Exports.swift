@_exported public import SwiftUICore
