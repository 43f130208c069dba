/// Puts on a page what is modified; may do so once, several times, or not at all.
package typealias PageContent = @MainActor () throws -> Void

/// A modifier that does something with what is on a page itself.
@MainActor
package protocol PrimitiveModifier {
    func write(_ page: PageWriter, _ content: PageContent) throws
}
