import STContracts

/// The interactive controls of a page. They are real radio buttons, which work without a script.
enum HTMLControls {
    /// Returns the options of each control that lead to a variant.
    static func reachable(_ page: Page) -> [Set<Int>] {
        page.controls.indices.map { place in Set(page.variants.map { $0.chosen[place] }) }
    }

    /// Returns the index of the initial variant.
    static func first(_ page: Page, _ chosen: [Int]?) -> Int {
        chosen.flatMap { chosen in page.variants.firstIndex { $0.chosen == chosen } } ?? 0
    }

    /// Returns the radio buttons. They are visually hidden, because each variant contains visible labels for them.
    static func buttons(_ page: Page, first: Int) -> String {
        let words = PageStrings(language: page.language)
        let reachable = reachable(page)
        return page.controls.enumerated().map { place, control in
            let chosen = page.variants[first].chosen[place]
            let name = control.label.orNil ?? words.selection
            let options = control.options.enumerated().compactMap { option, text -> String? in
                let isThere = reachable[place].contains(option)
                if control.kind != .choice, !isThere { return nil }
                let label = text.orNil ?? words.none
                return
                    "<input type=\"radio\" name=\"o\(place)\" id=\"o\(place)-\(option)\" value=\"\(option)\" "
                    + "aria-label=\"\(HTMLEscape.text(label))\" autocomplete=\"off\""
                    + (option == chosen ? " checked" : "") + (isThere ? "" : " disabled") + ">"
            }
            return
                "<fieldset class=\"vh\"><legend>\(HTMLEscape.text(name))</legend>\(options.joined())</fieldset>"
        }.joined()
    }

    /// Returns rules that show the variant whose options are all checked. If there is none, the first one stays visible.
    static func stylesheet(_ page: Page, first: Int) -> String {
        guard page.variants.count > 1 else { return "" }
        var rules = ".var{display:none}#v\(first){display:flex}"
        for (index, variant) in page.variants.enumerated() where index != first {
            let all = variant.chosen.enumerated().map { ":has(#o\($0)-\($1):checked)" }.joined()
            rules += "html\(all) #v\(first){display:none}html\(all) #v\(index){display:flex}"
        }
        for (place, options) in reachable(page).enumerated() where page.controls[place].kind == .choice {
            for option in options.sorted() {
                rules +=
                    "html:has(#o\(place)-\(option):focus-visible) label[for=o\(place)-\(option)]"
                    + "{outline:3px solid var(--focus);outline-offset:1px}"
            }
        }
        return rules
    }
}
