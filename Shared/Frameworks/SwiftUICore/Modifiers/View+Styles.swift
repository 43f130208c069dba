public import Foundation

extension View {
    /// How buttons within look.
    public func buttonStyle<S: ButtonStyle>(_ style: S) -> some View {
        changed { $0.look.buttonStyle = style }
    }
    /// How words with pictures within look.
    public func labelStyle<S: LabelStyle>(_ style: S) -> some View { changed { $0.look.labelStyle = style } }
    /// How what is on or off looks.
    public func toggleStyle<S: ToggleStyle>(_ style: S) -> some View {
        changed { $0.look.toggleStyle = style }
    }
    /// How it looks how far something is.
    public func progressViewStyle<S: ProgressViewStyle>(_ style: S) -> some View {
        changed { $0.look.progressStyle = style }
    }
    /// How gauges within look.
    public func gaugeStyle<S: GaugeStyle>(_ style: S) -> some View { changed { $0.look.gaugeStyle = style } }
    /// How choices look; on a page all look the same.
    public func pickerStyle<S: PickerStyle>(_ style: S) -> some View { self }
    /// How lists look, which is left to who draws.
    public func listStyle<S: ListStyle>(_ style: S) -> some View { self }
    /// How fields for words look, which is left to who draws.
    public func textFieldStyle<S: TextFieldStyle>(_ style: S) -> some View { self }
    /// How boxes look, which is left to who draws.
    public func groupBoxStyle<S: GroupBoxStyle>(_ style: S) -> some View { self }
    /// How menus look; on a page they are closed.
    public func menuStyle<S: MenuStyle>(_ style: S) -> some View { self }

    /// Without words for what can be chosen.
    public func labelsHidden() -> some View { changed { $0.look.hidesLabels = true } }
    /// How large what can be pressed is, which is left to who draws.
    public func controlSize(_ controlSize: ControlSize) -> some View { self }
    /// How what can be pressed is cut, which is left to who draws.
    public func buttonBorderShape(_ shape: ButtonBorderShape) -> some View { self }
    /// How large pictures of the system are, which is left to who draws.
    public func imageScale(_ scale: Image.Scale) -> some View { self }
    /// In how many colours pictures of the system are drawn; here it is one.
    public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> some View { self }
    /// In which form pictures of the system are drawn, which is left to who draws.
    public func symbolVariant(_ variant: SymbolVariants) -> some View { self }

    /// What a row of a list stands on.
    public func listRowBackground<V: View>(_ view: V?) -> some View {
        lowered { page, content in
            let ground = try page.within(.part("row")) { try page.collectOne { try page.lower(view) } }
            try page.each(content) { $0.traits.rowBackground = ground }
        }
    }

    /// The room around a row of a list.
    public func listRowInsets(_ insets: EdgeInsets?) -> some View { marked { $0.traits.rowInsets = insets } }

    /// Whether there is a line at a row, which is left to who draws.
    public func listRowSeparator(_ visibility: Visibility, edges: VerticalEdge.Set = .all) -> some View {
        self
    }

    /// In which colour the line at a row is, which is left to who draws.
    public func listRowSeparatorTint(_ color: Color?, edges: VerticalEdge.Set = .all) -> some View { self }
    /// How far apart rows are, which is left to who draws.
    public func listRowSpacing(_ spacing: CGFloat?) -> some View { self }
    /// How far apart sections are, which is left to who draws.
    public func listSectionSpacing(_ spacing: CGFloat) -> some View { self }
    /// Whether there is a line at a section, which is left to who draws.
    public func listSectionSeparator(_ visibility: Visibility, edges: VerticalEdge.Set = .all) -> some View {
        self
    }

    /// A number at a row or a tab.
    public func badge(_ count: Int) -> some View { badge(count == 0 ? nil : Text("\(count)")) }

    /// Words at a row or a tab.
    public func badge(_ label: Text?) -> some View {
        lowered { page, content in
            let element = try label.flatMap { label in
                try page.collectOne { try page.lower(label.foregroundColor(.secondary)) }
            }
            try page.each(content) { $0.traits.badge = element }
        }
    }

    /// Words at a row or a tab.
    public func badge(_ key: LocalizedStringKey) -> some View { badge(Text(key)) }

    /// Words at a row or a tab.
    @_disfavoredOverload
    public func badge<S: StringProtocol>(_ label: S) -> some View { badge(Text(label)) }
}
