package import STContracts

/// Converts a page into one HTML document without external resources.
package enum PageHTML {
    /// Returns the document of a page. If the page is invalid, the document contains an error message.
    package static func document(_ page: Page, _ options: HTMLOptions = HTMLOptions()) -> String {
        let words = PageStrings(language: page.language)
        let title = page.title?.orNil
        guard (try? PageCheck.check(page)) != nil else {
            return shell(
                page.language,
                title: words.title,
                sheet: "",
                defs: "",
                body: "<p>\(words.broken)</p>",
                hasScript: false
            )
        }
        let first = HTMLControls.first(page, options.chosen)
        var colors = HTMLColors()
        var body = HTMLControls.buttons(page, first: first)
        var hasCharts = false
        for (index, variant) in page.variants.enumerated() {
            guard let tree = try? PageTree(variant.nodes) else { continue }
            let hasHeading = variant.nodes.contains { $0.heading == 1 }
            var builder = HTMLBuilder(
                page,
                tree: tree,
                variant: index,
                colors: colors,
                headings: HTMLHeadings(isTitled: !hasHeading)
            )
            if !hasHeading {
                let name = HTMLEscape.text(title ?? words.title)
                builder.out += "<h1 class=\"\(title == nil ? "vh" : "pt")\" dir=\"auto\">\(name)</h1>"
            }
            if variant.nodes.isEmpty { builder.out += "<p>\(HTMLEscape.text(words.nothing))</p>" }
            builder.write()
            colors = builder.colors
            hasCharts = hasCharts || builder.charts > 0
            let isOnly = page.variants.count == 1
            body += isOnly ? builder.out : "<div class=\"var\" id=\"v\(index)\">\(builder.out)</div>"
        }
        let sheet =
            colors.stylesheet(options.theme) + HTMLStylesheet.rules
            + HTMLControls.stylesheet(page, first: first)
        return shell(
            page.language,
            title: title ?? words.title,
            sheet: sheet,
            defs: hasCharts ? HTMLPatterns.definitions : "",
            body: body,
            hasScript: hasCharts
        )
    }

    private static func shell(
        _ language: String,
        title: String,
        sheet: String,
        defs: String,
        body: String,
        hasScript: Bool
    ) -> String {
        let script = hasScript ? "'\(HTMLScript.hash)'" : "'none'"
        // The policy allows no external resources, and no script except `HTMLScript`.
        let policy =
            "default-src 'none'; script-src \(script); style-src 'unsafe-inline'; img-src data:; "
            + "base-uri 'none'; form-action 'none'"
        return """
            <!DOCTYPE html>
            <html lang="\(HTMLEscape.text(language))">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <title>\(HTMLEscape.text(title))</title>
            <style>\(sheet)</style>
            </head>
            <body>
            \(defs)<main>\(body)</main>
            \(hasScript ? "<script>\(HTMLScript.text)</script>\n" : "")</body>
            </html>

            """
    }
}

package struct HTMLOptions: Sendable {
    package var theme: HTMLTheme
    /// One option of each control, to show another variant than the first initially.
    package var chosen: [Int]?

    package init(theme: HTMLTheme = .automatic, chosen: [Int]? = nil) {
        self.theme = theme
        self.chosen = chosen
    }
}

/// The colour scheme of a document.
package enum HTMLTheme: String, Sendable {
    /// The scheme of the reader's system.
    case automatic
    case light
    case dark
}
