// What Apple's module brings along, and files rely on.
@_exported public import Combine
@_exported public import Observation
@_exported public import UIKit
