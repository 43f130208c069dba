import Foundation
import STContracts
import STDrawing
import STTestSupport
import Testing

@testable import ManagedSettingsUI
@testable import UIKit

@Suite("Pictures that an app draws")
struct DrawingTests {
    @Test("Each drawing operation has its place and colour in the picture")
    func steps() throws {
        let picture = UIGraphicsImageRenderer(size: CGSize(width: 100, height: 100)).image { context in
            UIColor.red.setFill()
            context.fill(CGRect(x: 0, y: 0, width: 50, height: 50))
            UIColor.blue.setFill()
            UIBezierPath(ovalIn: CGRect(x: 50, y: 0, width: 50, height: 50)).fill()
            context.cgContext.saveGState()
            context.cgContext.translateBy(x: 0, y: 50)
            context.clip(to: CGRect(x: 0, y: 0, width: 25, height: 50))
            UIColor.green.setFill()
            context.fill(CGRect(x: 0, y: 0, width: 50, height: 50))
            context.cgContext.restoreGState()
            UIColor.black.setStroke()
            let line = UIBezierPath()
            line.move(to: CGPoint(x: 50, y: 75))
            line.addLine(to: CGPoint(x: 100, y: 75))
            line.lineWidth = 20
            line.stroke()
        }
        let canvas = try drawn(picture)
        #expect(canvas(25, 25) == "#FF0000FF")
        #expect(canvas(75, 25) == "#0000FFFF")
        #expect(canvas(52, 2) == "#00000000", "a circle has no corners")
        #expect(canvas(12, 75) == "#00FF00FF")
        #expect(canvas(37, 75) == "#00000000", "beyond the clip")
        #expect(canvas(75, 75) == "#000000FF")
        #expect(canvas(75, 95) == "#00000000")
        #expect(picture.size == CGSize(width: 100, height: 100) && picture.scale == 3)
    }

    @Test("Drawn text appears at its place, and hostile text is escaped")
    func words() throws {
        let hostile = "</text><image href=\"file:///etc/passwd\"/>&\u{0}\u{1F331}"
        let picture = UIGraphicsImageRenderer(size: CGSize(width: 100, height: 100)).image { _ in
            let look: [NSAttributedString.Key: Any] = [
                .font: UIFont.boldSystemFont(ofSize: 40), .foregroundColor: UIColor.red,
            ]
            "MM".draw(at: CGPoint(x: 0, y: 0), withAttributes: look)
            hostile.draw(in: CGRect(x: 0, y: 60, width: 10_000, height: 40), withAttributes: look)
        }
        guard case .drawing(let svg, _) = picture.origin else { throw NotYet("\(picture.origin)") }
        let text = String(decoding: svg, as: UTF8.self)
        #expect(!text.contains("<image") && text.contains("&lt;image"))
        let canvas = try drawn(picture)
        let upper = (0..<100).flatMap { x in (0..<50).map { canvas(x, $0) } }
        #expect(upper.contains("#FF0000FF"))
    }

