/// The first page of help, processes, the desktop, files and settings. A line of English, and its Korean below it.
enum KoreanSystem {
    static let text = #"""
        Start
        시작
        Usage
        사용 시간
        Rules
        규칙
        More time
        더 쓸 시간
        People and machines
        사람과 컴퓨터
        This computer
        이 컴퓨터
        Records
        기록
        Shields and notifications
        차단 화면과 알림
        Apps with extensions
        확장이 있는 앱
        Messages between services
        서비스 사이의 메시지
        Help
        도움말
        Choose who uses this account, and make the first rules
        이 계정을 누가 쓰는지 정하고 첫 규칙을 만듭니다
        Open today, rules, requests and reports in a browser
        오늘, 규칙, 요청, 보고서를 브라우저에서 엽니다
        Show what was used, today or at any time
        오늘이나 다른 때에 무엇을 썼는지 보여 줍니다
        Limit an app, a site or a category to some time a day
        앱, 사이트, 범주를 하루에 얼마까지 쓸지 정합니다
        Close the computer at certain times of the day
        정한 시간에는 컴퓨터를 쓰지 못하게 합니다
        List, pause and remove rules of all kinds
        모든 규칙을 보고, 멈추고, 지웁니다
        Ask for more time, and answer requests
        시간을 더 요청하고, 요청에 답합니다
        Explain why something is shielded
        왜 막혀 있는지 설명합니다
        Add people, and set their accounts and passcodes
        사람을 더하고 계정과 암호를 정합니다
        Connect several computers and phones
        여러 컴퓨터와 휴대폰을 연결합니다
        Find out what does not work here, and how to repair it
        여기서 무엇이 안 되는지, 어떻게 고치는지 찾습니다
        Start and stop Screen Time
        스크린 타임을 시작하고 멈춥니다
        Opens Screen Time in your browser: today, rules, requests and reports, as they change
        브라우저에서 스크린 타임을 엽니다. 오늘, 규칙, 요청, 보고서가 바뀌는 대로 보입니다
        begins at this part of it, such as requests
        이 부분에서 시작합니다. 예: requests
        prints the address instead, which opens it once
        여는 대신, 한 번 열 수 있는 주소를 보여 줍니다
        {1} observations wait for activity-center, so desktop-agent takes no further {2}.
        관찰 {1}개가 activity-center를 기다리고 있어서 desktop-agent가 {2}을(를) 더 받지 않습니다.
        The extension in GNOME Shell was switched off.
        GNOME 셸의 확장이 꺼졌습니다.
        cannot use the directory {1}: {2}
        폴더 {1}을(를) 쓸 수 없습니다: {2}
        cannot {1} {2}: {3}
        {2}: {1*} 실패({3})
        {1} failed: {2}
        {1} 실패: {2}
        {1} already runs{2} and holds {3}; end it first, or set SCREENTIME_RUN to run a second system beside it
        {1}이(가) 이미{2} 실행되며 {3}을(를) 쓰고 있습니다. 먼저 끝내거나, SCREENTIME_RUN을 정해 하나 더 실행하세요
        as process {1}
        프로세스 {1}(으)로
        cannot start {1}: {2}{3}
        {1}을(를) 시작할 수 없습니다: {2}{3}
        The client was closed.
        연결을 닫았습니다.
        {1}: {2} cannot be {3}. {4}
        {1}: {2}의 값은 {3}일 수 없습니다. {4}
        {1}: there is no section [{2}]. {3} Sections: {4}.
        {1}: [{2}] 부분은 없습니다. {3} 있는 부분: {4}.
        {1}: there is no setting {2}{3}. {4} Settings here: {5}.
        {1}: {2} 설정은 없습니다{3}. {4} 있는 설정: {5}.
        in [{1}]
        ([{1}])
        not ready within {1}:{2}
        {1} 안에 준비되지 않았습니다:{2}
        No such file or directory
        그런 파일이나 폴더가 없음
        Permission denied
        권한이 없음
        Not a directory
        폴더가 아님
        Is a directory
        폴더임
        No space left on device
        디스크에 남은 공간이 없음
        Connection refused
        연결이 거절됨
        the compositor
        컴포지터
        open
        열기
        read
        읽기
        write
        쓰기
        create
        만들기
        rename
        이름 바꾸기
        remove
        지우기
        unknown
        알 수 없음
        as many steps
        같은 수의 단계
        ; build it, or correct its path or working directory
        . 빌드하거나, 경로나 작업 폴더를 바로잡으세요
        ; make it executable (chmod +x) and its directories readable
        . 실행할 수 있게 하고(chmod +x), 폴더를 읽을 수 있게 하세요
        ; a program still writes it, try again
        . 다른 프로그램이 아직 쓰고 있으니, 다시 해 보세요
        ; the machine has no room for another process, end some
        . 프로세스를 더 실행할 자리가 없으니, 몇 개 끝내세요
        ssh -t, or a terminal window
        ssh -t, 또는 터미널 창
        start it from inside the graphical session
        그래픽 세션 안에서 시작하기
        see whether XAUTHORITY names the file of this session
        XAUTHORITY가 이 세션의 파일인지 보기
        """#
}
