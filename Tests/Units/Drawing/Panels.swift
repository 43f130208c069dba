import STContracts
import STDrawing
import STPlatform

/// Panels for the tests, with the texts of the agent.
enum Panels {
    static func question(
        _ language: String,
        width: Int = 480,
        height: Int = 500,
        scale: Double = 1,
        change: (inout DrawPanelRequest) -> Void = { _ in }
    ) -> DrawPanelRequest {
        let isKorean = language.hasPrefix("ko")
        var request = DrawPanelRequest(
            kind: .question,
            width: Int(Double(width) * scale),
            height: Int(Double(height) * scale),
            scale: scale,
            language: language,
            title: isKorean ? "‘포커스 가든’ 앱이 권한을 요청합니다" : "“Focus Garden” asks for permission",
            output: "-"
        )
        request.text = isKorean ? "com.example.garden · 대상: 민지" : "com.example.garden · for Minji"
        request.reasons =
            isKorean
            ? [
                "선택한 앱, 카테고리, 사이트를 얼마나 사용하는지 봅니다.",
                "정해 둔 시간이 시작되거나 끝나거나 다 쓰였을 때 알림을 받고 그에 따라 동작합니다.",
                "보호자가 제거할 때까지 설치된 상태로 남습니다.",
            ]
            : [
                "See how long the apps, categories and sites that you choose are used.",
                "Act when a time that you agreed on with it begins, ends or is used up.",
                "Stay installed until a guardian removes it.",
            ]
        request.passcode = DrawPasscode(
            prompt: isKorean ? "엄마의 암호" : "Passcode of Mum",
            provers: isKorean ? ["엄마", "아빠"] : ["Mum", "Dad"],
            dots: 4
        )
        request.error =
            isKorean ? "암호가 맞지 않습니다. 2번 더 시도할 수 있습니다." : "That passcode is not right; 2 tries are left."
        request.deny = isKorean ? "허용 안 함" : "Don’t Allow"
        request.allow = isKorean ? "허용" : "Allow"
        request.focus = DrawnSpot.passcode
        change(&request)
        return request
    }

    static func countdown(_ language: String, _ time: String, urgent: Bool = false, scale: Double = 1)
        -> DrawPanelRequest
    {
        var request = DrawPanelRequest(
            kind: .countdown,
            width: Int(232 * scale),
            height: Int(48 * scale),
            scale: scale,
            language: language,
            title: "Firefox",
            output: "-"
        )
        request.time = time
        request.isUrgent = urgent
        return request
    }

    static func warning(_ language: String, scale: Double = 1) -> DrawPanelRequest {
        let isKorean = language.hasPrefix("ko")
        var request = DrawPanelRequest(
            kind: .warning,
            width: Int(360 * scale),
            height: Int(92 * scale),
            scale: scale,
            language: language,
            title: isKorean ? "Firefox 5분 남음" : "5 minutes of Firefox are left",
            output: "-"
        )
        request.text =
            isKorean
            ? "그 뒤에는 오늘의 30분을 모두 사용하게 됩니다." : "After that, today's limit of 30 min is used up."
        return request
    }

    static func draw(_ request: DrawPanelRequest) throws -> DrawnPanel {
        try PanelDrawing.draw(PanelDrawingRequest(request))
    }
}

extension DrawnSpot {
    var box: Box { Box(x: Double(x), y: Double(y), width: Double(width), height: Double(height)) }
}
