import Foundation
import STClientLink
import STContracts
import STPlatform

/// Puts reports where a page has a place for them: each is made by the app's report extension, somewhere else.
@MainActor
struct PageReports {
    /// As long as an extension may take, and what is around it.
    private static let timeoutMs: Int64 = 30_000
    /// Pieces of one report; a service that has more of them is broken.
    private static let piecesMax = PageLimits.bytes / Int(ReportRender.pieceBytes) + 1

    private let language: String
    private let ask: @MainActor (PageReport) async throws -> Page

    init(_ link: ClientLink, language: String) {
        self.init(language: language) { try await Self.made($0, link, language) }
    }

    init(language: String, _ ask: @escaping @MainActor (PageReport) async throws -> Page) {
        self.language = language
        self.ask = ask
    }

    /// The page with its reports; where there is none, it says why.
    ///
    /// Throws when all of it together is more than a page can be.
    func page(_ page: Page) async throws(Problem) -> Page {
        var merging = PageMerging(page)
        for report in merging.reports {
            do {
                merging.put(try await ask(report), for: report)
            } catch {
                merging.put(Self.explaining(error, report), for: report)
            }
        }
        return try merging.merged()
    }

    private static func made(_ report: PageReport, _ link: ClientLink, _ language: String) async throws
        -> Page
    {
        let request = ReportRender.Request(
            app: link.identity.app,
            member: link.identity.member,
            context: report.context,
            filter: report.filter,
            language: language
        )
        let made = try await link.call(ReportRender.self, to: .report, request, timeoutMs: timeoutMs)
        var bytes: [UInt8] = []
        for piece in 0..<Int64(piecesMax) {
            let reply = try await link.call(
                ReportPiece.self,
                to: .report,
                .init(report: made.report, piece: piece)
            )
            guard let more = Data(base64Encoded: reply.bytes) else {
                throw Problem("body.invalid", "A piece of the report is not base64.")
            }
            bytes += more
            if reply.isLast { break }
        }
        return try Page.decodedBody(bytes)
    }

    /// A blank place would say nothing.
    private static func explaining(_ error: any Error, _ report: PageReport) -> Page {
        let text = (error as? Problem).map { "\($0.message) [\($0.code)]" } ?? "\(error)"
        let node = PageNode(
            kind: .text,
            runs: [
                PageRun(
                    text: "\(report.context): \(text)",
                    color: PageColor(light: "#B3261EFF", dark: "#F2B8B5FF")
                )
            ]
        )
        return Page(language: "en", controls: [], variants: [PageVariant(chosen: [], nodes: [node])])
    }
}
