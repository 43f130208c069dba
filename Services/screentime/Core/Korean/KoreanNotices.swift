/// Notifications, the windows that ask, and moments. A line of English, and its Korean below it.
enum KoreanNotices {
    static let text = #"""
        That notification was answered already, with {1}; the first answer counts.
        그 알림에는 이미 {1}(으)로 답했고, 첫 대답만 셉니다.
        That notification is still to come, so it cannot be answered yet.
        그 알림은 아직 오지 않아서 답할 수 없습니다.
        That notification was taken back.
        그 알림은 거두어졌습니다.
        That answer takes a guardian's passcode. Give it with: screentime request {1} {2}
        그렇게 답하려면 보호자의 암호가 필요합니다. 이렇게 답하세요: screentime request {1} {2}
        It cannot be answered with that. Its answers are: {1}.
        그렇게 답할 수는 없습니다. 있는 대답: {1}.
        {1} has {2} notifications that are still to come, which is the limit. Take one back first.
        {1}에는 아직 오지 않은 알림이 {2}개 있고, 더 둘 수 없습니다. 먼저 하나를 거두세요.
        An interval has after_ms but no fields.
        간격에는 after_ms만 쓰고 fields는 쓰지 않습니다.
        An interval lasts at least 1 ms and at most a year.
        간격은 1밀리초부터 1년까지입니다.
        What repeats comes at most once in {1}.
        되풀이하는 것은 {1}에 한 번까지입니다.
        A calendar trigger has fields but no after_ms.
        달력으로 알리는 것에는 fields만 쓰고 after_ms는 쓰지 않습니다.
        A moment with a year cannot repeat.
        연도가 있는 때는 되풀이할 수 없습니다.
        That moment has passed and does not come again.
        그때는 이미 지났고 다시 오지 않습니다.
        A notification without a title says nothing; give it one.
        제목 없는 알림은 아무 말도 하지 않습니다. 제목을 쓰세요.
        An app's id has 1 to {1} letters, digits, dots, dashes and underscores.
        앱의 ID에는 영문자, 숫자, 점, 줄표, 밑줄을 1–{1}자 씁니다.
        This has 1 to {1} bytes and no control characters.
        1–{1}바이트이고, 제어 문자는 쓸 수 없습니다.
        There are {1} values, and {2} are the limit.
        값이 {1}개 있는데, {2}개까지 됩니다.
        A value is called by 1 to 32 letters, digits, dots, dashes and underscores.
        값의 이름에는 영문자, 숫자, 점, 줄표, 밑줄을 1–32자 씁니다.
        There are {1} buttons, and {2} are the limit.
        버튼이 {1}개 있는데, {2}개까지 됩니다.
        Every notification has the answer {1} already; give the button another id.
        모든 알림에 {1}(이)라는 대답이 이미 있습니다. 버튼에 다른 ID를 쓰세요.
        Two buttons have the same id.
        두 버튼의 ID가 같습니다.
        A button needs a word on it.
        버튼에는 글자가 있어야 합니다.
        This text has {1} bytes, and {2} are the limit. Make it shorter.
        글이 {1}바이트인데, {2}바이트까지 됩니다. 줄이세요.
        The body may have line ends and tabs, but no other control characters.
        본문에는 줄바꿈과 탭이 아닌 제어 문자는 쓸 수 없습니다.
        This may not have control characters, not even line ends.
        여기에는 줄바꿈을 포함해 제어 문자를 쓸 수 없습니다.
        No program on this desktop shows notifications ({1} has no owner).
        이 데스크톱에는 알림을 보여 주는 프로그램이 없습니다({1}의 주인이 없습니다).
        {1} gave the notification no number.
        {1}이(가) 알림에 번호를 주지 않았습니다.
        This desktop has no window for passcodes. Install one, such as pinentry-gnome3 or pinentry-qt.
        이 데스크톱에는 암호를 입력할 창이 없습니다. pinentry-gnome3이나 pinentry-qt 같은 것을 설치하세요.
        The window for passcodes says: {1}
        암호 창이 알립니다: {1}
        The window for passcodes cannot open: {1}
        암호 창을 열 수 없습니다: {1}
        The window for passcodes does not answer.
        암호 창이 답하지 않습니다.
        The window for passcodes ended by itself.
        암호 창이 저절로 닫혔습니다.
        Another request is just being answered.
        지금 다른 요청에 답하고 있습니다.
        The passcode was not typed.
        암호를 입력하지 않았습니다.
        The passcode was wrong {1} times.
        암호를 {1}번 잘못 입력했습니다.
        Waits for a desktop: {1}
        데스크톱을 기다립니다: {1}
        midnight
        자정
        tomorrow at {1}
        내일 {1}
        yesterday at {1}
        어제 {1}
        Sunday at {1}
        일요일 {1}
        Monday at {1}
        월요일 {1}
        Tuesday at {1}
        화요일 {1}
        Wednesday at {1}
        수요일 {1}
        Thursday at {1}
        목요일 {1}
        Friday at {1}
        금요일 {1}
        Saturday at {1}
        토요일 {1}
        {1} January at {2}
        1월 {1}일 {2}
        {1} January {2} at {3}
        {2}년 1월 {1}일 {3}
        {1} February at {2}
        2월 {1}일 {2}
        {1} February {2} at {3}
        {2}년 2월 {1}일 {3}
        {1} March at {2}
        3월 {1}일 {2}
        {1} March {2} at {3}
        {2}년 3월 {1}일 {3}
        {1} April at {2}
        4월 {1}일 {2}
        {1} April {2} at {3}
        {2}년 4월 {1}일 {3}
        {1} May at {2}
        5월 {1}일 {2}
        {1} May {2} at {3}
        {2}년 5월 {1}일 {3}
        {1} June at {2}
        6월 {1}일 {2}
        {1} June {2} at {3}
        {2}년 6월 {1}일 {3}
        {1} July at {2}
        7월 {1}일 {2}
        {1} July {2} at {3}
        {2}년 7월 {1}일 {3}
        {1} August at {2}
        8월 {1}일 {2}
        {1} August {2} at {3}
        {2}년 8월 {1}일 {3}
        {1} September at {2}
        9월 {1}일 {2}
        {1} September {2} at {3}
        {2}년 9월 {1}일 {3}
        {1} October at {2}
        10월 {1}일 {2}
        {1} October {2} at {3}
        {2}년 10월 {1}일 {3}
        {1} November at {2}
        11월 {1}일 {2}
        {1} November {2} at {3}
        {2}년 11월 {1}일 {3}
        {1} December at {2}
        12월 {1}일 {2}
        {1} December {2} at {3}
        {2}년 12월 {1}일 {3}
        """#
}
