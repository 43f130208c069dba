import Glibc
import STCommandCore
import STContracts
import STPlatform
import STRendering
import STSimulator

/// The outcome of `app try` as one self-contained HTML page.
struct TryPage {
    private static let shieldSize = (width: 420, height: 560)
    private static let pictureBytesMax = 8 << 20
    /// The memory that a phone allows a monitor for one callback.
    private static let phoneKib: Int64 = 6_144

    private let outcome: SimulatorOutcome
    private let verdict: TryVerdict
    private let environment: [String: String]

    init(_ outcome: SimulatorOutcome, _ verdict: TryVerdict, environment: [String: String]) {
        self.outcome = outcome
        self.verdict = verdict
        self.environment = environment
    }

    var document: String {
        let name = HTMLEscape.text(outcome.report.name)
        let policy =
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
        let title = name.prefix(1).uppercased() + name.dropFirst()
        return """
            <!doctype html>
            <html lang="\(Speech.language.code)">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <title>\(title)</title>
            <style>\(Self.sheet)</style>
            <main>
            <h1>\(title)</h1>
            <p class="quiet">\(span)</p>
            \(facts)
            \(troubles)
            \(section(Speech.say("lab.shields", "Shields"), shields))
            \(section(Speech.say("lab.reports", "Reports"), reports))
            \(section(Speech.say("lab.what-callbacks-cost", "Cost of callbacks"), costs))
            \(section(Speech.say("lab.the-week", "The week"), days))
            \(section(Speech.say("lab.what-a-phone-would", "What a phone would not have reported"), silences))
            </main>
            </html>

            """
    }

    private func section(_ title: String, _ content: String) -> String {
        content.isEmpty ? "" : "<h2>\(HTMLEscape.text(title))</h2>\n\(content)"
    }

    // MARK: - Figures

    private var span: String {
        let played = Speech.duration(ms: outcome.playedMs)
        let took = Speech.duration(ms: outcome.tookMs)
        // Use the clock of the simulated device, as in the timeline.
        let day = outcome.lines.dropFirst().first { $0.weight == .heading }?.text ?? outcome.report.zone
        return HTMLEscape.text(
            Speech.say(
                "lab.from-played-in",
                "From \(day, "day"): \(played, "played"), simulated in \(took, "took")."
            )
        )
    }

    private var facts: String {
        let entries = outcome.report.timeline
        let called = entries.count { $0.callback != nil }
        let facts = [
            (Speech.say("lab.callbacks", "callbacks"), called),
            (
                Speech.say("lab.did-not-go-well", "not completed"),
                entries.count { $0.callback != nil && $0.callback?.state != .done }
            ),
            (Speech.say("lab.notifications", "notifications"), entries.count { $0.kind == "notification" }),
            (Speech.say("lab.shields-shown", "shields shown"), entries.count { $0.kind == "shield" }),
            (Speech.say("lab.buttons-pressed", "buttons pressed"), entries.count { $0.kind == "press" }),
        ]
        let parts = facts.map { name, count in
            "<li><strong>\(count)</strong> \(HTMLEscape.text(name))</li>"
        }
        return "<ul class=\"facts\">\(parts.joined())</ul>"
    }

    private var troubles: String {
        let all = verdict.failures + outcome.unmet + verdict.changes
        guard !all.isEmpty else { return "" }
        return "<ul class=\"bad\">\(all.map { "<li>\(HTMLEscape.text($0))</li>" }.joined())</ul>"
    }

    private var silences: String {
        guard !outcome.report.silences.isEmpty else { return "" }
        return "<ul>\(outcome.report.silences.map { "<li>\(HTMLEscape.text($0))</li>" }.joined())</ul>"
    }

