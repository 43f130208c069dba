/// Where a view stands, which is who it is: its state lives here from one evaluation to the next.
@MainActor
package final class ViewPlace {
    package enum Step: Hashable {
        /// One of several.
        case index(Int)
        /// What a view of that type consists of.
        case type(ObjectIdentifier)
        /// One that somebody gave a name.
        case id(AnyHashable)
        /// What a modifier is done to.
        case content
        /// A part that a view of this module has.
        case part(String)
    }

    private var children: [Step: ViewPlace] = [:]
    private var slots: [Int: AnyObject] = [:]

    func child(_ step: Step) -> ViewPlace {
        if let child = children[step] { return child }
        let child = ViewPlace()
        children[step] = child
        return child
    }

    /// What is kept here under that number; made when it is first needed.
    func slot<Object: AnyObject>(_ number: Int, _ make: () -> Object) -> Object {
        if let found = slots[number] as? Object { return found }
        let made = make()
        slots[number] = made
        return made
    }

    func slot(_ number: Int) -> AnyObject? { slots[number] }

    func set(_ number: Int, _ object: AnyObject) { slots[number] = object }
}
