"""What reads like a Chinese name in pinyin and is a word, or a name of something else."""

_SYLLABLES = """
    a ai an ban bang ben bin bing can cha chai chan chi da dan dang de di die ding dong du duo e en er fa
    fan fang fen gang gong gun ha hai han hang he hei hen hong hun ji ju jun ka kai kan ken kong la lai
    lan lang le li lie lin long lou lu ma man mao me mei men mi min ming mo mu na ne ni nu o pa pan pang
    pao pen pi pie pin ping po pu qi ran rang re ren run sa san sang sao se sen sha she shun si song sou
    su sun ta tai tan tang tao te ti tie ting tong tu tun wan wen wo wu yang ye yin you yu yuan
"""

_ENGLISH = """
    aiding aiming akamai alan alana alike along amending amin angela angelina anita anna anne anode
    antique anya apache aruba asian awake baiting balance banana banda bandana bane bangle banning beige
    bending bengali bianca bike binding binge bingo biting booming booting booze boxing buchanan burundi
    buying cache caiman canceling cane canine chacha chaining chance change chanting chase cheating cheese
    chile chili chime china chinese cinema congo cuba cuenta cuisine curie damage damian dana danae dance
    dane danger dangle dangling daniela dante dealing debate debian decaying deciding defending delaying
    delouse deluding deluge demanding demise depending deque detailing diana diane dilute dina dingle
    dining dioxin dongle douse duane dubai duke duncan duping eating editing elaine elena elian eliane
    elide elite emoji ending engage erica ernie exile exiting fabian fading fame fancier fatima fending
    foliage futile future gaining gala game gaming gaza gemini gene genie genoa genome genre geode gouache
    gouda guiana guidance guide guiding guile guinea guise guyana hague haifa haiku hana handing hanger
    hangman hanna hanning hannu hansen haying heading healing heating heidi helen helena helene henning
    house huge human humane hunting jingle juan juana julia julian juliana julianne julie julien julio
    june junta kanji karaoke keeping kenan kenji kenya keying kuala laila lana lance landing lane language
    langue laying leading leisure lena lending leona leonie lian liana licence license lima limiting lina
    linda linde line linen liner linger lingua lining linkage lisa longer longtime louse luanda luca
    lucene lucia lucian lucien luke lula lulu luna lunge lute machine machining magenta maier mailing
    maine malaise male mali malina manage manche mane mange manger mangle mangling mango mania manila
    manure maria marian marianne marie marina marine mario mateo mature maxima maya mayan meaning median
    megan melina menage mending menu miami mice michigan milan mile mina mine mingle mining minna minute
    misuse mixing moaning mobile mocha mode modeling module mona monica moore moose moreno moshe mouse
    mutate mute nadia nadine naming naomi needing nepali niche nigeria nina nuance nubian obama ocean oman
    orange osama outing panacea panama pancake panda panini paying pending pine pining pinning pooling
    populi puma quantile quasi queen querying quota quote quoting range reading reagan regaining relaxing
    relaying remaining reminding rename renaming renee residing resuming retailing retaining riding rouge
    ruining ruling rune running sagan sailing sake saline samoa sangha sanguine saying sealing seeding
    segue selina sending senile serene sewage shade shading shake shaken shaman shame shanti shaping share
    sheridan shine shining shunning siding siege siena sienna silence simone sinai subaru sudan suede
    suicide suite sulaiman sundance sunshine sure susan susana susanna sushi suzanne tangle tangling tango
    tania taobao tease teeming telugu tiling timing tina tingle tingling titan tonga touche tubing tuna
    tune tuning tunneling wage wake wanda wane wangle waning wanting weibo wenning woman women yankee
    yemen yucatan yuri
"""

