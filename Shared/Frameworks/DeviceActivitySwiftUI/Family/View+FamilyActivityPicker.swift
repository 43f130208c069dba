extension View {
    /// With the selection below, while it is presented.
    public func familyActivityPicker(
        isPresented: Binding<Bool>,
        selection: Binding<FamilyActivitySelection>
    ) -> some View {
        picked(nil, nil, nil, isPresented, selection)
    }

    /// With the selection below between two texts, while it is presented.
    public func familyActivityPicker(
        headerText: String? = nil,
        footerText: String? = nil,
        isPresented: Binding<Bool>,
        selection: Binding<FamilyActivitySelection>
    ) -> some View {
        picked(nil, headerText, footerText, isPresented, selection)
    }

    /// With the selection below a title and between two texts, while it is presented.
    public func familyActivityPicker(
        title: String?,
        headerText: String? = nil,
        footerText: String? = nil,
        isPresented: Binding<Bool>,
        selection: Binding<FamilyActivitySelection>
    ) -> some View {
        picked(title, headerText, footerText, isPresented, selection)
    }

    private func picked(
        _ title: String?,
        _ header: String?,
        _ footer: String?,
        _ isPresented: Binding<Bool>,
        _ selection: Binding<FamilyActivitySelection>
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
