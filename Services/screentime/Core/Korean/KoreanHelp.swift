/// Help: what commands, subjects and options are. A line of English, and its Korean below it.
enum KoreanHelp {
    static let text = #"""
        Lets an app use Screen Time, or not; asks for the passcode of the person who decides
        앱이 스크린 타임을 쓰는 것을 허용하거나 막습니다. 정하는 사람의 암호를 묻습니다
        its id; `screentime app list` shows it
        앱의 ID. `screentime app list`로 봅니다
        for whom; by default the owner of this account
        누구를 위해서인지. 쓰지 않으면 이 계정의 주인
        the question to answer, where an app has asked
        앱이 물었을 때, 답할 질문
        its id
        앱의 ID
        The log of an app's extensions: what they print, their errors, and when the system ends them
        앱의 확장이 남긴 로그: 출력, 오류, 시스템이 끝낸 때
        shows the last lines, and then each new one
        마지막 몇 줄을 보여 주고, 새 줄을 계속 보여 줍니다
        how many lines; 50 by default. With --follow it ends after these
        몇 줄인지. 쓰지 않으면 50. --follow와 쓰면 이만큼 뒤에 끝납니다
        with --follow: ends after this time
        --follow와 함께: 이 시간이 지나면 끝납니다
        The callbacks of apps: waiting, done, or parked with the reason
        앱에 보낸 호출: 기다리는 것, 마친 것, 까닭이 있어 멈춰 둔 것
        only of this one
        이것만
        only these: {1}
        이 상태만: {1}
        how many of them; 20 by default
        몇 개인지. 쓰지 않으면 20
        Tries a parked callback again
        멈춰 둔 호출을 다시 시도합니다
        its short name, such as D18
        D18 같은 짧은 이름
        Starts an app's monitor and stops it at once, so that a debugger can attach; nothing is counted
        디버거를 붙일 수 있도록 앱의 모니터를 시작하고 바로 멈춰 둡니다. 아무것도 세지 않습니다
        ends debugging; the next callback runs as usual
        디버깅을 끝냅니다. 다음 호출부터 보통처럼 실행됩니다
        Checks an app with its extensions and installs it
        앱과 그 확장을 검사하고 설치합니다
        the app's bundle: a folder with a manifest.json
        앱의 번들: manifest.json이 있는 폴더
        where executables that are not in the bundle are
        번들에 없는 실행 파일이 있는 곳
        The installed apps, and which people let them use Screen Time
        설치된 앱과, 누가 스크린 타임을 쓰게 했는지
        Removes an app; its permissions and what it watched end
        앱을 없앱니다. 앱의 권한과 지켜보던 것도 끝납니다
        Puts the settings that an app makes into force, or not
        앱이 정한 설정을 실제로 지키거나, 지키지 않게 합니다
        What an app may do, what it watches, and what has counted so far
        앱이 할 수 있는 것, 지켜보는 것, 지금까지 센 것
        the id of an installed app
        설치된 앱의 ID
        only for this person
        이 사람에 대해서만
        Sends one request and prints the reply
        요청 하나를 보내고 답을 출력합니다
        such as health.ping; `screentime bus describe` lists them
        health.ping 같은 이름. `screentime bus describe`로 봅니다
        the body: JSON, @file, or - for standard input; {} by default
        본문: JSON, @파일, 또는 표준 입력은 -. 쓰지 않으면 {}
        which service to ask; by default the one that has this route
        어느 서비스에 물을지. 쓰지 않으면 이 경로가 있는 서비스
        how long to wait; 5s by default
        얼마나 기다릴지. 쓰지 않으면 5s
        a repeated request with the same key does nothing again
        같은 key로 되풀이한 요청은 아무것도 다시 하지 않습니다
        Prints events as they are published
        일어나는 일을 그때그때 출력합니다
        only what this one publishes
        이 서비스가 알리는 것만
        ends after this many events
        이만큼 본 뒤에 끝납니다
        ends after this time
        이 시간이 지나면 끝납니다
        Lists routes and events, or prints them as an AsyncAPI document
        요청과 일의 목록을 보여 주거나, AsyncAPI 문서로 출력합니다
        only this one, with its fields
        이것만, 항목까지
        the whole bus as an AsyncAPI 3.0 document
        버스 전체를 AsyncAPI 3.0 문서로
        The categories, the apps and sites that were moved, and added lists of sites
        카테고리, 옮긴 앱과 사이트, 추가한 사이트 목록
        Moves an app or a site into a category, for use from now on
        앱이나 사이트를 카테고리로 옮깁니다. 지금부터의 사용에 적용됩니다
        an app, or site:DOMAIN
        앱 또는 site:도메인
        such as social; `default` undoes the move
        social 같은 이름. `default`는 옮긴 것을 되돌립니다
        What an app or a site counts as, why, and what it is called
        앱이나 사이트를 무엇으로 세는지, 왜인지, 이름이 무엇인지
        Adds a list of sites to a category, replacing the list of that name
        사이트 목록을 카테고리에 추가합니다. 같은 이름의 목록은 바뀝니다
        what to call it
        부를 이름
        one site a line, or as a hosts file; - reads what is piped in
        한 줄에 사이트 하나, 또는 hosts 파일. -는 파이프로 들어온 것을 읽습니다
        such as games
        games 같은 이름
        Removes a list of sites
        사이트 목록을 없앱니다
        its name; `category list` shows it
        목록의 이름. `category list`로 봅니다
        apps by their ids, not by their names
        앱을 이름이 아니라 ID로
        for programs: one JSON document
        프로그램을 위해: JSON 문서 하나
        Copies every database into a folder while the services keep running
        서비스를 멈추지 않고 모든 데이터베이스를 폴더에 복사합니다
        where the copies go; made if it does not exist
        복사할 곳. 없으면 만듭니다
        Checks that the record of use was not changed afterwards
        사용 기록이 나중에 바뀌지 않았는지 확인합니다
        of this backup, or of the files of a system that does not run
        이 백업, 또는 실행되지 않는 시스템의 파일
        Adds up the figures of reports again from the record of use; reports keep working meanwhile
        사용 기록에서 보고서의 수치를 다시 계산합니다. 그동안에도 보고서를 볼 수 있습니다
        What can be seen and enforced on this desktop, and how to fix the rest
        이 데스크톱에서 무엇을 보고 막을 수 있는지, 나머지는 어떻게 고치는지
        Writes everything that was recorded and set up here to a file, as JSON Lines
        여기에 기록하고 정한 모든 것을 줄마다 JSON인 파일로 내보냅니다
        where to write, or - for standard output; never replaces a file
        쓸 곳, 또는 표준 출력은 -. 파일을 덮어쓰지 않습니다
        only from then on: a day, or a day and a time
        이때부터만: 날, 또는 날과 시각
        only up to then
        이때까지만
        Deletes what was recorded about your own past, or about a person who was removed
        내 지난 기록이나, 뺀 사람의 기록을 지웁니다
        where it begins: a day, a day and a time, or a time today
        시작: 날, 날과 시각, 또는 오늘의 시각
        where it ends; may be `now`
        끝. `now`도 됩니다
        whose past; by default the owner of this account
        누구의 기록인지. 쓰지 않으면 이 계정의 주인
        Explains a command, or prints completion for a shell
        명령을 설명하거나, 셸의 자동 완성을 출력합니다
        the words of a command
        명령의 낱말
        prints the completion script of that shell
        그 셸의 자동 완성 스크립트를 출력합니다
        prints all of it as a manual page
        모두 설명서 페이지로 출력합니다
        What changed, who changed it, and what happened to Screen Time itself, newest first
        무엇이 바뀌었고 누가 바꾸었는지, 스크린 타임에 무슨 일이 있었는지. 새것부터
        only what concerns this person
        이 사람에 대한 것만
        how many lines; 30 by default
        몇 줄인지. 쓰지 않으면 30
        Says that records which are missing will not come back; for a child's computer a guardian says so
        사라진 기록이 돌아오지 않음을 받아들입니다. 아이의 컴퓨터에서는 보호자가 합니다
        the reason, which stays in the history
        까닭. 변경 기록에 남습니다
        Puts a backup back, while Screen Time is stopped; what is there now is put aside
        스크린 타임이 멈춘 동안 백업을 되돌립니다. 지금 있는 것은 옆에 남겨 둡니다
        the folder that `data backup` wrote
        `data backup`이 만든 폴더
        The apps and sites that are not kept by their names
        이름을 남기지 않는 앱과 사이트
        Keeps the use of an app as “Private” from now on, or that of a site as its browser's alone
        지금부터 앱의 사용을 “비공개”로, 사이트의 사용은 브라우저의 것으로만 기록합니다
        takes the name of an app that is not installed here yet
        아직 여기에 설치되지 않은 앱의 이름도 받습니다
        Keeps an app or a site by its name again, from now on
        지금부터 앱이나 사이트의 이름을 다시 기록합니다
        Brings back what `data export` wrote; what is already here stays as it is
        `data export`가 만든 파일을 가져옵니다. 이미 있는 것은 그대로 둡니다
        a file that `data export` wrote
        `data export`가 만든 파일
        the file comes from this computer, from before it was set up again
        이 컴퓨터를 다시 설치하기 전의 파일입니다
        only says what would happen
        어떻게 되는지 알려 주기만 합니다
        The people of this household, and whose account is whose
        이 집의 사람들과, 어느 계정이 누구의 것인지
        Adds a person to the household
        집에 사람을 추가합니다
        what this person is called here
        여기서 부를 이름
        Changes what a person is; for a child or a guardian it takes a guardian's passcode
        누구인지(역할)를 바꿉니다. 아이와 보호자는 보호자의 암호가 필요합니다
        Says which account of this computer is a person's, so that its time counts for them
        이 컴퓨터의 어느 계정이 누구의 것인지 정해, 그 시간을 그 사람의 것으로 셉니다
        the name to log in with
        로그인할 때 쓰는 이름
        the person has no account here
        여기에 계정이 없는 사람입니다
        Removes a person with their rules, permissions and passcode; what they used stays in reports
        사람을 규칙, 권한, 암호와 함께 뺍니다. 사용한 기록은 보고서에 남습니다
        does not ask first
        먼저 묻지 않습니다
        What is recorded about a person, for how long, and who sees it
        한 사람에 대해 무엇을, 얼마나 오래 기록하고, 누가 보는지
        the person; by default the owner of this account
        사람. 쓰지 않으면 이 계정의 주인
        the person; `member list` shows them
        사람. `member list`로 봅니다
        what this person is; a school may say student, teacher or administrator
        역할: 개인(individual), 보호자(guardian), 아이(child). 학교에서는 student, teacher, administrator도 됩니다
        Sets or changes a person's passcode; it is typed at the terminal, never in the command
        암호를 정하거나 바꿉니다. 암호는 명령이 아니라 터미널에 입력합니다
        whose
        누구의 것인지
        for the administrator (root), when the passcode was forgotten; everyone here sees it
        암호를 잊었을 때 관리자(root)가 씁니다. 모두에게 보입니다
        The notifications of Screen Time and its apps, newest first
        스크린 타임과 앱의 알림, 새것부터
        shows the last ones, and then each new one
        마지막 것을 보여 주고, 새것을 계속 보여 줍니다
        only this person's
        이 사람의 것만
        only those of this app
        이 앱의 것만
        only those in this state, such as waiting, uncertain, scheduled
        waiting, uncertain, scheduled 같은 이 상태의 것만
        how many of them; 20 by default. With --follow it ends after these
        몇 개인지. 쓰지 않으면 20. --follow와 쓰면 이만큼 뒤에 끝납니다
        Everything about one notification: its words, its buttons, and what became of it
        알림 하나의 모든 것: 문구, 버튼, 어떻게 되었는지
        its number
        알림의 번호
        Presses a button of a notification from here
        알림의 버튼을 여기서 누릅니다
        the button; `default` is the notification itself
        버튼. `default`는 알림 자체입니다
        Takes a notification back: it leaves the screen, or never comes
        알림을 거둡니다: 화면에서 사라지거나, 나오지 않습니다
        Choose apps, categories and sites in the terminal; writes a selection file
        터미널에서 앱, 카테고리, 사이트를 고르고 파일로 저장합니다
        chooses without asking: firefox, category:social, site:reddit.com
        묻지 않고 고릅니다: firefox, category:social, site:reddit.com
        starts with the choice saved there; what is no longer installed stays, with a mark
        거기 저장된 것에서 시작합니다. 이제 없는 앱은 표시와 함께 남습니다
        where the selection goes; standard output by default
        고른 것을 저장할 곳. 쓰지 않으면 표준 출력
        writes tokens for this app, as apps store them
        앱이 저장하는 대로, 이 앱의 토큰을 씁니다
        writes names, even where --app is needed to read --from
        --from을 읽으려고 --app을 쓸 때에도 이름을 씁니다
        the person whose permission the tokens of --app belong to
        --app의 토큰이 속할 권한의 사람
        a category includes everything in it, in Apple's sense
        카테고리에 그 안의 모든 것이 들어갑니다(Apple의 뜻)
        only lists what can be chosen
        고를 수 있는 것을 보여 주기만 합니다
        only lists what has this in its name
        이름에 이것이 든 것을 보여 주기만 합니다
        the language of names; yours by default
        이름의 언어. 쓰지 않으면 내 언어
        only the picture to scan, for a file or a page
        찍을 그림만, 파일이나 페이지에 쓸 수 있게
        which guardian decides, where there are several
        보호자가 여럿일 때, 누가 정하는지
        What was used, today or at any time, as text, a page, a picture or a table
        오늘이나 다른 때에 무엇을 썼는지: 글, 페이지, 그림, 표로
        which report; may be the name of one that an app makes
        어떤 보고서인지. 앱이 만드는 보고서의 이름도 됩니다
        which app, where two have a report of that name
        두 앱에 그 이름의 보고서가 있을 때, 어느 앱인지
        what the rows or colours stand for
        줄이나 색이 무엇을 뜻하는지
        a bar for each
        막대 하나의 단위
        one day: 2026-11-20, yesterday, monday
        하루: 2026-11-20, yesterday, monday
        where it begins: a day, or “yesterday 17:00”
        시작: 날, 또는 “yesterday 17:00”
        where it ends; a day counts whole
        끝. 날은 하루 전체를 셉니다
        only this person's use
        이 사람의 사용만
        only on this device; all means every one, as without it
        이 기기에서만. all은 정하지 않은 것과 같이 모든 기기입니다
        only this site, with its parts apart, such as m.youtube.com
        이 사이트만, 그 안의 주소를 따로
        how many are shown one by one
        하나씩 보여 줄 개수
        shows what each row was in the period before
        줄마다 이전 기간의 값을 함께 보여 줍니다
        the language; yours by default
        언어. 쓰지 않으면 내 언어
        shows the page in your browser
        페이지를 브라우저에서 엽니다
        a page for a browser, light and dark
        브라우저로 보는 페이지, 밝은 것과 어두운 것
        a picture
        그림
        a picture of any size
        크기를 마음대로 바꿀 수 있는 그림
        draws the picture on a dark background
        어두운 배경에 그립니다
        a table for spreadsheets; printed without FILE
        스프레드시트를 위한 표. FILE이 없으면 출력합니다
        keeps running and shows use as it happens
        계속 실행하며 지금의 사용을 보여 줍니다
        how long --follow runs
        --follow를 얼마나 실행할지
        such as R7; `request list` shows it
        R7 같은 이름. `request list`로 봅니다
        for this person; for you by default
        이 사람을 위해. 쓰지 않으면 나를 위해
        Asks for more time; SUBJECT may be `everything`
        시간을 더 요청합니다. SUBJECT에 `everything`도 됩니다
        an app such as firefox, category:social or site:reddit.com
        firefox 같은 앱, category:social, site:reddit.com
        such as 15m, at most 24h
        15m처럼, 24h까지
        why, for the guardian who answers
        답할 보호자에게 쓰는 까닭
        The requests for more time and what came of them, newest first
        시간을 더 달라는 요청과 그 결과, 새것부터
        such as waiting or granted
        waiting이나 granted 같은 상태
        Everything about one request
        요청 하나의 모든 것
        Takes back what was granted, or withdraws what was asked; needs no proof
        승인된 것을 되돌리거나 요청을 거둡니다. 확인이 필요 없습니다
        Grants a request; asks for a guardian's passcode
        요청을 승인합니다. 보호자의 암호를 묻습니다
        less than was asked for
        요청한 것보다 적게
        Refuses a request; asks for a guardian's passcode
        요청을 거절합니다. 보호자의 암호를 묻습니다
        why, for the person who asked
        요청한 사람에게 쓰는 까닭
        Gives a person time, without being asked; asks for a guardian's passcode
        요청이 없어도 시간을 줍니다. 보호자의 암호를 묻습니다
        who gets it
        받을 사람
        for how long, such as 30m; at most 24h
        30m처럼 얼마나 오래인지, 24h까지
        an app such as firefox, category:social or site:reddit.com; everything by default
        firefox 같은 앱, category:social, site:reddit.com. 쓰지 않으면 모든 것
        Grants a request with a code from a guardian's phone
        보호자의 전화기에 나온 코드로 요청을 승인합니다
        the six digits that the phone shows
        전화기에 보이는 숫자 여섯 개
        Lets an authenticator app on a guardian's phone make codes for a child; earlier codes stop working
        보호자 전화기의 인증 앱이 아이를 위한 코드를 만들게 합니다. 이전 코드는 쓸 수 없게 됩니다
        the child
        아이
        How your own requests are answered without a guardian; without options, says how
        보호자 없이 내 요청에 어떻게 답할지. 옵션이 없으면 지금의 규칙을 보여 줍니다
        how long the first of the day waits; 0 for no wait
        그날 첫 요청이 기다리는 시간. 0이면 기다리지 않습니다
        how much longer each further one that day waits
        그날 다음 요청마다 얼마나 더 기다릴지
        the longest time that is granted
        한 번에 승인하는 가장 긴 시간
        how many a day; with 0 only a guardian answers
        하루에 몇 번인지. 0이면 보호자만 답합니다
        how long a guardian has to answer; 1d by default
        보호자가 답할 수 있는 시간. 쓰지 않으면 1d
        such as 30m or 1h30m
        30m이나 1h30m처럼
        a part of the day, such as 17:00-20:00
        17:00-20:00 같은 하루 중의 시간
        how long the break is, such as 5m
        5m처럼 쉬는 시간
        the rule's name; `rule list` shows it
        규칙의 이름. `rule list`로 봅니다
        Adds a rule: {1}
        규칙을 추가합니다: {1}
        What is always allowed
        항상 허용된 것
        The rules of this kind, and how much of each is used up
        이 종류의 규칙과, 얼마나 썼는지
        Everything about one of them
        그중 하나의 모든 것
        Changes what you name and leaves the rest
        쓴 것만 바꾸고 나머지는 그대로 둡니다
        Removes one of them
        그중 하나를 없앱니다
        where several apps are called so: all of them
        같은 이름의 앱이 여럿이면 모두
        what to call the rule; by default the name of its subject
        규칙의 이름. 쓰지 않으면 대상의 이름
        such as mon-fri or sat,sun; every day by default
        mon-fri나 sat,sun처럼. 쓰지 않으면 매일
        no rule on these days: dates such as 2026-12-24..2027-01-06, or holidays.ics; 0 for none
        규칙이 없는 날: 2026-12-24..2027-01-06 같은 날짜나 holidays.ics. 0이면 없음
        the message in your own words; {1} are filled in
        알림에 쓸 내 말. {1} 자리에는 값이 들어갑니다
        a message (your default) or a shield (a child's default)
        알림(보통) 또는 차단 화면(아이는 보통)
        how much on Saturdays and Sundays; 0 for the same as on others
        토요일과 일요일의 시간. 0이면 다른 날과 같음
        after so much use without such a rest, such as 50m
        50m처럼, 쉬지 않고 이만큼 쓴 뒤에
        what opens once the goal is reached, separated by commas
        목표를 이루면 열리는 것, 쉼표로 나누어
        more subjects, from a file that `screentime pick` wrote
        `screentime pick`이 만든 파일에서 대상을 추가합니다
        The rules of all kinds, and how much of each is used up
        모든 종류의 규칙과, 얼마나 썼는지
        Everything about one rule
        규칙 하나의 모든 것
        Removes a rule
        규칙을 없앱니다
        Gives all rules of a person the same days of exception, instead of those they had
        한 사람의 모든 규칙에 같은 예외인 날을 정합니다. 전에 있던 날은 바뀝니다
        {1}; 0 for none
        {1}. 0이면 없음
        this person's rules; yours by default
        이 사람의 규칙. 쓰지 않으면 내 규칙
        Silences a rule for a while; its messages come afterwards
        규칙을 잠시 쉬게 합니다. 그동안의 알림은 나중에 옵니다
        how long; at most 31 days
        얼마나 오래인지, 31일까지
        ends the pause now
        쉬는 것을 지금 끝냅니다
        Makes changes that loosen a rule wait; stricter ones hold at once. Without DURATION, says how long
        규칙을 느슨하게 하는 변경을 기다리게 합니다. 엄격하게 하는 것은 바로 지킵니다. DURATION이 없으면 지금 값을 보여 줍니다
        such as 1h, at most 7d; 0 for no wait
        1h처럼, 7d까지. 0이면 기다리지 않음
        From now on only what you name is open
        지금부터 고른 것만 열어 둡니다
        for how long, such as 50m; at most 24h
        50m처럼 얼마나 오래인지, 24h까지
        apps and sites with commas between, such as code,site:docs.python.org
        쉼표로 나눈 앱과 사이트. 예: code,site:docs.python.org
        your own words on the shields, with {left}
        차단 화면에 쓸 내 말. {left}를 쓸 수 있습니다
        The computer is over for a person, from now until midnight
        지금부터 자정까지 컴퓨터를 쉬게 합니다
        whose time is over; Screen Time itself is stopped with `system down`
        누구의 시간을 끝낼지. 스크린 타임 자체는 `system down`으로 멈춥니다
        for so long, such as 1h, and not until midnight
        자정까지가 아니라 1h처럼 이만큼
        The first run: for whom this account is, who decides, and the first rules
        첫 실행: 누구의 계정인지, 누가 정하는지, 그리고 첫 규칙
        What a person would see when an app or a site is shielded
        앱이나 사이트가 제한되면 무엇이 보이는지
        draws it into this file, too, as the desktop will show it
        데스크톱에 보이는 대로 이 파일에도 그립니다
        the picture as on a dark desktop
        어두운 데스크톱에서처럼
        the picture as on a light desktop, which is the default
        밝은 데스크톱에서처럼(보통)
        of the window, in pixels; 1280x800 by default
        창의 크기, 픽셀로. 쓰지 않으면 1280x800
        such as ko or en; yours by default
        ko나 en처럼. 쓰지 않으면 내 언어
        as if this app shielded it
        이 앱이 제한한 것처럼
        as this person sees it; as you see it by default
        이 사람에게 보이는 대로. 쓰지 않으면 나에게 보이는 대로
        The shields that came up, newest first, and how often each did
        나타난 차단 화면과 그 횟수, 새것부터
        only those that this person saw
        이 사람이 본 것만
        Plays a scenario in virtual time and compares the outcome with the expected outcome
        시나리오를 가상의 시간으로 실행하고, 기대한 것과 비교합니다
        the scenario, as JSON
        JSON으로 쓴 시나리오
        runs in one process: only built-in rules, but a year takes seconds
        프로세스 없이: 내장 규칙만, 대신 한 해가 몇 초
        behaves like a phone where the default is more lenient
        보통은 여기가 더 너그러운 곳에서 전화기처럼 움직입니다
        prints a scenario to start from
        시작할 시나리오의 예를 출력합니다
        prints the JSON Schema of a scenario, for editors
        편집기를 위해 시나리오의 JSON Schema를 출력합니다
        Every process: whether it runs, its memory, and how far behind it is
        모든 프로세스: 실행 중인지, 메모리, 얼마나 밀려 있는지
        The stores of settings, and whether they are in force
        설정의 저장소와, 지금 지키는지
        only of this app
        이 앱의 것만
        only of this person
        이 사람의 것만
        What a store holds, and what this computer does about it
        저장소에 든 것과, 이 컴퓨터가 그것으로 하는 일
        whose; by default the owner of this computer
        누구의 것인지. 쓰지 않으면 이 컴퓨터의 주인
        Removes all settings of a store; its app may set them again
        저장소의 모든 설정을 없앱니다. 앱이 다시 정할 수 있습니다
        a made-up household, separate from your own data
        내 기록과 따로 있는, 꾸며낸 가족
        Starts the services, watches them, and shows what they log
        서비스를 시작하고 지켜보며, 로그를 보여 줍니다
        only these services, separated by commas
        이 서비스만, 쉼표로 나누어
        continues in the background once all services are ready
        모든 서비스가 준비되면 백그라운드에서 계속합니다
        first deletes everything that was recorded
        먼저 기록된 모든 것을 지웁니다
        does not ask before --fresh deletes anything
        --fresh가 지우기 전에 묻지 않습니다
        Stops the services
        서비스를 멈춥니다
        Has systemd start the services at every login
        로그인할 때마다 systemd가 서비스를 시작하게 합니다
        shows the units and changes nothing
        유닛을 보여 주기만 하고 아무것도 바꾸지 않습니다
        with --print: those of Debian's package, for every account
        --print와 함께: 모든 계정을 위한 데비안 패키지의 유닛
        Stops the services and removes their systemd units
        서비스를 멈추고 systemd 유닛을 없앱니다
        Whether Screen Time follows the clock of this computer
        스크린 타임이 이 컴퓨터의 시계를 따르는지
        the clock is right as it is; for a child's computer a guardian says so
        지금의 시계가 맞습니다. 아이의 컴퓨터에서는 보호자가 합니다
        Lets every paused app go on when desktop-agent has died
        desktop-agent가 갑자기 끝났을 때 정지한 앱을 모두 다시 움직입니다
        even while the agent runs, which may pause them again
        다시 정지할 수 있는 agent가 실행되는 동안에도
        the apps of the demonstration
        데모의 앱
        The day so far, the rules, and what cannot be seen
        오늘 하루, 규칙, 그리고 볼 수 없는 것
        shows the version
        버전을 보여 줍니다
        Shows live which message caused which, and how long each step took
        어떤 메시지가 어떤 일을 일으켰는지, 단계마다 얼마나 걸렸는지 바로 보여 줍니다
        only stories in which this service takes part
        이 서비스가 나오는 것만
        only stories with a route or event that begins with this, such as usage.
        usage.처럼 이렇게 시작하는 요청이나 일이 있는 것만
        only the story whose id begins with this
        ID가 이렇게 시작하는 것만
        ends after this many stories, or rounds of --top
        이만큼 보여 준 뒤에, --top이면 이만큼 새로 그린 뒤에 끝납니다
        writes the trace for Perfetto (ui.perfetto.dev) at the end
        끝날 때 Perfetto(ui.perfetto.dev)용 기록을 씁니다
        shows rates, latencies and lags instead, once a second
        대신 빈도, 걸린 시간, 밀린 정도를 1초마다 보여 줍니다
        Why something is shielded or not, from what was seen to the shield
        무엇이 왜 제한되었는지, 본 것부터 차단 화면까지
        an app, site:DOMAIN, category:NAME, setting:NAME, window:ID or window:front
        앱, site:도메인, category:이름, setting:이름, window:ID, window:front
        as it was then: {1}
        그때의 상태로: {1}
        how much of something a day; SUBJECT may be `everything`
        하루에 쓸 수 있는 시간. SUBJECT에 `everything`도 됩니다
        a time without the computer
        컴퓨터를 쉬는 시간
        when in the day something may be used
        하루 중에 쓸 수 있는 시간
        how much of one thing comes before another
        먼저 이만큼 하면 다른 것이 열립니다
        a rest after so much use without one; it waits for the end of a film, a call or a full screen
        쉬지 않고 이만큼 쓴 뒤의 휴식. 영화, 통화, 전체 화면이 끝날 때까지 기다립니다
        what no rule ever shuts
        어떤 규칙도 막지 않는 것
        warns this long before; 5m by default for limits of 10m and more, 0 for no warning
        이만큼 전에 알립니다. 10m 이상의 한도는 보통 5m, 0이면 알리지 않음
        warns this long before; 0 takes the warning away
        이만큼 전에 알립니다. 0이면 알리지 않음
        dates such as 2026-12-25 or 2026-12-24..2027-01-06, or a calendar file such as holidays.ics
        2026-12-25나 2026-12-24..2027-01-06 같은 날짜, 또는 holidays.ics 같은 달력 파일
        a day such as 2026-11-20, with a time such as “2026-11-20 17:00”, a time of today such as 17:00, “yesterday 17:00”, monday, or now
        2026-11-20 같은 날, “2026-11-20 17:00” 같은 날과 시각, 17:00 같은 오늘의 시각, “yesterday 17:00”, monday, now
        prints all of it as the guide to the commands
        명령 안내서로 모두 출력합니다
        lists all commands
        모든 명령을 보여 줍니다
        such as usage. or usage.segment.closed
        usage.나 usage.segment.closed처럼
        such as worklog/social
        worklog/social처럼
        such as worklog/social; the store `default` may be left out
        worklog/social처럼. 저장소 `default`는 빼도 됩니다
        may be left out
        빼도 됩니다
        leave it out to see which it is
        빼면 지금 값을 보여 줍니다
        The browsers of this computer, and which of them say what site is in front
        이 컴퓨터의 브라우저와, 앞에 있는 사이트를 알려 주는 브라우저
        Has a browser say nothing of sites, from its next start on
        다음에 시작할 때부터 브라우저가 사이트를 알려 주지 않게 합니다
        lets Debian's Firefox take add-ons that Mozilla has not signed, as ours is not yet
        Mozilla가 서명하지 않은 부가 기능도 Debian의 파이어폭스가 받게 합니다(스크린 타임의 것은 아직 서명되지 않았습니다)
        Has a browser say which site is in front, in your account, from its next start on
        다음에 시작할 때부터 내 계정의 브라우저가 앞에 있는 사이트를 알려 주게 합니다
        Lets Screen Time see and shield the windows of GNOME Shell, from your next login on
        다음에 로그인할 때부터 스크린 타임이 GNOME 셸의 창을 보고 가릴 수 있게 합니다
        Takes Screen Time out of GNOME Shell
        GNOME 셸에서 스크린 타임을 뺍니다
        the desktop: gnome or kde
        데스크톱: gnome, kde
        one of `browser list`, such as chromium
        `browser list`에 있는 것. 예: chromium
        """#
}