_PLACES = """
    anhui anqing anshan anyang aomen baoding baoji baotou beijing bengbu binzhou cangzhou changan
    changchun changjiang changsha changzhi changzhou chaoyang chaozhou chengde chengdu chenzhou chibi
    chongqing chuzhou dali dalian dandong danyang daqing datong dazhou deyang dezhou dingxi dongguan
    dongjing dongting dongying dunhuang emei foshan fujian fushun fuxin fuyang fuzhou gansu ganzhou
    gaoxiong gaozhou gongga guangan guangdong guangxi guangyuan guangzhou guilin guiyang guizhou gulangyu
    haidian haikou hainan handan hangzhou hanzhong hebei hebi hefei heihe heilongjiang henan hengshui
    hengyang heyuan heze hezhou hongkong huaian huaihe huaihua huainan huanghe huangpu huangshan huangshi
    huashan hubei huhehaote huizhou huludao hunan huzhou jiangmen jiangnan jiangsu jiangxi jiaozuo jiaxing
    jiayuguan jilin jinan jingdezhen jinggangshan jinhua jining jinmen jinzhong jinzhou jiujiang jiuquan
    jiuzhai jiuzhaigou kaifeng kashi kunlun kunming kunshan laiwu langfang lanzhou lasa leshan liangshan
    lianyungang liaocheng liaoning liaoyang lijiang linfen linyi lishui liuzhou longmen longyan luan
    luliang luohe luoyang lushan luzhou macao maoming meishan meizhou mengjin mianyang minjiang mudanjiang
    nanchang nanchong nanjing nankai nanning nanping nantong nanyang neijiang ningbo ningxia panjin
    panzhihua pingdingshan pingliang pingyao pudong putian putuo puxi puyang qianmen qilian qingdao
    qinghai qingyuan qinhuangdao qinling quanzhou qufu qujing quzhou rizhao ruian sanmenxia sanming sanxia
    sanya shaanxi shandong shanghai shangqiu shangrao shangrila shantou shanwei shanxi shaoguan shaolin
    shaoshan shaoxing shaoyang shenyang shenzhen shihezi shijiazhuang shiyan shizuishan shuozhou sichuan
    songhua songjiang songshan suihua suizhou suqian suzhou taian taibei taihang taihu taipei taishan
    taiwan taiyuan taizhou tangshan tiananmen tianjin tianjing tianshan tianshui tieling tongchuan tonghua
    tongji tongliao tongling tongzhou tulufan wangfujing weifang weihai weihe weinan wenchuan wenzhou
    wudang wuhai wuhan wuhu wulumuqi wutai wutaishan wuxi wuyi wuyishan wuyuan wuzhen wuzhou xiamen xian
    xianggang xiangshan xiangtan xiangyang xianyang xiaogan xihu xining xinjiang xinxiang xinyang xinyu
    xizang xuancheng xuchang xuzhou yaan yalong yanan yanbian yancheng yangjiang yangquan yangshuo
    yangzhou yanshan yantai yibin yichang yichun yinchuan yingkou yingtan yiwu yixing yiyang yongzhou
    yuanmingyuan yuelu yueyang yulin yumen yuncheng yunfu yungang yunnan yushan yuxi zaozhuang zhangjiajie
    zhangjiakou zhangye zhangzhou zhanjiang zhaoqing zhejiang zhengding zhengzhou zhenjiang zhongguancun
    zhongguo zhonghua zhongnan zhongshan zhoukou zhoushan zhouzhuang zhuhai zhujiang zhumadian zhuozhou
    zhuzhou zibo zigong zunyi
"""

_OTHERS = """
    baba baidu baijiu baozi bopomofo changcheng chuangye chunjie dalai dazibao dongfang dongzhi douyin
    duanwu erhu falungong fengshui ganbei gaokao gege gongan gongchang gongfu guangming guanxi guanyin
    guoqing guoyu guzheng hanfu hanyu hanyuan hanzi heping hongbao hongqi huangdi huaren huawei huiguo
    huiyi hukou hutong jianbing jianfei jiangshan jiaozi jiayou jiefang jinghu jingju jingxi jinianri
    kangxi kongfu kongzi kuomintang laoban laoshi laowai laozi liangzhu lixue longjing longteng luosifen
    luxun majiang mantou maotai mazu mengzi mianzi minyue moutai mulan mutan nihao nushu paocai pingan
    pinyin pipa putonghua qianlong qigong qinghua qingming qipao renmin renminbi ruyi sanguo shaobing
    shenzhou shifu shijie shuanghe shuihu shuihuzhuan sunwukong sunzi taichi taiji taijiquan taiping
    tangyuan tianxia tongzhi tudou weiqi weixin wushu wuxia xiangqi xiaomi xiexie xihongshi xinhua
    xiongmao xiyou xiyouji yamen yanjing yiheyuan yijing yinyang yuanxiao yuanxiaojie zhajiangmian
    zhongqiu zhongqiujie zhongwen zhuangzi zhuyin ziran zongzi zuguo zuowen zuoye
"""

AMBIGUOUS_SYLLABLES = frozenset(_SYLLABLES.split())
"""Syllables that stand in English texts as words, as French or German ones, or as short names."""
WORDS = frozenset(f"{_ENGLISH} {_PLACES} {_OTHERS}".split())
"""English words and names, places in China, and Chinese words that other languages write in pinyin.

Those that have the shape of a name, gathered from some 400,000 words of English articles, from handbooks and
from maps. They are taken for a name only where they are written as one.
"""
