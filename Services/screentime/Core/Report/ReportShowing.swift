import STContracts
import STPlatform
import STRendering

/// Puts a report where it was asked for.
struct ReportShowing {
    let invocation: Invocation
    let clock: LocalClock

    func show(_ report: MadeReport) throws {
        let outputs = report.options.outputs
        if outputs.isJSON { invocation.terminal.write(JSONOutput.pretty(try report.json(clock))) }
        if let csv = outputs.csv, let usage = report.usage {
            let text = ReportCSV.text(usage, clock)
            if csv == "-" {
                // The terminal ends the last line itself.
                invocation.terminal.write(String(text.unicodeScalars.dropLast()))
            } else {
                try write(Array(text.utf8), to: csv)
            }
        }
        guard !outputs.isJSON || outputs.html != nil || outputs.png != nil || outputs.svg != nil else {
            return
        }
        if outputs.csv != nil, outputs.html == nil, outputs.png == nil, outputs.svg == nil { return }
        let page = report.page
        if let html = outputs.html {
            let text = PageHTML.document(page)
            if html == "-" { invocation.terminal.write(text) } else { try write(Array(text.utf8), to: html) }
        }
        if let png = outputs.png { try draw(page, .png, png, outputs) }
        if let svg = outputs.svg { try draw(page, .svg, svg, outputs) }
        if outputs.isScreen {
            invocation.terminal.write(lines(page, invocation.terminal).joined(separator: "\n"))
        }
    }

    func lines(_ page: Page, _ terminal: Terminal) -> [String] {
        PageTerminal.lines(page, columns: terminal.columns, colour: terminal.isColoured)
    }

    /// A reader of the file sees the page before or the new one, never a part.
    func write(_ bytes: [UInt8], to path: String, tells: Bool = true) throws {
        try AtomicFile.write(bytes, to: path, durable: false)
        if tells { invocation.terminal.note("Written: \(path), \(TextFormat.bytes(Int64(bytes.count))).") }
    }

    private func draw(_ page: Page, _ format: DrawFormat, _ path: String, _ outputs: ReportOutputs) throws {
        let answer = try PagePicture.write(
            page,
            to: path,
            scale: format == .png ? 2 : nil,
            appearance: outputs.isDark ? .dark : .light,
            format: format,
            environment: invocation.environment
        )
        invocation.terminal.note("Drawn into \(path), \(answer.width)x\(answer.height).")
        for warning in answer.warnings { invocation.terminal.note(DisplayWidth.harmless(warning)) }
    }
}