    private var costs: String {
        guard !outcome.calls.isEmpty else { return "" }
        let heads = [
            Speech.say("lab.callback", "Callback"), Speech.say("lab.times", "Calls"),
            Speech.say("lab.longest", "Longest"),
            Speech.say("lab.most-memory-a-phone", "Most memory (limit on a phone: 6 MB)"),
        ]
        let rows = outcome.calls.map { call in
            let tenths = (call.mostKib * 10 + 512) / 1_024
            let memory = call.mostKib > 0 ? "\(tenths / 10).\(tenths % 10) MB" : ""
            let isTooMuch = call.mostKib > Self.phoneKib
            let cells = [
                "\(call.app) \(call.method)", "\(call.count)", "\(call.longestMs) ms", memory,
            ]
            return "<tr\(isTooMuch ? " class=\"bad\"" : "")>"
                + cells.map { "<td>\(HTMLEscape.text($0))</td>" }.joined() + "</tr>"
        }
        return
            "<table><tr>\(heads.map { "<th>\(HTMLEscape.text($0))</th>" }.joined())</tr>\(rows.joined())</table>"
    }

    // MARK: - Images

    private var shields: String {
        outcome.shields.map { shield in
            let about = [shield.name, shield.look.title?.text, shield.look.subtitle?.text].compactMap(\.self)
                .joined(separator: ": ")
            return figure(about, width: Self.shieldSize.width) { path in
                let child = DrawingRunner.beside(try SystemPlaces.executable())
                _ = try child.draw(
                    DrawRequest(
                        look: shield.look,
                        name: shield.name,
                        width: Self.shieldSize.width,
                        height: Self.shieldSize.height,
                        language: Speech.language.code,
                        output: path
                    ),
                    environment: DrawingRunner.fonts(of: environment)
                )
            }
        }.joined()
    }

    private var reports: String {
        outcome.reports.map { report in
            let about = report.context.isEmpty ? report.app : "\(report.app): \(report.context)"
            guard let page = report.page else {
                let why = report.problem?.message ?? ""
                return "<p class=\"bad\">\(HTMLEscape.text("\(about): \(why)"))</p>"
            }
            return figure(about, width: nil) { path in
                // The page comes from the code of an app, so check it.
                try PageCheck.check(page)
                try ReportPicture.write(page, to: path, scale: 2, environment: environment)
            }
        }.joined()
    }

    /// Returns an image inside the page, or the reason why it could not be drawn.
    private func figure(_ about: String, width: Int?, _ draw: (String) throws -> Void) -> String {
        let caption = HTMLEscape.text(about)
        let path = "\(environment["TMPDIR"] ?? "/tmp")/screentime-\(TraceIdentifiers.span()).png"
        defer { unlink(path) }
        do {
            try draw(path)
            let bytes = try AtomicFile.read(path, limitBytes: Self.pictureBytesMax)
            let size = width.map { " width=\"\($0)\"" } ?? ""
            return
                "<figure><img alt=\"\(caption)\"\(size) src=\"data:image/png;base64,\(Base64.encode(bytes))\">"
                + "<figcaption>\(caption)</figcaption></figure>\n"
        } catch {
            return "<p class=\"bad\">\(caption): \(HTMLEscape.text(Problem(error).message))</p>\n"
        }
    }

    // MARK: - The week

    private var days: String {
        var out = ""
        var isOpen = false
        // The first line is the name of the scenario.
        for line in outcome.lines.dropFirst() where !line.text.isEmpty {
            if line.weight == .heading {
                out +=
                    "\(isOpen ? "</pre></details>\n" : "")<details open><summary>\(HTMLEscape.text(line.text))</summary><pre>"
                isOpen = true
            } else {
                let kind = ["aside", "good", "bad"].first { $0 == line.weight.rawValue }
                let text = HTMLEscape.text(line.text)
                out += kind.map { "<span class=\"\($0)\">\(text)</span>\n" } ?? "\(text)\n"
            }
        }
        return out + (isOpen ? "</pre></details>" : "")
    }

    private static let sheet = """
        :root { color-scheme: light dark; --ink: light-dark(#1d1d1f, #f5f5f7); --soft: light-dark(#55555d, #b9b9c2);
          --card: light-dark(#f4f4f6, #222227); --bad: light-dark(#b3261e, #ff9a92); --good: light-dark(#1b6e3c, #7ddaa0); }
        body { margin: 0; background: light-dark(#fff, #151518); color: var(--ink); font: 1rem/1.45 system-ui, "Noto Sans", sans-serif; }
        main { max-width: 70rem; margin: 0 auto; padding: 1.5rem; }
        h1 { margin: 0; } h2 { margin: 2rem 0 0.6rem; font-size: 1.2rem; }
        .quiet, .aside, figcaption { color: var(--soft); } .bad { color: var(--bad); } .good { color: var(--good); }
        .facts { display: flex; flex-wrap: wrap; gap: 0.6rem; list-style: none; padding: 0; }
        .facts li { background: var(--card); border-radius: 12px; padding: 0.6rem 1rem; } .facts strong { font-size: 1.6rem; }
        figure { display: inline-block; vertical-align: top; margin: 0 1rem 1rem 0; max-width: 100%; }
        figure img { max-width: min(100%, 34rem); border-radius: 12px; border: 1px solid light-dark(#dadae0, #3a3a42); display: block; }
        figcaption { font-size: 0.9rem; max-width: 26rem; margin-top: 0.3rem; }
        table { border-collapse: collapse; } th, td { text-align: left; padding: 0.3rem 1.2rem 0.3rem 0; border-bottom: 1px solid light-dark(#dadae0, #3a3a42); }
        summary { font-weight: 600; cursor: pointer; margin: 0.6rem 0; }
        pre { background: var(--card); border-radius: 12px; padding: 0.8rem 1rem; overflow-x: auto; font: 0.85rem/1.5 ui-monospace, monospace; margin: 0; }
        """
}
