public import Foundation

/// Views that are made from a collection.
public protocol DynamicViewContent: View {
    /// What the collection is.
    associatedtype Data: Collection

    /// What they are made from.
    var data: Data { get }
}

extension DynamicViewContent {
    /// What would happen when somebody takes one away; nobody can on a page.
    public func onDelete(perform action: ((IndexSet) -> Void)?) -> some DynamicViewContent { self }

    /// What would happen when somebody moves one; nobody can on a page.
    public func onMove(perform action: ((IndexSet, Int) -> Void)?) -> some DynamicViewContent { self }
}
