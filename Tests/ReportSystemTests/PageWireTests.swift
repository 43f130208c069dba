import STContracts
import Testing

@Suite("A page")
struct PageWireTests {
    @Test("is on the wire what it was")
    func isKept() throws {
        let node = PageNode(kind: .text, runs: [PageRun(text: "한 시간")])
        let page = Page(language: "ko", controls: [], variants: [PageVariant(chosen: [], nodes: [node])])
        #expect(try Page.decodedBody(page.encodedBody()) == page)
    }
}