    @Test("A drawn emoji has its colours and is centred where it was drawn")
    func emoji() throws {
        let picture = UIGraphicsImageRenderer(size: CGSize(width: 100, height: 100)).image { _ in
            let look: [NSAttributedString.Key: Any] = [.font: UIFont.systemFont(ofSize: 40)]
            let box = "🔴".size(withAttributes: look)
            let corner = CGPoint(x: 50 - box.width / 2, y: 50 - box.height / 2)
            "🔴".draw(at: corner, withAttributes: look)
        }
        let canvas = try drawn(picture)
        let middle = try #require(UInt32(canvas(50, 50).dropFirst(), radix: 16))
        #expect(middle >> 24 > 150 && middle >> 16 & 0xFF < 100 && middle & 0xFF == 255, "\(canvas(50, 50))")
        for (x, y) in [(20, 50), (80, 50), (50, 20), (50, 80)] { #expect(canvas(x, y) == "#00000000") }
        for (x, y) in [(36, 50), (64, 50), (50, 36), (50, 64)] { #expect(canvas(x, y) != "#00000000") }
    }

    @Test(
        "A resized symbol remains a symbol, and a picture drawn beside others becomes a part of the drawing"
    )
    func pictures() throws {
        let small = try #require(UIImage(systemName: "hourglass"))
        let size = CGSize(width: 40, height: 40)
        let resized = UIGraphicsImageRenderer(size: size).image { _ in
            small.draw(in: CGRect(origin: .zero, size: size))
        }
        #expect(resized.origin == .symbol("hourglass"))
        let icon = try #require(ShieldIcon(resized, bundle: "/"))
        #expect(icon.kind == .system && icon.name == "hourglass")

        let red = UIGraphicsImageRenderer(size: size).image {
            UIColor.red.setFill()
            $0.fill(CGRect(origin: .zero, size: size))
        }
        let both = UIGraphicsImageRenderer(size: CGSize(width: 80, height: 40)).image { context in
            red.draw(in: CGRect(origin: .zero, size: size))
            UIColor.blue.setFill()
            context.fill(CGRect(x: 40, y: 0, width: 40, height: 40))
        }
        guard case .drawing(let svg, _) = both.origin else { throw NotYet("\(both.origin)") }
        #expect(String(decoding: svg, as: UTF8.self).contains("<svg x=\"0\""))
        #expect(ShieldIcon(both, bundle: "/")?.kind == .data)
    }

    @Test("Transforms, clips, gradients and blend modes have the same result as in Core Graphics")
    func manners() throws {
        let side = CGRect(x: 0, y: 0, width: 100, height: 100)
        let red = render { _ in fill(.red, CGRect(x: 0, y: 0, width: 100, height: 100)) }
        let canvas = try drawn(
            render { context in
                let cg = context.cgContext
                // The points of a path keep the transform that applied when they were added.
                cg.saveGState()
                cg.translateBy(x: 50, y: 25)
                cg.scaleBy(x: 40, y: 0.2 * 50)
                cg.addEllipse(in: CGRect(x: -1, y: -1, width: 2, height: 2))
                cg.restoreGState()
                cg.setFillColor(UIColor.blue.cgColor)
                cg.fillPath()
                // Small scales are kept.
                cg.saveGState()
                cg.scaleBy(x: 0.004, y: 0.004)
                fill(.green, CGRect(x: 0, y: 15_000, width: 5_000, height: 5_000))
                cg.restoreGState()
                cg.setAlpha(0.5)
                red.draw(in: CGRect(x: 50, y: 60, width: 20, height: 20), blendMode: .normal, alpha: 1)
                cg.setAlpha(1)
                cg.setBlendMode(.clear)
                fill(.black, CGRect(x: 80, y: 60, width: 20, height: 20))
            }
        )
        #expect(canvas(50, 25) == "#0000FFFF" && canvas(85, 25) == "#0000FFFF")
        #expect(canvas(50, 40) == "#00000000")
        #expect(canvas(10, 70) == "#00FF00FF")
        #expect(canvas(60, 70).hasSuffix("80") && canvas(90, 70) == "#00000000")

        let ring = try drawn(
            render { context in
                let colors = [UIColor.red.cgColor, UIColor.blue.cgColor] as CFArray
                let gradient = CGGradient(colorsSpace: nil, colors: colors, locations: nil)
                context.cgContext.drawRadialGradient(
                    gradient!,
                    startCenter: CGPoint(x: 50, y: 50),
                    startRadius: 0,
                    endCenter: CGPoint(x: 50, y: 50),
                    endRadius: 30,
                    options: []
                )
            }
        )
        #expect(ring(50, 50) != "#00000000" && ring(95, 95) == "#00000000")

        let tinted = render { context in
            red.draw(in: side)
            context.cgContext.setBlendMode(.sourceIn)
            fill(.green, side)
        }
        #expect(tinted.tint == .green)
        let padded = render { _ in red.draw(in: side.insetBy(dx: 20, dy: 20)) }
        #expect(try drawn(padded)(10, 10) == "#00000000" && drawn(padded)(50, 50) == "#FF0000FF")
    }

    @Test("Nested drawings, paragraphs, extreme sizes, fonts and paths are handled")
    func besides() throws {
        let centred = try #require(NSParagraphStyle.default.mutableCopy() as? NSMutableParagraphStyle)
        centred.alignment = .center
        let inner = render { _ in
            let look: [NSAttributedString.Key: Any] = [
                .font: UIFont.systemFont(ofSize: 70), .paragraphStyle: centred,
            ]
            "🔴".draw(at: CGPoint(x: 5, y: 5), withAttributes: look)
        }
        let outer = try drawn(
            render { _ in
                fill(.white, CGRect(x: 0, y: 0, width: 100, height: 100))
                inner.draw(in: CGRect(x: 0, y: 0, width: 100, height: 100))
                "]]>\u{FFFE}".draw(at: .zero)
            }
        )
        let middle = outer(48, 48)
        #expect(!["#FFFFFFFF", "#000000FF", "#00000000"].contains(middle), "\(middle)")
        let kept = try #require(inner.pngData().flatMap { UIImage(data: $0) })
        #expect(kept.origin == inner.origin && kept.size == inner.size)
        for size in [CGFloat.nan, .infinity, -1] {
            let odd = UIGraphicsImageRenderer(size: CGSize(width: size, height: size)).image { _ in
                "a".draw(at: .zero)
            }
            #expect(odd.size.width.isFinite)
        }
        #expect(String(repeating: "word ", count: 20_000).size().width.isFinite)
        let pixels = try #require(inner.cgImage)
        #expect(pixels.width == 300)
        #expect(UIImage(cgImage: pixels, scale: 6, orientation: .up).size == CGSize(width: 50, height: 50))
        let round = try #require(
            UIFont.systemFont(ofSize: 20, weight: .bold).fontDescriptor.withDesign(.rounded)
        )
        #expect(UIFont(descriptor: round, size: 0).pointSize == 20)
        let path = UIBezierPath(rect: .zero)
        let before = path.cgPath
        path.apply(CGAffineTransform(translationX: 5, y: 5))
        #expect(before.boundingBox.minX == 0 && path.bounds.minX == 5)
    }

    private func render(_ actions: (UIGraphicsImageRendererContext) -> Void) -> UIImage {
        UIGraphicsImageRenderer(size: CGSize(width: 100, height: 100)).image(actions: actions)
    }

    private func fill(_ color: UIColor, _ rect: CGRect) {
        color.setFill()
        UIRectFill(rect)
    }

    @Test("A drawing that is too long is cut, and each thread has its own context")
    func ends() throws {
        let endless = UIGraphicsImageRenderer(size: CGSize(width: 10, height: 10)).image { context in
            for _ in 0..<20_000 {
                context.clip(to: .zero)
                context.fill(CGRect(x: 0.123, y: .infinity, width: .nan, height: -4))
            }
        }
        guard case .drawing(let svg, _) = endless.origin else { throw NotYet("\(endless.origin)") }
        #expect(svg.count < 300_000)
        UIGraphicsBeginImageContext(CGSize(width: 10, height: 10))
        defer { UIGraphicsEndImageContext() }
        let done = DispatchSemaphore(value: 0)
        Thread {
            if UIGraphicsGetCurrentContext() == nil { done.signal() }
        }.start()
        let elsewhere = done.wait(timeout: .now() + 20) == .success
        #expect(elsewhere && UIGraphicsGetCurrentContext() != nil)
        UIGraphicsEndImageContext()
        UIGraphicsEndImageContext()
        #expect(UIGraphicsGetImageFromCurrentImageContext() == nil)
        UIGraphicsBeginImageContext(.zero)
    }

    /// Pixels by position, drawn with the code of screentime-draw.
    private func drawn(_ picture: UIImage) throws -> (Int, Int) -> String {
        let icon = try #require(ShieldIcon(picture, bundle: "/"))
        let canvas = try PictureFile.decoded(base64: icon.data ?? "", bytesMax: 1 << 20, sideMax: 1_000)
        let (side, stride) = (canvas.width, canvas.stride / 4)
        let pixels = try #require(canvas.pixels { pixels, _ in Array(pixels) })
        return { x, y in
            let (column, row) = ((2 * x + 1) * side / 200, (2 * y + 1) * side / 200)
            let pixel = pixels[row * stride + column]
            let parts: [UInt32] = [pixel >> 16, pixel >> 8, pixel, pixel >> 24]
            return "#"
                + parts.map { String(($0 & 0xFF) | 0x100, radix: 16, uppercase: true).dropFirst() }.joined()
        }
    }
}
