package import STContracts
package import STPlatform

/// Looks through a page that comes from somebody else's code before anything is made of it.
///
/// Nothing here goes deeper with the page: nodes lie in a row.
package enum PageCheck {
    /// Controls on a page: with two options each, five are already all the variants there may be.
    package static let controlsMax = 8

    package static func check(_ page: Page) throws(Problem) {
        var meter = PageMeter()
        try checkHead(page, &meter)
        try checkControls(page, &meter)
        try checkVariants(page)
        for (index, variant) in page.variants.enumerated() {
            let field = "/variants/\(index)/nodes"
            _ = try PageTree(variant.nodes, field: field)
            for (place, node) in variant.nodes.enumerated() {
                try PageNodeCheck(field: "\(field)/\(place)", controls: page.controls).check(node, &meter)
            }
        }
    }

    private static func checkHead(_ page: Page, _ meter: inout PageMeter) throws(Problem) {
        let isTag =
            (2...35).contains(page.language.utf8.count)
            && page.language.utf8.allSatisfy { PageMeter.isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
        guard isTag else {
            throw Problem("page.language", "The language of a page is a tag such as ko.", field: "/language")
        }
        if let zone = page.zone, zone.utf8.count > 64 || zone.utf8.contains(where: { $0 < 0x21 || $0 > 0x7E })
        {
            throw Problem("page.zone", "The zone of a page is a name such as Asia/Seoul.", field: "/zone")
        }
        try meter.text(page.title, "/title")
    }

    private static func checkControls(_ page: Page, _ meter: inout PageMeter) throws(Problem) {
        guard page.controls.count <= controlsMax else {
            throw Problem("page.control", "A page has at most \(controlsMax) controls.", field: "/controls")
        }
        for (index, control) in page.controls.enumerated() {
            let field = "/controls/\(index)"
            guard !control.options.isEmpty, control.options.count <= PageLimits.marks + 1,
                control.options.indices.contains(control.chosen)
            else {
                throw Problem(
                    "page.control",
                    "A control has options, at most \(PageLimits.marks + 1), and one of them is chosen.",
                    field: field
                )
            }
            try meter.text(control.label, field + "/label")
            for option in control.options { try meter.text(option, field + "/options") }
        }
    }

    private static func checkVariants(_ page: Page) throws(Problem) {
        func refuse(_ sentence: String, _ field: String) -> Problem {
            Problem("page.variants", sentence, field: field)
        }
        guard let first = page.variants.first, page.variants.count <= PageLimits.variants else {
            throw refuse("A page has one variant or more, at most \(PageLimits.variants).", "/variants")
        }
        guard first.chosen == page.controls.map(\.chosen) else {
            throw refuse("The first variant is what the controls have chosen.", "/variants/0/chosen")
        }
        var seen: Set<[Int]> = []
        for (index, variant) in page.variants.enumerated() {
            let field = "/variants/\(index)/chosen"
            guard variant.chosen.count == page.controls.count,
                zip(variant.chosen, page.controls).allSatisfy({ $1.options.indices.contains($0) })
            else { throw refuse("A variant chooses one option of each control.", field) }
            guard seen.insert(variant.chosen).inserted else {
                throw refuse("Each choice has one variant; this one is there twice.", field)
            }
        }
    }
}
