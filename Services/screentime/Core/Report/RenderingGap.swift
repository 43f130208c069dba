package import STContracts
package import STRendering

extension PageTerminal {
    package static func lines(_ page: Page, columns: Int, isColoured: Bool) -> [String] {
        page.variants[0].nodes.compactMap { $0.runs?.map(\.text).joined() }
    }
}
