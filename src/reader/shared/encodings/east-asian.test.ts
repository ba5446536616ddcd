// Short tables and lines decoded from East Asian encodings.

import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { decodeText } from './encoding.ts'

const japanese = [
  '氏名,部署,役職\n山田太郎,営業部,課長\n鈴木花子,経理部,主任',
  '品番,品名,数量\nA-1,歯車,12\nA-2,軸受,7',
  '佐藤,東京\n田中,大阪',
  '名前\n高橋健一',
  'ﾔﾏﾀﾞ ﾀﾛｳ,ﾄｳｷﾖｳ\nｽｽﾞｷ ﾊﾅｺ,ｵｵｻｶ',
  'ABC株式会社,2024年度',
  '商品コード,単価\nB-77,1200',
  '在庫一覧表',
  'ファイル名：report.xlsx、Excelで開く',
]
const simplified = [
  '姓名,部门,职务\n王伟,销售部,经理\n李娜,财务部,主管',
  '张三,北京\n李四,上海',
  '产品,数量\n齿轮,12\n轴承,7',
  '陈建国,刘洋,赵敏,孙丽',
  '地址：广东省深圳市南山区',
  '订单编号,金额\nA-1,1200',
]
const traditional = [
  '姓名,部門,職稱\n陳志明,業務部,經理\n林美玲,財務部,主任',
  '張三,臺北\n李四,高雄',
  '產品,數量\n齒輪,12\n軸承,7',
  '地址：臺北市信義區',
  '訂單編號,金額\nA-1,1200',
]
const korean = [
  '이름,부서,직위\n김철수,영업부,과장\n이영희,경리부,대리',
  '제품,수량\n기어,12\n베어링,7',
  '박지성,서울\n최민수,부산',
  '주소: 서울특별시 강남구',
  '주문번호,금액\nA-1,1200',
]

test.each([
  ['shift_jis', japanese],
  ['euc-jp', japanese],
  ['gb18030', simplified],
  ['big5', traditional],
  ['euc-kr', korean],
])('short tables in %s', (encoding, texts) => {
  for (const text of texts) expect(decodeText(iconv.encode(text, encoding))).toBe(text)
})

test.each([
  [
    'windows-1251',
    ['Имя;Город\nИванов;Москва\nПетрова;Казань', 'ИВАНОВ;МОСКВА', 'Склад;Кол-во\nА-1;5', 'Итого'],
  ],
  ['koi8-r', ['Имя;Город\nИванов;Москва\nПетрова;Казань', 'Эфиопия;страна', 'Шестерня;12\nПодшипник;7']],
  ['ibm866', ['Имя;Город\nИванов;Москва\nПетрова;Казань', 'Шестерня;12\nПодшипник;7']],
  ['windows-1250', ['Imię;Miasto\nZając;Łódź\nWójcik;Kraków', 'Ilość;Cena\n5;12 zł']],
  [
    'windows-1252',
    ['Müller;Köln', 'Größe;Länge;Höhe', 'Prénom;Ville\nHélène;Orléans', 'Société Générale', 'élève'],
  ],
  ['windows-1253', ['Όνομα;Πόλη\nΠαπαδόπουλος;Αθήνα', 'Σύνολο']],
  ['windows-1254', ['Ad;Şehir\nYılmaz;İstanbul', 'Ürün;Miktar\nDişli;5', 'İSTANBUL;ŞİŞLİ']],
  ['windows-1255', ['שם,עיר\nכהן,ירושלים', 'כמות']],
  ['windows-1256', ['الاسم,المدينة\nمحمد,القاهرة', 'الكمية']],
  ['windows-874', ['ชื่อ,เมือง\nสมชาย,กรุงเทพ', 'จำนวน,ราคา\n5,12']],
])('short tables in %s are not taken for letters of East Asia', (encoding, texts) => {
  for (const text of texts) expect(decodeText(iconv.encode(text, encoding))).toBe(text)
})

test('Vietnamese in windows-1258, whose tones are marks of their own', async () => {
  const text = 'Tên;Thành phố\nLê Thị Hoa;Đà Nẵng\nTrần Văn Bình;Huế'
  const written = text.replace(/\p{L}/gu, (letter) => {
    const [base = '', ...marks] = letter.normalize('NFD')
    const tones = marks.filter((mark) => /[\u0300\u0301\u0303\u0309\u0323]/.test(mark))
    const own = marks.filter((mark) => !tones.includes(mark))
    return (base + own.join('')).normalize('NFC') + tones.join('')
  })
  const { blocks } = await parseBytes('csv', iconv.encode(written, 'windows-1258'))
  expect(blocks[0]?.text).toContain('| Trần Văn Bình | Huế |')
})

test('a long file whose first letters of East Asia come late', async () => {
  const head = `code,name\n${'A-17,x\n'.repeat(200_000)}`
  const { blocks } = await parseBytes('csv', iconv.encode(`${head}A-0,歯車\nA-1,軸受\n`, 'shift_jis'))
  expect(blocks.at(-1)?.text).toContain('| A-0 | 歯車 |\n| A-1 | 軸受 |')
})
