package import Foundation
package import STContracts

extension PageWriter {
    /// Adds things that stand below or beside each other.
    package func stack<Content: View>(
        _ kind: PageKind,
        _ align: PageAlign,
        _ spacing: CGFloat?,
        _ content: Content
    ) throws {
        try changing({ $0.look.isRow = kind == .horizontal }) {
            try add(PageNode(kind: kind, align: align, spacing: spacing.map { Length.of($0) })) {
                try lower(content)
            }
        }
    }
}
