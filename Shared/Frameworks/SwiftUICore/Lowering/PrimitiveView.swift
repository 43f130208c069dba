/// A view that puts something on a page itself, rather than to consist of others.
///
/// Other modules add kinds of views with this: declare `Body` as `Never`, and write nodes.
@MainActor
package protocol PrimitiveView {
    func write(_ page: PageWriter) throws
}
