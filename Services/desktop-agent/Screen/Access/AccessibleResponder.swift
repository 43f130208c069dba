import STDBus
import STDesktop
import STPlatform

/// Answers the AT-SPI calls of assistive technology about the tree.
struct AccessibleResponder {
    private static let accessible = "org.a11y.atspi.Accessible"

    var tree: AccessibleTree
    /// The unique name of this program on the accessibility bus.
    var name: String
    /// The parent of the application object.
    var desktop = DBusValue.structure([.string(""), .objectPath(AccessibleTree.null)])
    /// The ID that the registry assigned.
    private(set) var id: Int32 = 0

    /// Returns the reply to a call, and the button that the call pressed, if any.
    mutating func respond(_ call: DBusMessage) -> (
        Result<[DBusValue], Problem>, (pane: PaneID, spot: String)?
    ) {
        if call.path == AccessibleTree.cache {
            return call.member == "GetItems"
                ? (.success([.array(element: Self.itemSignature, tree.objects.map { item($0) })]), nil)
                : (.failure(call.unknown), nil)
        }
        guard let object = tree.objects.first(where: { $0.path == call.path }) else {
            return (.failure(call.unknown), nil)
        }
        if call.member == "DoAction" {
            guard let press = object.press, call.arguments.first?.number == 0 else {
                return (.success([.bool(false)]), nil)
            }
            return (.success([.bool(true)]), press)
        }
        let values =
            call.interface == "org.freedesktop.DBus.Properties"
            ? properties(object, call) : methods(object, call) ?? geometry(object, call)
        return (values.map { .success($0) } ?? .failure(call.unknown), nil)
    }

    func reference(_ path: String?) -> DBusValue {
        .structure([.string(name), .objectPath(path ?? AccessibleTree.null)])
    }

    // MARK: - Properties

    private mutating func properties(_ object: AccessibleObject, _ call: DBusMessage) -> [DBusValue]? {
        guard let interface = call.arguments.first?.text else { return nil }
        switch call.member {
        case "Get":
            guard call.arguments.count == 2, let wanted = call.arguments[1].text,
                let value = values(object, interface).first(where: { $0.key == wanted })?.value
            else { return nil }
            return [.variant(value)]
        case "GetAll":
            return [
                .dictionary(
                    value: "v",
                    values(object, interface).map { (key: $0.key, value: .variant($0.value)) }
                )
            ]
        case "Set":
            guard call.arguments.count == 3, call.arguments[1].text == "Id",
                let number = call.arguments[2].number.flatMap({ Int32(exactly: $0) })
            else { return nil }
            id = number
            return []
        default: return nil
        }
    }

    private func values(_ object: AccessibleObject, _ interface: String) -> [(key: String, value: DBusValue)]
    {
        switch interface {
        case Self.accessible:
            [
                ("Name", .string(object.name)), ("Description", .string(object.description)),
                ("Parent", object.parent.map { reference($0) } ?? desktop),
                ("ChildCount", .int32(Int32(clamping: object.children.count))), ("Locale", .string("")),
                ("AccessibleId", .string("")),
            ]
        case "org.a11y.atspi.Application" where object.role == .application:
            [
                ("ToolkitName", .string("screentime")), ("Version", .string("1")),
                ("AtspiVersion", .string("2.1")), ("Id", .int32(id)),
            ]
        case "org.a11y.atspi.Action" where object.press != nil: [("NActions", .int32(1))]
        default: []
        }
    }

    // MARK: - Methods

    private func methods(_ object: AccessibleObject, _ call: DBusMessage) -> [DBusValue]? {
        switch call.member {
        case "GetChildAtIndex":
            let index = call.arguments.first?.number.flatMap { Int(exactly: $0) } ?? -1
            return [reference(object.children.indices.contains(index) ? object.children[index] : nil)]
        case "GetChildren": return [.array(element: "(so)", object.children.map { reference($0) })]
        case "GetIndexInParent": return [.int32(Int32(clamping: object.index))]
        case "GetRelationSet": return [.array(element: "(ua(so))", [])]
        case "GetRole": return [.uint32(object.role.rawValue)]
        case "GetRoleName", "GetLocalizedRoleName": return [.string(object.role.name)]
        case "GetState": return [Self.states(object)]
        case "GetAttributes": return [.dictionary(value: "s", [])]
        case "GetApplication": return [reference(AccessibleTree.root)]
        case "GetInterfaces": return [.strings(object.interfaces)]
        case "GetLocale": return [.string("")]
        case "GetActions" where object.press != nil:
            return [.array(element: "(sss)", [.structure([.string("click"), .string(""), .string("")])])]
        case "GetName", "GetLocalizedName":
            return object.press == nil ? nil : [.string("click")]
        case "GetDescription", "GetKeyBinding": return object.press == nil ? nil : [.string("")]
        default: return nil
        }
    }

    /// Returns the 64 state bits as two numbers, the lower half first.
    private static func states(_ object: AccessibleObject) -> DBusValue {
        let bits = object.states.reduce(UInt64(0)) { $0 | 1 << $1.rawValue }
        return .array(
            element: "u",
            [.uint32(UInt32(truncatingIfNeeded: bits)), .uint32(UInt32(truncatingIfNeeded: bits >> 32))]
        )
    }

    private func geometry(_ object: AccessibleObject, _ call: DBusMessage) -> [DBusValue]? {
        guard call.interface == "org.a11y.atspi.Component", object.role != .application else { return nil }
        let frame = place(object, call)
        let point = call.arguments.prefix(2).compactMap { $0.number.flatMap { Int(exactly: $0) } }
        func numbers(_ list: Int...) -> [DBusValue] { list.map { .int32(Int32(clamping: $0)) } }
        switch call.member {
        case "GetExtents": return [.structure(numbers(frame.x, frame.y, frame.width, frame.height))]
        case "GetPosition": return numbers(frame.x, frame.y)
        case "GetSize": return numbers(frame.width, frame.height)
        case "GetLayer": return [.uint32(object.role == .button ? 3 : 7)]
        case "GetAlpha": return [.double(1)]
        case "GrabFocus": return [.bool(false)]
        case "Contains": return point.count == 2 ? [.bool(frame.contains(x: point[0], y: point[1]))] : nil
        case "GetAccessibleAtPoint":
            guard point.count == 2 else { return nil }
            let inside = tree.objects.last {
                ($0.path == object.path || $0.parent == object.path)
                    && place($0, call).contains(x: point[0], y: point[1])
            }
            return [reference(inside?.path)]
        default: return nil
        }
    }

    /// Returns the frame relative to the desktop, or relative to the pane if the call requests that.
    private func place(_ object: AccessibleObject, _ call: DBusMessage) -> ScreenRect {
        var frame = object.frame
        guard call.arguments.last?.number == 1 else { return frame }
        let pane = object.role == .button ? tree.objects.first { $0.path == object.parent } : object
        frame.x -= pane?.frame.x ?? 0
        frame.y -= pane?.frame.y ?? 0
        return frame
    }

    // MARK: - The cache, which returns all objects in one reply

    static let itemSignature = "((so)(so)(so)iiassusau)"

    func item(_ object: AccessibleObject) -> DBusValue {
        .structure([
            reference(object.path), reference(AccessibleTree.root),
            object.parent.map { reference($0) } ?? desktop, .int32(Int32(clamping: object.index)),
            .int32(Int32(clamping: object.children.count)), .strings(object.interfaces),
            .string(object.name), .uint32(object.role.rawValue), .string(object.description),
            Self.states(object),
        ])
    }
}
