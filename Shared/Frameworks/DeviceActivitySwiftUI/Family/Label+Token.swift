extension Label where Title == FamilyActivityTitleView, Icon == FamilyActivityIconView {
    /// An app's name and picture.
    public init(_ applicationToken: ApplicationToken) {
        self.init(.application, applicationToken)
    }

    /// A category's name and picture.
    public init(_ categoryToken: ActivityCategoryToken) {
        self.init(.category, categoryToken)
    }

    /// A site's name and picture.
    public init(_ webDomainToken: WebDomainToken) {
        self.init(.webDomain, webDomainToken)
    }

    private init<T>(_ kind: FamilyActivityKind, _ token: Token<T>) {
        self.init {
            FamilyActivityTitleView(token: token.data, kind: kind)
        } icon: {
            FamilyActivityIconView(kind: kind, token: token.data)
        }
    }
}
