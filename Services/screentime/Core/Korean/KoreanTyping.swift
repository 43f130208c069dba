/// For what is typed wrongly, and what a command cannot do. A line of English, and its Korean below it.
enum KoreanTyping {
    static let text = #"""
        No app “{1}” is installed{2}
        “{1}” 앱은 설치되어 있지 않습니다{2}
        ; did you mean {1}?
        . 혹시 {1}인가요?
        No person here is called “{1}”{2}
        “{1}”(이)라는 사람은 여기에 없습니다{2}
        No service has the route {1}{2}
        {1}에 답하는 서비스는 없습니다{2}
        There is no store {1}{2}
        저장소 {1}은(는) 없습니다{2}
        There is no service “{1}”.{2} The services are: {3}.
        “{1}” 서비스는 없습니다.{2} 서비스: {3}.
        `{1}` needs a verb: {2}.
        `{1}` 뒤에 무엇을 할지 쓰세요: {2}.
        `{1} {2}` is not known{3}
        `{1} {2}` 명령은 없습니다{3}
        ; did you mean `{1} {2}`?
        . 혹시 `{1} {2}`인가요?
        . The commands are: {1}.
        . 있는 명령: {1}.
        The program that draws pictures is missing: {1}. Install it beside this command; {2}.
        그림을 그리는 프로그램이 없습니다: {1}. 이 명령 옆에 설치하세요. {2}.
        Drawing the picture took longer than {1} and was stopped.{2}
        그림을 그리는 데 {1}보다 오래 걸려서 멈추었습니다.{2}
        The picture could not be drawn: {1} {2}.{3}
        그림을 그리지 못했습니다: {1} {2}.{3}
        No device is called “{1}”{2} Devices with recorded use: {3}.
        “{1}”(이)라는 기기는 없습니다{2} 기록이 있는 기기: {3}.
        There is no {1} “{2}”{3}
        {1*} “{2}”: 없습니다{3}
        {1} is a {2}, not a {3}.
        {1}의 종류는 {2*}입니다({3*} 아님).
        There is no setting “{1}”{2}
        “{1}” 설정은 없습니다{2}
        {1}; did you mean {2}?
        {1}. 혹시 {2}인가요?
        ; did you mean {1}? The reports are: {2}
        . 혹시 {1}인가요? 있는 보고서: {2}
        . The reports are: {1}
        . 있는 보고서: {1}
        It said: {1}
        프로그램의 말: {1}
        It is about {1}.
        {1} 부분입니다.
        Nothing was brought in, and from this line on nothing would be.
        아무것도 가져오지 않았고, 이 줄부터는 가져올 수 없습니다.
        There are: {1}.
        있는 것: {1}.
        {1} sites were added before that.
        그 전에 사이트 {1}개를 추가했습니다.
        {1} is missing: {2}.
        {1} 값이 빠졌습니다: {2}.
        {1} needs a value: {2}.
        {1}에는 값이 필요합니다: {2}.
        limit
        한도
        downtime
        다운타임
        window
        시간대
        goal
        목표
        break
        휴식
        allow
        허용
        session
        집중
        rule
        규칙
        individual
        개인
        guardian
        보호자
        child
        아이
        waiting
        기다림
        granted
        승인됨
        denied
        거절됨
        revoked
        되돌림
        ended
        끝남
        withdrawn
        거둠
        expired
        때가 지남
        approved
        허용됨
        queued
        줄을 섬
        running
        실행 중
        done
        마침
        parked
        멈춰 둠
        {1} and {2} would both go to standard output; give one of them a file.
        {1}과(와) {2}을(를) 모두 표준 출력으로 보낼 수는 없습니다. 하나에 파일을 지정하세요.
        Social apps and sites for at most {1} a day, then a shield.
        소셜 앱과 사이트는 하루 {1}까지, 그다음에는 차단 화면.
        Games for at most {1} a day, then a shield.
        게임은 하루 {1}까지, 그다음에는 차단 화면.
        Films, music and videos for at most {1} a day, then a shield.
        영화, 음악, 동영상은 하루 {1}까지, 그다음에는 차단 화면.
        No computer from {1}, but for what is always allowed.
        {1}에는 항상 허용된 것만 쓰고 컴퓨터를 쉽니다.
        Games only from {1}.
        게임은 {1}에만.
        Social apps and sites only from {1}.
        소셜 앱과 사이트는 {1}에만.
        """#
}
