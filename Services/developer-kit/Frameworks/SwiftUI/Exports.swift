@_exported public import SwiftUICore
@_exported public import _DeviceActivity_SwiftUI
