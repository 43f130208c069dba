/// How to choose.
struct PickerAdvice: View {
    @Environment(\.locale) private var locale
    let isEmpty: Bool

    private var isKorean: Bool { locale.language.languageCode?.identifier == "ko" }

    var body: some View {
        let nothing = isKorean ? "선택한 항목이 없습니다." : "Nothing is chosen."
        let how = isKorean ? "screentime pick 명령으로 선택하세요." : "Choose with: screentime pick"
        Text(verbatim: isEmpty ? "\(nothing) \(how)" : how).font(.footnote).foregroundColor(.secondary)
    }
}
