import SwiftUI

// Views typical of report extensions: cards, rings, rows and headings.

struct AppUse: Identifiable, Hashable {
    let id: String
    let name: String
    let seconds: TimeInterval
    var pickups = 0
}

package struct UseReport: Equatable {
    package var total: TimeInterval
    var apps: [AppUse]
    var limitMinutes = 60

    package static let sample = UseReport(
        total: 8_100,
        apps: [
            AppUse(id: "org.example.mail", name: "Mail", seconds: 4_500, pickups: 3),
            AppUse(id: "org.example.maps", name: "Maps", seconds: 3_600),
        ]
    )
}

private enum Spacing {
    static let small: CGFloat = 8
    static let medium: CGFloat = 16
}

private struct Card: ViewModifier {
    var isRaised = false

    func body(content: Content) -> some View {
        content
            .background(isRaised ? Color(.systemGray5) : Color(.secondarySystemGroupedBackground))
            .clipShape(RoundedRectangle(cornerRadius: 16))
            .shadow(color: .black.opacity(isRaised ? 0.2 : 0.12), radius: 8, x: 0, y: 4)
    }
}

extension View {
    fileprivate func card(raised: Bool = false) -> some View { modifier(Card(isRaised: raised)) }
}

extension Color {
    static func brand(_ scheme: ColorScheme) -> Color {
        scheme == .dark
            ? Color(red: 141 / 255, green: 147 / 255, blue: 136 / 255)
            : Color(red: 68 / 255, green: 86 / 255, blue: 46 / 255)
    }
}

package struct RingView: View {
    let total: TimeInterval
    let limitMinutes: Int
    @Environment(\.colorScheme) private var colorScheme
    @State private var shown: Double = 0

    private var progress: Double {
        guard limitMinutes > 0 else { return 0 }
        return min(total / (Double(limitMinutes) * 60.0), 1.0)
    }

    private var ringColor: Color {
        switch progress {
        case ..<0.7: return .brand(colorScheme)
        case ..<0.9: return .orange
        default: return Color(red: 0.85, green: 0.2, blue: 0.2)
        }
    }

    package var body: some View {
        VStack(spacing: 10) {
            ZStack {
                Circle()
                    .stroke(ringColor.opacity(0.12), lineWidth: 14)
                    .frame(width: 130, height: 130)
                Circle()
                    .trim(from: 0, to: CGFloat(shown))
                    .stroke(ringColor, style: StrokeStyle(lineWidth: 14, lineCap: .round))
                    .frame(width: 130, height: 130)
                    .rotationEffect(.degrees(-90))
                    .animation(.easeInOut(duration: 0.6), value: shown)
                VStack(spacing: 3) {
                    Text(total.clockText)
                        .font(.system(size: 26, weight: .bold, design: .rounded))
                        .monospacedDigit()
                        .foregroundColor(ringColor)
                    if limitMinutes > 0 {
                        Text("of \(TimeInterval(limitMinutes * 60).clockText)")
                            .font(.custom("Something-Medium", size: 12))
                            .foregroundStyle(.secondary)
                    }
                }
            }
            Text("TODAY")
                .font(.caption.weight(.semibold))
                .tracking(1.2)
        }
        .onAppear { withAnimation(.spring()) { shown = progress } }
    }
}

struct UseRow: View {
    let app: AppUse
    let longest: TimeInterval

    var body: some View {
        VStack(alignment: .leading, spacing: 8) {
            HStack(spacing: 0) {
                Label {
                    Text(app.name).font(.subheadline).lineLimit(1)
                } icon: {
                    Image(systemName: "app.fill").foregroundStyle(.blue)
                }
                Spacer()
                Text(app.seconds.clockText)
                    .fontWeight(.semibold)
                    .foregroundColor(Color.brand(.light))
            }
            GeometryReader { geometry in
                ZStack(alignment: .leading) {
                    Capsule().fill(Color.gray.opacity(0.2))
                    Capsule()
                        .fill(
                            LinearGradient(colors: [.cyan, .blue], startPoint: .leading, endPoint: .trailing)
                        )
                        .frame(width: geometry.size.width * CGFloat(app.seconds / max(longest, 1)))
                }
            }
            .frame(height: 6)
            if app.pickups > 0 {
                Label("\(app.pickups) pickups", systemImage: "hand.point.up.fill")
                    .font(.caption2)
                    .foregroundColor(.secondary)
                    .labelStyle(.titleAndIcon)
            }
        }
        .padding(.vertical, 4)
    }
}

private struct Cell<Content: View>: View {
    let label: String
    @ViewBuilder let content: () -> Content

    var body: some View {
        VStack(spacing: 4) {
            content()
            Text(label).font(.caption2).foregroundStyle(.secondary)
        }
        .frame(maxWidth: .infinity)
    }
}

package struct UseReportView: View {
    package var report: UseReport
    private var columns = [GridItem(.flexible()), GridItem(.flexible())]

    package init(report: UseReport) { self.report = report }

    private var sorted: [AppUse] { report.apps.sorted { $0.seconds > $1.seconds } }

    package var body: some View {
        NavigationStack {
            ScrollView {
                VStack(alignment: .leading, spacing: Spacing.medium) {
                    hero
                    LazyVGrid(columns: columns, spacing: Spacing.small) {
                        Cell(label: "APPS") { Text("\(report.apps.count)").font(.title3.bold()) }
                        Cell(label: "SCORE") { score(for: 72) }
                    }
                    .padding(Spacing.medium)
                    .card()
                    rows
                    if report.apps.isEmpty {
                        ContentUnavailableView("Nothing yet", systemImage: "hourglass")
                    }
                }
                .padding(.horizontal, Spacing.medium)
            }
            .scrollIndicators(.hidden)
            .navigationTitle("Screen Time")
            .navigationBarTitleDisplayMode(.inline)
        }
        .preferredColorScheme(nil)
    }

    private var hero: some View {
        RingView(total: report.total, limitMinutes: report.limitMinutes)
            .frame(maxWidth: .infinity)
            .padding()
            .background(.ultraThinMaterial, in: RoundedRectangle(cornerRadius: 20, style: .continuous))
            .overlay(RoundedRectangle(cornerRadius: 20).stroke(Color.white.opacity(0.2), lineWidth: 1))
    }

    @ViewBuilder private var rows: some View {
        let longest = report.apps.map(\.seconds).max() ?? 1
        ForEach(Array(sorted.enumerated()), id: \.element.id) { index, app in
            UseRow(app: app, longest: longest)
            if index < sorted.count - 1 {
                Divider().padding(.leading, 44)
            }
        }
    }

    private func score(for value: Int) -> some View {
        let color: Color = value >= 70 ? .green : value >= 40 ? .orange : .red
        return Text("\(value)%").font(.subheadline.bold()).foregroundStyle(color)
    }
}

struct UseReportView_Previews: PreviewProvider {
    static var previews: some View {
        UseReportView(report: .sample).previewDisplayName("Sample")
    }
}

extension TimeInterval {
    var clockText: String {
        let hours = Int(self) / 3600
        let minutes = (Int(self) % 3600) / 60
        return hours > 0 ? "\(hours)h \(minutes)m" : "\(minutes)m"
    }
}
