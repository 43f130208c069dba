/// People, passcodes, permissions and apps. A line of English, and its Korean below it.
enum KoreanPeople {
    static let text = #"""
        {1} apps are installed, which is the limit. Remove one first.
        앱이 {1}개 설치되어 있고, 더 설치할 수 없습니다. 먼저 하나를 없애세요.
        There is no app {1}.{2}
        {1}(이)라는 앱은 없습니다.{2}
        An app's id has 1 to 128 letters, digits, dots, dashes and underscores.
        앱의 ID에는 영문자, 숫자, 점, 줄표, 밑줄을 1–128자 씁니다.
        Say which passcode {1} gets.
        {1} 님의 새 암호를 말해 주세요.
        The key is too long for a picture; leave --svg out.
        열쇠가 길어서 그림으로 만들 수 없습니다. --svg를 빼세요.
        {1} cannot be read.
        {1}: 읽을 수 없습니다.
        {1} must be an absolute path.
        {1}: 절대 경로여야 합니다.
        {1} {2} is not a folder that can be entered.
        {1} {2}: 들어갈 수 있는 폴더가 아닙니다.
        {1} cannot be read: {2}. An app is a folder with a manifest.json.
        {1}: 읽을 수 없습니다({2}). 앱은 manifest.json이 있는 폴더입니다.
        {1} is not a file.
        {1}: 파일이 아닙니다.
        {1} is larger than {2} KiB.
        {1}: {2} KiB보다 큽니다.
        {1} cannot be installed, for {2} reasons:{3}{4}
        {1}: 설치할 수 없습니다. 까닭 {2}가지:{3}{4}
        This computer is not registered yet.
        이 컴퓨터는 아직 등록되지 않았습니다.
        {1} is a member already, as {2}.
        {1} 님은 이미 있습니다({2*}).
        A household has at most {1} members.
        한 집에는 {1}명까지 둘 수 있습니다.
        The time of this account is counted for {1}, so {2} cannot be removed. Give the account to another person first.
        이 계정의 시간은 {1} 님의 것으로 세고 있어서 {2} 님을 뺄 수 없습니다. 먼저 계정을 다른 사람에게 주세요.
        {1} is the only guardian with a passcode, and without one no person could decide for {2}. Make another person guardian first, with a passcode.
        암호가 있는 보호자는 {1} 님뿐입니다. 그러면 {2} 님의 일을 정할 사람이 없어집니다. 먼저 다른 사람을 보호자로 하고 암호를 정하세요.
        This computer has no account {1}. {2}There are: {3}.
        이 컴퓨터에 {1} 계정은 없습니다. {2}있는 계정: {3}.
        The account {1} is {2}'s, and one account is one person's: a second person needs a second account. If {3} does not use it any more, take it away first.
        {1} 계정은 {2} 님의 것이고, 계정 하나는 한 사람만 씁니다. 두 번째 사람에게는 두 번째 계정이 필요합니다. {3} 님이 더 쓰지 않는다면 먼저 계정을 거두세요.
        There are no members yet.
        아직 아무도 없습니다.
        There is no member {1}.{2}
        {1}(이)라는 사람은 없습니다.{2}
        A name has 1 to {1} bytes, no slash and no control characters.
        이름은 1–{1}바이트이고, 빗금과 제어 문자는 쓸 수 없습니다.
        This needs the passcode of {1}.
        {1} 님의 암호가 필요합니다.
        That is not the passcode of {1}. {2}
        {1} 님의 암호가 아닙니다. {2}
        The purpose of a proof has 1 to {1} bytes and no control characters.
        확인하는 까닭은 1–{1}바이트이고, 제어 문자는 쓸 수 없습니다.
        A passcode has no control characters, because they cannot be typed.
        제어 문자는 입력할 수 없으므로 암호에 쓸 수 없습니다.
        Changing the passcode of {1} takes {2}'s present one.
        {1} 님의 암호를 바꾸려면 {2} 님의 지금 암호가 필요합니다.
        Only the administrator of this computer, who is root, can reset a forgotten passcode. Every member sees that it was reset.
        잊은 암호는 이 컴퓨터의 관리자(root)만 다시 정할 수 있습니다. 다시 정한 것은 모두에게 보입니다.
        {1} is a guardian's decision. Say which guardian answers: {2}.
        보호자가 정할 일입니다: {1}. 어느 보호자가 답할지 쓰세요: {2}.
        {1} is a guardian's decision, and {2} is not a guardian with a passcode. Guardians with a passcode: {3}.
        보호자가 정할 일입니다: {1}. {2} 님은 암호가 있는 보호자가 아닙니다. 암호가 있는 보호자: {3}.
        Only a guardian with a passcode can answer for a child, and this household has none. Add a guardian and set a passcode first.
        아이의 일은 암호가 있는 보호자만 답할 수 있는데, 이 집에는 없습니다. 먼저 보호자를 추가하고 암호를 정하세요.
        {1} has no passcode, so {2} cannot prove who is answering. Set a passcode first.
        {1} 님에게 암호가 없어서 {2} 님이 누가 답하는지 확인할 수 없습니다. 먼저 암호를 정하세요.
        The passcode of {1} was wrong too often. Try again in {2}.
        {1} 님의 암호를 여러 번 잘못 입력했습니다. {2} 뒤에 다시 시도하세요.
        A guardian allowed this for {1}, so only a guardian can take it back.
        {1} 님을 위해 보호자가 허용한 것이어서 보호자만 거둘 수 있습니다.
        Say which to switch: access or enforce.
        access와 enforce 가운데 무엇을 바꿀지 쓰세요.
        Access is given by answering a question, with proof of who answers.
        권한은 질문에 답할 때, 누가 답하는지 확인하고 줍니다.
        {1} has this permission for {2} already, and only one app can have it.
        {2} 님에 대한 이 권한은 {1}이(가) 이미 가지고 있고, 앱 하나만 가질 수 있습니다.
        {1} has not allowed {2} to do this.
        {1} 님이 {2}에 이 일을 허용하지 않았습니다.
        {1} is part of Screen Time and always allowed. Remove or pause the rules instead.
        {1}은(는) 스크린 타임의 일부여서 언제나 허용됩니다. 대신 규칙을 없애거나 쉬게 하세요.
        {1} questions are open, which is the limit. Each ends after a minute; ask again then.
        열린 질문이 {1}개 있고, 더 물을 수 없습니다. 질문은 1분 뒤에 끝나니 그때 다시 물으세요.
        {1} is not a child of this household but {2}, so a guardian cannot answer for {3}. Ask for an individual.
        {1} 님은 이 집의 아이가 아니라 {2*}여서 보호자가 {3} 님 대신 답할 수 없습니다. .individual로 물으세요.
        {1} has said no to {2}, so {3} cannot ask again.
        {1} 님이 {2}에 이미 거절해서 {3}이(가) 다시 물을 수 없습니다.
        {1} is not asking for anything at the moment.
        {1}은(는) 지금 아무것도 묻고 있지 않습니다.
        There is no question {1}. It may be too old; let the app ask again.
        질문 {1}은(는) 없습니다. 오래되어 끝났을 수 있으니, 앱이 다시 묻게 하세요.
        {1} asks {2}, so only {3} can answer.
        {1}이(가) {2} 님에게 묻고 있어서 {3} 님만 답할 수 있습니다.
        The question was open for {1} and is over. Let the app ask again.
        질문은 {1} 동안 열려 있었고 이제 끝났습니다. 앱이 다시 묻게 하세요.
        This question was answered already: {1}.
        이미 답한 질문입니다: {1*}.
        There are {1} versions of the key already, which is the limit.
        열쇠의 버전이 이미 {1}개 있고, 더 만들 수 없습니다.
        There is no key for tokens yet.
        아직 토큰의 열쇠가 없습니다.
        At most {1} at once; send the rest in another request.
        한 번에 {1}개까지 됩니다. 나머지는 따로 보내세요.
        This token is not from this computer, or it is damaged. Choose again.
        이 컴퓨터의 토큰이 아니거나 손상되었습니다. 다시 고르세요.
        This token belongs to another app. Choose again in {1}.
        다른 앱의 토큰입니다. {1}에서 다시 고르세요.
        This token ended when the permission under which it was given was taken back. Choose again.
        이 토큰을 받은 권한이 거두어져서 토큰도 끝났습니다. 다시 고르세요.
        A newer version of Screen Time made this token. Update Screen Time on this computer.
        더 새로운 버전의 스크린 타임이 만든 토큰입니다. 이 컴퓨터의 스크린 타임을 업데이트하세요.
        A domain has 1 to {1} bytes, in small letters and without spaces.
        도메인은 1–{1}바이트이고, 소문자로 빈칸 없이 씁니다.
        A name has 1 to {1} bytes and no control characters.
        이름은 1–{1}바이트이고, 제어 문자는 쓸 수 없습니다.
        {1} belongs to a rule. Only callbacks of apps can be retried.
        {1}은(는) 규칙에 속합니다. 앱의 호출만 다시 시도할 수 있습니다.
        {1} is {2}; only a parked delivery can be tried again.
        {1}의 상태는 {2*}입니다. 멈춰 둔(parked) 호출만 다시 시도할 수 있습니다.
        There is no delivery {1}, or it is so old that it was forgotten.
        호출 {1}은(는) 없거나, 오래되어 남아 있지 않습니다.
        That attempt is not under way any more.
        그 시도는 이미 끝났습니다.
        {1} callbacks of {2} wait already, so this one was not tried.
        {2}의 호출이 이미 {1}개 기다리고 있어서 이번 것은 시도하지 않았습니다.
        {1} is not installed.
        {1}: 설치되어 있지 않습니다.
        {1} has no monitor extension.
        {1}: 모니터 확장이 없습니다.
        {1} is not installed, so its monitor cannot be called. Install it and try again.
        {1}: 설치되어 있지 않아서 모니터를 부를 수 없습니다. 설치하고 다시 시도하세요.
        {1} has no monitor extension to call. Add one to its manifest and install it again.
        {1}: 부를 모니터 확장이 없습니다. manifest에 추가하고 다시 설치하세요.
        {1} does not let {2} watch (any more), so it is not called.
        {2} 님이 지켜보는 것을 {1} 님이 (이제) 허용하지 않아서 부르지 않습니다.
        auth-service has not said yet who belongs to the household.
        auth-service가 누가 이 집에 속하는지 아직 알려 주지 않았습니다.
        The household has no member called {1}.
        {1}(이)라는 사람은 이 집에 없습니다.
        A passcode has at least {1} and at most {2} characters; letters such as é or 가 count as two to four.
        암호는 {1}자 이상 {2}자까지입니다. é나 가 같은 글자는 두 자에서 네 자로 셉니다.
        There is not enough memory to store a passcode safely, which takes {1} MiB. Close some programs and try again.
        암호를 안전하게 저장할 메모리가 모자랍니다({1} MiB 필요). 프로그램을 몇 개 닫고 다시 시도하세요.
        There is not enough memory for a key. Close some programs and try again.
        열쇠를 만들 메모리가 모자랍니다. 프로그램을 몇 개 닫고 다시 시도하세요.
        The bundle
        번들
        - and {1} more.
        - 그 밖에 {1}가지.
        Try again in {1}.
        {1} 뒤에 다시 시도하세요.
        1 try is left before a pause.
        1번 더 시도할 수 있고, 그 뒤에는 잠시 쉽니다.
        {1} tries are left before a pause.
        {1}번 더 시도할 수 있고, 그 뒤에는 잠시 쉽니다.
        That code was used already; each works only once. Wait for the next one.
        이미 쓴 코드입니다. 코드는 한 번만 쓸 수 있으니, 다음 코드를 기다리세요.
        That code is not valid for {1} on this computer now.
        지금 이 컴퓨터에서 {1} 님에게 맞는 코드가 아닙니다.
        The clock of this computer was {1} ahead before, and codes still go by that; `screentime request setup {2}` starts afresh.
        이 컴퓨터의 시계가 전에 {1} 앞서 있었고, 코드는 아직 그 시계를 따릅니다. `screentime request setup {2}`로 새로 시작합니다.
        The latest is {1}.
        마지막은 {1}입니다.
        {1} is {2}'s own, so a guardian answers it.
        {1}은(는) {2} 님이 스스로 요청한 것이어서 보호자가 답합니다.
        The rule of {1} answers {2} by itself when its moment comes. Only a guardian can answer sooner; name one with --by.
        때가 되면 {1} 님의 규칙이 {2}에 답합니다. 더 일찍은 보호자만 답할 수 있습니다. 보호자를 --by로 쓰세요.
        See how long the apps, categories and sites that you choose are used.
        선택한 앱, 카테고리, 사이트를 얼마나 사용하는지 봅니다.
        Put shields over them, and take its own shields away.
        그 위에 차단 화면을 띄우고, 스스로 띄운 차단 화면을 거둡니다.
        Act when a time that you agreed on with it begins, ends or is used up.
        정해 둔 시간이 시작되거나 끝나거나 다 쓰였을 때 알림을 받고 그에 따라 동작합니다.
        Choose what its own shields look like.
        스스로 띄운 차단 화면의 모양을 정합니다.
        Act when a button on its shield is pressed.
        차단 화면의 버튼을 누르면 동작합니다.
        Draw reports of your use on this computer.
        이 컴퓨터의 사용 시간 보고서를 그립니다.
        Stay installed until a guardian removes it.
        보호자가 제거할 때까지 설치된 상태로 남습니다.
        """#
}
