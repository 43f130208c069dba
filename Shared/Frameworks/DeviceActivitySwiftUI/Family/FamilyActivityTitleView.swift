import Foundation
import STContracts

/// The name of what a token stands for.
public struct FamilyActivityTitleView: View, PrimitiveView {
    /// It is words.
    public typealias Body = Never

    let token: Data
    let kind: FamilyActivityKind

    package func write(_ page: PageWriter) throws {
        let language = page.environment.locale.language.languageCode?.identifier ?? "en"
        let name = TokenNames.shared.name(of: token, language: language)
        try page.lower(Text(verbatim: name ?? kind.name(language: language)))
    }
}
