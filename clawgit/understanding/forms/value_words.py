"""Words that are of one kind, where neither a capital letter nor a number tells it: alternatives of patterns."""

from __future__ import annotations

from clawgit.text.words.word_lists import any_word_of

ORDINAL = any_word_of(
    "ground, first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth, eleventh, twelfth, top"
)
_COLOURS = """
red, orange, yellow, green, blue, navy, teal, turquoise, cyan, indigo, violet, purple, magenta, pink, brown, beige, black, white, grey,
gray, silver, gold, golden, crimson, scarlet, maroon, burgundy, olive, lime, mint, emerald, lavender, lilac, coral, salmon, peach, cream,
ivory, ochre, mustard, amber, rust, azure
"""
_COLOURS_CJK = """
红, 红色, 橙色, 黄色, 绿色, 蓝色, 深蓝色, 浅蓝色, 天蓝色, 靛蓝色, 青色, 紫色, 粉色, 粉红色, 棕色, 褐色, 米色, 黑色, 白色, 灰色, 银色, 金色, 藏青色, 墨绿色,
浅绿色, 深绿色, 빨강, 빨간색, 주황색, 노랑, 노란색, 초록, 초록색, 녹색, 연두색, 파랑, 파란색, 하늘색, 남색, 보라색, 분홍색, 갈색, 베이지색, 검정, 검정색,
검은색, 하양, 하얀색, 흰색, 회색, 은색, 금색, 청록색
"""
COLOUR = f"(?:(?:light |dark |pale |deep |bright )?{any_word_of(_COLOURS)}(?: (?:blue|green|red|grey|gray))?|{any_word_of(_COLOURS_CJK)})"
# A country and a town in it are both where somebody lives.
COUNTRIES = any_word_of("""
england, scotland, wales, ireland, britain, uk, united kingdom, europe, germany, france, spain, portugal, italy, austria, switzerland,
belgium, netherlands, denmark, sweden, norway, finland, iceland, poland, greece, turkey, hungary, romania, ukraine, russia, usa, us, america,
united states, canada, mexico, brazil, argentina, chile, australia, new zealand, japan, china, korea, south korea, taiwan, india, vietnam,
thailand, indonesia, israel, egypt, kenya, nigeria, south africa, asia, africa, bavaria, catalonia, california, texas, florida, yorkshire
""")
DEMONYMS = any_word_of("""
english, scottish, welsh, irish, british, german, french, spanish, portuguese, italian, austrian, swiss, belgian, dutch, danish, swedish,
norwegian, finnish, polish, greek, turkish, hungarian, romanian, ukrainian, russian, american, canadian, mexican, brazilian, australian,
japanese, chinese, korean, taiwanese, indian, vietnamese, thai, european, asian, african, christian, muslim, jewish, hindu, catholic
""")
CITIES = any_word_of("""
北京, 上海, 广州, 深圳, 天津, 重庆, 杭州, 南京, 苏州, 成都, 武汉, 西安, 长沙, 郑州, 青岛, 大连, 厦门, 宁波, 无锡, 合肥, 福州, 济南, 沈阳, 哈尔滨, 长春,
昆明, 贵阳, 南宁, 海口, 三亚, 太原, 石家庄, 兰州, 银川, 西宁, 乌鲁木齐, 拉萨, 南昌, 温州, 佛山, 东莞, 珠海, 常州, 扬州, 徐州, 烟台, 香港, 澳门, 台北,
台中, 台南, 高雄, 新加坡, 东京, 大阪, 首尔, 纽约, 伦敦, 巴黎, 柏林, 慕尼黑, 悉尼, 墨尔本, 多伦多, 温哥华, 旧金山, 洛杉矶, 西雅图, 波士顿,
서울, 부산, 대구, 인천, 광주, 대전, 울산, 세종, 수원, 성남, 고양, 용인, 창원, 청주, 전주, 천안, 포항, 제주, 김해, 안양, 안산, 춘천, 강릉, 원주, 여수,
순천, 목포, 경주, 구미, 진주, 분당, 판교, 일산, 평택, 파주, 김포, 부천, 도쿄, 오사카, 베이징, 상하이, 뉴욕, 런던, 파리, 베를린, 뮌헨, 시드니, 밴쿠버
""")
SURNAMES = (
    "[王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何林高罗羅郑鄭梁谢謝宋唐许許韩韓冯馮邓鄧曹彭曾肖田董袁潘于蒋蔡余杜叶葉程苏蘇魏吕呂丁任沈姚卢盧"
    "姜崔钟鍾谭譚陆陸汪范石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤]"
)
# What ends otherwise says what somebody is: `白人`, `马拉松选手`.
PERSON = rf"{SURNAMES}(?:老师|老師|医生|醫生|先生|女士|小姐|[\u3400-\u9fff]{{1,2}}(?<![人员員手生家师師长長子士友迷族汉漢者民工]))"
MILK = any_word_of(
    "whole, skimmed, semi-skimmed, oat, soy, soya, almond, coconut, rice, goat, 牛, 燕麦, 燕麥, 豆, 杏仁, 椰, 羊, 脱脂, 全脂"
)
# By what they are called, or by what they are.
EMPLOYERS = (
    "(?:[A-Z][A-Za-z]+|[\u3400-\u9fff]{2,8}(?:公司|集团|集團|银行|銀行|大学|大學|医院|醫院|科技)|[가-힣]{2,8}(?:전자|은행|대학교|병원|자동차)|"
    + any_word_of("""
华为, 小米, 腾讯, 阿里, 阿里巴巴, 百度, 字节跳动, 京东, 美团, 网易, 滴滴, 联想, 比亚迪, 中兴, 大疆, 拼多多, 快手, 微软, 谷歌, 苹果, 亚马逊, 西门子, 博世,
삼성, 네이버, 카카오, 현대, 기아, 쿠팡, 라인, 토스, 포스코, 구글, 애플, 아마존, 엘지, 지멘스, 보쉬
""")
    + ")"
)
# A street or a building is no firm.
PLACES = any_word_of(
    "street, road, avenue, lane, square, park, campus, building, tower, hall, room, house, station, airport, night, nights, home, school, church"
)
# A town is in a county, and has suburbs: another town alone says that it is not the first.
TOWNS = any_word_of("""
london, leeds, york, hull, sheffield, manchester, liverpool, birmingham, bristol, bath, oxford, cambridge, brighton, nottingham, leicester,
newcastle, durham, norwich, exeter, plymouth, southampton, portsmouth, cardiff, swansea, edinburgh, glasgow, aberdeen, dundee, belfast, dublin,
cork, galway, paris, lyon, marseille, nice, toulouse, bordeaux, lille, berlin, hamburg, munich, cologne, frankfurt, stuttgart, leipzig, dresden,
bremen, hanover, vienna, salzburg, graz, zurich, geneva, basel, bern, rome, milan, naples, turin, florence, bologna, venice, madrid, barcelona,
valencia, seville, lisbon, porto, amsterdam, rotterdam, utrecht, brussels, antwerp, ghent, copenhagen, aarhus, stockholm, gothenburg, malmo, oslo,
bergen, helsinki, tampere, reykjavik, warsaw, krakow, prague, brno, budapest, bucharest, sofia, athens, istanbul, ankara, kyiv, moscow, tallinn,
riga, vilnius, zagreb, belgrade, ljubljana, boston, chicago, seattle, portland, denver, austin, dallas, houston, atlanta, miami, philadelphia,
detroit, phoenix, san diego, san francisco, san jose, los angeles, las vegas, new orleans, toronto, montreal, vancouver, ottawa, calgary,
mexico city, bogota, lima, santiago, buenos aires, sydney, melbourne, brisbane, perth, adelaide, auckland, wellington, tokyo, osaka, kyoto,
seoul, busan, beijing, shanghai, shenzhen, hong kong, taipei, singapore, bangkok, hanoi, jakarta, manila, delhi, mumbai, bangalore, chennai,
dubai, tel aviv, jerusalem, cairo, nairobi, lagos, accra, cape town, johannesburg
""")
