import ManagedSettings
import ManagedSettingsUI
import UIKit

/// Draws its icons when they are needed: a plant that an app has grown into, and the app's first letters.
final class SproutShield: ShieldConfigurationDataSource {
    override func configuration(shielding application: Application) -> ShieldConfiguration {
        let name = application.localizedDisplayName ?? "?"
        return look(Self.badge("🌱", name: name), "Let \(name) grow a while.")
    }

    override func configuration(shielding application: Application, in category: ActivityCategory)
        -> ShieldConfiguration
    {
        configuration(shielding: application)
    }

    override func configuration(shielding webDomain: WebDomain) -> ShieldConfiguration {
        look("🌾".picture(side: 90), "Not now.")
    }

    private func look(_ icon: UIImage?, _ title: String) -> ShieldConfiguration {
        ShieldConfiguration(
            backgroundColor: .systemBackground,
            icon: icon,
            title: .init(text: title, color: .label),
            primaryButtonLabel: .init(text: "Close", color: .white)
        )
    }

    private static func badge(_ emoji: String, name: String) -> UIImage {
        let size = CGSize(width: 120, height: 120)
        return UIGraphicsImageRenderer(size: size).image { context in
            let circle = CGRect(origin: .zero, size: size).insetBy(dx: 4, dy: 4)
            let cg = context.cgContext
            cg.saveGState()
            UIBezierPath(ovalIn: circle).addClip()
            let colors = [UIColor.systemTeal.cgColor, UIColor.systemGreen.cgColor] as CFArray
            if let gradient = CGGradient(
                colorsSpace: CGColorSpaceCreateDeviceRGB(),
                colors: colors,
                locations: [0, 1]
            ) {
                cg.drawLinearGradient(gradient, start: .zero, end: CGPoint(x: 0, y: 120), options: [])
            }
            cg.restoreGState()
            UIColor.white.withAlphaComponent(0.8).setStroke()
            let ring = UIBezierPath(
                arcCenter: CGPoint(x: 60, y: 60),
                radius: 54,
                startAngle: -.pi / 2,
                endAngle: .pi,
                clockwise: true
            )
            ring.lineWidth = 5
            ring.lineCapStyle = .round
            ring.stroke()

            let style = NSMutableParagraphStyle()
            style.alignment = .center
            let letters = NSAttributedString(
                string: String(name.prefix(2)).uppercased(),
                attributes: [
                    .font: UIFont.systemFont(ofSize: 18, weight: .bold), .foregroundColor: UIColor.white,
                    .paragraphStyle: style,
                ]
            )
            letters.draw(in: CGRect(x: 0, y: 82, width: 120, height: 26))
            let look: [NSAttributedString.Key: Any] = [.font: UIFont.systemFont(ofSize: 48)]
            let box = emoji.size(withAttributes: look)
            emoji.draw(at: CGPoint(x: 60 - box.width / 2, y: 50 - box.height / 2), withAttributes: look)
        }
    }
}

extension String {
    /// The drawing API before renderers existed.
    fileprivate func picture(side: CGFloat) -> UIImage? {
        let size = CGSize(width: side, height: side)
        UIGraphicsBeginImageContextWithOptions(size, false, 0)
        defer { UIGraphicsEndImageContext() }
        UIColor.clear.set()
        UIRectFill(CGRect(origin: .zero, size: size))
        (self as NSString).draw(
            in: CGRect(origin: .zero, size: size),
            withAttributes: [.font: UIFont.systemFont(ofSize: side * 0.8)]
        )
        return UIGraphicsGetImageFromCurrentImageContext()
    }
}
