import Foundation
import STContracts
import Testing

@testable import SwiftUICore

@Suite("Texts") @MainActor
struct TextTests {
    private func runs(_ view: some View) throws -> [PageRun] {
        try Lowered.nodes(view).flatMap { $0.runs ?? [] }
    }

    @Test("A text has the innermost font")
    func fonts() throws {
        let view = VStack {
            Text("a")
            Text("b").font(.title)
            Text("c").bold()
            Text("d").font(.system(size: 30, weight: .light, design: .rounded)).italic()
        }
        .font(.caption)
        #expect(
            try runs(view).map(\.font) == [
                PageFont(size: 12), PageFont(size: 28), PageFont(size: 12, weight: 700),
                PageFont(size: 30, weight: 300, design: "rounded", italic: true),
            ]
        )
        #expect(try runs(Text("x")).first?.font == nil)
        #expect(try runs(Text("x").font(.headline)).first?.font == PageFont(size: 17, weight: 600))
        #expect(try runs(VStack { Text("x") }.fontWeight(.black)).first?.font?.weight == 900)
    }

    @Test("Concatenated texts keep their own styles")
    func sums() throws {
        let text = Text("Total ") + Text("2h").bold().foregroundColor(.red) + Text(" today").underline()
        let runs = try runs(text.font(.title2))
        #expect(runs.map(\.text) == ["Total ", "2h", " today"])
        #expect(runs.map(\.font?.size) == [22, 22, 22])
        #expect(runs.map(\.font?.weight) == [nil, 700, nil])
        #expect(runs.map(\.color?.light) == [nil, "#FF3B30FF", nil])
        #expect(runs.map(\.underline) == [nil, nil, true])
        #expect(try self.runs(Text("a") + Text("b")).map(\.text) == ["ab"])
    }

    @Test("A text formats values and treats verbatim text literally")
    func values() throws {
        let share = 0.256
        #expect(try runs(Text("\(1234) apps")).first?.text == "1,234 apps")
        #expect(try runs(Text("\(share, specifier: "%.1f")%")).first?.text == "0.3%")
        #expect(try runs(Text("\(3, specifier: "%02d")")).first?.text == "03")
        #expect(try runs(Text("\(3, specifier: "%s %n")")).first?.text == "3")
        #expect(try runs(Text(0.5, format: .percent)).first?.text == "50%")
        #expect(try runs(Text(verbatim: "**a**")).first?.text == "**a**")
        #expect(
            try runs(Text("by \(Text("me").bold())")).map { $0.font?.weight } == [nil, 700]
        )
    }

    @Test("The text of a date uses the zone and language of the environment")
    func moments() throws {
        let moment = Date(timeIntervalSince1970: 1_760_000_000)  // 2025-10-09T17:53:20+09:00 in Seoul.
        #expect(try runs(Text(moment, style: .date)).first?.text.contains("October 9") == true)
        let korean = try Lowered.nodes(Text(moment, style: .date), language: "ko").first?.runs?.first?.text
        #expect(korean?.contains("10월 9일") == true)
        #expect(try runs(Text(moment, style: .time)).first?.text.contains("5:53") == true)
    }

    @Test("Translated texts have their values in the order of the translation")
    func translated() {
        let words = LocalizedStringKey.filled("%2$@ von %1$lld, 100%%", [Text("a"), Text("b")]).map {
            switch $0 {
            case .literal(let text): text
            case .text(let text): text == Text("a") ? "<a>" : "<b>"
            }
        }
        #expect(words.joined() == "<b> von <a>, 100%")
        #expect(LocalizedStringKey("\(3) of \("x") at 5%").key == "%lld of %@ at 5%%")
    }

    @Test("A text has case, redaction, line limit, alignment and heading")
    func looks() throws {
        #expect(try runs(VStack { Text("abc") }.textCase(.uppercase)).first?.text == "ABC")
        #expect(try runs(Text("a b").redacted(reason: .placeholder)).first?.text == "▆ ▆")
        let node = try Lowered.nodes(
            Text("a").lineLimit(2).multilineTextAlignment(.center).accessibilityAddTraits(.isHeader)
        ).first
        #expect(node?.lines == 2)
        #expect(node?.align == .center)
        #expect(node?.heading == 2)
        #expect(try Lowered.nodes(Text("a").accessibilityLabel("b")).first?.label == "b")
    }

    @Test("A text has the current colour and its hierarchical styles")
    func colors() throws {
        let view = VStack {
            Text("a")
            Text("b").foregroundStyle(.secondary)
            Text("c").foregroundColor(.secondary)
            Text("d").foregroundColor(Color(red: 1, green: 0.5, blue: 0, opacity: 0.5))
        }
        #expect(
            try runs(view.foregroundColor(.red)).map(\.color?.light)
                == ["#FF3B30FF", "#FF3B3099", "#3C3C4399", "#FF800080"]
        )
        #expect(try runs(view).map(\.color?.dark) == [nil, "#EBEBF599", "#EBEBF599", "#FF800080"])
        let forced = try runs(Text("x").foregroundColor(.red).preferredColorScheme(.dark)).first?.color
        #expect(forced == PageColor(light: "#FF453AFF", dark: "#FF453AFF"))
    }

    @Test("SwiftUI and UIKit colours convert to each other")
    func bridge() {
        #expect(UIColor(Color.green).hexes.light == UIColor.systemGreen.hexes.light)
        #expect(UIColor(Color.green).hexes.dark == UIColor.systemGreen.hexes.dark)
        #expect(Color(.systemGray6) == Color(uiColor: .systemGray6))
        #expect(Color(white: 0.5).description == "#808080FF")
        #expect(Color(hue: 0, saturation: 1, brightness: 1) == Color(red: 1, green: 0, blue: 0))
    }
}
