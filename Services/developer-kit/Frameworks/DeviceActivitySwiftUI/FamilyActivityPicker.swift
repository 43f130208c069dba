import STPlatform

/// A view of the selected apps, categories and sites.
///
/// People cannot select anything on the page. `screentime pick` changes the selection, and the app reads the result.
public struct FamilyActivityPicker: View {
    /// The maximum number of names on the page.
    private static let most = 100

    private let title: String?
    private let header: String?
    private let footer: String?
    @Binding private var selection: FamilyActivitySelection

    /// Creates a view of the selection.
    public init(selection: Binding<FamilyActivitySelection>) {
        self.init(title: nil, headerText: nil, footerText: nil, selection: selection)
    }

    /// Creates a view of the selection between a header and a footer.
    public init(
        headerText: String? = nil,
        footerText: String? = nil,
        selection: Binding<FamilyActivitySelection>
    ) {
        self.init(title: nil, headerText: headerText, footerText: footerText, selection: selection)
    }

    init(
        title: String?,
        headerText: String?,
        footerText: String?,
        selection: Binding<FamilyActivitySelection>
    ) {
        self.title = title
        header = headerText
        footer = footerText
        _selection = selection
    }

    private static func first<T>(_ tokens: Set<Token<T>>, _ room: Int) -> [Token<T>] {
        Array(tokens.sorted { $0.data.lexicographicallyPrecedes($1.data) }.prefix(max(0, room)))
    }

    private var count: Int {
        selection.applicationTokens.count + selection.categoryTokens.count + selection.webDomainTokens.count
    }

    /// The names in the selection and instructions to change it.
    public var body: some View {
        let categories = Self.first(selection.categoryTokens, Self.most)
        let applications = Self.first(selection.applicationTokens, Self.most - categories.count)
        let sites = Self.first(
            selection.webDomainTokens,
            Self.most - categories.count - applications.count
        )
        VStack(alignment: .leading, spacing: 8) {
            if let title { Text(verbatim: title).font(.headline) }
            if let header { Text(verbatim: header).font(.footnote) }
            ForEach(categories, id: \.self) { Label($0) }
            ForEach(applications, id: \.self) { Label($0) }
            ForEach(sites, id: \.self) { Label($0) }
            if count > Self.most { Text(verbatim: "+ \(count - Self.most)") }
            PickerAdvice(isEmpty: count == 0)
            if let footer { Text(verbatim: footer).font(.footnote) }
        }
    }
}

/// Instructions to change the selection, because a page cannot change it.
private struct PickerAdvice: View {
    @Environment(\.locale) private var locale
    let isEmpty: Bool

    private var advice: String {
        let language = DisplayLanguage(of: locale.language.languageCode?.identifier)
        return isEmpty
            ? language.text("picker.nothing-is-chosen", "Nothing is chosen. To choose, run: screentime pick")
            : language.text("picker.choose-with", "To choose, run: screentime pick")
    }

    var body: some View { Text(verbatim: advice).font(.footnote).foregroundColor(.secondary) }
}

extension View {
    /// Shows the selection below the view while it is presented.
    public func familyActivityPicker(
        isPresented: Binding<Bool>,
        selection: Binding<FamilyActivitySelection>
    ) -> some View {
        withPicker(title: nil, header: nil, footer: nil, isPresented: isPresented, selection: selection)
    }

    /// Shows the selection with a header and a footer below the view while it is presented.
    public func familyActivityPicker(
        headerText: String? = nil,
        footerText: String? = nil,
        isPresented: Binding<Bool>,
        selection: Binding<FamilyActivitySelection>
    ) -> some View {
        withPicker(
            title: nil,
            header: headerText,
            footer: footerText,
            isPresented: isPresented,
            selection: selection
        )
    }

    /// Shows the selection with a title, a header and a footer below the view while it is presented.
    public func familyActivityPicker(
        title: String?,
        headerText: String? = nil,
        footerText: String? = nil,
        isPresented: Binding<Bool>,
        selection: Binding<FamilyActivitySelection>
    ) -> some View {
        withPicker(
            title: title,
            header: headerText,
            footer: footerText,
            isPresented: isPresented,
            selection: selection
        )
    }

    private func withPicker(
        title: String?,
        header: String?,
        footer: String?,
        isPresented: Binding<Bool>,
        selection: Binding<FamilyActivitySelection>
    ) -> some View {
        VStack(spacing: 8) {
            self
            if isPresented.wrappedValue {
                FamilyActivityPicker(
                    title: title,
                    headerText: header,
                    footerText: footer,
                    selection: selection
                )
            }
        }
    }
}
