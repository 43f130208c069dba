/// The past that other programs kept. A line of English, and its Korean below it.
enum KoreanPast {
    static let text = #"""
        Brings in what ActivityWatch has recorded: apps, absence and sites, joined as ActivityWatch does it
        ActivityWatch가 기록한 앱, 자리 비움, 사이트를 ActivityWatch와 같은 방법으로 합쳐 가져옵니다
        what its page writes by Raw Data, Export all buckets; without it the server is asked
        그 페이지에서 모든 기록을 내보낸 파일. 없으면 서버에 묻습니다
        where ActivityWatch runs; http://127.0.0.1:5600 by default
        ActivityWatch가 실행되는 곳. 기본은 http://127.0.0.1:5600
        this computer was called NAME then, so that its past belongs here
        그때 이 컴퓨터의 이름. 그 기록을 이 컴퓨터의 것으로 봅니다
        Makes rules of timekpr's limits, and history of the day that it saw last
        timekpr의 제한으로 규칙을 만들고, 마지막으로 본 날을 기록에 더합니다
        the account, as timekpr knows it; by default your own
        timekpr가 아는 계정. 기본은 자기 계정
        where its folders config and work are; /var/lib/timekpr by default
        config와 work 폴더가 있는 곳. 기본은 /var/lib/timekpr
        Makes rules of GNOME's own limits, and history of the times that its Shell has kept
        GNOME의 제한으로 규칙을 만들고, GNOME 셸이 남긴 시간을 기록에 더합니다
        the account; by default your own
        계정. 기본은 자기 계정
        where copies of its files are, from another computer
        다른 컴퓨터에서 복사해 온 파일이 있는 폴더
        Brings in a table of times with a line of names at its head, from any program
        어떤 프로그램이든, 첫 줄에 이름이 있는 시간표를 가져옵니다
        the table; columns are parted by commas, semicolons or tabs
        표. 칸은 쉼표, 쌍반점이나 탭으로 나눕니다
        when each stretch begins; found by itself where it is called start, begin or from
        구간이 시작하는 때. 이름이 start, begin, from이면 저절로 찾습니다
        when it ends: end, until or to
        끝나는 때: end, until, to
        how long it is, in place of --end: duration, length or seconds
        --end 대신 길이: duration, length, seconds
        what was used: app, application or program
        쓴 것: app, application, program
        the site: site, domain or url
        사이트: site, domain, url
        whose past it is; by default the owner of this account
        누구의 기록인지. 기본은 이 계정의 주인
        Takes back what an import brought, and nothing else
        가져온 것만 되돌립니다
        as the import said it; by default the last one
        가져올 때 나온 이름. 기본은 마지막 것
        Writes what was recorded here as an export of ActivityWatch, which it and others can bring in
        여기 기록을 ActivityWatch와 다른 프로그램이 가져갈 수 있는 ActivityWatch 파일로 씁니다
        where to write; never replaces a file
        쓸 곳. 파일을 덮어쓰지 않습니다
        """#
}
