// The modules that Apple's overlay also exports.
@_exported public import DeviceActivity
@_exported public import ExtensionKit
@_exported public import FamilyControls
@_exported public import SwiftUICore
