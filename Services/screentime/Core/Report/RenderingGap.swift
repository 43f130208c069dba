package import STContracts
package import STRendering

package enum PageHTML {
    package static func document(_ page: Page) -> String { page.title ?? "" }
}

extension PageTerminal {
    package static func lines(_ page: Page, columns: Int, isColoured: Bool) -> [String] {
        page.variants[0].nodes.compactMap { $0.runs?.map(\.text).joined() }
    }
}
