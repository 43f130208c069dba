public import Foundation

/// How colours are mixed with those behind; none of them is drawn.
public enum BlendMode: Sendable {
    /// The one in front counts.
    case normal
    /// Darker.
    case multiply
    /// Lighter.
    case screen
    /// Both.
    case overlay
    /// The darker one.
    case darken
    /// The lighter one.
    case lighten
    /// Much lighter.
    case colorDodge
    /// Much darker.
    case colorBurn
    /// Softly both.
    case softLight
    /// Hard both.
    case hardLight
    /// What they differ in.
    case difference
    /// The same with less contrast.
    case exclusion
    /// The colour of the one in front.
    case hue
    /// How strong that one's colour is.
    case saturation
    /// Both of these.
    case color
    /// How bright that one is.
    case luminosity
    /// Only where something is behind.
    case sourceAtop
    /// Behind.
    case destinationOver
    /// Where nothing is in front.
    case destinationOut
    /// Darker by as much as both are.
    case plusDarker
    /// Lighter by as much as both are.
    case plusLighter
}

/// How something comes and goes; on a page nothing does.
public struct AnyTransition: Sendable {
    /// At once.
    public static let identity = AnyTransition()
    /// By becoming opaque.
    public static let opacity = AnyTransition()
    /// By growing.
    public static let scale = AnyTransition()
    /// From one side to the other.
    public static let slide = AnyTransition()

    /// From a side.
    public static func move(edge: Edge) -> AnyTransition { identity }
    /// By growing.
    public static func scale(scale: CGFloat, anchor: UnitPoint = .center) -> AnyTransition { identity }
    /// From elsewhere.
    public static func offset(x: CGFloat = 0, y: CGFloat = 0) -> AnyTransition { identity }
    /// From a side, pushing others away.
    public static func push(from edge: Edge) -> AnyTransition { identity }
    /// In one way when it comes, and in another when it goes.
    public static func asymmetric(insertion: AnyTransition, removal: AnyTransition) -> AnyTransition {
        identity
    }
    /// In both ways.
    public func combined(with other: AnyTransition) -> AnyTransition { self }
    /// With that movement.
    public func animation(_ animation: Animation?) -> AnyTransition { self }
}

/// How words change; on a page they do not.
public struct ContentTransition: Equatable, Sendable {
    /// At once.
    public static let identity = ContentTransition()
    /// By becoming opaque.
    public static let opacity = ContentTransition()
    /// By turning into each other.
    public static let interpolate = ContentTransition()
    /// As the digits of a counter.
    public static func numericText(countsDown: Bool = false) -> ContentTransition { identity }
    /// As the digits of a counter.
    public static func numericText(value: Double) -> ContentTransition { identity }
}

/// What two places have in common.
public struct MatchedGeometryProperties: OptionSet, Sendable {
    /// A bit for each.
    public let rawValue: UInt32

    /// Those.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Where it is.
    public static let position = MatchedGeometryProperties(rawValue: 1)
    /// How large it is.
    public static let size = MatchedGeometryProperties(rawValue: 2)
    /// Both.
    public static let frame = MatchedGeometryProperties(rawValue: 3)
}

/// A name for places that belong together.
@propertyWrapper
public struct Namespace: DynamicProperty, Sendable {
    /// That name.
    public struct ID: Hashable, Sendable {}

    /// A name.
    public init() {}

    /// The name.
    public var wrappedValue: ID { ID() }
}
