import Foundation
import STContracts
import STRendering
import STTestSupport
import Testing

@Suite(
    "Accessibility of reports",
    .serialized,
    .enabled(if: TestProgram.canBrowse)
)
struct AccessibilityTests {
    /// A document that runs axe-core on itself with all tables open.
    private func audited(_ document: String) throws -> String {
        let axe = try String(contentsOfFile: TestProgram.axe, encoding: .utf8)
            .replacing("</script>", with: "<\\/script>")
        let question = """
            <script>\(axe)</script><script>
            document.querySelectorAll('details').forEach(function(d){d.open=true});
            axe.run(document).then(function(r){
            parent.said(window.name,'rules '+r.passes.length+'\\n'+r.violations.filter(function(v){
            return v.impact==='serious'||v.impact==='critical'}).map(function(v){
            return v.impact+' '+v.id+' '+v.nodes.map(function(n){return n.html}).join(' ')}).join('\\n'))});
            </script></body>
            """
        return TestProgram.withoutPolicy(document).replacing("</body>", with: question)
    }

    /// Violations in each document. All documents are in one window, because a browser takes seconds to start.
    private func found(_ documents: [String]) throws -> [[String]] {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let frames = try documents.enumerated().map { index, document in
            let source = try audited(document).replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
            return
                "<iframe name=\"\(index)\" style=\"width:800px;height:3000px\" srcdoc=\"\(source)\"></iframe>"
        }
        let window = """
            <!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Frames</title>
            <script>function said(name,text){var p=document.createElement('pre');p.id='axe'+name;
            p.textContent=text;document.body.appendChild(p)}</script><body>\(frames.joined())</body></html>
            """
        let shown = try TestProgram.browse(window, in: scratch)
        return try documents.indices.map { index in
            let start = try #require(shown.range(of: "<pre id=\"axe\(index)\">"), "axe said nothing")
            let end = try #require(shown.range(of: "</pre>", range: start.upperBound..<shown.endIndex))
            let lines = shown[start.upperBound..<end.lowerBound].split(separator: "\n").map(String.init)
            // Without any rule that applies, no violation could be found.
            let rules = lines.first.flatMap { Int($0.dropFirst(6)) } ?? 0
            #expect(rules > 10)
            return Array(lines.dropFirst())
        }
    }

    @Test("Reports have no serious axe-core violation in both appearances and languages")
    func violations() throws {
        let documents = [
            PageHTML.document(SamplePages.day("en"), HTMLOptions(theme: .light)),
            PageHTML.document(SamplePages.app("en"), HTMLOptions(theme: .dark)),
            PageHTML.document(SamplePages.app("ko"), HTMLOptions(theme: .light)),
            PageHTML.document(SamplePages.day("ko"), HTMLOptions(theme: .dark)),
        ]
        let violations = try found(documents).flatMap { $0 }
        #expect(violations.isEmpty, "\(violations.joined(separator: "\n").prefix(3000))")
    }

    @Test("Random pages have no serious axe-core violation")
    func lots() throws {
        let documents = (0..<4).map { seed in
            var samples = PageSamples(seed: UInt64(seed))
            return PageHTML.document(samples.page("en"), HTMLOptions(theme: seed % 2 == 0 ? .light : .dark))
        }
        let violations = try found(documents).flatMap { $0 }
        #expect(violations.isEmpty, "\(violations.joined(separator: "\n").prefix(3000))")
    }

    @Test("Deliberate violations are found by axe-core")
    func counterproof() throws {
        let document = PageHTML.document(SamplePages.day("en"), HTMLOptions(theme: .light))
            .replacing("<html lang=\"en\">", with: "<html>").replacing("--ink:#1D1D1F", with: "--ink:#EEEEEE")

        let violations = try found([document])[0]
        #expect(violations.contains { $0.hasPrefix("serious html-has-lang") })
        #expect(violations.contains { $0.hasPrefix("serious color-contrast") })
    }

    @Test("The script runs under the document's policy, and arrow keys and Enter select a mark")
    func keyboard() throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        // Only the script that the policy allows can run. It leaves one mark of each drawing in the tab order.
        let document = PageHTML.document(SamplePages.app("en"))
        let shown = try TestProgram.browse(document, in: scratch)
        let roving = shown.components(separatedBy: "tabindex=\"-1\"").count - 1

        #expect(roving > 20)

        let press = """
            <script>
            var m=document.querySelectorAll('#v0 .m');m[0].focus();
            var key=function(e,k){e.dispatchEvent(new KeyboardEvent('keydown',{key:k,bubbles:true}))};
            key(m[0],'ArrowRight');key(document.activeElement,'Enter');
            // On a busy machine the window of the page may have no focus yet, and then no element gets its own focus event.
            document.activeElement.dispatchEvent(new FocusEvent('focus'));
            var s=document.createElement('pre');s.id='said';
            s.textContent=[document.querySelector('input[name=o1]:checked').value,
            getComputedStyle(document.getElementById('v0')).display,
            getComputedStyle(document.getElementById('v2')).display,
            document.activeElement.getAttribute('aria-pressed'),
            document.querySelector('#v2 .ro').textContent].join('|');
            document.body.appendChild(s);
            </script></body>
            """
        let open = TestProgram.withoutPolicy(document)
        let after = try TestProgram.browse(open.replacing("</body>", with: press), in: scratch)
        #expect(after.contains("<pre id=\"said\">2|none|flex|true|Social: 1 h 23 min, 29%</pre>"))
    }
}
