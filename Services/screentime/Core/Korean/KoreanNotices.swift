/// Notifications, the windows that ask, and moments. A line of English, and its Korean below it.
enum KoreanNotices {
    static let text = #"""
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
